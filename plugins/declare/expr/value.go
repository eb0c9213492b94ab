package expr

import (
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
)

// A Kind is the type of a value.
type Kind uint8

// The kinds of values. A value is Unknown if it cannot be seen, for example in an unreadable document, or in the base
// if there is none. Whatever depends on it is Unknown, too.
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

// A Source is the location of a value in a document, with a function that edits it there.
type Source struct {
	At  func() sdk.Range
	Set func(*Value) (sdk.Edit, bool) // nil, or returns false, if the value cannot be edited
}

// part returns the source of a part of a value. A part has a location, but cannot be edited alone.
func (v *Value) part() *Source {
	if v.From == nil {
		return nil
	}
	return &Source{At: v.From.At}
}

// A Value is the result of an expression. A value that was selected from a document has a Source. A computed value
// and a value from the base have none.
type Value struct {
	Kind    Kind
	Bool    bool
	Number  float64
	Text    string
	List    []*Value          // the elements of a list, the values of a map
	Keys    []string          // of a map
	Folded  bool              // keys are compared in the form of markdown.Name
	Partial bool              // the list may have more elements than can be seen
	Named   map[string]*Value // the elements of a list of items, by key
	From    *Source
	Also    *Value               // a map with additional members, such as the name of the file
	Fill    func(*Value)         // fills in List and Keys on first use; nil afterwards
	Missing func(string) *Source // the source of a member that the map lacks; may be nil
}

// These values have no location.
var (
	NoValue = &Value{}
	Nothing = &Value{Kind: Null}
	yes     = &Value{Kind: Bool, Bool: true}
	no      = &Value{Kind: Bool}
)

// Truth returns b as a value without a location.
func Truth(b bool) *Value {
	if b {
		return yes
	}
	return no
}

// Str returns a string without a location.
//
//go:noinline
func Str(s string) *Value { return &Value{Kind: String, Text: s} }

// Num returns a number without a location.
func Num(n float64) *Value { return &Value{Kind: Number, Number: n} }

// Open fills in List and Keys if that has not happened yet, and returns v.
//
//go:noinline
func (v *Value) Open() *Value {
	if f := v.Fill; f != nil {
		v.Fill = nil
		f(v)
	}
	return v
}

// Is reports whether the value is the boolean true.
func (v *Value) Is() bool { return v.Kind == Bool && v.Bool }

// FoldKey returns the form in which keys of Markdown documents are compared: "**Current Phase:**" becomes
// "current_phase".
func FoldKey(key string) string { return markdown.Name(strings.ReplaceAll(key, "_", " ")) }

// Get returns a member of a map. If there is none, it returns Null, with the location where the member would be.
func (v *Value) Get(key string) *Value {
	named := v.Open().fold(key)
	for i := len(v.Keys) - 1; i >= 0; i-- {
		if v.Keys[i] == named {
			return v.List[i].Open()
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

func (v *Value) fold(key string) string {
	if v.Folded {
		return FoldKey(key)
	}
	return key
}

// Add adds a member to a map. The last member with a key counts.
func (v *Value) Add(key string, m *Value) {
	v.Keys, v.List = append(v.Keys, v.fold(key)), append(v.List, m)
}

// String returns the value in the form that messages use.
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
	case Null:
		return "nothing"
	}
	return v.Kind.String()
}

// decimal formats a number with at most six decimal places. It does not use package strconv, which would add 20 kB to
// a guest.
func decimal(f float64) string {
	switch {
	case f < 0:
		return "-" + decimal(-f)
	case !small(f):
		return "a large number"
	case f >= 1e9: // the fraction is left out
		return strconv.FormatInt(int64(f), 10)
	}
	micro := int64(f*1e6 + 0.5)
	whole, part := strconv.FormatInt(micro/1e6, 10), strconv.FormatInt(micro%1e6+1e6, 10)[1:]
	return whole + strings.TrimRight("."+part, "0.")
}

// small reports whether every integer of this size is represented exactly.
func small(f float64) bool { return f < 1<<53 && f > -(1<<53) }

// JSON returns the value as JSON. The result is false if the value is unknown.
func (v *Value) JSON() (string, bool) {
	switch v.Open(); v.Kind {
	case Null:
		return "null", true
	case String:
		return jsondoc.Quote(v.Text), true
	case List, Map:
		parts, brackets := make([]string, len(v.List)), "[]"
		for i, e := range v.List {
			text, ok := e.JSON()
			if !ok {
				return "", false
			}
			if v.Kind == Map {
				text, brackets = jsondoc.Quote(v.Keys[i])+": "+text, "{}"
			}
			parts[i] = text
		}
		return brackets[:1] + strings.Join(parts, ", ") + brackets[1:], true
	}
	return v.String(), v.Kind == Bool || v.Kind == Number && small(v.Number)
}

// Equal reports whether two values are equal. Values of different kinds are not.
func Equal(a, b *Value) bool {
	if a.Open().Kind != b.Open().Kind {
		return false
	}
	if a.Bool != b.Bool || a.Number != b.Number || a.Text != b.Text || len(a.List) != len(b.List) {
		return false
	}
	for i, e := range a.List {
		other := b.List[i]
		if a.Kind == Map && a.Keys[i] != b.Keys[i] {
			other = b.Get(a.Keys[i])
		}
		if !Equal(e, other) {
			return false
		}
	}
	return true
}

// weight estimates how much work it is to compare or write a value.
func (v *Value) weight() int {
	n := 1 + len(v.Text)/16
	for _, e := range v.Open().List {
		n += e.weight()
	}
	return n
}

// Place returns the location of the first value that has one, or else the zero Range.
func Place(vs ...*Value) (at sdk.Range) {
	for _, v := range vs {
		if v != nil && v.From != nil && at.Path == "" {
			at = v.From.At()
		}
	}
	return at
}
