package expr

import "strings"

// A Template is a text with expressions in braces. Two braces stand for one.
type Template struct {
	parts []part
}

type part struct {
	text string
	expr *Node
}

// ParseTemplate reads a template.
func ParseTemplate(src string) (*Template, *Error) {
	t, text := &Template{}, ""
	for at := 0; at < len(src); {
		c := src[at]
		switch {
		case (c == '{' || c == '}') && strings.HasPrefix(src[at+1:], string(c)):
			text, at = text+string(c), at+2
		case c == '}':
			return nil, &Error{at, "this } has no matching {; use }} for a literal brace"}
		case c == '{':
			n, end, err := parse(src, at+1)
			if err != nil {
				return nil, err
			}
			if end >= len(src) {
				return nil, &Error{at, "this { has no matching }; use {{ for a literal brace"}
			}
			t.parts = append(t.parts, part{text: text}, part{expr: n})
			text, at = "", end+1
		default:
			next := strings.IndexAny(src[at:], "{}")
			if next < 0 {
				next = len(src) - at
			}
			text, at = text+src[at:at+next], at+next
		}
	}
	t.parts = append(t.parts, part{text: text})
	return t, nil
}

// Expressions returns the expressions in the template.
func (t *Template) Expressions() (list []*Node) {
	for _, p := range t.parts {
		if p.expr != nil {
			list = append(list, p.expr)
		}
	}
	return list
}

// Value returns the value of a template that is one expression and nothing else, and a string else.
func (t *Template) Value(s *Scope) *Value {
	if t == nil {
		return Str("")
	}
	if len(t.parts) == 3 && t.parts[0].text == "" && t.parts[2].text == "" {
		return t.parts[1].expr.Eval(s).Open()
	}
	var b strings.Builder
	for _, p := range t.parts {
		if p.expr == nil {
			b.WriteString(p.text)
		} else {
			b.WriteString(p.expr.Eval(s).String())
		}
	}
	return Str(b.String())
}

// Text returns the value as a text.
func (t *Template) Text(s *Scope) string { return t.Value(s).String() }
