package expr

import (
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
	if near := words.Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// ListOfShape is the shape of a list.
func ListOfShape(elem *Shape) *Shape { return &Shape{Kind: List, Elem: elem} }

// Names returns the members.
func (s *Shape) Names() []string {
	var list []string
	for name := range s.Members {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// Names gives the shape of what a name stands for, and lists the names that there are.
type Names struct {
	Of  map[string]*Shape
	All []string
}

// With adds a name.
func (n Names) With(name string, shape *Shape) Names {
	if Unchecked {
		return n
	}
	of := make(map[string]*Shape, len(n.Of)+1)
	maps.Copy(of, n.Of)
	of[name] = shape
	return Names{of, append(slices.Clip(n.All), name)}
}

// Shape checks every name and member of an expression and returns the shape of its value.
func (n *Node) Shape(names Names) (*Shape, *Error) {
	if Unchecked || n == nil {
		return nil, nil
	}
	switch n.op {
	case literal:
		return &Shape{Kind: n.val.Kind}, nil
	case name:
		return names.find(n)
	case member:
		if k := n.kids[0]; k.op == name && k.text == Base {
			return names.find(n)
		}
		of, err := n.kids[0].Shape(names)
		if err != nil {
			return nil, err
		}
		return n.memberOf(of)
	case call:
		return n.callShape(names)
	}
	shapes := make([]*Shape, len(n.kids))
	for i, k := range n.kids {
		var err *Error
		if shapes[i], err = k.Shape(names); err != nil {
			return nil, err
		}
	}
	if n.text == "==" || n.text == "!=" || n.text == "in" {
		if err := n.comparable(shapes); err != nil {
			return nil, err
		}
	}
	switch n.op {
	case index:
		if shapes[0] != nil && shapes[0].Elem != nil {
			return shapes[0].Elem, nil
		}
		return nil, nil
	case listOf:
		return ListOfShape(either(shapes)), nil
	case choice:
		return either(shapes[1:]), nil
	case not:
		return Boolean, nil
	}
	switch n.text {
	case "+":
		return either(shapes), nil
	case "-":
		return Integer, nil
	}
	return Boolean, nil
}

// comparable refuses a comparison with a word that the other side never is: a typo would silence the rule.
func (n *Node) comparable(shapes []*Shape) *Error {
	for i, s := range shapes {
		for _, k := range append([]*Node{n.kids[1-i]}, n.kids[1-i].kids...) {
			if k.op == literal && k.val.Kind == String {
				if message := s.Refuses(k.val.Text); message != "" {
					return &Error{k.at, message}
				}
			}
		}
	}
	return nil
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
	if s.Folded {
		key = FoldKey(key)
	}
	if _, ok := s.Members[key]; !ok {
		return s
	}
	with := *s
	with.Members = maps.Clone(s.Members)
	with.Members[key] = &Shape{Kind: String, Words: words}
	return &with
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

func (n Names) find(at *Node) (*Shape, *Error) {
	shape, ok := n.Of[at.text]
	if !ok {
		return nil, &Error{at.at, "unknown name " + at.text + Nearest(at.text, n.All)}
	}
	return shape, nil
}

func (n *Node) memberOf(of *Shape) (*Shape, *Error) {
	if of == nil {
		of := "this value"
		if k := n.kids[0]; k.text != "" {
			of = k.text
		}
		return nil, &Error{n.at, "the members of " + of + " are unknown; add LIST." + n.text +
			" to fields, where LIST is the list that it comes from, or use ['" + n.text + "']"}
	}
	key := n.text
	if of.Folded {
		key = FoldKey(key)
	}
	if m, ok := of.Members[key]; ok {
		return m, nil
	}
	switch {
	case of.Kind == List && of.Members == nil:
		return nil, &Error{n.at, "a list has no member " + n.text + "; use first(), exists(x, x." + n.text +
			" …), or map(x, x." + n.text + ")"}
	case of.Kind != Map && of.Kind != List && of.Kind != Unknown && of.Members == nil:
		return nil, &Error{n.at, of.Kind.String() + " has no members, found ." + n.text}
	}
	message, near := "unknown member "+n.text, Nearest(n.text, of.Names())
	if near == "" && of.What != "" {
		near = "; " + of.What
	}
	message += near
	return nil, &Error{n.at, message}
}

func (n *Node) callShape(names Names) (*Shape, *Error) {
	of, err := n.kids[0].Shape(names)
	if err != nil {
		return nil, err
	}
	var elem *Shape
	if of != nil {
		elem = of.Elem
	}
	if n.fn.macro() {
		if of != nil && of.Kind == Map && of.Elem == nil {
			elem = Single // its keys
		}
		inner, err := n.kids[2].Shape(names.With(n.kids[1].text, elem))
		if err != nil {
			return nil, err
		}
		switch n.text {
		case "map":
			return ListOfShape(inner), nil
		case "filter", "repeats":
			return ListOfShape(elem), nil
		}
		return Boolean, nil
	}
	for _, k := range n.kids[1:] {
		if _, err := k.Shape(names); err != nil {
			return nil, err
		}
	}
	switch shape := n.fn.gives; {
	case shape == elemShape:
		return elem, nil
	case shape == sameShape && elem != nil && (elem.Kind == List || elem.Elem != nil):
		return ListOfShape(elem.Elem), nil
	case shape == sameShape:
		return of, nil
	default:
		return shape, nil
	}
}

// Shapes that depend on what a function works on: an element of it, and the list without its nesting.
var elemShape, sameShape = &Shape{}, &Shape{}
