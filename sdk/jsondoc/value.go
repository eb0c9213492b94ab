package jsondoc

import "strconv"

// Kind is the type of a value.
type Kind uint8

// The values of Kind. Absent is the kind of the zero [Value] and of missing values; no value in a document has it.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"absent", "null", "boolean", "number", "string", "array", "object"}

// String returns the kind's name in JSON Schema ("boolean", "object"), or "absent".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// A Value is a value in a document. It is a small handle that is passed by value. The zero Value is absent: all its
// accessors return zero values and false, so lookups can be chained.
type Value struct {
	doc *Document
	at  uint32
}

// A Member is an object member, with the range of its key (including quotes).
type Member struct {
	Key              string // unescaped
	KeyStart, KeyEnd int    // half-open byte range
	Value            Value
}

// Text returns the text that the document was parsed from.
func (d *Document) Text() string { return d.text }

// Root returns the document's value.
func (d *Document) Root() Value { return Value{doc: d} }

// Kind returns the kind of v.
func (v Value) Kind() Kind {
	if v.doc == nil {
		return Absent
	}
	return v.node().kind
}

// Exists reports whether v is a value. null is a value.
func (v Value) Exists() bool { return v.doc != nil }

// Start returns the offset of v's first byte in the document, or 0 if v is absent.
func (v Value) Start() int {
	if v.doc == nil {
		return 0
	}
	return int(v.node().start)
}

// End returns the offset after v's last byte in the document, or 0 if v is absent.
func (v Value) End() int {
	if v.doc == nil {
		return 0
	}
	return int(v.node().end)
}

// Raw returns v as written in the document, or "" if v is absent.
func (v Value) Raw() string {
	if v.doc == nil {
		return ""
	}
	n := v.node()
	return v.doc.text[n.start:n.end]
}

// Text returns the unescaped text of a string. An unpaired surrogate becomes U+FFFD. It returns false for every
// other kind.
func (v Value) Text() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return v.doc.unquote(v.at), true
}

// Bool returns the value of a boolean. ok is false if v is of another kind.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.Raw() == "true", true
}

// Len returns the number of elements in an array or members in an object, including duplicates. It returns 0 for
// every other kind.
func (v Value) Len() int {
	n := 0
	v.children(func(uint32) { n++ })
	return n
}

// Elements returns the elements of an array, or nil for every other kind.
func (v Value) Elements() []Value {
	if v.Kind() != Array {
		return nil
	}
	list := make([]Value, 0, v.Len())
	v.children(func(at uint32) { list = append(list, Value{v.doc, at}) })
	return list
}

// Members returns the members of an object in document order, including duplicates, or nil for every other kind.
func (v Value) Members() []Member {
	if v.Kind() != Object {
		return nil
	}
	list := make([]Member, 0, v.Len())
	v.children(func(at uint32) { list = append(list, v.doc.member(at)) })
	return list
}

// Get returns the object member with this key, or the last one if there are several. The result is absent if there
// is none or v is not an object.
func (v Value) Get(key string) Value {
	m, _ := v.Member(key)
	return m.Value
}

// Member is like [Value.Get] but includes the key's range.
func (v Value) Member(key string) (Member, bool) {
	if v.Kind() != Object {
		return Member{}, false
	}
	last := v.at
	v.children(func(at uint32) {
		if v.doc.keyIs(at, key) {
			last = at
		}
	})
	if last == v.at {
		return Member{}, false
	}
	return v.doc.member(last), true
}

// Element returns the array element at this index, from 0. The result is absent if there is none or v is not an
// array.
func (v Value) Element(index int) Value {
	if v.Kind() != Array || index < 0 {
		return Value{}
	}
	for at := v.at + 1; at < v.node().next; at = v.doc.nodes[at].next {
		if index == 0 {
			return Value{v.doc, at}
		}
		index--
	}
	return Value{}
}

func (v Value) node() node { return v.doc.nodes[v.at] }

// children calls visit with the node of each element or member key.
func (v Value) children(visit func(at uint32)) {
	kind := v.Kind()
	if kind != Array && kind != Object {
		return
	}
	end := v.node().next
	for at := v.at + 1; at < end; {
		visit(at)
		if kind == Object {
			at++
		}
		at = v.doc.nodes[at].next
	}
}

// member returns the member whose key is the node at.
func (d *Document) member(at uint32) Member {
	n := d.nodes[at]
	return Member{d.unquote(at), int(n.start), int(n.end), Value{d, at + 1}}
}

// keyIs compares a key without unescaping it if possible.
func (d *Document) keyIs(at uint32, key string) bool {
	n := d.nodes[at]
	if n.escaped {
		return d.unquote(at) == key
	}
	return d.text[n.start+1:n.end-1] == key
}

// unquote returns the unescaped text of the string or key at a node.
func (d *Document) unquote(at uint32) string {
	n := d.nodes[at]
	inner := d.text[n.start+1 : n.end-1]
	if !n.escaped {
		return inner
	}
	return unescape(inner)
}
