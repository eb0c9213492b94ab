package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A place is a part of a document.
type place interface {
	OK() bool
	Start() int
	End() int
}

// A field is a key with its value, however it is written: with a bold or a plain key, as a list
// item, as a row of a table, in front matter, or as what stands below a heading.
type field struct {
	markdown.Pair
	d     *document
	front markdown.Field
}

// OK reports whether the field is there.
func (f *field) OK() bool { return f != nil }

// Start is where the value begins, or the key of a blank one.
func (f *field) Start() int {
	if f == nil {
		return 0
	}
	return f.Pair.Start
}

// End is where it ends.
func (f *field) End() int {
	if f == nil {
		return 0
	}
	return f.Pair.End
}

// Text is the value, or the items of the list below a blank one.
func (f *field) Text() string {
	if f == nil {
		return ""
	}
	return strings.Join(f.Texts(), "; ")
}

// set is the edit that gives the field a value.
func (f *field) set(value string) []sdk.Edit {
	switch {
	case f == nil || value == "" || len(f.Items) > 0:
		return nil
	case f.front.OK():
		return f.d.edit(f.front.Set(value))
	case f.Value == "" && strings.Contains(f.d.o.Text[f.Start():f.End()], ":"):
		return f.d.insert(f.End(), " "+value)
	}
	return f.d.edit(markdown.Edit{Start: f.Start(), End: f.End(), New: value}, true)
}

// fields lists the fields of a section.
func (d *document) fields(s markdown.Section) []*field {
	var list []*field
	for _, p := range s.Pairs() {
		list = append(list, &field{Pair: p, d: d})
	}
	return list
}

// header lists the fields of the front matter and of all that stands before the first section
// of a kind.
func (d *document) header(sections string) []*field {
	var list []*field
	for _, f := range d.o.FrontMatter() {
		p := markdown.PairOf(f.Key(), f.Value())
		p.Value = f.Text()
		list = append(list, &field{Pair: p, d: d, front: f})
	}
	end := d.o.Head().End()
	for i := range d.heads {
		if h := &d.heads[i]; among(h.name, sections) {
			end = max(h.Start(), 1)
			break
		}
	}
	all := d.o.Document()
	if head := d.o.Head(); end <= head.End() {
		all = head
	}
	for _, f := range d.fields(all) {
		if f.Start() < end {
			list = append(list, f)
		}
	}
	return list
}

// pick is the first field with a key of some names, parted by |.
func pick(list []*field, names string) *field {
	for i := range list {
		if among(markdown.Name(list[i].Key), names) {
			return list[i]
		}
	}
	return nil
}

// setHeader are the edits that set a field of the header, which is added below the title if it
// is not there.
func (d *document) setHeader(f *field, key, value string) []sdk.Edit {
	if value == "" || f.OK() {
		return f.set(value)
	}
	for i := range d.heads {
		if h := &d.heads[i]; h.level == 1 {
			return d.insert(h.End(), "\n\n**"+key+"**: "+value)
		}
	}
	return nil
}
