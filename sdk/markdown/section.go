package markdown

// A Heading is one heading of a document.
type Heading struct{ Part }

// Level returns 1 to 6, or 0 if the heading is missing.
func (h Heading) Level() int { return h.Node().Data }

// Text returns the title as rendered. A workflow that reads only headings does not link [Part.Text].
func (h Heading) Text() string { return Plain(title(h.Raw())) }

// Section returns the heading and everything below it, up to the next heading of the same or a higher level.
func (h Heading) Section() Section { return h.upTo(h.Level()) }

// Body returns the heading and the content directly below it, up to the next heading of any level.
func (h Heading) Body() Section { return h.upTo(6) }

func (h Heading) upTo(level int) Section {
	if !h.OK() {
		return Section{}
	}
	return h.outline.section(h.index, func(next Heading) bool { return next.Level() <= level })
}

// section returns the section from the heading at index, or from the top if index is -1, to the first later heading
// for which stop returns true.
func (o *Outline) section(index int, stop func(Heading) bool) Section {
	s := Section{outline: o, heading: index, to: len(o.Nodes), start: 0, end: len(o.Text)}
	if index >= 0 {
		s.start = o.Nodes[index].Start
	}
	for i := index + 1; i < len(o.Nodes); i = o.after(i) {
		if o.Nodes[i].Kind == KindHeading && stop(Heading{Part{o, i}}) {
			s.to, s.end = i, o.Nodes[i].Start
			break
		}
	}
	return s
}

// A Section is a range of a document that queries search. The zero Section is empty. Headings inside quotes and
// list items do not begin a section.
type Section struct {
	outline    *Outline
	heading    int // index of its heading, or -1 at the top
	to         int // index of the first node after it
	start, end int
}

// Document returns the whole document as a section without a heading.
func (o *Outline) Document() Section {
	return Section{outline: o, heading: -1, to: len(o.Nodes), end: len(o.Text)}
}

// Head returns the text before the first heading of level 2 or deeper: the title and the header fields.
func (o *Outline) Head() Section {
	return o.section(-1, func(h Heading) bool { return h.Level() >= 2 })
}

// OK reports whether the section exists.
func (s Section) OK() bool { return s.outline != nil }

// Heading returns the section's own heading. It is missing for Document and Head.
func (s Section) Heading() Heading {
	if s.outline == nil || s.heading < 0 {
		return Heading{}
	}
	return Heading{Part{s.outline, s.heading}}
}

// Start returns the offset of the section's first byte, including its heading.
func (s Section) Start() int { return s.start }

// End returns the offset after the section's last byte.
func (s Section) End() int { return s.end }

// Raw returns the section as written in the document, including its heading.
func (s Section) Raw() string {
	if s.outline == nil {
		return ""
	}
	return s.outline.Text[s.start:s.end]
}

// Parts lists the section's parts of the given kind, at any depth, in order. It omits front matter.
func (s Section) Parts(kind Kind) []Part {
	nodes := s.nodes()
	n := 0
	for i := range nodes {
		if nodes[i].Kind == kind {
			n++
		}
	}
	found := make([]Part, 0, n)
	for i := range nodes {
		if nodes[i].Kind == kind {
			found = append(found, Part{s.outline, s.to - len(nodes) + i})
		}
	}
	return found
}

// nodes returns the nodes below the heading, without front matter.
func (s Section) nodes() []Node {
	if s.outline == nil {
		return nil
	}
	from := s.heading + 1
	if from < s.to && s.outline.Nodes[from].Kind == KindFrontMatter {
		from = s.outline.after(from)
	}
	return s.outline.Nodes[from:s.to]
}

func (s Section) first(is func(*Node) bool) Part {
	nodes := s.nodes()
	for i := range nodes {
		if is(&nodes[i]) {
			return Part{s.outline, s.to - len(nodes) + i}
		}
	}
	return Part{}
}

// each calls visit for the nodes below the heading until visit returns false. It omits front matter and the
// contents of tables.
func (s Section) each(visit func(Part, *Node) bool) {
	if s.outline == nil {
		return
	}
	for i := s.to - len(s.nodes()); i < s.to; {
		n := &s.outline.Nodes[i]
		if !visit(Part{s.outline, i}, n) {
			return
		}
		if n.Kind == KindTable {
			i = s.outline.after(i)
		} else {
			i++
		}
	}
}

// Headings lists the headings in the section, except its own, outside quotes and list items.
func (s Section) Headings() []Heading {
	found := make([]Heading, 0, 8)
	s.headings(func(h Heading) bool {
		found = append(found, h)
		return true
	})
	return found
}

func (s Section) headings(visit func(Heading) bool) {
	if s.outline == nil {
		return
	}
	for i := s.heading + 1; i < s.to; i = s.outline.after(i) {
		if s.outline.Nodes[i].Kind == KindHeading && !visit(Heading{Part{s.outline, i}}) {
			return
		}
	}
}

// Find returns the first heading below the section's own that has the same Name as one of titles.
func (s Section) Find(titles ...string) Heading {
	want := names(titles)
	return s.FindFunc(func(h Heading) bool { return want.has(h.Text()) })
}

// FindFunc returns the first heading below the section's own for which accept returns true.
func (s Section) FindFunc(accept func(Heading) bool) Heading {
	var found Heading
	s.headings(func(h Heading) bool {
		if accept(h) {
			found = h
		}
		return !found.OK()
	})
	return found
}

// Paragraph returns the section's first paragraph outside quotes and list items.
func (s Section) Paragraph() Part {
	return s.first(func(n *Node) bool { return n.Kind == KindParagraph && n.Parent < 0 })
}

// Headings lists the document's headings outside quotes and list items.
func (o *Outline) Headings() (list []Heading) {
	for i := 0; i < len(o.Nodes); i = o.after(i) {
		if o.Nodes[i].Kind == KindHeading {
			list = append(list, Heading{Part{o, i}})
		}
	}
	return list
}

// Find returns the document's first heading that has the same Name as one of titles.
func (o *Outline) Find(titles ...string) Heading { return o.Document().Find(titles...) }

// FindFunc returns the document's first heading for which accept returns true.
func (o *Outline) FindFunc(accept func(Heading) bool) Heading { return o.Document().FindFunc(accept) }

// OpenComment returns the <!-- of an unclosed comment. The text after it is not part of a comment.
func (o *Outline) OpenComment() Part {
	if last := len(o.Nodes) - 1; last >= 0 && o.Nodes[last].Kind == KindOpenComment {
		return Part{o, last}
	}
	return Part{}
}
