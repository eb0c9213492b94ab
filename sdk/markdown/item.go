package markdown

import "strings"

// An Item is one item of a list. Its Text is its own first paragraph.
type Item struct{ Part }

// Depth is 1 for an item of an outer list, 2 for one nested in it.
func (i Item) Depth() int { return i.Node().Data }

// Own is the place of the item's own first paragraph, or of its task.
func (i Item) Own() Part { return i.lead() }

// Task is the item's check box and text.
func (i Item) Task() Task { return Task{i.child(KindTask)} }

// Items lists the list items of the section, nested ones included, in order.
func (s Section) Items() []Item {
	parts := s.Parts(KindItem)
	found := make([]Item, len(parts))
	for i, p := range parts {
		found[i] = Item{p}
	}
	return found
}

// A Task is a list item's check box and the text after it.
type Task struct{ Part }

// Checked reports whether the box holds an x.
func (t Task) Checked() bool { return t.Node().Data == 1 }

// Item is the list item of the task.
func (t Task) Item() Item {
	if !t.OK() {
		return Item{}
	}
	return Item{Part{t.outline, t.Node().Parent}}
}

// Tasks lists the tasks of the section in order.
func (s Section) Tasks() []Task {
	var found []Task
	for _, p := range s.Parts(KindTask) {
		found = append(found, Task{p})
	}
	return found
}

// Tasks lists the tasks of the document.
func (o *Outline) Tasks() []Task { return o.Document().Tasks() }

// A Box is a check box of any mark: [ ], [x], [-], [✓].
type Box struct{ Part }

// Box is the check box with which a heading, a paragraph, a task, a cell or the text of an item begins.
func (p Part) Box() Box {
	if p.node().Kind == KindItem {
		p = p.lead()
	}
	return Box{p.child(KindBox)}
}

// Mark is the character between the brackets: a blank in [ ], 0 in [] or if there is no box.
func (b Box) Mark() rune { return rune(b.Node().Data) }

// A Link is a link within a line: [text](target), or <https://…>.
type Link struct{ Part }

// Links lists the links of the section in order, those of tables included.
func (s Section) Links() []Link {
	var found []Link
	for _, p := range s.Parts(KindLink) {
		found = append(found, Link{p})
	}
	return found
}

// Target is where the link leads.
func (l Link) Target() Part { return l.child(KindTarget) }

// Text is the text of the link as a reader sees it.
func (l Link) Text() string {
	if n := l.Node(); n.Data > 0 {
		return Plain(l.outline.Text[n.Start+1 : n.Start+1+n.Data])
	}
	return l.Target().Raw()
}

// A Fence is a block of fenced code.
type Fence struct{ Part }

// Info is the text behind the opening fence, such as json.
func (f Fence) Info() string { return f.child(KindInfo).Raw() }

// Code is the place of the lines between the fences.
func (f Fence) Code() Part { return f.child(KindCode) }

// Text is the lines between the fences as written. Of a fence in a list item
// or a quote, the indentation and quote marks before each line are left out.
func (f Fence) Text() string { return f.Code().Text() }

// Closed reports whether a closing fence was found. Without one, a fence
// reaches to the end of its item, quote or document.
func (f Fence) Closed() bool { return f.OK() && f.Node().Data == 0 }

// Fence is the first fence of the section.
func (s Section) Fence() Fence {
	return Fence{s.first(func(n *Node) bool { return n.Kind == KindFence })}
}

// Fences lists the fences of the section in order.
func (s Section) Fences() []Fence {
	var found []Fence
	for _, p := range s.Parts(KindFence) {
		found = append(found, Fence{p})
	}
	return found
}

// code is the text of a code part without the text before its fence.
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

// margin is what stands on a line before at.
func (o *Outline) margin(at int) string {
	return o.Text[strings.LastIndexByte(o.Text[:at], '\n')+1 : at]
}

// unmargin takes a margin off a line: a > for each of its own, and otherwise
// no more blanks than it has.
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
