package wire

import (
	"math"
	"strconv"
)

// maxColumns is the maximum number of columns in a table.
const maxColumns = 64

// fact encodes or decodes a fact's value as plain JSON: a string, an integer, a boolean, an array of strings, or an
// object with the columns and rows of a table.
func (c *coder) fact(name string, v *Value) {
	if !c.member(name, v.Kind == TextValue && v.Text == "") {
		return
	}
	if c.reading() {
		v.read(c)
		return
	}
	switch v.Kind {
	case IntValue:
		c.out = strconv.AppendInt(c.out, v.Int, 10)
	case BoolValue:
		c.out = strconv.AppendBool(c.out, v.Bool)
	case ListValue:
		c.strings(&v.List)
	case TableValue:
		c.value((*table)(v))
	default:
		c.quote(v.Text)
	}
}

// read determines the kind from the first byte.
func (v *Value) read(c *coder) {
	switch b := c.in.peek(); {
	case b == '"':
		v.Kind, v.Text = TextValue, c.in.text()
	case b == '-' || isDigit(b):
		v.Kind, v.Int = IntValue, c.in.integer(math.MinInt64)
	case b == 't' || b == 'f':
		v.Kind, v.Bool = BoolValue, c.in.truth()
	case b == '[':
		v.Kind = ListValue
		c.strings(&v.List)
	case b == '{':
		v.Kind = TableValue
		c.value((*table)(v))
		v.square(c.in)
	default:
		c.in.mismatch("a string, an integer, true or false, an array of strings or a table")
	}
}

// A table is a Value of the kind TableValue.
type table Value

func (v *table) fields(c *coder) {
	c.texts("columns", &v.Columns)
	if c.member("rows", len(v.Rows) == 0) {
		c.array(len(v.Rows), func(i int) {
			if c.reading() {
				v.Rows = append(v.Rows, nil)
			}
			c.strings(&v.Rows[i])
		})
	}
}

// square checks that a table has a valid shape.
func (v *Value) square(r *reader) {
	if len(v.Columns) > maxColumns {
		r.fail("found " + strconv.Itoa(len(v.Columns)) + " columns, expected at most " + strconv.Itoa(maxColumns))
		return
	}
	for i, name := range v.Columns {
		if _, twice := find(v.Columns[:i], name); twice {
			r.fail("found the column " + shown(name) + " twice, expected once")
			return
		}
	}
	for i, row := range v.Rows {
		if len(row) != len(v.Columns) {
			r.fail("found " + strconv.Itoa(len(row)) + " cells, expected " + strconv.Itoa(len(v.Columns)) +
				", one for each column")
			r.under(".rows[" + strconv.Itoa(i) + "]")
			return
		}
	}
}
