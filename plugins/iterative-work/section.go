package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A section is a heading of level 2 and what stands below it; the first one of
// a document is what stands before them. Ranges are half-open bytes.
type section struct {
	title      string // as a reader sees it, "" of the first one
	start, end int    // of the heading
	stop       int    // of the section
	level      int    // of the heading, 0 of the first one
	fields     []field
	content    bool // it has more than headings
}

// A field is a key with a value and, if that is empty, the list right below it.
type field struct {
	key        string
	value      string
	start, end int // of the value, or of the key if there is none
	items      []string
}

// real reports whether the field says something.
//
//go:noinline
func (f *field) real() bool {
	if f == nil {
		return false
	}
	if slices.ContainsFunc(f.items, isReal) {
		return true
	}
	return isReal(f.value)
}

// texts are the value, or the items below an empty one.
//
//go:noinline
func (f *field) texts() []string {
	if f == nil {
		return nil
	}
	if f.value != "" {
		return []string{f.value}
	}
	return f.items
}

// field is the first one that has one of the keys, nil without one.
//
//go:noinline
func (s *section) field(keys ...string) *field {
	for i := range s.fields {
		for _, key := range keys {
			if alike(s.fields[i].key, key) {
				return &s.fields[i]
			}
		}
	}
	return nil
}

// begins reports whether the title begins with one of the words.
//
//go:noinline
func (s *section) begins(words ...string) bool {
	for _, w := range words {
		if len(s.title) >= len(w) && alike(s.title[:len(w)], w) {
			return true
		}
	}
	return false
}

// A reader walks once over the nodes of an outline.
type reader struct {
	text  string
	nodes []markdown.Node
	list  []section
	all   []field // of the document; those of a section lie together
	from  int     // where those of the last section begin
	open  bool    // the last field has no value, and nothing but items followed
	depth int     // of those items, 0 before the first
}

// sections reads a document; nil if there is none.
//
//go:noinline
func sections(d *sdk.Document) []section {
	if !d.Readable() {
		return nil
	}
	o := d.Outline()
	r := reader{text: o.Text, nodes: o.Nodes}
	headings, fields := 1, 0
	for i := range r.nodes {
		switch r.nodes[i].Kind {
		case markdown.KindHeading:
			headings++
		case markdown.KindField:
			fields++
		}
	}
	r.list, r.all = make([]section, 1, headings), make([]field, 0, fields)
	for i := range r.nodes {
		r.node(i)
	}
	r.done(len(r.text))
	return r.list
}

// done ends the last section.
func (r *reader) done(stop int) {
	s := r.last()
	s.stop, s.fields = stop, r.all[r.from:len(r.all):len(r.all)]
	r.from = len(r.all)
}

func (r *reader) last() *section { return &r.list[len(r.list)-1] }

// node is one switch over the kinds.
func (r *reader) node(i int) {
	n := &r.nodes[i]
	switch n.Kind {
	case markdown.KindHeading:
		r.heading(n)
	case markdown.KindField:
		r.field(i)
	case markdown.KindItem:
		r.item(i, n)
	case markdown.KindParagraph:
		r.last().content = true
		r.open = r.open && n.Parent >= 0 && r.nodes[n.Parent].Kind == markdown.KindItem
	case markdown.KindTable, markdown.KindFence, markdown.KindQuote:
		r.last().content, r.open = true, false
	}
}

func (r *reader) heading(n *markdown.Node) {
	r.open = false
	raw := r.text[n.Start:n.End]
	if n.Parent >= 0 || n.Data > 2 || n.Data == 1 && len(r.list) == 1 || n.Data == 2 && raw[0] != '#' && r.underlined(n) {
		return
	}
	r.done(n.Start)
	if cut := strings.LastIndexByte(raw, '\n'); cut >= 0 && raw[0] != '#' {
		raw = raw[:cut]
	} else {
		raw = strings.Trim(raw, "# \t")
	}
	r.list = append(r.list, section{title: markdown.Plain(raw), start: n.Start, end: n.End, level: n.Data})
}

// underlined takes the fields out of a paragraph that a line of dashes, meant as a
// separator, makes a heading. It reports whether there are any.
func (r *reader) underlined(n *markdown.Node) bool {
	found := false
	for at := n.Start; at < n.End; {
		end := at + strings.IndexByte(r.text[at:n.End]+"\n", '\n')
		line := r.text[at:end]
		if key, from := split(line); key != "" && strings.HasPrefix(line, "**") {
			found = true
			value := strings.TrimRight(line[from:], " \t\r")
			r.add(key, markdown.Plain(value), at+from, at+from+len(value))
		}
		at = end + 1
	}
	return found
}

func (r *reader) field(i int) {
	if i+2 >= len(r.nodes) || r.nodes[i].Data == int(markdown.FromFrontMatter) {
		return
	}
	k, v := &r.nodes[i+1], &r.nodes[i+2]
	start, end := v.Start, v.End
	if start == end {
		start, end = k.Start, k.End
	}
	value := markdown.Plain(r.text[v.Start:v.End])
	r.add(strings.TrimRight(r.text[k.Start:k.End], ": "), value, start, end)
	r.open, r.depth = value == "", 0
}

func (r *reader) add(key, value string, start, end int) {
	r.all = append(r.all, field{key: key, value: value, start: start, end: end})
	r.last().content = true
}

// item is an item of the list below a field, unless it holds a field itself.
func (r *reader) item(i int, n *markdown.Node) {
	r.last().content = true
	if !r.open {
		return
	}
	if i+2 < len(r.nodes) && r.nodes[i+2].Kind == markdown.KindField && r.nodes[i+2].Parent == i+1 {
		r.open = false
		return
	}
	if r.depth == 0 {
		r.depth = n.Data
	}
	if n.Data == r.depth {
		f := &r.all[len(r.all)-1]
		start, end := own(r.nodes, i)
		f.items = append(f.items, markdown.Plain(r.text[start:end]))
	}
}

// own is the place of an item's own text, behind its box if it has one.
//
//go:noinline
func own(nodes []markdown.Node, i int) (start, end int) {
	if i+1 >= len(nodes) || nodes[i+1].Parent != i {
		return 0, 0
	}
	switch lead := &nodes[i+1]; lead.Kind {
	case markdown.KindTask:
		return lead.Start + len("[ ]"), lead.End
	case markdown.KindParagraph:
		return lead.Start, lead.End
	}
	return 0, 0
}

// split reads "Key: value", the key bold or not, and returns the key and where the
// value begins; the key is "" without a colon.
//
//go:noinline
func split(line string) (key string, from int) {
	from = strings.IndexByte(line, ':')
	if from < 0 {
		return "", 0
	}
	key = strings.Trim(line[:from], " \t*_-")
	for from++; from < len(line) && (line[from] == '*' || line[from] == ' ' || line[from] == '\t'); from++ {
	}
	return key, from
}
