package expr

import (
	"cmp"
	"maps"
	"runtime"
	"slices"

	"github.com/stategate/stategate/sdk/words"
)

// Unchecked is set in a guest: the host has checked every name when it read the declaration, and what checks them
// would make the guest a tenth larger.
const Unchecked = runtime.GOOS == "wasip1"

// A Shape is what is known of a value before there is one: which members it has. A nil Shape is that of a value about
// which nothing is known.
type Shape struct {
	Kind    Kind // Unknown where it may be any
	Members map[string]*Shape
	Folded  bool     // members are compared as markdown.Name writes them
	Elem    *Shape   // of a list
	What    string   // what to do about a member that is not known: "list it in fields"
	Words   []string // the only words that it may be; nil: any
}

// Shapes of single values.
var (
	Single  = &Shape{Kind: String} // nothing has members
	Integer = &Shape{Kind: Number}
	Boolean = &Shape{Kind: Bool}
)

// Nearest suggests the name that was meant, as the end of a message; "" if none is near.
func Nearest(name string, names []string) string {
	if near := words.Nearest(name, names); !Unchecked && near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// ListOfShape is the shape of a list.
func ListOfShape(elem *Shape) *Shape { return &Shape{Kind: List, Elem: elem} }

// Names gives the shape of what each name stands for.
type Names map[string]*Shape

// With adds a name.
func (n Names) With(name string, shape *Shape) Names {
	if Unchecked {
		return nil
	}
	n = maps.Clone(n)
	n[name] = shape
	return n
}

// All lists the names.
func (n Names) All() []string {
	if Unchecked {
		return nil
	}
	return slices.Sorted(maps.Keys(n))
}

// Shape checks every name and member of an expression and returns the shape of its value.
func (n *Node) Shape(names Names) (shape *Shape, err *Error) {
	if Unchecked || n == nil {
		return nil, nil
	}
	defer caught(&err)
	return n.shape(names), nil
}

// shape panics with an *Error.
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
	case "==", "!=", "in": // with a word that the other side never is, a typo would silence the rule
		shapes[0].RefuseIn(n.kids[1])
		shapes[1].RefuseIn(n.kids[0])
	case "+":
		return either(shapes)
	case "-":
		return Integer
	}
	return Boolean
}

// RefuseIn refuses the words of an expression that the value never is. It panics with an *Error.
func (s *Shape) RefuseIn(n *Node) {
	for _, k := range append([]*Node{n}, n.kids...) {
		if n.op != joined && k.op == literal && k.val.Kind == String {
			if message := s.Refuses(k.val.Text); message != "" {
				panic(&Error{k.at, message})
			}
		}
	}
}

// Refuses says that a word is not one of those that the value may be, or returns "".
func (s *Shape) Refuses(word string) string {
	if Unchecked || s == nil || len(s.Words) == 0 || word == "" || slices.Contains(s.Words, word) {
		return ""
	}
	return word + " is not one of words" + Nearest(word, s.Words)
}

// WithWords returns the shape with a member that is one of these words.
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

// either is the shape of one of several values: the first known one.
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
			elem = Single // its keys
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

// Shapes that depend on what a function works on: an element of it, and the list without its nesting.
var elemShape, sameShape = &Shape{}, &Shape{}
