package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A value is what a document says at one location, and how to write something else there. It is a field in any
// notation, a cell, or any other part of the text.
type value struct {
	_          [0]func() // not comparable; see entry
	d          *document
	key, text  string          // text as a reader sees it
	start, end int             // 0 and 0 if it does not exist
	listed     bool            // the text is the list below a blank key
	front      *markdown.Field // the field of the front matter, or nil
	row        markdown.Row    // the row of a cell
	column     int             // the column of a cell, or -1 if the table lacks it
}

// whole returns the document itself as a value.
func (d *document) whole() *value { return &value{d: d} }

// part returns a part of the document, or the document itself if the part does not exist.
func (d *document) part(p markdown.Part) *value { return &value{d: d, start: p.Start(), end: p.End()} }

// ok reports whether the value exists. A nil value does not.
func (v *value) ok() bool { return v != nil && v.end > 0 }

// at returns the location of the value, of its row if the row is too short for it, or else of the document.
func (v *value) at() sdk.Range {
	switch {
	case v.end > 0:
		return sdk.AtBytes(v.d.path, v.start, v.end)
	case v.row.OK():
		return sdk.AtBytes(v.d.path, v.row.Start(), v.row.End())
	}
	return sdk.At(v.d.path)
}

// raw returns the text of the document at the value's location.
func (v *value) raw() string { return strings.TrimSpace(v.d.o.Text[v.start:v.end]) }

// or returns the value, or another one if it does not exist.
func (v *value) or(other *value) *value {
	if v.ok() {
		return v
	}
	return other
}

// wordless reports whether a value contains neither letters nor digits. Such a value is damaged, while the user's own
// words are allowed.
func (v *value) wordless() bool { return strings.TrimLeftFunc(v.text, markdown.Symbol) == "" }

// where returns the line of the value, for a message about another location. It returns "" if the value does not exist.
func (v *value) where() string {
	if !v.ok() {
		return ""
	}
	return say.Line(v.d.doc, v.start)
}

// real returns the text, or "" if it is blank.
func (v *value) real() string {
	if v == nil {
		return ""
	}
	return clean(v.text)
}

// set returns the edit that replaces the value with another text, or nil if that is not possible.
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

// setNumber returns the edit that replaces a number and keeps the text around it.
func (v *value) setNumber(is, want int) []sdk.Edit {
	if text := v.real(); text != say.Int(is) && plain(text) != "" && strings.Contains(text, say.Int(is)) {
		return v.set(strings.Replace(plain(text), say.Int(is), say.Int(want), 1))
	}
	return v.set(say.Int(want))
}

// drop returns the edit that removes a value that is alone on its line.
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

// fieldOf returns a pair as a value.
func (d *document) fieldOf(p markdown.Pair) *value {
	return &value{d: d, key: markdown.Name(p.Key), text: strings.Join(p.Texts(), "; "), start: p.Start, end: p.End,
		listed: len(p.Items) > 0}
}

// fields returns the fields of a section.
func (d *document) fields(s markdown.Section) []*value {
	var list []*value
	for _, p := range s.Pairs() {
		list = append(list, d.fieldOf(p))
	}
	return list
}

// header returns the fields of the front matter, and of the text before the first section with one of some names.
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

// pick returns the first value with one of some keys. The keys are joined by |, the preferred one first. If there is no
// such value, it returns the document.
func (d *document) pick(list []*value, names string) *value {
	for _, name := range strings.Split(names, "|") {
		if v := first(list, func(v *value) bool { return v.key == name }); v != nil {
			return v
		}
	}
	return d.whole()
}

// A table is a Markdown table, with the indexes of the columns that were requested, or -1 for missing ones.
type table struct {
	markdown.Table
	d       *document
	cols    []int
	width   int
	known   int // how many of the requested columns it has
	first   int // the index of the first needed column, or -1 if any needed one is missing
	records []record
}

// A record is a row of a table whose columns were requested.
type record struct {
	markdown.Row
	t *table
}

// bad reports whether the row has more cells than the header. None of its cells is used then.
func (w record) bad() bool { return w.Len() > w.t.width }

// text returns the plain text of a cell.
func (w record) text(column int) string { return w.Cell(w.t.cols[column]).Text() }

// real returns the text of a cell, or "" if it is blank.
func (w record) real(column int) string { return clean(w.text(column)) }

// cell returns the value in a column.
func (w record) cell(column int) *value {
	v := &value{d: w.t.d, row: w.Row, column: w.t.cols[column]}
	if c := w.Cell(v.column); c.OK() {
		v.text, v.start, v.end = c.Text(), c.Start(), c.End()
	}
	return v
}

// whole returns the row itself as a value.
func (w record) whole() *value { return w.t.d.part(w.Part) }

// key returns the row's text, which distinguishes rows that cannot be read.
func (w record) key() string { return say.Clip(strings.Join(strings.Fields(w.Raw()), " ")) }

// blank reports whether no cell of a row has real text, as in a row of placeholders.
func (w record) blank() bool {
	for _, c := range w.Cells() {
		if clean(c.Text()) != "" {
			return false
		}
	}
	return true
}

// table returns the first table below a heading that has the needed columns, or else the first one. If there is no such
// heading, it searches the whole document for a table that has the needed columns, the first of them at the front. The
// names of a column are joined by |, the preferred one first. An initial ! marks a needed column, and a name that ends
// in * is a prefix.
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

// column returns the index of the column with one of some names, or -1 if there is none.
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

// next returns the number for a new row, according to the first column.
func (t *table) next() int {
	highest := 0
	for _, w := range t.records {
		if !w.bad() {
			highest = max(highest, number(w.real(0)))
		}
	}
	return highest + 1
}

// whole returns the table itself as a value.
func (t *table) whole() *value { return t.d.part(t.Part) }

// cells returns the cells of a new row. The texts are in the order of the requested columns.
func (t *table) cells(texts ...string) []string {
	row := make([]string, t.width)
	for i, text := range texts {
		if t.cols[i] >= 0 {
			row[t.cols[i]] = text
		}
	}
	return row
}

// add returns the edits that add rows to a table. The first new row replaces the first blank row; all others are
// appended.
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

// line returns the text of a table row.
func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }
