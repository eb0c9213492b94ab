package jsondoc

import "strings"

// spaces are the white space characters of JSON.
const spaces = " \t\r\n"

// Set does not imitate white space that is longer than this, because a hostile document could otherwise inflate
// every edit.
const (
	maxIndent = 64 // bytes before a line
	maxGap    = 8  // bytes around a colon or after a comma
)

// A style is the formatting of a document around one position.
type style struct {
	newline string // "\n" or "\r\n"
	unit    string // one level of indentation
	indent  string // of the lines around the position
	colon   string // a colon and the white space around it
	comma   string // the white space after a comma within a line
	ownLine bool   // the position is the first on its line
}

// writer returns a writer whose output is formatted like the value that begins at start, which is v or a child of v.
func (v Value) writer(start int) *writer {
	d := v.doc
	gap := d.gapBefore(start)
	s := style{ownLine: strings.Contains(gap, "\n"), indent: d.lineIndent(start)}
	d.measure(&s, v)
	if s.ownLine {
		s.newline = newlineOf(gap)
	}
	if len(s.indent) > maxIndent {
		s.indent = s.indent[:maxIndent]
	}
	return &writer{style: s}
}

// measure fills in the parts of the style that the position itself does not show. It takes them from v, or else from
// the first container in the document that shows them.
func (d *Document) measure(s *style, v Value) {
	s.newline = newlineOf(d.text)
	var colon, comma gauge
	v.gauge(&colon, &comma)
	for at := 0; at < len(d.nodes) && !(colon.known && comma.known && s.unit != ""); at++ {
		inner := Value{d, uint32(at)}
		if s.unit == "" {
			s.unit = inner.unit()
		}
		inner.gauge(&colon, &comma)
	}
	s.colon, s.comma = colon.text, comma.text
	if s.unit == "" {
		s.unit = "  "
	}
	if !colon.known {
		s.colon = ":"
		if strings.Contains(d.Root().Raw(), "\n") {
			s.colon = ": "
		}
	}
	if !comma.known && strings.HasSuffix(s.colon, " ") {
		s.comma = " "
	}
}

// A gauge is a measured part of a style.
type gauge struct {
	text  string
	known bool
}

func (g *gauge) set(text string) {
	if !g.known && len(text) <= maxGap && !strings.ContainsAny(text, "\r\n") {
		*g = gauge{text, true}
	}
}

// gauge measures the first colon, and the first comma within a line, among a container's own children.
func (v Value) gauge(colon, comma *gauge) {
	kind := v.Kind()
	if kind != Object && kind != Array {
		return
	}
	d, end := v.doc, v.node().next
	previous := -1
	for at := v.at + 1; at < end && !(comma.known && (colon.known || kind == Array)); {
		start := int(d.nodes[at].start)
		if previous >= 0 {
			comma.set(afterComma(d.text[previous:start]))
		}
		if kind == Object {
			colon.set(d.text[d.nodes[at].end:d.nodes[at+1].start])
			at++
		}
		previous = int(d.nodes[at].end)
		at = d.nodes[at].next
	}
}

// afterComma returns the text after the comma between two children.
func afterComma(gap string) string { return gap[strings.IndexByte(gap, ',')+1:] }

// unit returns the additional indentation of a container's first child, or "" if it cannot be measured.
func (v Value) unit() string {
	if kind := v.Kind(); kind != Array && kind != Object || v.at+1 >= v.node().next {
		return ""
	}
	first := int(v.doc.nodes[v.at+1].start)
	if !strings.Contains(v.doc.gapBefore(first), "\n") {
		return ""
	}
	unit, deeper := strings.CutPrefix(v.doc.lineIndent(first), v.doc.lineIndent(v.Start()))
	if !deeper || len(unit) > maxGap {
		return ""
	}
	return unit
}

// gapBefore returns the white space before offset.
func (d *Document) gapBefore(offset int) string {
	return d.text[len(strings.TrimRight(d.text[:offset], spaces)):offset]
}

// lineIndent returns the spaces and tabs at the beginning of the line with offset.
func (d *Document) lineIndent(offset int) string {
	line := d.text[strings.LastIndexByte(d.text[:offset], '\n')+1 : offset]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// newlineOf returns the first line ending in text, or "\n" if there is none.
func newlineOf(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// expands reports whether v's children of this kind span several lines, based on the last nonempty child. It
// returns true if there is none.
func (v Value) expands(kind Kind) bool {
	like := -1
	v.children(func(at uint32) {
		if v.Kind() == Object {
			at++
		}
		if n := v.doc.nodes[at]; n.kind == kind && n.next > at+1 {
			like = int(at)
		}
	})
	return like < 0 || strings.Contains(Value{v.doc, uint32(like)}.Raw(), "\n")
}
