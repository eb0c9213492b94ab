package markdown

// A Table is one table. The zero Table has no columns and no rows.
type Table struct{ Part }

// A Row is one row of a table: the header or a row below it.
type Row struct{ Part }

// A Cell is one cell of a row.
type Cell struct{ Part }

// Tables lists the section's tables, at any depth.
func (s Section) Tables() []Table {
	var found []Table
	for _, p := range s.Parts(KindTable) {
		found = append(found, Table{p})
	}
	return found
}

// Table returns the section's first table.
func (s Section) Table() Table {
	return Table{s.first(func(n *Node) bool { return n.Kind == KindTable })}
}

// TableWith returns the section's first table that has all the columns.
func (s Section) TableWith(columns ...string) Table {
	for _, t := range s.Tables() {
		if t.Has(columns...) {
			return t
		}
	}
	return Table{}
}

// Tables lists the document's tables.
func (o *Outline) Tables() []Table { return o.Document().Tables() }

// TableWith returns the document's first table that has all the columns.
func (o *Outline) TableWith(columns ...string) Table { return o.Document().TableWith(columns...) }

// Header returns the row of column names.
func (t Table) Header() Row { return Row{t.child(KindHeader)} }

// Columns lists the text of each cell in the header.
func (t Table) Columns() []string {
	var texts []string
	for _, c := range t.Header().Cells() {
		texts = append(texts, c.Text())
	}
	return texts
}

// Column returns the index of the first column that has the same Name as one of titles, or -1 if there is none.
// Earlier titles take precedence. Call it once per table, not once per row.
func (t Table) Column(titles ...string) int {
	cells := t.Header().Cells()
	for _, title := range titles {
		want := Name(title)
		for i, c := range cells {
			if Name(c.Text()) == want {
				return i
			}
		}
	}
	return -1
}

// Has reports whether the table has a column for each title.
func (t Table) Has(titles ...string) bool {
	for _, title := range titles {
		if t.Column(title) < 0 {
			return false
		}
	}
	return t.OK()
}

// Rows lists the rows below the header.
func (t Table) Rows() []Row {
	if !t.OK() {
		return nil
	}
	o := t.outline
	var rows []Row
	for i, end := t.index+1, o.after(t.index); i < end; i = o.after(i) {
		if o.Nodes[i].Kind == KindRow {
			rows = append(rows, Row{Part{o, i}})
		}
	}
	return rows
}

// Len returns the number of cells in the row's text. A row with more cells than the header usually contains
// an unescaped pipe.
func (r Row) Len() int { return r.Node().Data }

// Cell returns the row's cell in a column; columns count from 0. The result is missing if the row is too short or
// the column is -1.
func (r Row) Cell(column int) Cell {
	if !r.OK() || column < 0 || column >= r.Len() {
		return Cell{}
	}
	at := r.index + 1
	for ; column > 0; column-- {
		at = r.outline.after(at)
	}
	return Cell{Part{r.outline, at}}
}

// Cells lists the cells in the row's text.
func (r Row) Cells() []Cell {
	cells := make([]Cell, r.Len())
	for i, at := 0, r.index+1; i < len(cells); i, at = i+1, r.outline.after(at) {
		cells[i] = Cell{Part{r.outline, at}}
	}
	return cells
}

// Table returns the table that the row belongs to.
func (r Row) Table() Table {
	if !r.OK() {
		return Table{}
	}
	return Table{Part{r.outline, r.Node().Parent}}
}

// Column returns the cell's index in its row.
func (c Cell) Column() int { return c.Node().Data }
