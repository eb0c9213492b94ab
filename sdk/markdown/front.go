package markdown

import "strings"

// An Entry is one key of a document's front matter with what it holds: a scalar, a
// list of scalars, or a map of entries.
type Entry struct {
	Key   string
	Value string // of a scalar, without its quotes
	List  []string
	Map   []Entry
	Line  int // 1-based, in the document
}

// Get returns the entry of a key in a list of them, nil if there is none.
func Get(entries []Entry, key string) *Entry {
	for i := range entries {
		if entries[i].Key == key {
			return &entries[i]
		}
	}
	return nil
}

// Front reads the front matter, lists and maps included: block and flow style, texts in
// quotes and behind | or >, comments. It returns the first line that it cannot read, 0 if it
// reads them all. What is deeper than 8 levels, anchors and tags are not read.
func (o *Outline) Front() (entries []Entry, unread int) {
	if len(o.Nodes) == 0 || o.Nodes[0].Kind != KindFrontMatter {
		return nil, 0
	}
	r := frontReader{}
	for i, line := range strings.Split(o.At(0).Raw(), "\n") {
		line = strings.TrimRight(line, space)
		if bare := strings.TrimLeft(line, " "); i > 0 && line != "---" && line != "..." {
			r.lines = append(r.lines, frontLine{bare, len(line) - len(bare), i + 1})
		}
	}
	return r.block(0, 0), r.unread
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

// block reads the entries that are indented as far as the first one, at least so far.
func (r *frontReader) block(least, depth int) []Entry {
	var entries []Entry
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
		key, value, ok := strings.Cut(l.text+" ", ": ")
		if key = strings.TrimSpace(key); !ok || key == "" || strings.ContainsAny(l.text[:1], "\t-[{&*!|>%@`") {
			r.fail(l.line)
			continue
		}
		e := Entry{Key: unquoted(key), Line: l.line}
		r.value(&e, uncommented(value), indent, depth)
		entries = append(entries, e)
	}
	return entries
}

// value reads what stands behind a key.
func (r *frontReader) value(e *Entry, value string, indent, depth int) {
	switch {
	case value == "" && r.skip() && strings.HasPrefix(r.lines[r.at].text+" ", "- ") && r.lines[r.at].indent >= indent:
		for own := r.lines[r.at].indent; r.skip() && r.lines[r.at].indent >= own; r.at++ {
			l := r.lines[r.at]
			item, ok := strings.CutPrefix(l.text+" ", "- ")
			if !ok && l.indent == indent {
				return
			}
			if !ok || l.indent != own {
				r.fail(l.line)
				continue
			}
			e.List = append(e.List, unquoted(uncommented(item)))
		}
	case value == "":
		e.Map = r.block(indent+1, depth+1)
	case value[0] == '[' && strings.HasSuffix(value, "]"):
		e.List = flow(value)
	case value[0] == '{' && strings.HasSuffix(value, "}"):
		for _, pair := range flow(value) {
			key, text, _ := strings.Cut(pair, ":")
			e.Map = append(e.Map, Entry{Key: unquoted(key), Value: unquoted(strings.TrimSpace(text)), Line: e.Line})
		}
	case value[0] == '|' || value[0] == '>':
		var text []string
		for ; r.at < len(r.lines) && (r.lines[r.at].text == "" || r.lines[r.at].indent > indent); r.at++ {
			text = append(text, r.lines[r.at].text)
		}
		e.Value = strings.TrimSpace(strings.Join(text, map[byte]string{'|': "\n", '>': " "}[value[0]]))
	case strings.IndexByte("[{&*!%@`", value[0]) >= 0:
		r.fail(e.Line)
	default:
		e.Value = unquoted(value)
	}
}

// skip goes over blank lines and comments, and reports whether another line follows.
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

// flow lists what is between commas outside of quotes.
func flow(value string) []string {
	var parts []string
	var quote byte
	from := 1
	for i := 1; i < len(value); i++ {
		switch c := value[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ',' || i == len(value)-1:
			if part := strings.TrimSpace(value[from:i]); part != "" {
				parts = append(parts, unquoted(part))
			}
			from = i + 1
		}
	}
	return parts
}

func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s) - 1; n > 0 && s[0] == s[n] && (s[0] == '"' || s[0] == '\'') {
		return unquote(s[1:n], map[byte]Quoting{'"': DoubleQuoted, '\'': SingleQuoted}[s[0]])
	}
	return s
}

// uncommented takes off a comment, unless it is in quotes.
func uncommented(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || s[0] == '#' {
		return ""
	}
	from := 0
	if s[0] == '"' || s[0] == '\'' {
		from = max(strings.IndexByte(s[1:], s[0]), 0)
	}
	if at := strings.Index(s[from:], " #"); at >= 0 {
		s = strings.TrimSpace(s[:from+at])
	}
	return s
}
