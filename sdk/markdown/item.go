package markdown

import "strings"

// An Item is a list item. Its Text is its first paragraph.
type Item struct{ Part }

// Depth returns 1 for an item of an outermost list, 2 for an item nested in it, and so on.
func (i Item) Depth() int { return i.Node().Data }

// Own returns the item's own first paragraph, or its task.
func (i Item) Own() Part { return i.lead() }

// Task returns the item's checkbox and text.
func (i Item) Task() Task { return Task{i.child(KindTask)} }

// Items lists the section's list items in order, including nested ones.
func (s Section) Items() []Item {
	parts := s.Parts(KindItem)
	found := make([]Item, len(parts))
	for i, p := range parts {
		found[i] = Item{p}
	}
	return found
}

// A Task is a list item's checkbox and the text after it.
type Task struct{ Part }

// Checked reports whether the box contains an x.
func (t Task) Checked() bool { return t.Node().Data == 1 }

// Item returns the task's list item.
func (t Task) Item() Item {
	if !t.OK() {
		return Item{}
	}
	return Item{Part{t.outline, t.Node().Parent}}
}

// Tasks lists the section's tasks in order.
func (s Section) Tasks() []Task {
	var found []Task
	for _, p := range s.Parts(KindTask) {
		found = append(found, Task{p})
	}
	return found
}

// Tasks lists the document's tasks.
func (o *Outline) Tasks() []Task { return o.Document().Tasks() }

// A Box is a checkbox with any mark: [ ], [x], [-], [✓].
type Box struct{ Part }

// Box returns the checkbox at the beginning of a heading, a paragraph, a task, a cell or an item's text.
func (p Part) Box() Box {
	if p.node().Kind == KindItem {
		p = p.lead()
	}
	return Box{p.child(KindBox)}
}

// Mark returns the character between the brackets: a blank for [ ], 0 for [] or if there is no box.
func (b Box) Mark() rune { return rune(b.Node().Data) }

// A Link is a link within a line: [text](target) or <https://…>.
type Link struct{ Part }

// Links lists the section's links in order, including those in tables.
func (s Section) Links() []Link {
	var found []Link
	for _, p := range s.Parts(KindLink) {
		found = append(found, Link{p})
	}
	return found
}

// Target returns the link's target.
func (l Link) Target() Part { return l.child(KindTarget) }

// Text returns the link's text as rendered.
func (l Link) Text() string {
	if n := l.Node(); n.Data > 0 {
		return Plain(l.outline.Text[n.Start+1 : n.Start+1+n.Data])
	}
	return l.Target().Raw()
}

// A Fence is a fenced code block.
type Fence struct{ Part }

// Info returns the text after the opening fence, such as json.
func (f Fence) Info() string { return f.child(KindInfo).Raw() }

// Code returns the lines between the fences as a Part.
func (f Fence) Code() Part { return f.child(KindCode) }

// Text returns the lines between the fences as written. For a fence in a list item or a quote, it omits the
// indentation and quote marks before each line.
func (f Fence) Text() string { return f.Code().Text() }

// Closed reports whether the fence is closed. An unclosed fence extends to the end of its item, quote or document.
func (f Fence) Closed() bool { return f.OK() && f.Node().Data == 0 }

// Fence returns the section's first fence.
func (s Section) Fence() Fence {
	return Fence{s.first(func(n *Node) bool { return n.Kind == KindFence })}
}

// Fences lists the section's fences in order.
func (s Section) Fences() []Fence {
	var found []Fence
	for _, p := range s.Parts(KindFence) {
		found = append(found, Fence{p})
	}
	return found
}

// code returns the text of a code part without the margin before its fence.
func (p Part) code() string {
	fence := p.outline.Nodes[p.Node().Parent]
	margin := p.outline.margin(fence.Start)
	if margin == "" {
		return p.Raw()
	}
	var b strings.Builder
	for _, line := range strings.SplitAfter(p.Raw(), "\n") {
		b.WriteString(unmargin(line, margin))
	}
	return b.String()
}

// margin returns the text before at on the same line.
func (o *Outline) margin(at int) string {
	return o.Text[strings.LastIndexByte(o.Text[:at], '\n')+1 : at]
}

// unmargin removes a margin from a line: one > for each > in the margin, and at most as many blanks as the margin
// has.
func unmargin(line, margin string) string {
	at := 0
	for i := 0; i < len(margin) && at < len(line); i++ {
		c := line[at]
		if margin[i] == '>' && c == '>' || margin[i] != '>' && (c == ' ' || c == '\t') {
			at++
		}
	}
	return line[at:]
}
