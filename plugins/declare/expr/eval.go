package expr

import (
	"strconv"
	"strings"
)

// An Env is what an expression sees beside the names that are bound.
type Env struct {
	// Global returns what a document, a let or a kind of item is called, in the base if past is set.
	Global func(name string, past bool) *Value
	Steps  int // taken so far; reset it before each rule
}

// MaxSteps bounds what one rule evaluates.
const MaxSteps = 2_000_000

// A Scope binds names.
type Scope struct {
	name string
	val  *Value
	up   *Scope
	env  *Env
	past bool // names are those of the base
}

// NewScope returns a scope without bound names; with past, names are those of the base.
func NewScope(env *Env, past bool) *Scope { return &Scope{env: env, past: past} }

// With binds a name.
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

// A Failure is why an expression has no value: it compares what cannot be compared, or takes too long. A rule that
// comes to it has failed, which is not the same as silent.
type Failure struct {
	At      int // byte in the source
	Message string
}

func (f *Failure) Error() string { return f.Message }

func (n *Node) fail(message string) { panic(&Failure{n.at, message}) }

// clash is the failure of an operation on a value of the wrong kind.
//
//go:noinline
func (n *Node) clash(message string, vs ...*Value) {
	f := Wrong(message, vs...)
	f.At = n.at
	panic(f)
}

// Wrong is the failure of what needs another kind of value. It names the place of a value, if it has one.
func Wrong(message string, vs ...*Value) *Failure {
	for _, v := range vs {
		if at := v.Place(); at.Path != "" {
			message += " (" + at.Path + at.Pointer
			if at.Line > 0 {
				message += ":" + strconv.Itoa(at.Line)
			}
			message += ")"
			break
		}
	}
	return &Failure{Message: message}
}

// steps counts work.
//
//go:noinline
func (n *Node) steps(s *Scope, count int) {
	if s.env.Steps += count; s.env.Steps > MaxSteps {
		n.fail("the expression takes more than " + strconv.Itoa(MaxSteps) + " steps")
	}
}

// Eval returns the value of an expression. It panics with a *Failure.
func (n *Node) Eval(s *Scope) *Value {
	n.steps(s, 1)
	switch n.op {
	case literal:
		return n.val
	case name:
		return s.find(n.text).Open()
	case member:
		if k := n.kids[0]; k.op == name && k.text == Base {
			return s.env.Global(n.text, true).Open()
		}
		return n.member(n.kids[0].Eval(s), n.text)
	case index:
		return n.index(n.kids[0].Eval(s), n.kids[1].Eval(s))
	case listOf:
		l := make([]*Value, len(n.kids))
		for i, k := range n.kids {
			l[i] = k.Eval(s)
		}
		return ListOf(l)
	case choice:
		c := n.truth(n.kids[0].Eval(s))
		if c.Kind == Unknown {
			return NoValue
		} else if c.Bool {
			return n.kids[1].Eval(s)
		}
		return n.kids[2].Eval(s)
	case not:
		v := n.truth(n.kids[0].Eval(s))
		if v.Kind == Unknown {
			return v
		}
		return Truth(!v.Bool)
	case call:
		return n.call(s)
	}
	if n.text == "&&" || n.text == "||" {
		return n.logic(s)
	}
	return n.operate(s, n.kids[0].Eval(s), n.kids[1].Eval(s))
}

// Base is the name below which documents and items of the base are.
const Base = "base"

// logic evaluates && and ||. What is unknown counts only if the other side does not decide.
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

// truth refuses what is neither a boolean nor unknown. A missing boolean is false: {"done": null}.
//
//go:noinline
func (n *Node) truth(v *Value) *Value {
	switch v.Kind {
	case Bool, Unknown:
		return v
	case Null:
		return no
	}
	n.clash("expected a boolean, found "+v.Kind.String(), v)
	return nil
}

func (n *Node) member(v *Value, key string) *Value {
	switch v.Kind {
	case Unknown, Null:
		return v
	case Map:
		return v.Get(key)
	}
	n.clash(v.Kind.String()+" has no member "+key, v)
	return nil
}

func (n *Node) index(v, i *Value) *Value {
	switch {
	case v.Kind == Unknown || i.Kind == Unknown:
		return NoValue
	case v.Kind == Null || i.Kind == Null:
		return Nothing
	case v.Kind == Map && i.Kind == String:
		return v.Get(i.Text)
	case v.Kind == List && v.Named != nil && (i.Kind == String || i.Kind == Number):
		if e := v.Named[i.String()]; e != nil {
			return e.Open()
		}
		return nothingIn(v)
	case v.Kind == List && i.Kind == Number:
		if at := int(i.Number); at >= 0 && at < len(v.List) {
			return v.List[at].Open()
		}
		return nothingIn(v)
	}
	n.clash(v.Kind.String()+" has no elements named by "+i.Kind.String(), v, i)
	return nil
}

// nothingIn is what a list does not have: unknown if the list may have more than can be seen.
func nothingIn(v *Value) *Value {
	if v.Partial {
		return NoValue
	}
	return Nothing
}

// equal is == that refuses to compare values of different kinds; null is comparable with everything.
func (n *Node) equal(s *Scope, a, b *Value) bool {
	if a.Open().Kind != b.Open().Kind && a.Kind != Null && b.Kind != Null {
		n.clash("cannot compare "+a.Kind.String()+" with "+b.Kind.String(), a, b)
	}
	n.steps(s, a.weight(MaxSteps))
	return Equal(a, b)
}

func (n *Node) operate(s *Scope, a, b *Value) *Value {
	if a.Kind == Unknown || b.Kind == Unknown {
		return NoValue
	}
	switch n.text {
	case "==":
		return Truth(n.equal(s, a, b))
	case "!=":
		return Truth(!n.equal(s, a, b))
	case "in":
		return n.in(s, a, b)
	case "<", "<=", ">", ">=":
		return n.order(a, b)
	}
	switch {
	case a.Kind == Number && b.Kind == Number && n.text == "+":
		return Num(a.Number + b.Number)
	case a.Kind == Number && b.Kind == Number:
		return Num(a.Number - b.Number)
	case n.text == "+" && a.Kind == String && b.Kind == String:
		return Str(a.Text + b.Text)
	case n.text == "+" && (a.Kind == List || a.Kind == Null) && (b.Kind == List || b.Kind == Null):
		n.steps(s, len(a.List)+len(b.List))
		return &Value{Kind: List, List: append(append([]*Value(nil), a.List...), b.List...),
			Partial: a.Partial || b.Partial}
	}
	n.clash(n.text+" does not work on "+a.Kind.String()+" and "+b.Kind.String(), a, b)
	return nil
}

func (n *Node) in(s *Scope, a, b *Value) *Value {
	switch b.Kind {
	case Null:
		return no
	case Map:
		if a.Kind == String {
			return Truth(b.Get(a.Text).Kind != Null)
		}
	case List:
		if b.Named != nil && (a.Kind == String || a.Kind == Number) {
			if b.Named[a.String()] != nil {
				return yes
			} else if b.Partial {
				return NoValue
			}
			return no
		}
		unseen := b.Partial
		for _, e := range b.List {
			if e.Open().Kind == Unknown {
				unseen = true
			} else if n.equal(s, a, e) {
				return yes
			}
		}
		if unseen {
			return NoValue
		}
		return no
	}
	n.clash("in needs a list, found "+b.Kind.String(), b)
	return nil
}

func (n *Node) order(a, b *Value) *Value {
	c := 0
	switch {
	case a.Kind == Null || b.Kind == Null: // of two values one is missing: neither comes first
		return no
	case a.Kind == Number && b.Kind == Number:
		if a.Number < b.Number {
			c = -1
		} else if a.Number > b.Number {
			c = 1
		}
	case a.Kind == String && b.Kind == String:
		c = strings.Compare(a.Text, b.Text)
	default:
		n.clash("cannot compare "+a.Kind.String()+" with "+b.Kind.String(), a, b)
	}
	switch n.text {
	case "<":
		return Truth(c < 0)
	case "<=":
		return Truth(c <= 0)
	case ">":
		return Truth(c > 0)
	}
	return Truth(c >= 0)
}

// small reports whether a number is exact as an integer.
func small(f float64) bool { return f < 1<<53 && f > -(1<<53) }
