package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// A function takes so many operands, the one before the dot included. A macro binds a name in its last one.
type function struct {
	name     string
	operands int
	do       func(n *Node, s *Scope, v, arg *Value) *Value // nil for a macro
	gives    *Shape
}

func (f *function) macro() bool { return f.do == nil }

var functions []function

// The table calls functions that look into it.
func init() {
	functions = []function{
		{"all", 3, nil, nil}, {"exists", 3, nil, nil}, {"filter", 3, nil, nil}, {"map", 3, nil, nil},
		{"repeats", 3, nil, nil},
		{"has", 1, has, Boolean}, {"size", 1, size, Integer}, {"first", 1, first, elemShape},
		{"last", 1, last, elemShape}, {"flatten", 1, flatten, sameShape}, {"contains", 2, contains, Boolean},
		{"startsWith", 2, texts(strings.HasPrefix), Boolean}, {"endsWith", 2, texts(strings.HasSuffix), Boolean},
		{"split", 2, split, ListOfShape(Single)}, {"string", 1, asString, Single},
		{"number", 1, number, Integer}, {"lower", 1, lower, Single},
	}
}

func functionCalled(name string) *function {
	for i := range functions {
		if functions[i].name == name {
			return &functions[i]
		}
	}
	return nil
}

func functionNames() (list []string) {
	for i := range functions {
		list = append(list, functions[i].name)
	}
	return list
}

func (n *Node) call(s *Scope) *Value {
	v := n.kids[0].Eval(s).Open()
	if v.Kind == Unknown {
		return v
	}
	if n.fn.macro() {
		return n.macro(s, v)
	}
	arg := Nothing
	if len(n.kids) > 1 {
		if arg = n.kids[1].Eval(s).Open(); arg.Kind == Unknown {
			return arg
		}
	}
	n.steps(s, len(v.List)+len(v.Text)/16)
	return n.fn.do(n, s, v, arg)
}

// list returns the elements that a function works on: null has none.
//
//go:noinline
func (n *Node) list(v *Value) []*Value {
	if v.Kind != List && v.Kind != Null {
		n.clash(n.text+" needs a list, found "+v.Kind.String(), v)
	}
	return v.List
}

// text1 returns the text that a function works on.
//
//go:noinline
func (n *Node) text1(v *Value) string {
	if v.Kind != String {
		n.clash(n.text+" needs a string, found "+v.Kind.String(), v)
	}
	return v.Text
}

// macro evaluates what binds a name. Of an object it is bound to the keys.
func (n *Node) macro(s *Scope, v *Value) *Value {
	var list []*Value
	if v.Kind == Map {
		list = make([]*Value, len(v.Keys))
		for i, k := range v.Keys {
			list[i] = &Value{Kind: String, Text: k, From: v.List[i].part()}
		}
	} else {
		list = n.list(v)
	}
	inner := s.With(n.kids[1].text, nil)
	var found []*Value
	seen := map[string]bool{}
	blind := v.Partial
	for _, e := range list {
		inner.val = e.Open()
		r := n.kids[2].Eval(inner)
		switch n.text {
		case "map":
			found = append(found, r)
			continue
		case "repeats":
			n.steps(s, r.weight(MaxSteps))
			if key, ok := r.JSON(); ok && r.Kind != Null {
				if seen[key] {
					found = append(found, e)
				}
				seen[key] = true
			}
			continue
		}
		switch r = n.truth(r); {
		case r.Kind == Unknown:
			blind = true
		case n.text == "all" && !r.Bool:
			return no
		case n.text == "exists" && r.Bool:
			return yes
		case r.Bool:
			found = append(found, e)
		}
	}
	switch {
	case n.text == "map" || n.text == "repeats":
		return &Value{Kind: List, List: found, Partial: v.Partial}
	case n.text == "filter":
		return &Value{Kind: List, List: found, Partial: blind}
	case blind:
		return NoValue
	}
	return Truth(n.text == "all")
}

// has reports whether there is a value, and of a text or a list whether it has something in it.
func has(_ *Node, _ *Scope, v, _ *Value) *Value {
	switch {
	case v.Kind == Null, v.Kind == String && strings.TrimSpace(v.Text) == "":
		return no
	case v.Kind == List && len(v.List) == 0:
		if v.Partial {
			return NoValue
		}
		return no
	}
	return yes
}

func size(n *Node, _ *Scope, v, _ *Value) *Value {
	switch v.Kind {
	case String:
		return Num(float64(utf8.RuneCountInString(v.Text)))
	case List, Map, Null:
		if v.Partial {
			return NoValue
		}
		return Num(float64(len(v.List)))
	}
	n.clash(v.Kind.String()+" has no size", v)
	return nil
}

func first(n *Node, _ *Scope, v, _ *Value) *Value {
	if l := n.list(v); len(l) > 0 {
		return l[0].Open()
	}
	return nothingIn(v)
}

func last(n *Node, _ *Scope, v, _ *Value) *Value {
	if l := n.list(v); len(l) > 0 && !v.Partial {
		return l[len(l)-1].Open()
	}
	return nothingIn(v)
}

// flatten makes one list of a list of lists. What is null in it is left out.
func flatten(n *Node, s *Scope, v, _ *Value) *Value {
	all := &Value{Kind: List, Partial: v.Partial}
	for _, e := range n.list(v) {
		switch e.Open().Kind {
		case List:
			n.steps(s, len(e.List))
			all.List, all.Partial = append(all.List, e.List...), all.Partial || e.Partial
		case Unknown:
			all.Partial = true
		case Null:
		default:
			all.List = append(all.List, e)
		}
	}
	return all
}

func contains(n *Node, s *Scope, v, arg *Value) *Value {
	switch v.Kind {
	case List:
		return n.in(s, arg, v)
	case Null:
		return no
	}
	return Truth(strings.Contains(n.text1(v), n.text1(arg)))
}

// texts makes a function of two texts, which is false for null.
func texts(f func(a, b string) bool) func(*Node, *Scope, *Value, *Value) *Value {
	return func(n *Node, _ *Scope, v, arg *Value) *Value {
		if v.Kind == Null || arg.Kind == Null {
			return no
		}
		return Truth(f(n.text1(v), n.text1(arg)))
	}
}

func lower(n *Node, _ *Scope, v, _ *Value) *Value {
	if v.Kind == Null {
		return v
	}
	return &Value{Kind: String, Text: words.Lower(n.text1(v)), From: v.From}
}

func split(n *Node, s *Scope, v, arg *Value) *Value {
	all := &Value{Kind: List}
	if v.Kind == Null {
		return all
	}
	for _, p := range strings.Split(n.text1(v), n.text1(arg)) {
		n.steps(s, 1)
		all.List = append(all.List, &Value{Kind: String, Text: strings.TrimSpace(p), From: v.part()})
	}
	return all
}

func asString(n *Node, _ *Scope, v, _ *Value) *Value {
	switch v.Kind {
	case String, Null:
		return v
	case Number, Bool:
		return &Value{Kind: String, Text: v.String(), From: v.From}
	}
	n.clash("string needs a single value, found "+v.Kind.String(), v)
	return nil
}

// number is the first number in a text, and null where there is none.
func number(n *Node, _ *Scope, v, _ *Value) *Value {
	if v.Kind == Number || v.Kind == Null {
		return v
	}
	text := n.text1(v)
	from := strings.IndexAny(text, "0123456789")
	if from < 0 {
		return &Value{Kind: Null, From: v.From}
	}
	to := from
	for to < len(text) && isDigit(text[to]) {
		to++
	}
	digits := strings.TrimLeft(text[from:to], "0")
	f, ok := decimalValue("0" + digits)
	if digits != "" {
		f, ok = decimalValue(digits)
	}
	if !ok {
		return &Value{Kind: Null, From: v.From}
	}
	return &Value{Kind: Number, Number: f, From: v.part()}
}
