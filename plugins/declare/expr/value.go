package expr

import (
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
)

// A Kind is what a value is.
type Kind uint8

// The kinds. Unknown is what cannot be seen: an unread document, or anything of the base where there is none. It is the
// result of whatever depends on it.
const (
	Unknown Kind = iota
	Null
	Bool
	Number
	String
	List
	Map
)

var kindNames = [...]string{"unknown", "null", "a boolean", "a number", "a string", "a list", "an object"}

// String returns the kind as messages call it: "a string".
//
//go:noinline
func (k Kind) String() string { return kindNames[k] }

// A Source is the place of a value in a document, and how to edit it.
type Source interface {
	Place() sdk.Range
	// Edit writes a value there. It reports false if there is no way to.
	Edit(to *Value) (sdk.Edit, bool)
}

// partOf is the place of a part of a text, which cannot be edited alone.
type partOf struct{ Source }

func (partOf) Edit(*Value) (sdk.Edit, bool) { return sdk.Edit{}, false }

// part is the source of a part of a value.
func (v *Value) part() Source {
	if v.From == nil {
		return nil
	}
	return partOf{v.From}
}

// A Value is what an expression yields. A value that was selected from a document knows its Source; a value that was
// computed, and one of the base, has none.
type Value struct {
	Kind    Kind
	Bool    bool
	Number  float64
	Text    string
	List    []*Value          // the elements of a list, the values of a map
	Keys    []string          // of a map
	Folded  bool              // its keys are compared as markdown.Name writes them
	Partial bool              // a list that may have more elements than can be seen
	Named   map[string]*Value // the elements of a list of items by their keys
	From    Source
	Also    *Value              // a map whose members it has beside its own, such as the name of its file
	Fill    func(*Value)        // fills in List and Keys when they are first asked for; nil once it has
	Missing func(string) Source // where a member would stand that a map does not have; it may be nil
}

// Values without a place.
var (
	NoValue = &Value{}
	Nothing = &Value{Kind: Null}
	yes     = &Value{Kind: Bool, Bool: true}
	no      = &Value{Kind: Bool}
)

// Truth returns a boolean.
func Truth(b bool) *Value {
	if b {
		return yes
	}
	return no
}

// Str returns a string without a place.
//
//go:noinline
func Str(s string) *Value { return &Value{Kind: String, Text: s} }

// Num returns a number without a place.
//
//go:noinline
func Num(n float64) *Value { return &Value{Kind: Number, Number: n} }

// ListOf returns a list without a place.
//
//go:noinline
func ListOf(l []*Value) *Value { return &Value{Kind: List, List: l} }

// Open fills in what a value holds.
//
//go:noinline
func (v *Value) Open() *Value {
	if f := v.Fill; f != nil {
		v.Fill = nil
		f(v)
	}
	return v
}

// Place returns where the value stands. The zero Range is nowhere.
//
//go:noinline
func (v *Value) Place() sdk.Range {
	if v == nil || v.From == nil {
		return sdk.Range{}
	}
	return v.From.Place()
}

// Is reports whether the value is true.
//
//go:noinline
func (v *Value) Is() bool { return v.Kind == Bool && v.Bool }

// FoldKey returns a key as keys of a Markdown document are compared: **Current Phase:** is current_phase.
func FoldKey(key string) string { return markdown.Name(strings.ReplaceAll(key, "_", " ")) }

// Get returns the member of a map, and Null with its place if there is none.
func (v *Value) Get(key string) *Value {
	if m := v.Open().find(key); m != nil {
		return m.Open()
	}
	if v.Folded {
		if m := v.find(FoldKey(key)); m != nil {
			return m.Open()
		}
	}
	if v.Also != nil {
		if m := v.Also.Get(key); m.Kind != Null {
			return m
		}
	}
	if v.Missing == nil {
		return Nothing
	}
	return &Value{Kind: Null, From: v.Missing(key)}
}

func (v *Value) find(key string) *Value {
	for i := len(v.Keys) - 1; i >= 0; i-- {
		if v.Keys[i] == key {
			return v.List[i]
		}
	}
	return nil
}

// Add adds a member to a map.
func (v *Value) Add(key string, m *Value) {
	if v.Folded {
		key = FoldKey(key)
	}
	v.Keys, v.List = append(v.Keys, key), append(v.List, m)
}

// String returns the value for messages.
func (v *Value) String() string {
	switch v.Open(); v.Kind {
	case Bool:
		return strconv.FormatBool(v.Bool)
	case Number:
		return decimal(v.Number)
	case String:
		return v.Text
	case List:
		parts := make([]string, len(v.List))
		for i, e := range v.List {
			parts[i] = e.String()
		}
		return strings.Join(parts, ", ")
	case Map:
		for _, key := range [...]string{"title", "text", "name"} {
			if m := v.Get(key); m.Kind == String {
				return m.Text
			}
		}
		return "an object"
	case Null:
		return "nothing"
	}
	return "unknown"
}

// decimal writes a number with at most six digits behind the point. Package strconv would take 20 kB of a guest for it.
func decimal(f float64) string {
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	if f >= 1<<53 || f != f {
		return sign + "a large number"
	}
	whole := int64(f)
	part := int64((f-float64(whole))*1e6 + 0.5)
	if part == 1e6 {
		whole, part = whole+1, 0
	}
	text := sign + strconv.FormatInt(whole, 10)
	if part > 0 {
		text += "." + strings.TrimRight(strconv.FormatInt(1e6+part, 10)[1:], "0")
	}
	return text
}

// JSON returns the value as JSON. It reports false for what is unknown.
func (v *Value) JSON() (string, bool) {
	switch v.Open(); v.Kind {
	case Unknown:
		return "", false
	case Number:
		return v.String(), small(v.Number)
	case Null:
		return "null", true
	case String:
		return jsondoc.Quote(v.Text), true
	case List, Map:
		open, end := "[", "]"
		if v.Kind == Map {
			open, end = "{", "}"
		}
		var b strings.Builder
		b.WriteString(open)
		for i, e := range v.List {
			if i > 0 {
				b.WriteString(", ")
			}
			if v.Kind == Map {
				b.WriteString(jsondoc.Quote(v.Keys[i]) + ": ")
			}
			text, ok := e.JSON()
			if !ok {
				return "", false
			}
			b.WriteString(text)
		}
		return b.String() + end, true
	}
	return v.String(), true
}

// Equal reports whether two values mean the same. Values of different kinds do not.
func Equal(a, b *Value) bool {
	if a.Open().Kind != b.Open().Kind {
		return false
	}
	switch a.Kind {
	case Bool:
		return a.Bool == b.Bool
	case Number:
		return a.Number == b.Number
	case String:
		return a.Text == b.Text
	case List, Map:
		if len(a.List) != len(b.List) {
			return false
		}
		for i := range a.List {
			other := b.List[i]
			if a.Kind == Map && a.Keys[i] != b.Keys[i] {
				other = b.Get(a.Keys[i])
			}
			if !Equal(a.List[i], other) {
				return false
			}
		}
	}
	return true
}

// weight is about how much work it is to compare or write a value, and no more than most.
func (v *Value) weight(most int) int {
	n := 1 + len(v.Text)/16
	for _, e := range v.Open().List {
		if n >= most {
			break
		}
		n += e.weight(most - n)
	}
	return n
}

// Elements returns the elements of a list, nil for what is none.
func (v *Value) Elements() []*Value {
	if v.Open().Kind == List {
		return v.List
	}
	return nil
}
