package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A limitRow is a row in the thresholds table.
type limitRow struct {
	kind    int // threshold type
	cells   [5]string
	amounts [5]number // current, warning, alert, stop
	at      [5]sdk.Range
	row     markdown.Row
	columns [5]int
	level   int // level in the status cell, or -1 if unknown
}

// Indexes of a row's columns.
const (
	colCurrent = iota
	colWarning
	colAlert
	colStop
	colStatus
)

// table reads limits from a thresholds table.
func (p *position) table(t markdown.Table) {
	kind, state := t.Column("Type"), t.Column("Status")
	if kind < 0 || state < 0 {
		return
	}
	columns := [5]int{t.Column("Current"), t.Column("Warning"), t.Column("Alert"), t.Column("Stop"), state}
	for _, row := range t.Rows() {
		r := &limitRow{kind: kindOf(row.Cell(kind).Text()), row: row, columns: columns}
		if r.kind < 0 || columns[colCurrent] < 0 || columns[colWarning] < 0 {
			continue
		}
		for c, column := range columns {
			cell := row.Cell(column)
			r.cells[c], r.at[c] = clean(cell.Text()), place(p.doc.Path, row.Part)
			r.amounts[c] = readAmount(r.cells[c])
			if cell.End() > cell.Start() {
				r.at[c] = place(p.doc.Path, cell.Part)
			}
		}
		low := strings.ToLower(r.cells[colStatus])
		r.level = cellLevel(low)
		p.limits = append(p.limits, r)
		if text := r.cells[colAlert]; strings.Contains(text, "ACK") {
			p.marks = append(p.marks, mark{kind: r.kind, at: r.at[colAlert],
				gone: r.set(colAlert, strings.ReplaceAll(text, "ACK", ""))})
		}
		if text, at := r.cells[colStatus], strings.Index(low, "(ack)"); at >= 0 {
			p.marks = append(p.marks, mark{kind: r.kind, at: r.at[colStatus],
				gone: r.set(colStatus, text[:at]+text[at+len("(ack)"):])})
		}
	}
}

// set returns the edit that changes a cell's content.
func (r *limitRow) set(column int, text string) []sdk.Edit {
	if e, ok := r.row.Set(r.columns[column], words.Spaced(text)); ok {
		return sdk.Edits(r.at[column].Path, e)
	}
	return nil
}

// setLevel returns the edits that set the status to a level. It keeps the mark "(ack)" only for an alert, because no
// other level can be acknowledged.
func (r *limitRow) setLevel(level int) []sdk.Edit {
	title := levelTitle(level)
	if level == 2 && strings.Contains(strings.ToLower(r.cells[colStatus]), "(ack)") {
		title += " (ack)"
	}
	return r.set(colStatus, title)
}

var defaultLimits = [kinds][3]float64{{10, 25, 50}, {30, 40, 50}, {20, 30, 50}, {2, 3, 5}}

// findLimits sets the limits from the tables, or else from the options, or else from the defaults.
func (m *model) findLimits() {
	m.limits = defaultLimits
	given := m.options.Get("thresholds")
	for k := range kinds {
		for i, v := range given.Get(kindNames[k]).Elements() {
			if f, ok := v.Float(); ok && i < 3 {
				m.limits[k][i] = f
			}
		}
	}
	for _, r := range m.pos.limits {
		if limits, complete := r.limits(); complete {
			m.limits[r.kind] = limits
		}
	}
}

// limits returns a row's limits, and whether it has all three.
func (r *limitRow) limits() (limits [3]float64, complete bool) {
	a := &r.amounts
	return [3]float64{a[colWarning].v, a[colAlert].v, a[colStop].v}, a[colWarning].ok && a[colAlert].ok && a[colStop].ok
}

// ordered reports whether a type's limits ascend.
func (m *model) ordered(k int) bool {
	return m.limits[k][0] < m.limits[k][1] && m.limits[k][1] < m.limits[k][2]
}

// levelBy returns the level that a value reaches.
func levelBy(v float64, limits *[3]float64) int {
	for i := 2; i >= 0; i-- {
		if v >= limits[i] {
			return i + 1
		}
	}
	return 0
}

// fitsLevel reports whether a value may have a level. A variance may be signed or absolute, and a value exactly at a
// limit may have the level on either side.
func fitsLevel(k int, v float64, level int, limits *[3]float64) bool {
	return levelBy(v, limits) == level || level < 3 && v == limits[max(level, 0)] || k == variance && v < 0 &&
		fitsLevel(k, -v, level, limits)
}
