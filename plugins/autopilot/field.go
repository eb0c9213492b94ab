package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A field is a key with its value: bold, or a row of a table of two columns.
type field struct {
	key    string // as markdown.Name makes it
	label  string
	value  string // as it is compared
	at     sdk.Range
	scoped bool   // in the section of the position, or before the first section
	in     string // the name of the section, "" before the first

	set func(value string) (markdown.Edit, bool)
}

// given is the value of a field, "" if it is absent, none or a placeholder.
func (f *field) given() string {
	if f == nil || none(f.value) || placeholder(f.value) {
		return ""
	}
	return f.value
}

// text is the value as it is, "" if the field is absent.
func (f *field) text() string {
	if f == nil {
		return ""
	}
	return f.value
}

// place is where a part stands; a blank one is its line.
func place(path string, p markdown.Part) sdk.Range {
	if !p.OK() || p.Start() == p.End() {
		return sdk.AtLine(path, max(p.Line(), 1))
	}
	return sdk.AtBytes(path, p.Start(), p.End())
}

// newField makes a field of what the outline has.
func newField(path string, whole, key, value markdown.Part) *field {
	f := &field{label: key.Text(), value: clean(value.Text())}
	f.key = markdown.Name(f.label)
	if f.at = place(path, value); value.Start() == value.End() {
		f.at = place(path, whole)
	}
	return f
}

// An item is one item of a list that a rule looks at.
type item struct {
	text       string
	path       string
	start, end int // with marker and all that is nested
	own, stop  int // its own first paragraph
}
