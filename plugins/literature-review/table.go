package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A table is a table with the columns that were asked for, -1 where missing.
type table struct {
	markdown.Table
	cols  []int
	width int
	rows  []markdown.Row
}

// table is the first table below a heading that has the needed columns, or else the first one;
// without the heading it is any that has them, the first of them in front. A column has names
// parted by |, the best first; ! stands before those of a needed one, and a name that ends in *
// is the beginning of one.
func (d *document) table(heading string, names ...string) table {
	h := d.heading(heading)
	all := d.o.Tables()
	if h.OK() {
		all = h.Section().Tables()
	}
	var best table
	for _, t := range all {
		if found := columns(t, names); found.has(names) && (h.OK() || found.leads(names)) && (!best.OK() || !h.OK() && found.known() > best.known()) {
			best = found
		}
	}
	switch {
	case best.OK():
		return best
	case h.OK() && len(all) > 0:
		return columns(all[0], names)
	}
	return columns(markdown.Table{}, names)
}

// known counts the columns that were asked for and are there.
func (t *table) known() int {
	n := 0
	for _, c := range t.cols {
		n += min(c+1, 1)
	}
	return n
}

// has reports whether a table has all needed columns.
func (t *table) has(names []string) bool {
	for i, name := range names {
		if name[0] == '!' && t.cols[i] < 0 {
			return false
		}
	}
	return true
}

// leads reports whether the first needed column is the first or second of the table.
func (t *table) leads(names []string) bool {
	for i, name := range names {
		if name[0] == '!' {
			return t.cols[i] <= 1
		}
	}
	return false
}

func columns(t markdown.Table, names []string) table {
	header := t.Columns()
	for i := range header {
		header[i] = markdown.Name(header[i])
	}
	found := table{t, make([]int, len(names)), len(header), t.Rows()}
	for i := range names {
		found.cols[i] = column(header, strings.TrimPrefix(names[i], "!"))
	}
	return found
}

// column is the place of a column by its names, -1 if there is none.
func column(header []string, names string) int {
	for names != "" {
		var name string
		name, names, _ = strings.Cut(names, "|")
		prefix, open := strings.CutSuffix(name, "*")
		for i, title := range header {
			if title == name || open && strings.HasPrefix(title, prefix) {
				return i
			}
		}
	}
	return -1
}

// at is a cell of a row by the place of its name.
//
//go:noinline
func (t *table) at(row markdown.Row, name int) markdown.Cell { return row.Cell(t.cols[name]) }

// text is its plain text.
func (t *table) text(row markdown.Row, name int) string { return row.Cell(t.cols[name]).Text() }

// real is the real value of a cell, "" if it is blank.
func (t *table) real(row markdown.Row, name int) string { return clean(t.text(row, name)) }

// excess reports whether a row has more cells than the header.
//
//go:noinline
func (t *table) excess(row markdown.Row) bool { return row.Len() > t.width }

// cell is the edit that sets a cell, none if there is no such column.
func (d *document) cell(row markdown.Row, column int, text string) []sdk.Edit {
	return d.edit(row.Set(column, text))
}

// edit is an edit of the outline as one of the document.
//
//go:noinline
func (d *document) edit(e markdown.Edit, ok bool) []sdk.Edit {
	if !ok || e.End == 0 {
		return nil
	}
	return []sdk.Edit{sdk.Replace(sdk.AtBytes(d.path, e.Start, e.End), e.New)}
}

// insert is the edit that puts a text at a place.
//
//go:noinline
func (d *document) insert(at int, text string) []sdk.Edit {
	return d.edit(markdown.Edit{Start: at, End: at, New: text}, true)
}

// add is the edit that adds rows to a table: the first takes the place of the
// first row without a real cell, the others and otherwise all stand behind the last.
func (d *document) add(t *table, rows ...[]string) []sdk.Edit {
	if !t.OK() {
		return nil
	}
	var edits []sdk.Edit
	for _, row := range t.rows {
		if !d.blank(row) {
			continue
		}
		start, end := row.Start(), row.End()
		edits = d.edit(markdown.Edit{Start: start, End: end, New: line(rows[0])}, true)
		rows = rows[1:]
		break
	}
	if len(rows) == 0 {
		return edits
	}
	text := ""
	for _, row := range rows {
		text += "\n" + line(row)
	}
	end := t.End()
	if margin := strings.LastIndexByte(d.o.Text[:t.Start()], '\n') + 1; margin != t.Start() {
		return nil // inside a list or quote
	}
	return append(edits, d.insert(end, text)...)
}

// blank reports whether a row holds nothing but placeholders and constants of
// a template: it has no real cell at all.
func (d *document) blank(row markdown.Row) bool {
	for _, c := range row.Cells() {
		if clean(c.Text()) != "" {
			return false
		}
	}
	return true
}

// line is a row of a table.
//
//go:noinline
func line(cells []string) string {
	return "| " + strings.Join(cells, " | ") + " |"
}
