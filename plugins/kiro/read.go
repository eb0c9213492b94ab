package kiro

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
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
		for dot := strings.LastIndexByte(t.number, '.'); t.up == nil && dot >= 0; dot = strings.LastIndexByte(t.number[:dot], '.') {
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

// boxes lists the boxes of a document. Letters and digits that open one box alone, behind others that have no number, are
// the name of a thing, such as SHA-256, and no number of a task.
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
		if !t.isBox(markdown.Item{Part: o.At(i)}) {
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
	i := 0
	for i < len(number) && !isDigit(number[i]) {
		i++
	}
	return strings.TrimRight(number[:i], "-")
}

func anyNumber(list []*task) bool {
	for _, t := range list {
		if t.number != "" {
			return true
		}
	}
	return false
}

// isBox makes a task the one that an item is, and reports whether it is one.
func (t *task) isBox(item markdown.Item) bool {
	own := item.Own()
	raw := own.Raw()
	if raw == "" || raw[0] != '[' {
		return false
	}
	close := strings.IndexByte(raw[:min(len(raw), 6)], ']')
	if close < 1 {
		return false
	}
	mark := strings.TrimSpace(raw[1:close])
	if !isMark(mark) {
		return false
	}
	rest := raw[close+1:]
	if rest != "" && (rest[0] == '(' || rest[0] == '[' || rest[0] == ':') {
		return false
	}
	*t = task{line: item.Line(), start: item.Start(), end: item.End(), inside: item.End(), mark: mark, markAt: own.Start() + 1, markEnd: own.Start() + close}
	t.ticked = mark == "x" || mark == "X" || mark == "✓" || mark == "✔"
	starred := strings.TrimPrefix(rest, `\`)
	if after, ok := strings.CutPrefix(starred, "*"); ok && !strings.HasPrefix(after, "*") {
		t.optional, rest = true, after
	}
	rest = strings.TrimSpace(rest)
	t.text = markdown.Plain(rest)
	optional, off := waives(t.text)
	t.dropped = off || strings.HasPrefix(rest, "~~")
	var title string
	t.number, title = numberOf(t.text)
	if optional || strings.HasPrefix(title, "*") || strings.HasPrefix(strings.TrimLeft(title, " "), "* ") || strings.HasSuffix(t.text, "*") {
		t.optional = true
	}
	return t.text != ""
}

// isMark reports whether what stands between brackets is the mark of a box.
func isMark(mark string) bool {
	return utf8.RuneCountInString(mark) <= 1 && (mark == "" || mark[0] >= 0x80 || strings.IndexByte("xX-~/>!?*.+o", mark[0]) >= 0)
}
