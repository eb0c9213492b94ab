package legalmemo

import "github.com/stategate/stategate/sdk/jsondoc"

// readable is what can be read of an agent's damaged state file: the agent as the beginning of the file has it, up to
// the fault. It has no phases and no items where nothing can be read.
func readable(a *agent) *agent {
	p := &agent{kind: a.kind, letter: a.letter, doc: a.doc}
	if a.doc != nil {
		p.parse(beginning(a.doc.Text))
	}
	return p
}

// syntax is what is wrong with a JSON text, nil for nothing. errors.As would make the guest 30 kB larger.
func syntax(err error) *jsondoc.SyntaxError {
	wrong, _ := any(err).(*jsondoc.SyntaxError) // Parse wraps nothing
	return wrong
}

// beginning is a text as JSON: the whole, or what is before the fault.
func beginning(text string) string {
	_, err := jsondoc.Parse(text)
	if wrong := syntax(err); wrong != nil {
		return closed(text[:min(wrong.Offset, len(text))])
	}
	return text
}

// closed cuts the beginning of a JSON text behind its last whole member or element, and closes what is open there.
func closed(text string) string {
	var open []byte // the closing brackets that are due, the outermost first
	cut, due := 0, ""
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			open = append(open, c+2) // } and ] follow two behind { and [
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return reversed(text[:cut], due)
			}
			open = open[:len(open)-1]
			cut, due = i+1, string(open)
		case ',':
			cut, due = i, string(open)
		}
	}
	return reversed(text[:cut], due)
}

func reversed(text, due string) string {
	for i := len(due) - 1; i >= 0; i-- {
		text += due[i : i+1]
	}
	return text
}

// extracted is the sum of the footnotes of the items.
func (a *agent) extracted() int {
	sum := 0
	for _, it := range a.items {
		n, _ := integer(it.body.Get("footnotes_extracted"))
		sum += n
	}
	return sum
}
