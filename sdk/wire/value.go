package wire

import "strconv"

// A ValueKind says which field of a Value is meant.
type ValueKind uint8

// The kinds of a fact's value.
const (
	TextValue ValueKind = iota
	IntValue
	BoolValue
	ListValue
	TableValue
)

var valueKinds = []string{"text", "int", "bool", "list", "table"}

func (k ValueKind) String() string { return spell(valueKinds, int(k)) }

// A Value is a fact's value: a text, an integer, a truth, a list of texts or a
// table. On the wire it is plain JSON of that kind, without these members: see the
// package's page.
type Value struct {
	Kind    ValueKind  `json:"kind"`
	Text    string     `json:"text,omitempty"`
	Int     int64      `json:"int,omitempty"`
	Bool    bool       `json:"bool,omitempty"`
	List    []string   `json:"list,omitempty"`
	Columns []string   `json:"columns,omitempty"`
	Rows    [][]string `json:"rows,omitempty"`
}

// String gives the value on one line, a table as its number of rows.
func (v Value) String() string {
	switch v.Kind {
	case IntValue:
		return strconv.FormatInt(v.Int, 10)
	case BoolValue:
		return strconv.FormatBool(v.Bool)
	case ListValue:
		return joined(v.List)
	case TableValue:
		return strconv.Itoa(len(v.Rows)) + " rows"
	}
	return v.Text
}

func joined(list []string) string {
	s := ""
	for i, l := range list {
		if i > 0 {
			s += ", "
		}
		s += l
	}
	return s
}
