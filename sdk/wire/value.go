package wire

import "strconv"

// A ValueKind says which field of a Value is set.
type ValueKind uint8

// The values of ValueKind.
const (
	TextValue ValueKind = iota
	IntValue
	BoolValue
	ListValue
	TableValue
)

var valueKinds = []string{"text", "int", "bool", "list", "table"}

func (k ValueKind) String() string { return spell(valueKinds, int(k)) }

// A Value is a fact's value: a string, an integer, a boolean, a list of strings or a table. On the wire it is plain
// JSON of that kind; see the package documentation.
type Value struct {
	Kind    ValueKind  `json:"kind"`
	Text    string     `json:"text,omitempty"`
	Int     int64      `json:"int,omitempty"`
	Bool    bool       `json:"bool,omitempty"`
	List    []string   `json:"list,omitempty"`
	Columns []string   `json:"columns,omitempty"`
	Rows    [][]string `json:"rows,omitempty"`
}

// String returns the value on one line; for a table, its number of rows.
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
