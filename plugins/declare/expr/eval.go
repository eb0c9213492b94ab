package expr

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// An Env is what an expression sees besides the bound names.
type Env struct {
	// Global returns the value of a document, a let or a kind of items, from the base if past is set.
	Global func(name string, past bool) *Value
	Steps  int // taken so far; reset it before each rule
}

// MaxSteps is how many steps the evaluation of one rule may take.
const MaxSteps = 2_000_000

// A Scope binds names.
type Scope struct {
	name string
	val  *Value
	up   *Scope
	env  *Env
	past bool // names refer to the base
}

// NewScope returns a scope without bound names. If past is set, names refer to the base.
func NewScope(env *Env, past bool) *Scope { return &Scope{env: env, past: past} }

// With returns a scope that also binds name to v.
//
//go:noinline
func (s *Scope) With(name string, v *Value) *Scope { return &Scope{name, v, s, s.env, s.past} }

func (s *Scope) find(name string) *Value {
	for at := s; at.up != nil; at = at.up {
		if at.name == name {
			return at.val
		}
	}
	return s.env.Global(name, s.past)
}

// A Failure says why an expression has no value: it compares values that are not comparable, or takes too long. Its
// rule has failed, which is not the same as reporting nothing.
type Failure string

func (f Failure) Error() string { return string(f) }

// Wrong returns the Failure for values of the wrong kind. It includes the location of the first value that has one.
func Wrong(message string, vs ...*Value) Failure {
	if at := Place(vs...); at.Path != "" {
		message += " (" + at.Path + at.Pointer
		if at.Line > 0 {
			message += ":" + strconv.Itoa(at.Line)
		}
		message += ")"
	}
	return Failure(message)
}

// steps counts evaluation steps. It panics with a Failure if there are more than MaxSteps.
func (n *Node) steps(s *Scope, count int) {
	if s.env.Steps += count; s.env.Steps > MaxSteps {
		panic(Failure("the expression takes more than " + strconv.Itoa(MaxSteps) + " steps"))
	}
}

// Eval returns the value of an expression. It panics with a Failure.
func (n *Node) Eval(s *Scope) *Value {
	n.steps(s, 1)
	switch n.op {
	case literal:
		return n.val
	case name:
		return s.find(n.text).Open()
	case call:
		return n.call(s)
	case member:
		if k := n.kids[0]; k.op == name && k.text == Base {
			return s.env.Global(n.text, true).Open()
		}
		return n.member(n.kids[0].Eval(s), n.text)
	case listOf:
		l := make([]*Value, len(n.kids))
		for i, k := range n.kids {
			l[i] = k.Eval(s)
		}
		return &Value{Kind: List, List: l}
	case joined:
		text := ""
		for _, k := range n.kids {
			text += k.Eval(s).String()
		}
		return Str(text)
	case index:
		return n.index(n.kids[0].Eval(s), n.kids[1].Eval(s))
	case choice, not:
		c := n.truth(n.kids[0].Eval(s))
		switch {
		case c.Kind == Unknown:
			return c
		case n.op == not:
			return Truth(!c.Bool)
		case c.Bool:
			return n.kids[1].Eval(s)
		}
		return n.kids[2].Eval(s)
	}
	if n.text == "&&" || n.text == "||" {
		return n.logic(s)
	}
	return n.operate(s, n.kids[0].Eval(s), n.kids[1].Eval(s))
}

// Text returns the value of an expression in the form that messages use.
func (n *Node) Text(s *Scope) string { return n.Eval(s).String() }

// List returns a list with its elements filled in, or null or unknown. Messages call the list by the name called.
func (n *Node) List(s *Scope, called string) *Value {
	v := n.Eval(s).Open()
	if v.Kind != List && v.Kind != Null && v.Kind != Unknown {
		panic(Wrong(called+" is "+v.Kind.String()+", expected a list", v))
	}
	for _, e := range v.List {
		e.Open()
	}
	return v
}

// Base is the name that gives access to the documents and items of the base.
const Base = "base"

// logic evaluates && and ||. An unknown operand does not matter if the other one decides the result.
func (n *Node) logic(s *Scope) *Value {
	decides := n.text == "||"
	a := n.truth(n.kids[0].Eval(s))
	if a.Kind == Bool && a.Bool == decides {
		return a
	}
	b := n.truth(n.kids[1].Eval(s))
	if b.Kind == Bool && b.Bool != decides && a.Kind == Unknown {
		return a
	}
	return b
}

// truth refuses a value that is neither a boolean nor unknown. A null boolean is false: {"done": null}.
func (n *Node) truth(v *Value) *Value {
	switch v.Kind {
	case Null:
		return no
	case Bool, Unknown:
	default:
		panic(Wrong("expected a boolean, found "+v.Kind.String(), v))
	}
	return v
}

func (n *Node) member(v *Value, key string) *Value {
	switch v.Kind {
	case Map:
		return v.Get(key)
	case Unknown, Null:
	default:
		panic(Wrong(v.Kind.String()+" has no member "+key, v))
	}
	return v
}

func (n *Node) index(v, i *Value) *Value {
	single := i.Kind == String || i.Kind == Number
	switch {
	case v.Kind == Unknown || i.Kind == Unknown:
		return NoValue
	case v.Kind == Null || i.Kind == Null:
		return Nothing
	case v.Kind == Map && i.Kind == String:
		return v.Get(i.Text)
	case v.Kind != List || v.Named == nil && i.Kind != Number || !single:
		panic(Wrong(v.Kind.String()+" has no elements named by "+i.Kind.String(), v, i))
	case v.Named != nil:
		if e := v.Named[i.String()]; e != nil {
			return e.Open()
		}
	case i.Number >= 0 && i.Number < float64(len(v.List)):
		return v.List[int(i.Number)].Open()
	}
	return nothingIn(v)
}

// nothingIn returns the result for an element that v lacks: unknown if v may have more elements than can be seen.
func nothingIn(v *Value) *Value {
	if v.Partial {
		return NoValue
	}
	return Nothing
}

// equal implements ==. It refuses to compare values of different kinds, but any value can be compared with null.
func (n *Node) equal(s *Scope, a, b *Value) bool {
	if a.Open().Kind != b.Open().Kind && a.Kind != Null && b.Kind != Null {
		panic(Wrong("cannot compare "+a.Kind.String()+" with "+b.Kind.String(), a, b))
	}
	n.steps(s, a.weight())
	return Equal(a, b)
}

func (n *Node) operate(s *Scope, a, b *Value) *Value {
	if a.Kind == Unknown || b.Kind == Unknown {
		return NoValue
	}
	numbers := a.Kind == Number && b.Kind == Number
	switch {
	case n.text == "==":
		return Truth(n.equal(s, a, b))
	case n.text == "!=":
		return Truth(!n.equal(s, a, b))
	case n.text == "in":
		return n.in(s, a, b)
	case n.text[0] == '<' || n.text[0] == '>':
		return n.order(a, b)
	case n.text == "-" && numbers:
		return Num(a.Number - b.Number)
	case n.text == "-":
	case numbers:
		return Num(a.Number + b.Number)
	case a.Kind == String && b.Kind == String:
		return Str(a.Text + b.Text)
	case (a.Kind == List || a.Kind == Null) && (b.Kind == List || b.Kind == Null):
		n.steps(s, len(a.List)+len(b.List))
		return &Value{Kind: List, List: slices.Concat(a.List, b.List), Partial: a.Partial || b.Partial}
	}
	panic(Wrong(n.text+" does not work on "+a.Kind.String()+" and "+b.Kind.String(), a, b))
}

func (n *Node) in(s *Scope, a, b *Value) *Value {
	switch {
	case b.Kind == Null:
		return no
	case b.Kind == Map && a.Kind == String:
		return Truth(b.Get(a.Text).Kind != Null)
	case b.Kind != List:
		panic(Wrong("in needs a list, found "+b.Kind.String(), b))
	}
	unseen, found := b.Partial, false
	if b.Named != nil && (a.Kind == String || a.Kind == Number) {
		found = b.Named[a.String()] != nil
	} else {
		for _, e := range b.List {
			unseen = unseen || e.Open().Kind == Unknown
			found = found || e.Kind != Unknown && n.equal(s, a, e)
		}
	}
	if unseen && !found {
		return NoValue
	}
	return Truth(found)
}

func (n *Node) order(a, b *Value) *Value {
	c := 0
	switch {
	case a.Kind == Null || b.Kind == Null: // one of the values is missing, so neither comes first
		return no
	case a.Kind == Number && b.Kind == Number:
		c = cmp.Compare(a.Number, b.Number)
	case a.Kind == String && b.Kind == String:
		c = strings.Compare(a.Text, b.Text)
	default:
		panic(Wrong("cannot compare "+a.Kind.String()+" with "+b.Kind.String(), a, b))
	}
	return Truth(c < 0 && n.text[0] == '<' || c > 0 && n.text[0] == '>' || c == 0 && len(n.text) == 2)
}
