package kiro

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// readTasks lists the boxes of a document with the tree that numbers and indentation make of them.
func readTasks(d *sdk.Document, heads []markdown.Heading) []*task {
	list := boxes(d)
	section := 0
	var around []*task                            // by indentation
	numbered := make(map[string]*task, len(list)) // of the section
	for i, t := range list {
		for section < len(heads) && heads[section].Start() < t.start {
			section++
			clear(numbered)
		}
		t.section = section
		for len(around) > 0 && around[len(around)-1].inside <= t.start {
			around = around[:len(around)-1]
		}
		for dot := strings.LastIndexByte(t.number, '.'); t.up == nil &&
			dot >= 0; dot = strings.LastIndexByte(t.number[:dot], '.') {
			t.up = numbered[t.number[:dot]]
		}
		if t.up == nil && len(around) > 0 {
			t.up = around[len(around)-1]
		}
		t.off = t.optional || t.dropped || t.up != nil && !t.ticked && t.up.off
		if i > 0 && list[i-1].end > t.start {
			list[i-1].end = t.start
		}
		if t.number != "" {
			known := len(numbered)
			numbered[t.number] = t
			t.again = len(numbered) == known
		}
		around = append(around, t)
	}
	if anyNumber(list) { // boxes without a number beside numbered ones are criteria of a task, not tasks
		list = slices.DeleteFunc(list, func(t *task) bool { return t.number == "" })
	}
	return nested(list)
}

// nested are tasks that know which ones are right below them.
func nested(list []*task) []*task {
	for _, t := range list {
		if t.up != nil {
			t.up.below++
		}
	}
	room := make([]*task, len(list))
	for _, t := range list {
		if up := t.up; up != nil {
			if up.under == nil {
				up.under, room = room[:0:up.below], room[up.below:]
			}
			up.under = append(up.under, t)
			up.parted = up.parted || !t.off
		}
	}
	return list
}

// boxes lists the boxes of a document. Letters and digits that open one box alone, behind others that have no number,
// are the name of a thing, such as SHA-256, and no number of a task.
func boxes(d *sdk.Document) []*task {
	series, plain := map[string]int{}, false
	alone := map[*task]string{}
	o, n := d.Outline(), 0
	for i := range o.Nodes {
		if o.Nodes[i].Kind == markdown.KindTask {
			n++
		}
	}
	room, list := make([]task, n), make([]*task, 0, n)
	for i := range o.Nodes {
		if o.Nodes[i].Kind != markdown.KindItem {
			continue
		}
		if len(room) == 0 {
			room = make([]task, 16)
		}
		t := &room[0]
		if !t.isBox(o, i) {
			continue
		}
		room = room[1:]
		if name := seriesOf(t.number); name != "" {
			if series[name]++; plain {
				alone[t] = name
			}
		}
		plain = plain || t.number == ""
		list = append(list, t)
	}
	for t, name := range alone {
		if series[name] == 1 {
			t.number = ""
		}
	}
	return list
}

// seriesOf is what stands before the first digit of a number.
func seriesOf(number string) string {
	if number == "" || isDigit(number[0]) {
		return ""
	}
	i := 0
	for i < len(number) && !isDigit(number[i]) {
		i++
	}
	return words.TrimRight(number[:i], "-")
}

func anyNumber(list []*task) bool {
	for _, t := range list {
		if t.number != "" {
			return true
		}
	}
	return false
}

// isBox makes a task the one that the item at node i is, and reports whether it is one.
func (t *task) isBox(o *markdown.Outline, i int) bool {
	b, ok := boxOf(o, i)
	if !ok {
		return false
	}
	text := markdown.Plain(b.rest)
	if text == "" {
		return false
	}
	item := &o.Nodes[i]
	t.line, t.start, t.end, t.inside = item.Line, item.Start, item.End, item.End
	t.mark, t.markAt, t.markEnd = b.mark, b.start, b.end
	t.ticked = b.mark == "x" || b.mark == "X" || b.mark == "✓" || b.mark == "✔"
	optional, off := waives(text)
	number, title := numberOf(text)
	t.text, t.number, t.dropped = text, number, off || strings.HasPrefix(b.rest, "~~")
	t.optional = b.starred || optional || strings.HasPrefix(title, "*") ||
		strings.HasPrefix(words.TrimLeft(title, " "), "* ") || strings.HasSuffix(text, "*")
	return true
}

// A box is what an item begins with that may be a task.
type box struct {
	mark       string // between the brackets, without blanks
	start, end int    // of that, with the blanks
	starred    bool   // a star follows, which makes the task optional
	rest       string // what follows that
}

func boxOf(o *markdown.Outline, i int) (b box, ok bool) {
	if i+1 >= len(o.Nodes) {
		return b, false
	}
	own := &o.Nodes[i+1]
	if own.Parent != i || own.Kind != markdown.KindTask && own.Kind != markdown.KindParagraph || own.Start == own.End ||
		o.Text[own.Start] != '[' {
		return b, false
	}
	raw := o.Text[own.Start:own.End]
	shut := strings.IndexByte(raw[:min(len(raw), 6)], ']')
	if shut < 1 {
		return b, false
	}
	b.start, b.end = own.Start+1, own.Start+shut
	b.mark, b.rest = raw[1:shut], raw[shut+1:]
	if b.mark != "x" {
		b.mark = strings.TrimSpace(b.mark)
	}
	if !isMark(b.mark) || b.rest != "" && (b.rest[0] == '(' || b.rest[0] == '[' || b.rest[0] == ':') {
		return b, false
	}
	after, starred := strings.CutPrefix(strings.TrimPrefix(b.rest, `\`), "*")
	if starred && !strings.HasPrefix(after, "*") {
		b.starred, b.rest = true, after
	}
	b.rest = strings.TrimSpace(b.rest)
	return b, true
}

// isMark reports whether what stands between brackets is the mark of a box.
func isMark(mark string) bool {
	return mark == "" || mark == "x" || utf8.RuneCountInString(mark) == 1 &&
		(mark[0] >= 0x80 || strings.IndexByte("X-~/>!?*.+o", mark[0]) >= 0)
}
