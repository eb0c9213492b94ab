package markdown

import "strings"

// A Part is one node of an outline. The zero Part is missing: it has no text and its line is 0.
type Part struct {
	outline *Outline
	index   int
}

// At returns node i as a Part, for plugins that walk the nodes themselves. The result is missing if there is no
// such node.
func (o *Outline) At(i int) Part {
	if i < 0 || i >= len(o.Nodes) {
		return Part{}
	}
	return Part{o, i}
}

// OK reports whether the part exists.
func (p Part) OK() bool { return p.outline != nil }

// Index returns the part's index in Nodes, or -1 if the part is missing.
func (p Part) Index() int {
	if p.outline == nil {
		return -1
	}
	return p.index
}

// Node returns the node, or the zero Node if the part is missing.
func (p Part) Node() Node { return *p.node() }

func (p Part) node() *Node {
	if p.outline == nil {
		return &noNode
	}
	return &p.outline.Nodes[p.index]
}

var noNode = Node{Parent: -1}

// Line returns the line on which the part begins, counted from 1.
func (p Part) Line() int { return p.node().Line }

// Start returns the offset of the part's first byte.
func (p Part) Start() int { return p.node().Start }

// End returns the offset after the part's last byte.
func (p Part) End() int { return p.node().End }

// Raw returns the part as written in the document, including markup.
func (p Part) Raw() string {
	if p.outline == nil {
		return ""
	}
	n := &p.outline.Nodes[p.index]
	return p.outline.Text[n.Start:n.End]
}

// Text returns the part as rendered; see Plain. The result is a heading's title, the words after a task's box,
// an item's first paragraph, or the lines of code as written.
func (p Part) Text() string {
	switch n := p.node(); n.Kind {
	case KindHeading:
		return Heading{p}.Text()
	case KindTask:
		return Plain(p.Raw()[len("[ ]"):])
	case KindItem:
		return p.lead().Text()
	case KindCell:
		return Plain(replaced(p.Raw(), `\|`, "|"))
	case KindCode:
		return p.code()
	case KindValue:
		if p.outline.Nodes[n.Parent].Data == int(FromFrontMatter) {
			return unquote(p.Raw(), Quoting(n.Data))
		}
		return Plain(p.Raw())
	default:
		return Plain(p.Raw())
	}
}

// In reports whether the part is inside a node of the given kind, at any depth.
func (p Part) In(kind Kind) bool {
	for at := p.node().Parent; at >= 0; at = p.outline.Nodes[at].Parent {
		if p.outline.Nodes[at].Kind == kind {
			return true
		}
	}
	return false
}

// child returns the first child of the given kind, or the zero Part.
func (p Part) child(kind Kind) Part {
	if p.outline == nil {
		return Part{}
	}
	o := p.outline
	for i, end := p.index+1, o.after(p.index); i < end; i = o.after(i) {
		if o.Nodes[i].Kind == kind {
			return Part{o, i}
		}
	}
	return Part{}
}

// children lists the children of the given kind.
func (p Part) children(kind Kind) []Part {
	var found []Part
	o := p.outline
	for i, end := p.index+1, o.after(p.index); i < end; i = o.after(i) {
		if o.Nodes[i].Kind == kind {
			found = append(found, Part{o, i})
		}
	}
	return found
}

// lead returns the paragraph or task that is an item's own text.
func (p Part) lead() Part {
	if p.outline == nil || p.index+1 >= len(p.outline.Nodes) {
		return Part{}
	}
	first := Part{p.outline, p.index + 1}
	if n := first.node(); n.Parent == p.index && (n.Kind == KindParagraph || n.Kind == KindTask) {
		return first
	}
	return Part{}
}

// title removes a heading's markers: the leading and closing # of a single line, or the underline below the text.
func title(raw string) string {
	if cut := strings.LastIndexByte(raw, '\n'); cut >= 0 {
		return raw[:cut]
	}
	raw = trim(strings.TrimLeft(raw, "#"))
	bare := strings.TrimRight(raw, "#")
	if bare == "" || strings.ContainsAny(bare[len(bare)-1:], space) {
		return strings.TrimRight(bare, space)
	}
	return raw
}

const space = " \t\r\n"
