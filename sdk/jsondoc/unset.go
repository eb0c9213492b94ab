package jsondoc

import "strings"

// Unset returns the change that removes the value at pointer, along with its comma and its line. If the key is
// duplicated, it removes all members with that key; to remove only one, use [MemberRange]. All other bytes stay the
// same; [Change.New] repeats the text between several removed members.
//
// Unset returns a *[PointerError] for the whole document, for a malformed pointer, and for a pointer without a
// value, in which case Absent is set.
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

// A span is the range of one child in a container, without its comma.
type span struct {
	start, end int
	drop       bool
}

type spans []span

// spans returns the children of v and marks those that token selects.
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

// cut removes the marked children. A child before a kept child is removed up to the beginning of the next child;
// children after the last kept child are removed from that child's end.
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

// join combines several removals, in order, into one change.
func join(text string, gaps []span) Change {
	c := Change{Start: gaps[0].start, End: gaps[len(gaps)-1].end}
	var between strings.Builder
	for i, g := range gaps[1:] {
		between.WriteString(text[gaps[i].end:g.start])
	}
	c.New = between.String()
	return c
}

// MemberRange returns the range of a member along with its comma and its line. Without that range, the document
// still parses but lacks that one occurrence of the key. The ranges of two members do not overlap unless one of
// them is the last in its object, so all earlier duplicates of a key can be removed together.
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
