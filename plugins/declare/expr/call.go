package expr

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// A function takes a number of operands, including the one before the dot. A macro binds a name in its last operand.
type function struct {
	name     string
	operands int
	do       func(n *Node, s *Scope, v, arg *Value) *Value // nil for a macro
	gives    *Shape
	null     *Value // the result if the operand is null; nil stands for null
}

func (f *function) macro() bool { return f.do == nil }

var functions []function

// The table is filled in by init because its functions refer to it.
func init() {
	none := &Value{Kind: List}
	functions = []function{
		{"all", 3, nil, Boolean, yes}, {"exists", 3, nil, Boolean, no}, {"filter", 3, nil, nil, none},
		{"map", 3, nil, nil, none}, {"repeats", 3, nil, nil, none},
		{"has", 1, has, Boolean, no}, {"size", 1, size, Integer, Num(0)}, {"first", 1, end, elemShape, nil},
		{"last", 1, end, elemShape, nil}, {"flatten", 1, flatten, sameShape, none},
		{"contains", 2, contains, Boolean, no}, {"startsWith", 2, texts(strings.HasPrefix), Boolean, no},
		{"endsWith", 2, texts(strings.HasSuffix), Boolean, no}, {"split", 2, split, ListOfShape(Single), none},
		{"string", 1, asString, Single, nil}, {"number", 1, number, Integer, nil}, {"lower", 1, lower, Single, nil},
	}
}

func (n *Node) call(s *Scope) *Value {
	v := n.kids[0].Eval(s).Open()
	switch {
	case v.Kind == Null && n.fn.null != nil:
		return n.fn.null
	case v.Kind == Null || v.Kind == Unknown:
		return v
	case n.fn.macro():
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

// need returns v if it has the kind that the function works on; otherwise it panics with a Failure.
func (n *Node) need(k Kind, v *Value) *Value {
	if v.Kind != k {
		panic(Wrong(n.text+" needs "+k.String()+", found "+v.Kind.String(), v))
	}
	return v
}

// macro evaluates a call that binds a name to each element of a list, or to each key of an object.
func (n *Node) macro(s *Scope, v *Value) *Value {
	var list []*Value
	for i, k := range v.Keys {
		list = append(list, &Value{Kind: String, Text: k, From: v.List[i].part()})
	}
	if v.Kind != Map {
		list = n.need(List, v).List
	}
	inner := s.With(n.kids[1].text, nil)
	found := &Value{Kind: List, Partial: v.Partial}
	seen := map[string]bool{}
	for _, e := range list {
		inner.val = e.Open()
		r := n.kids[2].Eval(inner)
		switch n.text {
		case "map":
			found.List = append(found.List, r)
			continue
		case "repeats":
			n.steps(s, r.weight())
			key, ok := r.JSON()
			r = Truth(ok && seen[key])
			seen[key] = ok && key != "null"
		}
		switch r = n.truth(r); {
		case r.Kind == Unknown:
			found.Partial = true
		case n.text == "all" && !r.Bool:
			return no
		case n.text == "exists" && r.Bool:
			return yes
		case r.Bool:
			found.List = append(found.List, e)
		}
	}
	switch {
	case n.fn.gives != Boolean:
		return found
	case found.Partial:
		return NoValue
	}
	return Truth(n.text == "all")
}

// has reports whether a value exists. Blank texts and empty lists count as missing.
func has(_ *Node, _ *Scope, v, _ *Value) *Value {
	switch {
	case v.Kind == String && strings.TrimSpace(v.Text) == "":
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
	case List, Map:
		if v.Partial {
			return NoValue
		}
		return Num(float64(len(v.List)))
	}
	panic(Wrong(v.Kind.String()+" has no size", v))
}

// end returns the first or the last element of a list.
func end(n *Node, _ *Scope, v, _ *Value) *Value {
	switch l := n.need(List, v).List; {
	case len(l) > 0 && n.text == "first":
		return l[0].Open()
	case len(l) > 0 && !v.Partial:
		return l[len(l)-1].Open()
	}
	return nothingIn(v)
}

// flatten turns a list of lists into one list, without nulls.
func flatten(n *Node, s *Scope, v, _ *Value) *Value {
	all := &Value{Kind: List, Partial: v.Partial}
	for _, e := range n.need(List, v).List {
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
	if v.Kind == List {
		return n.in(s, arg, v)
	}
	return texts(strings.Contains)(n, s, v, arg)
}

// texts turns f into a function for expressions. The result is false if the argument is null.
func texts(f func(a, b string) bool) func(*Node, *Scope, *Value, *Value) *Value {
	return func(n *Node, _ *Scope, v, arg *Value) *Value {
		return Truth(arg.Kind != Null && f(n.need(String, v).Text, n.need(String, arg).Text))
	}
}

func lower(n *Node, _ *Scope, v, _ *Value) *Value {
	return &Value{Kind: String, Text: words.Lower(n.need(String, v).Text), From: v.From}
}

func split(n *Node, s *Scope, v, arg *Value) *Value {
	all := &Value{Kind: List}
	for _, p := range strings.Split(n.need(String, v).Text, n.need(String, arg).Text) {
		n.steps(s, 1)
		all.List = append(all.List, &Value{Kind: String, Text: strings.TrimSpace(p), From: v.part()})
	}
	return all
}

func asString(n *Node, _ *Scope, v, _ *Value) *Value {
	if v.Kind == List || v.Kind == Map {
		panic(Wrong("string needs a single value, found "+v.Kind.String(), v))
	}
	return &Value{Kind: String, Text: v.String(), From: v.From}
}

// number returns the first number in a text, or null if there is none.
func number(n *Node, _ *Scope, v, _ *Value) *Value {
	if v.Kind == Number {
		return v
	}
	digits := strings.TrimLeftFunc(n.need(String, v).Text, func(r rune) bool { return !isDigit(r) })
	digits = digits[:len(digits)-len(strings.TrimLeftFunc(digits, isDigit))]
	if digits == "" {
		return &Value{Kind: Null, From: v.From}
	}
	f, _ := decimalValue(cmp.Or(strings.TrimLeft(digits, "0"), "0"))
	return &Value{Kind: Number, Number: f, From: v.part()}
}
