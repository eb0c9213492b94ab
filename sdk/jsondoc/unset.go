package jsondoc

import "strings"

// Unset returns the change after which the place that pointer names is gone,
// with the comma and the line that belonged to it. Of a duplicated key all
// members go; to remove one of them use [MemberRange]. Everything else stays
// byte for byte; [Change.New] repeats what lies between several members.
//
// It refuses with a *[PointerError]: the whole document, a malformed pointer,
// and one that leads to nothing (then Absent is set).
func (d *Document) Unset(pointer string) (Change, error) {
	tokens, err := Tokens(pointer)
	if err != nil {
		return Change{}, err
	}
	if len(tokens) == 0 {
		return Change{}, &PointerError{Pointer: pointer, Message: "the whole document cannot be unset"}
	}
	if _, ok := d.Lookup(pointer); !ok {
		return Change{}, &PointerError{Pointer: pointer, Message: "there is no such value", Absent: true}
	}
	parent, _ := d.Lookup(pointer[:strings.LastIndexByte(pointer, '/')])
	spans := parent.spans(tokens[len(tokens)-1])
	return spans.cut(d.text, parent), nil
}

// A span is the range of one child of a container, without its comma.
type span struct {
	start, end int
	drop       bool
}

type spans []span

// spans returns the children of v; those that token names are to be dropped.
func (v Value) spans(token string) spans {
	list := make(spans, 0, v.Len())
	index, _ := parseIndex(token)
	v.children(func(at uint32) {
		n := v.doc.nodes[at]
		s := span{int(n.start), int(n.end), len(list) == index}
		if v.Kind() == Object {
			s.end = int(v.doc.nodes[at+1].end)
			s.drop = v.doc.keyIs(at, token)
		}
		list = append(list, s)
	})
	return list
}

// cut removes the dropped children. One before a kept child is cut up to the beginning of the next child; those after
// the last kept child are cut from its end.
func (list spans) cut(text string, parent Value) Change {
	kept := len(list) - 1
	for kept >= 0 && list[kept].drop {
		kept--
	}
	if kept < 0 {
		return Change{Start: parent.Start() + 1, End: parent.End() - 1}
	}
	var gaps []span
	for i, s := range list[:kept] {
		if s.drop {
			gaps = append(gaps, span{start: s.start, end: list[i+1].start})
		}
	}
	if last := list[len(list)-1]; last.drop {
		gaps = append(gaps, span{start: list[kept].end, end: last.end})
	}
	return join(text, gaps)
}

// join makes one change of several removals, which are in order.
func join(text string, gaps []span) Change {
	c := Change{Start: gaps[0].start, End: gaps[len(gaps)-1].end}
	var between strings.Builder
	for i, g := range gaps[1:] {
		between.WriteString(text[gaps[i].end:g.start])
	}
	c.New = between.String()
	return c
}

// MemberRange returns the range of text that a member takes up together with
// its comma and its line: removing it leaves a document that parses without
// that one occurrence of the key. The ranges of two members do not overlap
// unless one of them is the last of its object, so that all earlier
// duplicates of a key can be removed at once.
func MemberRange(m Member) (start, end int) {
	if !m.Value.Exists() {
		return 0, 0
	}
	text := m.Value.doc.text
	start, end = m.KeyStart, m.Value.End()
	next := end + len(text[end:]) - len(strings.TrimLeft(text[end:], spaces))
	if text[next] == ',' {
		rest := text[next+1:]
		return start, len(text) - len(strings.TrimLeft(rest, spaces))
	}
	before := len(strings.TrimRight(text[:start], spaces)) - 1
	if text[before] == ',' {
		return before, end
	}
	return before + 1, next
}
