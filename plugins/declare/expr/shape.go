package expr

import (
	"cmp"
	"maps"
	"runtime"
	"slices"

	"github.com/stategate/stategate/sdk/words"
)

// Unchecked is true in a guest. The host checked every name when it read the declaration, and repeating these checks
// would make the guest 10% larger.
const Unchecked = runtime.GOOS == "wasip1"

// A Shape is what is known about a value before evaluation, such as its members. A nil Shape means that nothing is
// known.
type Shape struct {
	Kind    Kind // Unknown if it can be any kind
	Members map[string]*Shape
	Folded  bool     // member names are compared in the form of markdown.Name
	Elem    *Shape   // of the elements of a list
	What    string   // how to correct an unknown member: "list it in fields"
	Words   []string // the only words that the value can be; nil if it can be any
}

// These are the shapes of single values.
var (
	Single  = &Shape{Kind: String} // none of them has members
	Integer = &Shape{Kind: Number}
	Boolean = &Shape{Kind: Bool}
)

// Nearest returns "; did you mean NAME?" for the name that is most similar, or "" if none is similar.
func Nearest(name string, names []string) string {
	if near := words.Nearest(name, names); !Unchecked && near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// ListOfShape returns the shape of a list whose elements have the shape elem.
func ListOfShape(elem *Shape) *Shape { return &Shape{Kind: List, Elem: elem} }

// Names maps each name to the shape of its value.
type Names map[string]*Shape

// With returns the names with one more.
func (n Names) With(name string, shape *Shape) Names {
	if Unchecked {
		return nil
	}
	n = maps.Clone(n)
	n[name] = shape
	return n
}

// All returns the names in sorted order.
func (n Names) All() []string {
	if Unchecked {
		return nil
	}
	return slices.Sorted(maps.Keys(n))
}

// Shape checks every name and member in an expression, and returns the shape of its value.
func (n *Node) Shape(names Names) (shape *Shape, err *Error) {
	if Unchecked || n == nil {
		return nil, nil
	}
	defer caught(&err)
	return n.shape(names), nil
}

// shape implements Shape. It panics with an *Error.
func (n *Node) shape(names Names) *Shape {
	switch n.op {
	case literal:
		return &Shape{Kind: n.val.Kind}
	case name:
		return names.find(n)
	case member:
		if k := n.kids[0]; k.op == name && k.text == Base {
			return names.find(n)
		}
		return n.memberOf(n.kids[0].shape(names))
	case call:
		return n.callShape(names)
	}
	shapes := make([]*Shape, len(n.kids))
	for i, k := range n.kids {
		shapes[i] = k.shape(names)
	}
	switch n.op {
	case index:
		if shapes[0] != nil {
			return shapes[0].Elem
		}
		return nil
	case listOf:
		return ListOfShape(either(shapes))
	case choice:
		return either(shapes[1:])
	case joined:
		return Single
	}
	switch n.text {
	case "==", "!=", "in": // a word that never occurs is a typo, which would silence the rule
		shapes[0].RefuseIn(n.kids[1])
		shapes[1].RefuseIn(n.kids[0])
	case "+":
		return either(shapes)
	case "-":
		return Integer
	}
	return Boolean
}

// RefuseIn refuses words in n that the value can never be. It panics with an *Error.
func (s *Shape) RefuseIn(n *Node) {
	for _, k := range append([]*Node{n}, n.kids...) {
		if n.op != joined && k.op == literal && k.val.Kind == String {
			if message := s.Refuses(k.val.Text); message != "" {
				panic(&Error{k.at, message})
			}
		}
	}
}

// Refuses returns a message if word is not among the words that the value can be; otherwise it returns "".
func (s *Shape) Refuses(word string) string {
	if Unchecked || s == nil || len(s.Words) == 0 || word == "" || slices.Contains(s.Words, word) {
		return ""
	}
	return word + " is not one of words" + Nearest(word, s.Words)
}

// WithWords returns the shape with the words that one of its members can be.
func (s *Shape) WithWords(key string, words []string) *Shape {
	if Unchecked || s == nil || len(words) == 0 {
		return s
	}
	if _, ok := s.Members[s.fold(key)]; !ok {
		return s
	}
	with := *s
	with.Members = maps.Clone(s.Members)
	with.Members[s.fold(key)] = &Shape{Kind: String, Words: words}
	return &with
}

func (s *Shape) fold(key string) string {
	if s.Folded {
		return FoldKey(key)
	}
	return key
}

// either returns the shape of a value that is one of several: the first shape that is known.
func either(shapes []*Shape) *Shape {
	for _, s := range shapes {
		if s != nil && s.Kind != Null {
			return s
		}
	}
	return nil
}

func (n Names) find(at *Node) *Shape {
	shape, ok := n[at.text]
	if !ok {
		panic(&Error{at.at, "unknown name " + at.text + Nearest(at.text, n.All())})
	}
	return shape
}

func (n *Node) memberOf(of *Shape) *Shape {
	if of == nil {
		panic(&Error{n.at, "the members of " + cmp.Or(n.kids[0].text, "this value") + " are unknown; add LIST." +
			n.text + " to fields, where LIST is the list that it comes from, or use ['" + n.text + "']"})
	}
	m, ok := of.Members[of.fold(n.text)]
	message, near := "unknown member "+n.text, Nearest(n.text, slices.Sorted(maps.Keys(of.Members)))
	switch {
	case ok:
		return m
	case near != "":
		message += near
	case of.Kind == List && of.Members == nil:
		message = "a list has no member " + n.text + "; use first(), exists(x, x." + n.text + " …), or map(x, x." +
			n.text + ")"
	case of.Kind != Map && of.Kind != Unknown && of.Members == nil:
		message = of.Kind.String() + " has no members, found ." + n.text
	case of.What != "":
		message += "; " + of.What
	}
	panic(&Error{n.at, message})
}

func (n *Node) callShape(names Names) *Shape {
	of := n.kids[0].shape(names)
	var elem *Shape
	if of != nil {
		elem = of.Elem
	}
	if n.fn.macro() {
		if of != nil && of.Kind == Map && elem == nil {
			elem = Single // the elements of a map are its keys
		}
		inner := n.kids[2].shape(names.With(n.kids[1].text, elem))
		switch n.text {
		case "map":
			return ListOfShape(inner)
		case "filter", "repeats":
			return ListOfShape(elem)
		}
		return Boolean
	}
	for _, k := range n.kids[1:] {
		k.shape(names)
	}
	switch shape := n.fn.gives; {
	case shape == elemShape:
		return elem
	case shape != sameShape:
		return shape
	case elem != nil && (elem.Kind == List || elem.Elem != nil):
		return ListOfShape(elem.Elem)
	}
	return of
}

// elemShape and sameShape stand for results that depend on the operand: one of its elements, or the list with one
// level of nesting removed.
var elemShape, sameShape = &Shape{}, &Shape{}
