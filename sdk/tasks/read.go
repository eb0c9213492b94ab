package tasks

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// Read lists the tasks in a document, with the hierarchy that their ids and indentation imply.
func Read(o *markdown.Outline, f *Form) []*Task { return Tree(o, f, Boxes(o, f)) }

// Boxes lists the boxes in a document without their hierarchy. A workflow that changes ids first, for example to
// those of the base, calls Boxes and then [Tree].
func Boxes(o *markdown.Outline, f *Form) []*Task {
	n := 0
	for i := range o.Nodes {
		if o.Nodes[i].Kind == markdown.KindTask {
			n++
		}
	}
	room, list := make([]Task, n), make([]*Task, 0, n)
	off, optional := 0, false // level of the heading that defers the current section or makes it optional
	for i := range o.Nodes {
		if o.Nodes[i].Kind != markdown.KindItem {
			if h := (markdown.Heading{Part: o.At(i)}); o.Nodes[i].Kind == markdown.KindHeading &&
				o.Nodes[i].Parent < 0 && !f.Counts && (off == 0 || h.Level() <= off) {
				off = 0
				if optional = f.Star && status.OptionalSection(h.Text()); optional || putsOff(h) {
					off = h.Level()
				}
			}
			continue
		}
		if len(room) == 0 {
			room = make([]Task, 16)
		}
		if t := &room[0]; t.read(o, i, f) {
			if o.At(i).In(markdown.KindQuote) {
				*t = Task{}
			} else {
				t.Optional = t.Optional || off > 0 && optional
				t.Dropped = t.Dropped || !t.Ticked && off > 0 && !optional
				room, list = room[1:], append(list, t)
			}
			continue
		}
		if k := len(list) - 1; k >= 0 && o.Nodes[i].Start < list[k].ItemEnd && list[k].Mark == "" && !f.Counts &&
			defers(o, i) {
			list[k].Dropped = true
		}
	}
	return list
}

// putsOff reports whether a heading defers its section: "Phase 7: Polish (deferred)", "Out of scope".
func putsOff(h markdown.Heading) bool {
	text := h.Text()
	raw := strings.Trim(h.Raw(), "# ")
	return strings.HasPrefix(raw, "~~") && strings.HasSuffix(raw, "~~") ||
		status.GivenUp(text) || status.DefersWork(text) || status.FutureSection(text)
}

// defers reports whether an item without a box is a note that drops the task above it.
func defers(o *markdown.Outline, i int) bool {
	if i+1 >= len(o.Nodes) {
		return false
	}
	own := &o.Nodes[i+1]
	return own.Parent == i && own.Kind == markdown.KindParagraph && status.DefersWork(o.Text[own.Start:own.End])
}

// Tree finds the parts of each task and sets the fields that depend on them. It omits boxes that are not tasks.
func Tree(o *markdown.Outline, f *Form, list []*Task) []*Task {
	section, identified := 0, 0
	heads := o.Headings()
	var around []*Task                            // ancestors by indentation
	numbered := make(map[string]*Task, len(list)) // by id within the section
	for i, t := range list {
		for section < len(heads) && heads[section].Start() < t.Start {
			section++
			numbered = map[string]*Task{}
		}
		t.Section = section
		for len(around) > 0 && around[len(around)-1].ItemEnd <= t.Start {
			around = around[:len(around)-1]
		}
		if _, again := numbered[t.ID]; f.Dotted && !again { // a repeated number is a mistake
			for dot := strings.LastIndexByte(t.ID, '.'); t.Parent == nil && dot >= 0; {
				if up := numbered[t.ID[:dot]]; up != nil && (f.Alone == nil || t.Start < up.ItemEnd || !f.Alone(up)) {
					t.Parent = up
				}
				dot = strings.LastIndexByte(t.ID[:dot], '.')
			}
		}
		if t.Parent == nil && len(around) > 0 {
			t.Parent = around[len(around)-1]
		}
		t.Cancelled = t.Optional || t.Dropped || t.Parent != nil && !t.Ticked && t.Parent.Cancelled
		if i > 0 && list[i-1].End > t.Start {
			list[i-1].End = t.Start
		}
		if t.ID != "" {
			known := len(numbered)
			numbered[t.ID] = t
			t.Repeated = len(numbered) == known
			identified++
		}
		around = append(around, t)
	}
	if identified > 0 && !f.Mixed {
		tasks := list[:0]
		for _, t := range list {
			if t.ID != "" {
				tasks = append(tasks, t)
			}
		}
		list = tasks
	}
	for _, t := range list {
		if t.Parent != nil {
			t.Parent.Parts = append(t.Parent.Parts, t)
			t.Parent.hasParts = t.Parent.hasParts || !t.Cancelled
		}
	}
	return list
}

// read fills in the task from the item at node i and reports whether the item is a task.
func (t *Task) read(o *markdown.Outline, i int, f *Form) bool {
	raw, own := ownText(o, i)
	mark, rest, ok := f.cutBox(raw)
	if !ok {
		return false
	}
	width := len(raw) - len(rest) - 2
	starred := false
	if f.Star {
		after, ok := strings.CutPrefix(strings.TrimPrefix(rest, `\`), "*")
		if ok && !strings.HasPrefix(after, "*") {
			starred, rest = true, after
		}
	}
	rest = strings.TrimSpace(strings.TrimLeftFunc(rest, unseen))
	text := markdown.Plain(rest)
	if text == "" {
		return false
	}
	item := &o.Nodes[i]
	*t = Task{
		Text: text, Title: text, Raw: raw, Mark: mark, Ticked: Ticks(mark), Line: item.Line, Depth: item.Data,
		Start: item.Start, End: item.End, ItemEnd: item.End, doc: o.Text,
		markAt: own + 1, markEnd: own + 1 + width,
	}
	t.ID, t.Last, t.Title = f.identify(text)
	if !f.Counts {
		t.Optional = starred || status.Optional(t.Title)
		t.Dropped = f.struck(t, rest) || !t.Ticked &&
			(status.GivenUp(t.Title) && !f.quotes(rest) || f.Waives != nil && f.Waives(t.Title))
	}
	return true
}

// identify splits the id off a text and skips labels before it: "(P) 4. Add lint", "⚡ 4. Add lint".
func (f *Form) identify(text string) (id, last, title string) {
	if f.ID == nil {
		return "", "", text
	}
	if id, last, title = f.ID(text); id != "" {
		return id, last, title
	}
	if bare := withoutLabels(text); bare != text {
		if id, last, rest := f.ID(bare); id != "" {
			return id, last, rest
		}
	}
	return "", "", title
}

// withoutLabels removes labels that people write before an id: signs, and capitals in brackets.
func withoutLabels(text string) string {
	for {
		text = strings.TrimLeftFunc(text, func(r rune) bool {
			return r == ' ' || r >= utf8.RuneSelf && markdown.Symbol(r)
		})
		end := strings.IndexAny(text, ")]")
		if end < 2 || end > 5 || strings.IndexByte("([", text[0]) < 0 || !isLabel(text[1:end]) {
			return text
		}
		text = text[end+1:]
	}
}

// isLabel reports whether a text consists of capital letters, optionally followed by digits: "P", "US1".
func isLabel(text string) bool {
	name := strings.TrimRight(text, "0123456789")
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// quotes reports whether the word that drops a task is code in its title: "Rename `deferred` to `later`".
func (f *Form) quotes(raw string) bool {
	if !strings.Contains(raw, "`") {
		return false
	}
	_, _, title := f.identify(markdown.Plain(strings.ReplaceAll(raw, "`", "‵")))
	return !status.GivenUp(title)
}

// ownText returns the text that the item at node i begins with, or "", and its offset.
func ownText(o *markdown.Outline, i int) (raw string, at int) {
	if i+1 >= len(o.Nodes) {
		return "", 0
	}
	own := &o.Nodes[i+1]
	if own.Parent != i || own.Kind != markdown.KindTask && own.Kind != markdown.KindParagraph {
		return "", 0
	}
	return o.Text[own.Start:own.End], own.Start
}

// cutBox splits the box off a text and reports whether there is one. Brackets that are followed by more brackets
// are a link.
func (f *Form) cutBox(raw string) (mark, rest string, ok bool) {
	if raw == "" || raw[0] != '[' {
		return "", "", false
	}
	shut := strings.IndexByte(raw[:min(len(raw), 6)], ']')
	if shut < 1 || f.Counts && shut != 2 {
		return "", "", false
	}
	mark, rest = raw[1:shut], raw[shut+1:]
	if f.Lenient {
		mark = visible(mark)
	}
	if mark != "x" {
		mark = strings.TrimSpace(mark)
	}
	return mark, rest, IsMark(mark) && (rest == "" || strings.IndexByte("([:", rest[0]) < 0)
}

// struck reports whether a task is struck through. Its id and a reason at the end may stay: "~~T004 Name
// files~~", "T004 ~~Name files~~: titles are unique".
func (f *Form) struck(t *Task, rest string) bool {
	bare := withoutLabels(words.TrimLeft(rest, " *_"))
	if strings.HasPrefix(bare, "~~") || t.ID == "" || !strings.Contains(rest, "~~") {
		return strings.HasPrefix(bare, "~~")
	}
	_, _, title := f.identify(bare)
	title, ok := strings.CutPrefix(strings.TrimLeft(title, " *_:.)]"), "~~")
	if !ok {
		return false
	}
	_, reason, ok := strings.Cut(title, "~~")
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(reason, " *_"))
	return ok && (strings.Trim(reason, " *_") == "" || strings.ContainsRune("—–-:(（.,;→", next))
}

// IsMark reports whether the text between brackets is a box's mark: nothing, x, or one visible character that is not
// a letter. Other letters, such as o or the Cyrillic х, are slips, as is a bullet.
func IsMark(mark string) bool {
	if mark == "" || mark == "x" {
		return true
	}
	r, size := utf8.DecodeRuneInString(mark)
	return size == len(mark) && (r >= utf8.RuneSelf && visible(mark) != "" && !unicode.IsLetter(r) && r != '•' ||
		r < utf8.RuneSelf && strings.IndexByte("X-~/>!?", mark[0]) >= 0)
}

// Ticks reports whether a mark means done.
func Ticks(mark string) bool {
	switch mark {
	case "x", "X", "✓", "✔", "✅", "☑":
		return true
	}
	return false
}

// MayBeOpen reports whether a text may contain an unticked box. It is a cheap filter that lets a workflow skip
// finished documents. Only a false result is certain.
func MayBeOpen(text string) bool {
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '[')
		if i < 0 {
			return false
		}
		at += i
		bullet := strings.TrimRight(text[:at], " \t")
		if len(bullet) == at || bullet == "" || strings.IndexByte("-*+.)", bullet[len(bullet)-1]) < 0 {
			continue
		}
		if mark, _, ok := (&Form{Lenient: true}).cutBox(text[at:]); ok && !Ticks(mark) {
			return true
		}
	}
}

// IsBox reports whether the list item at a node is a task.
func (f *Form) IsBox(o *markdown.Outline, node int) bool { return new(Task).read(o, node, f) }

// Adopt gives boxes without an id the id of the base task with the same text, unless another box has that id. It
// skips boxes for which may returns false, and returns the boxes that got an id.
func Adopt(list, base []*Task, may func(*Task) bool) (adopted []*Task) {
	has := make(map[string]bool, len(list))
	for _, t := range list {
		has[t.ID] = true
	}
	if !has[""] {
		return nil
	}
	for _, was := range base {
		if has[was.ID] {
			continue
		}
		for _, t := range list {
			if t.ID == "" && t.Depth == was.Depth && t.endsAs(was) && may(t) {
				t.ID, t.Last = was.ID, was.Last
				adopted = append(adopted, t)
				break
			}
		}
	}
	return adopted
}

// endsAs reports whether a task's title equals a base task's, ignoring up to two words in front, such as a number.
func (t *Task) endsAs(was *Task) bool {
	front, ok := strings.CutSuffix(t.FoldedTitle(), was.FoldedTitle())
	return ok && was.FoldedTitle() != "" &&
		(front == "" || strings.HasSuffix(front, " ") && strings.Count(front, " ") <= 2)
}
