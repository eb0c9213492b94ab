package markdown

// A Heading is one heading of a document.
type Heading struct{ Part }

// Level is 1 to 6, or 0 if the heading is not there.
func (h Heading) Level() int { return h.Node().Data }

// Text is the title as a reader sees it. A workflow that asks for no other text has no need of [Part.Text].
func (h Heading) Text() string { return Plain(title(h.Raw())) }

// Section is the heading and all below it, up to the next heading of the same
// or a higher level.
func (h Heading) Section() Section { return h.upTo(h.Level()) }

// Body is the heading and what stands directly below it, up to the next
// heading of any level.
func (h Heading) Body() Section { return h.upTo(6) }

func (h Heading) upTo(level int) Section {
	if !h.OK() {
		return Section{}
	}
	return h.outline.section(h.index, func(next Heading) bool { return next.Level() <= level })
}

// section reaches from the heading at index, or the top if it is -1, to the first heading after it for which stop
// returns true.
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

// A Section is a stretch of a document that queries look at. The zero Section
// is empty. Headings inside quotes and list items begin no section.
type Section struct {
	outline    *Outline
	heading    int // index of its heading, -1 if it begins at the top
	to         int // index of the first node after it
	start, end int
}

// Document is the whole document as a section without a heading.
func (o *Outline) Document() Section {
	return Section{outline: o, heading: -1, to: len(o.Nodes), end: len(o.Text)}
}

// Head is the text before the first heading of level 2 or deeper: the title and the header fields.
func (o *Outline) Head() Section {
	return o.section(-1, func(h Heading) bool { return h.Level() >= 2 })
}

// OK reports whether the section is there.
func (s Section) OK() bool { return s.outline != nil }

// Heading is the section's own heading. It is not there for Document and Head.
func (s Section) Heading() Heading {
	if s.outline == nil || s.heading < 0 {
		return Heading{}
	}
	return Heading{Part{s.outline, s.heading}}
}

// Line is the 1-based line of the section's heading, 1 without one.
func (s Section) Line() int { return max(s.Heading().Line(), 1) }

// Start is the offset of the section's first byte, its heading included.
func (s Section) Start() int { return s.start }

// End is the offset behind the section's last byte.
func (s Section) End() int { return s.end }

// Raw is the section as written in the document, its heading included.
func (s Section) Raw() string {
	if s.outline == nil {
		return ""
	}
	return s.outline.Text[s.start:s.end]
}

// Parts lists the parts of a kind in the section, at any depth, in order. Front
// matter is left out.
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

// nodes are those below the heading, without front matter.
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

// each calls visit for the nodes below the heading until it returns false.
// Front matter is left out, and so is what lies inside a table.
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

// Headings lists the headings below the section's own, outside quotes and list
// items.
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

// Find is the first heading below the section's own whose Name is that of one
// of titles.
func (s Section) Find(titles ...string) Heading {
	want := names(titles)
	return s.FindFunc(func(h Heading) bool { return want.has(h.Text()) })
}

// FindFunc is the first heading below the section's own that is accepted.
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

// Paragraph is the first paragraph of the section outside quotes and list
// items.
func (s Section) Paragraph() Part {
	return s.first(func(n *Node) bool { return n.Kind == KindParagraph && n.Parent < 0 })
}

// Headings lists the headings of the document outside quotes and list items.
func (o *Outline) Headings() (list []Heading) {
	for i := 0; i < len(o.Nodes); i = o.after(i) {
		if o.Nodes[i].Kind == KindHeading {
			list = append(list, Heading{Part{o, i}})
		}
	}
	return list
}

// Find is the first heading of the document whose Name is that of one of
// titles.
func (o *Outline) Find(titles ...string) Heading { return o.Document().Find(titles...) }

// FindFunc is the first heading of the document that is accepted.
func (o *Outline) FindFunc(accept func(Heading) bool) Heading { return o.Document().FindFunc(accept) }

// OpenComment is the <!-- that nothing closes. What follows it is read as text.
func (o *Outline) OpenComment() Part {
	if last := len(o.Nodes) - 1; last >= 0 && o.Nodes[last].Kind == KindOpenComment {
		return Part{o, last}
	}
	return Part{}
}
