package markdown

import "strings"

// An Entry is a key in a document's front matter and its value: a scalar, a list of scalars, or a map of entries.
type Entry struct {
	Key   string
	Value string // a scalar, without its quotes
	List  []string
	Map   []Entry
	Line  int // line number in the document, from 1
}

// Get returns the entry with a key, or nil if there is none. It is not inlined, because workflows call it often.
//
//go:noinline
func Get(entries []Entry, key string) *Entry {
	for i := range entries {
		if entries[i].Key == key {
			return &entries[i]
		}
	}
	return nil
}

// Front parses the front matter, including lists and maps. It supports block and flow style, values over several
// lines, quoted text, text after | or >, quoted keys, and comments. It returns the number of the first line that
// it cannot read, or 0. It does not read anchors, tags, or more than 8 levels.
func (o *Outline) Front() (entries []Entry, unread int) {
	if len(o.Nodes) == 0 || o.Nodes[0].Kind != KindFrontMatter {
		return nil, 0
	}
	f := FrontOf(o.At(0).Raw())
	return f.Entries, f.Unread
}

// A Front is the front matter of a text.
type Front struct {
	Entries []Entry
	Unread  int    // the first line that cannot be read, or 0
	Lines   int    // number of lines before Body; 0 without front matter
	Closed  bool   // it has a closing mark
	Body    string // the text after it; "" if it is not closed
}

// FrontOf parses the front matter of a text that has no outline, like [Outline.Front]. It also reads front matter
// that was cut off; a cut-off list keeps the entries that remain. Text after the closing mark on the same line belongs
// to the body, because some tools write the first heading there.
func FrontOf(text string) Front {
	start, end, body := frontBounds(text)
	if start < 0 {
		return Front{Body: text}
	}
	f := Front{Lines: 1, Closed: end >= 0}
	if f.Closed {
		f.Body = text[body:]
	} else {
		end = len(text)
	}
	r := frontReader{lines: make([]frontLine, 0, strings.Count(text[start:end], "\n")+1)}
	for line := range strings.Lines(text[start:end]) {
		f.Lines++
		line = trimRight(line)
		bare := strings.TrimLeft(line, " ")
		r.lines = append(r.lines, frontLine{bare, len(line) - len(bare), f.Lines})
	}
	if f.Closed && (body == len(text) || body != end+len("---")) { // the closing mark is alone on its line
		f.Lines++
	}
	f.Entries, f.Unread = r.block(0, 0), r.unread
	return f
}

// HasFront reports whether a text begins with closed front matter.
func HasFront(text string) bool {
	_, end, _ := frontBounds(text)
	return end >= 0
}

// frontBounds returns the offsets of the front matter's first line, its closing mark and the body. A missing offset
// is -1.
func frontBounds(text string) (start, end, body int) {
	first, _, _ := strings.Cut(text, "\n")
	if trimRight(first) != "---" {
		return -1, -1, -1
	}
	start = min(len(first)+1, len(text))
	for at := start; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		next := min(at+len(line)+1, len(text))
		if line != "" && (line[0] == '-' || line[0] == '.') {
			switch bare := trimRight(line); {
			case bare == "..." || strings.HasPrefix(bare, "---") && strings.Trim(bare, "-") == "":
				return start, at, next
			case strings.HasPrefix(bare, "---"):
				return start, at, at + len("---")
			}
		}
		at = next
	}
	return start, -1, -1
}

// Get returns the entry with a key, or nil if there is none.
func (f *Front) Get(key string) *Entry { return Get(f.Entries, key) }

// Value returns the scalar of a key, or "" if there is none.
//
//go:noinline
func (f *Front) Value(key string) string {
	if e := f.Get(key); e != nil {
		return e.Value
	}
	return ""
}

type frontLine struct {
	text         string
	indent, line int
}

type frontReader struct {
	lines  []frontLine
	at     int
	unread int
}

const maxFrontDepth = 8

// block reads entries that are indented like the first one, which must have an indentation of at least
// `least`.
func (r *frontReader) block(least, depth int) []Entry {
	var entries []Entry
	if depth == 0 {
		entries = make([]Entry, 0, len(r.lines))
	}
	indent := -1
	for r.skip() && r.lines[r.at].indent >= least {
		l := r.lines[r.at]
		if indent < 0 {
			indent = l.indent
		}
		if r.at++; l.indent != indent || depth > maxFrontDepth {
			r.fail(l.line)
			continue
		}
		key, value, ok := cutKey(l.text)
		if !ok || key == "" || strings.IndexByte("\t-[{&*!|>%@`", l.text[0]) >= 0 {
			r.fail(l.line)
			continue
		}
		entries = append(entries, Entry{Key: unquoted(key), Line: l.line})
		r.value(&entries[len(entries)-1], r.whole(uncommented(value), indent), indent, depth)
	}
	return entries
}

// value reads the text after a key.
func (r *frontReader) value(e *Entry, value string, indent, depth int) {
	switch {
	case value == "" && r.skip() && isItem(r.lines[r.at].text) && r.lines[r.at].indent >= indent:
		for own := r.lines[r.at].indent; r.skip() && r.lines[r.at].indent >= own; r.at++ {
			l := r.lines[r.at]
			item := isItem(l.text)
			if !item && l.indent == indent {
				return
			}
			if !item || l.indent != own {
				r.fail(l.line)
				continue
			}
			e.List = append(e.List, unquoted(uncommented(l.text[1:])))
		}
	case value == "":
		e.Map = r.block(indent+1, depth+1)
	case value[0] == '[':
		e.List = flow(value)
	case value[0] == '{' && (len(value) == 1 || value[1] != '{'): // not a template's {{name}}
		for _, pair := range flow(value) {
			key, text, _ := strings.Cut(pair, ":")
			e.Map = append(e.Map, Entry{Key: unquoted(key), Value: unquoted(strings.TrimSpace(text)), Line: e.Line})
		}
	case value[0] == '|' || value[0] == '>':
		var text []string
		for ; r.at < len(r.lines) && (r.lines[r.at].text == "" || r.lines[r.at].indent > indent); r.at++ {
			text = append(text, r.lines[r.at].text)
		}
		between := "\n"
		if value[0] == '>' {
			between = " "
		}
		e.Value = strings.TrimSpace(strings.Join(text, between))
	case strings.IndexByte("{&*!%@`", value[0]) >= 0:
		r.fail(e.Line)
		e.Value = value // people write @name without quotes
	default:
		e.Value = unquoted(value)
	}
}

// whole returns a value with its continuation lines: to the closing bracket of a list, or all lines of a text that
// are indented more than its key.
func (r *frontReader) whole(value string, indent int) string {
	if value == "" || value[0] == '|' || value[0] == '>' {
		return value
	}
	for {
		if !r.skip() {
			return value
		}
		next := r.lines[r.at]
		inside := (value[0] == '[' || value[0] == '{') && !balanced(value)
		ends := inside && (next.text[0] == ']' || next.text[0] == '}')
		if next.indent <= indent && !ends {
			return value
		}
		if _, _, key := cutKey(next.text); key && !inside {
			return value
		}
		value += " " + uncommented(next.text)
		r.at++
	}
}

// cutKey splits a line after the first colon that ends a key. A blank or the end of the line follows
// such a colon.
func cutKey(line string) (key, value string, ok bool) {
	for i := range len(line) {
		if line[i] == ':' && (i+1 == len(line) || line[i+1] == ' ') {
			return strings.TrimSpace(line[:i]), line[i+1:], true
		}
	}
	return line, "", false
}

func isItem(line string) bool { return line[0] == '-' && (len(line) == 1 || line[1] == ' ') }

// balanced reports whether every bracket outside quotes is closed.
func balanced(value string) bool {
	depth := 0
	for _, c := range []byte(masked(value)) {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
	}
	return depth <= 0
}

// masked replaces quoted text with x. A quote begins at the start of the value, or after a bracket, a comma or a
// colon.
func masked(value string) string {
	if strings.IndexByte(value, '"') < 0 && strings.IndexByte(value, '\'') < 0 {
		return value
	}
	out := append([]byte(nil), value...)
	quote, may := byte(0), true
	for i, c := range out {
		switch {
		case quote != 0:
			if out[i] = 'x'; c == quote && (c != '"' || value[i-1] != '\\') {
				quote = 0
			}
		case may && (c == '"' || c == '\''):
			out[i], quote = 'x', c
		default:
			may = c == ' ' && may || strings.IndexByte("[{,:", c) >= 0
		}
	}
	return string(out)
}

// skip skips blank lines and comments, and reports whether another line follows.
func (r *frontReader) skip() bool {
	for r.at < len(r.lines) && (r.lines[r.at].text == "" || r.lines[r.at].text[0] == '#') {
		r.at++
	}
	return r.at < len(r.lines)
}

func (r *frontReader) fail(line int) {
	if r.unread == 0 {
		r.unread = line
	}
}

// flow lists the elements of a list or map in brackets. If the list is cut off, it returns the elements that
// remain.
func flow(value string) (parts []string) {
	if end := len(value) - 1; end > 0 && (value[end] == ']' || value[end] == '}') {
		value = value[:end]
	}
	rest := masked(value)[1:]
	for value = value[1:]; value != ""; {
		end := strings.IndexByte(rest, ',')
		if end < 0 {
			end = len(rest)
		}
		if part := strings.TrimSpace(value[:end]); part != "" {
			parts = append(parts, unquoted(part))
		}
		end = min(end+1, len(rest))
		value, rest = value[end:], rest[end:]
	}
	return parts
}

func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s) - 1; n > 0 && s[0] == s[n] {
		switch s[0] {
		case '"':
			return unquote(s[1:n], DoubleQuoted)
		case '\'':
			return unquote(s[1:n], SingleQuoted)
		}
	}
	return s
}

// uncommented removes a comment that is not in quotes.
func uncommented(s string) string {
	s = strings.TrimSpace(s)
	if strings.IndexByte(s, '#') < 0 {
		return s
	}
	if bare := " " + masked(s); strings.Contains(bare, " #") {
		s = s[:strings.Index(bare, " #")]
	}
	return strings.TrimSpace(s)
}
