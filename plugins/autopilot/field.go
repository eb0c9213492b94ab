package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
)

// A field is a key with its value: a line, an item, or a row in a two-column table.
type field struct {
	key    string // as markdown.Name returns it
	label  string
	value  string    // cleaned for comparison
	at     sdk.Range // range of the value, or of the key if the value is blank
	row    bool      // whether the field is a table row
	scoped bool      // whether it is in the position's section, or before the first section
	in     string    // name of its section, or "" before the first section
}

// synonyms maps alternative key names to the names that rules use.
var synonyms = [...][2]string{
	{"currentphase", "phase"}, {"currentplan", "plan"}, {"currentstatus", "status"}, {"lastupdated", "updated"},
	{"nextstep", "nextaction"},
}

// newField creates a field from a key and its value, which may be in the front matter.
func newField(d *sdk.Document, p *markdown.Pair) *field {
	line := d.Text[strings.LastIndexByte(d.Text[:p.Start], '\n')+1:]
	return &field{
		label: p.Key, key: markdown.Name(p.Key), value: clean(p.Value), at: sdk.AtBytes(d.Path, p.Start, p.End),
		row: strings.HasPrefix(strings.TrimLeft(line, " \t"), "|"),
	}
}

// frontFields returns the fields in the front matter. If it is missing or not closed, it returns the fields before
// the first heading.
func frontFields(d *sdk.Document, o *markdown.Outline) (fields []*field) {
	var pairs []markdown.Pair
	for _, f := range o.FrontMatter() {
		if f.Value().Start() < f.Value().End() {
			pairs = append(pairs, markdown.PairOf(f.Key(), f.Value()))
		}
	}
	if len(o.FrontMatter()) == 0 {
		pairs = o.Document().Pairs()
	}
	for i := range pairs {
		if pairs[i].Start < top(o) {
			fields = append(fields, newField(d, &pairs[i]))
		}
	}
	return fields
}

// top returns the offset of the first heading, or the text's length if there is none. It skips fields above a line of
// hyphens, which Markdown reads as a heading.
func top(o *markdown.Outline) int {
	for _, h := range o.Headings() {
		if o.Text[h.Start()] == '#' || !strings.Contains(h.Text(), ": ") {
			return h.Start()
		}
	}
	return len(o.Text)
}

// set returns the edit that changes the field's value, or nil if the field has no value.
func (f *field) set(value string) []sdk.Edit {
	if f.value == "" || value == "" {
		return nil
	}
	if f.row {
		value = strings.ReplaceAll(value, "|", `\|`)
	}
	return []sdk.Edit{sdk.Replace(f.at, value)}
}

// noField stands for a missing field.
var noField = &field{}

// given returns the field's value, or "" if it is missing, "none" or a placeholder.
func (f *field) given() string {
	if none(f.value) || placeholder(f.value) {
		return ""
	}
	return f.value
}

// place returns the range of a part, or its line if the part is blank.
func place(path string, p markdown.Part) sdk.Range {
	if p.Start() == p.End() {
		return sdk.AtLine(path, max(p.Line(), 1))
	}
	return sdk.AtBytes(path, p.Start(), p.End())
}

// An item is a list item, or a heading, line or row that serves as one.
type item struct {
	text string
	// at is the range of the item's first paragraph, or of its line. For list items, whole also covers the marker and
	// nested items; otherwise, it is empty.
	at, whole sdk.Range
	blank     bool // whether it has no text
	box, done bool // whether it has a box, and whether the box is ticked
	from, to  int  // first and last remaining task that it names, or 0
}

func newItem(path string, i markdown.Item) *item {
	it := &item{text: clean(i.Text()), whole: sdk.AtBytes(path, i.Start(), i.End()),
		blank: i.Own().Start() == i.Own().End(), box: i.Task().OK(), done: i.Task().Checked()}
	if it.at = place(path, i.Own()); it.blank {
		it.at = place(path, i.Part)
	}
	return it
}

// remove deletes an item with the rest of its line.
func (it *item) remove(text string) sdk.Edit {
	at := it.whole
	if rest, _, found := strings.Cut(text[at.End:], "\n"); found && strings.TrimSpace(rest) == "" {
		at.End += len(rest) + 1
	}
	return sdk.Replace(at, "")
}

// readStamp reads a time. If the time has an unusual form, it reads only the date. Midnight counts as a date without a
// time, because it means that the author did not know the hour.
func readStamp(s string) instant.Moment {
	m, _ := instant.Loose(s)
	if !known(m) {
		day, rest := instant.Find(s)
		clock := strings.TrimFunc(rest, func(r rune) bool { return r != ':' && (r < '0' || r > '9') })
		if known(day) && (clock == "" || len(clock) > 3 && clock[len(clock)-3] == ':') { // the time is not cut short
			m = day
			m.Precision = instant.Date
		}
	}
	if len(m.Text) > 10 && strings.HasPrefix(m.Text[11:], "00:00") {
		m.Precision = instant.Date
	}
	if known(m) {
		m.Text = strings.TrimSpace(s)
	}
	return m
}

// earlier reports whether a is certainly over, with the margin by, when b begins. A date without a time covers a whole
// day in an unknown time zone.
func earlier(a, b instant.Moment, by instant.Duration) bool {
	if !known(a) || !known(b) || (a.Precision == instant.Date) == (b.Precision == instant.Date) {
		return a.Before(b, by)
	}
	end := a.At.Add(14*instant.Hour + by)
	if a.Precision == instant.Date {
		end = end.Add(instant.Day)
	}
	return !end.After(b.At)
}

// known reports whether m has a time.
func known(m instant.Moment) bool { return m.Precision != 0 }

// stays reports whether both times exist and are equal. A bare date may stand for several updates in one day, so it
// does not count.
func stays(now, was instant.Moment) bool {
	return known(now) && now.At == was.At && now.Precision == was.Precision && now.Precision != instant.Date
}
