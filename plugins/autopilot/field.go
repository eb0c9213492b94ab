package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
)

// A field is a key with its value: a line, an item, or a row of a table of two columns.
type field struct {
	key        string // as markdown.Name makes it
	label      string
	value      string // as it is compared
	at         sdk.Range
	start, end int    // of the value, equal if it is blank
	row        bool   // in a table
	scoped     bool   // in the section of the position, or before the first section
	in         string // the name of the section, "" before the first
}

// synonyms are other names of keys.
var synonyms = map[string]string{
	"currentphase": "phase", "currentplan": "plan", "currentstatus": "status", "lastupdated": "updated", "nextstep": "nextaction",
}

// newField makes a field of a pair, or of a key and its value in the front matter.
func newField(d *sdk.Document, p *markdown.Pair) *field {
	f := &field{label: p.Key, key: markdown.Name(p.Key), value: clean(p.Value), at: sdk.AtBytes(d.Path, p.Start, p.End), start: p.Start, end: p.End}
	line := d.Text[strings.LastIndexByte(d.Text[:p.Start], '\n')+1:]
	if f.row = strings.HasPrefix(strings.TrimLeft(line, " \t"), "|"); p.Value == "" {
		f.end = f.start
	}
	return f
}

// set is the edit that gives the field another value, none if it has no value.
//
//go:noinline
func (f *field) set(value string) []sdk.Edit {
	if f == nil || f.start == f.end || value == "" {
		return nil
	}
	if f.row {
		value = strings.ReplaceAll(value, "|", `\|`)
	}
	return []sdk.Edit{sdk.Replace(sdk.AtBytes(f.at.Path, f.start, f.end), value)}
}

// given is the value of a field, "" if it is absent, none or a placeholder.
//
//go:noinline
func (f *field) given() string {
	if f == nil || none(f.value) || placeholder(f.value) {
		return ""
	}
	return f.value
}

// text is the value as it is, "" if the field is absent.
//
//go:noinline
func (f *field) text() string {
	if f == nil {
		return ""
	}
	return f.value
}

// place is where a part stands; a blank one is its line.
//
//go:noinline
func place(path string, p markdown.Part) sdk.Range {
	if !p.OK() || p.Start() == p.End() {
		return sdk.AtLine(path, max(p.Line(), 1))
	}
	return sdk.AtBytes(path, p.Start(), p.End())
}

// An item is one item of a list that a rule looks at.
type item struct {
	text       string
	path       string
	start, end int // with marker and all that is nested
	own, stop  int // its own first paragraph
}

//go:noinline
func newItem(path string, i markdown.Item) item {
	return item{clean(i.Text()), path, i.Start(), i.End(), i.Own().Start(), i.Own().End()}
}

// span is where an item's own text stands.
//
//go:noinline
func (it *item) span() sdk.Range {
	if it.stop > it.own {
		return sdk.AtBytes(it.path, it.own, it.stop)
	}
	return sdk.AtBytes(it.path, it.start, it.end)
}

// remove takes out an item with the rest of its line.
//
//go:noinline
func (it *item) remove(text string) sdk.Edit {
	end := it.end
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r') {
		end++
	}
	if end < len(text) && text[end] == '\n' {
		end++
	}
	return sdk.Replace(sdk.AtBytes(it.path, it.start, end), "")
}

// readStamp reads a time. One at midnight is a date: whoever writes 00:00:00 knows no more.
//
//go:noinline
func readStamp(s string) instant.Moment {
	m, _ := instant.Loose(s)
	if len(m.Text) > 10 && strings.HasPrefix(m.Text[11:], "00:00") {
		m.Precision = instant.Date
	}
	return m
}

// earlier reports whether a time is surely over when another one begins. A date is a day in a zone that
// is not known.
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

// known reports whether there is a time.
func known(m instant.Moment) bool { return m.Precision != 0 }

// stays reports whether a time is surely not later than another one.
//
//go:noinline
func stays(now, was instant.Moment) bool {
	return known(now) && known(was) && now.At == was.At && now.Precision == was.Precision
}
