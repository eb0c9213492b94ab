package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A value is what a document says at one place, and how something else is written there: a field
// however it is written, a cell, or any part of the text.
type value struct {
	_          [0]func() // see entry
	d          *document
	key, text  string          // text as a reader sees it
	start, end int             // 0 and 0 if it is not there
	listed     bool            // the text is the list below a blank key
	front      *markdown.Field // it is in front matter
	row        markdown.Row    // it is a cell of this row
	column     int             // in this column, or -1 if there is none
}

// whole is the document itself.
func (d *document) whole() *value { return &value{d: d} }

// part is a part of the document, or the document if the part is not there.
func (d *document) part(p markdown.Part) *value { return &value{d: d, start: p.Start(), end: p.End()} }

// ok reports whether the value is there. A nil value is not.
func (v *value) ok() bool { return v != nil && v.end > 0 }

// at is the place of the value, of its row if the row is too short for it, or else the document.
func (v *value) at() sdk.Range {
	switch {
	case v.end > 0:
		return sdk.AtBytes(v.d.path, v.start, v.end)
	case v.row.OK():
		return sdk.AtBytes(v.d.path, v.row.Start(), v.row.End())
	}
	return sdk.At(v.d.path)
}

// raw is the document's text at the value's place.
func (v *value) raw() string { return strings.TrimSpace(v.d.o.Text[v.start:v.end]) }

// or is the value, or another one if it is not there.
func (v *value) or(other *value) *value {
	if v.ok() {
		return v
	}
	return other
}

// wordless reports whether a value has neither letter nor digit: that is damage, while the user's own words are
// allowed.
func (v *value) wordless() bool { return strings.TrimLeftFunc(v.text, markdown.Symbol) == "" }

// where says on which line the value is, for a message about another place; nothing if it is not there.
func (v *value) where() string {
	if !v.ok() {
		return ""
	}
	return say.Line(v.d.doc, v.start)
}

// real is the text, or "" if it is blank.
func (v *value) real() string {
	if v == nil {
		return ""
	}
	return clean(v.text)
}

// set is the edit that writes another text there, none where that is not possible.
func (v *value) set(text string) []sdk.Edit {
	switch {
	case v.row.OK():
		return v.d.edit(v.row.Set(v.column, text))
	case v.end == 0 || text == "" || v.listed:
		return nil
	case v.front != nil:
		return v.d.edit(v.front.Set(text))
	case v.text == "" && strings.Contains(v.d.o.Text[v.start:v.end], ":"):
		return v.d.insert(v.end, " "+text)
	}
	return v.d.edit(markdown.Edit{Start: v.start, End: v.end, New: text}, true)
}

// setNumber is the edit that writes another number there and leaves what else is said.
func (v *value) setNumber(is, want int) []sdk.Edit {
	if text := v.real(); text != say.Int(is) && plain(text) != "" && strings.Contains(text, say.Int(is)) {
		return v.set(strings.Replace(plain(text), say.Int(is), say.Int(want), 1))
	}
	return v.set(say.Int(want))
}

// drop is the edit that takes out a value that has a line for itself.
func (v *value) drop() []sdk.Edit {
	text := v.d.o.Text
	start, end := v.d.lineStart(v.start), len(text)
	if n := strings.IndexByte(text[v.end:], '\n'); n >= 0 {
		end = v.end + n + 1
	}
	if strings.Contains(text[v.start:v.end], "\n") || markdown.Plain(text[v.end:end]) != "" ||
		strings.Contains(text[start:v.start], " | ") {
		return nil
	}
	return v.d.edit(markdown.Edit{Start: start, End: end}, true)
}

// fieldOf is the value of a pair.
func (d *document) fieldOf(p markdown.Pair) *value {
	return &value{d: d, key: markdown.Name(p.Key), text: strings.Join(p.Texts(), "; "), start: p.Start, end: p.End,
		listed: len(p.Items) > 0}
}

// fields lists the fields of a section.
func (d *document) fields(s markdown.Section) []*value {
	var list []*value
	for _, p := range s.Pairs() {
		list = append(list, d.fieldOf(p))
	}
	return list
}

// header lists the fields of the front matter and of the text before the first section of a kind.
func (d *document) header(sections string) []*value {
	var list []*value
	for _, f := range d.o.FrontMatter() {
		v := d.fieldOf(markdown.PairOf(f.Key(), f.Value()))
		v.text, v.front = f.Text(), &f
		list = append(list, v)
	}
	all, end := d.o.Head(), d.o.Head().End()
	if h := first(d.heads, func(h *head) bool { return among(h.name, sections) }); h != nil {
		if h.Start() > end {
			all = d.o.Document()
		}
		end = max(h.Start(), 1)
	}
	return append(list, those(d.fields(all), func(f *value) bool { return f.start < end })...)
}

// pick is the first value with a key of some names, joined by |, the best first; one that is not there has the
// document of the list.
func (d *document) pick(list []*value, names string) *value {
	for _, name := range strings.Split(names, "|") {
		if v := first(list, func(v *value) bool { return v.key == name }); v != nil {
			return v
		}
	}
	return d.whole()
}

// A table is a table with the columns that were asked for, -1 where missing.
type table struct {
	markdown.Table
	d       *document
	cols    []int
	width   int
	known   int // how many columns are there
	first   int // the place of the first needed one, or -1 if one of them is missing
	records []record
}

// A record is a row of a table that was asked for columns.
type record struct {
	markdown.Row
	t *table
}

// bad reports whether the row has more cells than the header: none of them is used.
func (w record) bad() bool { return w.Len() > w.t.width }

// text is the plain text of a cell.
func (w record) text(column int) string { return w.Cell(w.t.cols[column]).Text() }

// real is the real value of a cell, or "" if it is blank.
func (w record) real(column int) string { return clean(w.text(column)) }

// cell is the value of a column.
func (w record) cell(column int) *value {
	v := &value{d: w.t.d, row: w.Row, column: w.t.cols[column]}
	if c := w.Cell(v.column); c.OK() {
		v.text, v.start, v.end = c.Text(), c.Start(), c.End()
	}
	return v
}

// whole is the row itself.
func (w record) whole() *value { return w.t.d.part(w.Part) }

// key is the row's text, as it tells rows apart that cannot be read.
func (w record) key() string { return say.Clip(strings.Join(strings.Fields(w.Raw()), " ")) }

// blank reports whether a row holds nothing but placeholders and constants of
// a template: it has no real cell at all.
func (w record) blank() bool {
	for _, c := range w.Cells() {
		if clean(c.Text()) != "" {
			return false
		}
	}
	return true
}

// table is the first table below a heading that has the needed columns, or else the first one;
// without the heading it is any that has them, the first of them in front. A column has names
// joined by |, the best first; ! marks a needed column, and a name that ends in * is a prefix.
func (d *document) table(heading string, names ...string) *table {
	h := d.heading(heading)
	all := d.o.Tables()
	if h.OK() {
		all = h.Section().Tables()
	}
	var best *table
	for _, t := range all {
		found := d.columns(t, names)
		if found.first >= 0 && (h.OK() && best == nil || !h.OK() && found.first <= 1 &&
			(best == nil || found.known > best.known)) {
			best = found
		}
	}
	switch {
	case best != nil:
		return best
	case h.OK() && len(all) > 0:
		return d.columns(all[0], names)
	}
	return d.columns(markdown.Table{}, names)
}

func (d *document) columns(t markdown.Table, names []string) *table {
	header := each(t.Columns(), markdown.Name)
	found := &table{Table: t, d: d, width: len(header), first: -1}
	lacks := false
	for _, names := range names {
		names, needed := strings.CutPrefix(names, "!")
		c := column(header, names)
		found.cols, found.known = append(found.cols, c), found.known+min(c+1, 1)
		if lacks = lacks || needed && c < 0; needed && found.first < 0 {
			found.first = c
		}
	}
	if lacks {
		found.first = -1
	}
	for _, row := range t.Rows() {
		found.records = append(found.records, record{row, found})
	}
	return found
}

// column is the place of a column by its names, or -1 if there is none.
func column(header []string, names string) int {
	for _, name := range strings.Split(names, "|") {
		prefix, open := strings.CutSuffix(name, "*")
		for i, title := range header {
			if title == name || open && strings.HasPrefix(title, prefix) {
				return i
			}
		}
	}
	return -1
}

// next is the number for a new row, by the first column.
func (t *table) next() int {
	highest := 0
	for _, w := range t.records {
		if !w.bad() {
			highest = max(highest, number(w.real(0)))
		}
	}
	return highest + 1
}

// whole is the table itself.
func (t *table) whole() *value { return t.d.part(t.Part) }

// cells are the texts of a new row, by the names of the columns.
func (t *table) cells(texts ...string) []string {
	row := make([]string, t.width)
	for i, text := range texts {
		if t.cols[i] >= 0 {
			row[t.cols[i]] = text
		}
	}
	return row
}

// add returns the edit that adds rows to a table: the first row replaces the first one without a real cell, all others
// are appended.
func (t *table) add(rows ...[]string) []sdk.Edit {
	if !t.OK() || t.d.lineStart(t.Start()) != t.Start() {
		return nil // inside a list or quote
	}
	var edits []sdk.Edit
	for _, row := range t.records {
		if row.blank() {
			edits = t.d.edit(markdown.Edit{Start: row.Start(), End: row.End(), New: line(rows[0]...)}, true)
			rows = rows[1:]
			break
		}
	}
	text := ""
	for _, row := range rows {
		text += "\n" + line(row...)
	}
	if text == "" {
		return edits
	}
	return append(edits, t.d.insert(t.End(), text)...)
}

// line is a row of a table.
func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }
