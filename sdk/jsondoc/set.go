package jsondoc

import (
	"strconv"
	"strings"
)

// Set returns the change that sets the value at pointer to value, a JSON text. It works like "add" in RFC 6902:
//
//   - An existing member is replaced; if the key is duplicated, only the last
//     member is. A missing member is appended.
//   - An index inserts before that element; the array's length or "-" appends.
//   - "" replaces the document's value.
//
// Beyond RFC 6902, Set creates missing parents. They are objects, except that a "-" below a missing parent
// makes the parent an array with one element.
//
// The new text follows the document's style: an object on one line stays on one line, and an object with one line
// per member keeps that layout. If the same value already exists, in any layout, the change is empty. The changed
// document parses with the same limits as this one.
//
// Set returns a *[PointerError] if the pointer is malformed, leads through a scalar or is past the end of an array.
// It returns a *[SyntaxError] if the value is not JSON or is nested too deeply for its position.
func (d *Document) Set(pointer, value string) (Change, error) {
	tokens, err := Tokens(pointer)
	if err != nil {
		return Change{}, err
	}
	at := spot{value: d.Root()}
	for i, token := range tokens {
		next, fault := at.step(token)
		if fault != "" {
			return Change{}, &PointerError{Pointer: pointer, Message: fault}
		}
		if next.value.Exists() && (i < len(tokens)-1 || at.value.Kind() == Object) {
			at = next
			continue
		}
		child, err := d.child(i+1, tokens[i+1:], value)
		if err != nil {
			return Change{}, err
		}
		return at.add(token, next, child), nil
	}
	child, err := d.child(len(tokens), nil, value)
	if err != nil {
		return Change{}, err
	}
	return at.replace(child), nil
}

// child parses the new child of a container at the given depth: the value, wrapped in its missing parents.
func (d *Document) child(depth int, missing []string, value string) (Value, error) {
	left := d.depth - depth - len(missing)
	if left < 0 {
		return Value{}, &SyntaxError{Line: 1, Column: 1,
			Message: "the pointer leads more than " + strconv.Itoa(d.depth) + " arrays and objects deep"}
	}
	doc, fault := parse(value, left)
	if fault != nil {
		return Value{}, fault
	}
	if len(missing) > 0 {
		doc, fault = parse(wrap(missing, value), d.depth)
	}
	if fault != nil {
		return Value{}, fault
	}
	return doc.Root(), nil
}

// wrap wraps value in the parents that tokens name.
func wrap(tokens []string, value string) string {
	var head strings.Builder
	tail := make([]byte, len(tokens))
	for i, token := range tokens {
		closer := len(tokens) - 1 - i
		if token == "-" {
			head.WriteByte('[')
			tail[closer] = ']'
			continue
		}
		head.WriteString("{" + Quote(token) + ":")
		tail[closer] = '}'
	}
	return head.String() + value + string(tail)
}

// A spot is a value and its position in its parent.
type spot struct {
	value  Value
	parent Value // absent for the root
	start  int   // the offset of the member or element
}

// step moves to the child that token selects. The child is absent if it does not exist yet; fault says why it
// cannot exist.
func (s spot) step(token string) (next spot, fault string) {
	switch s.value.Kind() {
	case Object:
		m, ok := s.value.Member(token)
		if !ok {
			return spot{}, ""
		}
		return spot{m.Value, s.value, m.KeyStart}, ""
	case Array:
		return s.stepArray(token)
	}
	what := "a " + s.value.Kind().String()
	if s.value.Kind() == Null {
		what = "null"
	}
	return spot{}, Quote(s.value.Pointer()) + " is " + what + ", expected an object or array"
}

func (s spot) stepArray(token string) (next spot, fault string) {
	if token == "-" {
		return spot{}, ""
	}
	where := Quote(s.value.Pointer())
	index, ok := parseIndex(token)
	if !ok {
		return spot{}, where + " is an array, " + Quote(token) + ` is neither an index nor "-"`
	}
	if n := s.value.Len(); index > n {
		return spot{}, "index " + token + " is past the end of the array " + where + ", whose length is " +
			strconv.Itoa(n)
	}
	v := s.value.Element(index)
	return spot{v, s.value, v.Start()}, ""
}

// add adds child to the container at s, before the element next or, if there is none, at the end.
func (s spot) add(token string, next spot, child Value) Change {
	key := ""
	if s.value.Kind() == Object {
		key = Quote(token)
	}
	if next.value.Exists() {
		return s.insert(next, child)
	}
	if last := s.lastStart(); last >= 0 {
		return s.appendAfter(last, key, child)
	}
	return s.fill(key, child)
}

// appendAfter adds a child after the last child, which begins at last.
func (s spot) appendAfter(last int, key string, child Value) Change {
	w := s.value.writer(last)
	end := len(strings.TrimRight(s.value.doc.text[:s.value.End()-1], spaces))
	expand := w.ownLine && s.value.expands(child.Kind())
	w.out.WriteByte(',')
	w.between()
	w.keyed(key, child, expand)
	return Change{end, end, w.out.String()}
}

// insert adds an element before another one.
func (s spot) insert(next spot, child Value) Change {
	w := s.value.writer(next.start)
	w.keyed("", child, w.ownLine && s.value.expands(child.Kind()))
	w.out.WriteByte(',')
	w.between()
	return Change{next.start, next.start, w.out.String()}
}

// fill adds the first child to an empty container.
func (s spot) fill(key string, child Value) Change {
	inner := Change{Start: s.value.Start() + 1, End: s.value.End() - 1}
	w := s.value.writer(s.start)
	text := s.value.doc.text[inner.Start:inner.End]
	expand := strings.Contains(text, "\n") ||
		s.parent.Exists() && w.ownLine && s.parent.expands(s.value.Kind())
	if expand {
		outer := w.indent
		w.indent += w.unit
		w.line()
		w.keyed(key, child, true)
		w.indent = outer
		w.line()
	} else {
		w.keyed(key, child, false)
	}
	inner.New = w.out.String()
	return inner
}

// replace replaces the value at s with child.
func (s spot) replace(child Value) Change {
	old := s.value
	if same(old, child) {
		return Change{Start: old.Start(), End: old.Start()}
	}
	w := old.writer(s.start)
	if !s.parent.Exists() && strings.Contains(child.Raw(), "\n") {
		// A value that replaces the whole document keeps its own layout.
		text := strings.ReplaceAll(child.Raw(), "\r\n", "\n")
		return Change{old.Start(), old.End(), strings.ReplaceAll(text, "\n", w.newline)}
	}
	expand := s.parent.Exists() && w.ownLine && s.parent.expands(child.Kind())
	if old.Len() > 0 && old.Kind() == child.Kind() {
		expand = strings.Contains(old.Raw(), "\n")
	}
	w.keyed("", child, expand)
	return Change{old.Start(), old.End(), w.out.String()}
}

// lastStart returns the offset of the last child of the container at s, or -1 if the container is empty.
func (s spot) lastStart() int {
	last := -1
	s.value.children(func(at uint32) { last = int(s.value.doc.nodes[at].start) })
	return last
}

// same reports whether two values consist of the same tokens.
func same(a, b Value) bool {
	an, bn := a.doc.nodes[a.at:a.node().next], b.doc.nodes[b.at:b.node().next]
	if len(an) != len(bn) {
		return false
	}
	for i := range an {
		x, y := an[i], bn[i]
		if x.kind != y.kind || x.next-a.at != y.next-b.at {
			return false
		}
		leaf := x.kind != Array && x.kind != Object
		if leaf && a.doc.text[x.start:x.end] != b.doc.text[y.start:y.end] {
			return false
		}
	}
	return true
}
