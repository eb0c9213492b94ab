package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A limitRow is one row of the table of thresholds: a type in layout A, a level of
// cost in layout B.
type limitRow struct {
	kind    int // of kinds; in layout B of levels, 1-based
	cells   [5]string
	amounts [5]amount // current (used), warning (limit), alert (remaining), stop
	at      [5]sdk.Range
	row     markdown.Row
	columns [5]int
	acked   bool
	level   int // of the status cell, -1 if not judged
}

// Columns of a row: those of layout A, and what they hold in layout B.
const (
	colCurrent = iota // Used
	colWarning        // Limit
	colAlert          // Remaining
	colStop
	colStatus
)

// table reads limits; of another table of one row, each column as a field.
func (p *position) table(t markdown.Table, section string, scoped bool) {
	kind, state, rows := t.Column("Type"), t.Column("Status"), t.Rows()
	if kind < 0 || state < 0 {
		read := slices.ContainsFunc(p.fields, func(f *field) bool { return t.Start() < f.start && f.start < t.End() }) // as a table of fields
		for _, row := range rows {
			if row.Len() == 2 && t.Header().Len() == 2 && !read {
				pair := markdown.PairOf(row.Cell(0).Text(), row.Cell(1).Part)
				p.add(&pair, section, scoped)
			}
		}
		if t.Column("Phase") >= 0 && len(rows) == 1 && t.Header().Len() > 2 {
			for i, title := range t.Columns() {
				if c := rows[0].Cell(i); c.OK() && c.Start() < c.End() {
					pair := markdown.PairOf(title, c.Part)
					p.add(&pair, section, scoped)
				}
			}
		}
		return
	}
	columns := [5]int{t.Column("Current"), t.Column("Warning"), t.Column("Alert"), t.Column("Stop"), state}
	ofCost := columns[colCurrent] < 0
	if ofCost {
		columns = [5]int{t.Column("Used"), t.Column("Limit"), t.Column("Remaining"), -1, state}
	}
	if columns[colCurrent] < 0 || columns[colWarning] < 0 {
		return
	}
	for _, row := range rows {
		r := &limitRow{kind: kindOf(row.Cell(kind).Text()), row: row, columns: columns}
		if ofCost {
			r.kind = max(0, cellLevel(strings.ToLower(row.Cell(kind).Text())))
		}
		if r.kind < 0 || ofCost && r.kind == 0 {
			continue
		}
		for c, column := range columns {
			cell := row.Cell(column)
			r.cells[c] = clean(cell.Text())
			r.amounts[c] = readAmount(r.cells[c])
			r.at[c] = place(p.doc.Path, row.Part)
			if cell.OK() && cell.End() > cell.Start() {
				r.at[c] = place(p.doc.Path, cell.Part)
			}
		}
		low := strings.ToLower(r.cells[colStatus])
		r.level = cellLevel(low)
		r.acked = !ofCost && strings.Contains(r.cells[colAlert], "ACK") || strings.Contains(low, "(ack)")
		p.limits = append(p.limits, r)
	}
}
