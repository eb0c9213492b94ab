package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// checkBase compares with the earlier revision, folder by folder.
func (m *model) checkBase() {
	for _, was := range m.base.reviews {
		r := m.named[was.name]
		switch {
		case r == nil:
			m.checkRemoved(was)
		case !r.lost && !was.lost && !r.abandoned:
			c := comparison{m, was, r, was.mode == narrow && r.mode == full}
			c.mode()
			c.phase()
			c.concepts()
			c.sources()
			c.papers()
			c.entries()
		}
	}
}

// A comparison is one review in the earlier revision and now.
type comparison struct {
	*model
	was, now *review
	upgraded bool
}

func (m *model) checkRemoved(was *review) {
	if was.lost || was.observed < searching || m.docs.Get(was.rp.path) != nil || !m.docs.Known(was.rp.path) {
		return
	}
	for _, r := range m.reviews {
		if m.base.named[r.name] == nil && r.topicFolded == was.topicFolded && date(clean(r.dateField.Text())) == date(clean(was.dateField.Text())) {
			return
		}
	}
	d := &document{}
	var at markdown.Part
	for _, w := range m.index.rows {
		if w.review == nil && was.row != nil && w.folded == was.row.folded && w.folded != "" {
			d, at = m.index.document, w.Part
		}
	}
	found := m.tell("review-removed", nil, d, at, was.name, was.name+" is gone")
	var edits []sdk.Edit
	for _, doc := range [...]*document{was.rp, was.sm, was.lr} {
		if doc.doc != nil && m.docs.Get(doc.path) == nil {
			edits = append(edits, sdk.Restore(doc.path))
		}
	}
	if m.index.kind == indexUsable && was.row != nil && m.restores(was) {
		if !at.OK() {
			edits = both(edits, m.listing(was))
		}
		offer(found, sdk.Review, "Restore the documents from the base revision", edits)
	}
	if len(found.Remedies) == 0 {
		advise(found, "Restore the folder", "bring "+was.dir+" back from git, with its row")
	}
}

// restores reports whether a folder of the base, with the row that it has now
// or gets, brings no error: its row was right, and it is whole.
func (m *model) restores(was *review) bool {
	if !m.base.looked {
		m.base.looked = true
		m.base.check()
	}
	for _, f := range m.base.found {
		if f.Subject == was.name && m.isError(f) {
			return false
		}
	}
	return was.row.status == rowInProgress || was.row.status == rowComplete && was.observed >= synthesizing
}

func (c *comparison) mode() {
	r := c.now
	s := c.was.begun()
	if c.was.mode != full || r.mode != narrow || s == nil && !c.was.ran && c.was.observed < searching {
		return
	}
	status := "the search had begun"
	if s != nil {
		status = s.name + " was " + className(s.class)
	}
	found := c.tell("mode-downgraded", r, r.rp, r.modeField.Value(), "", "mode lowered after the search began ("+status+")")
	offer(found, sdk.Review, "Set Mode to "+modeName(full), r.rp.header(r.modeField, "Mode", modeName(full)))
	if len(found.Remedies) == 0 {
		advise(found, "Start a narrow review", "set Mode back, or abandon this review and start a narrow one")
	}
}

func (c *comparison) phase() {
	r, was := c.now, c.was
	if r.claim.phase < 0 || c.upgraded {
		return
	}
	from, to := was.observed, r.observed
	if to >= from || from < complete && to >= searching || from < searching {
		return
	}
	found := c.tell("phase-moved-back", r, r.rp, r.status[0].Value(), "", phaseName(from)+" before, "+phaseName(to)+" now")
	if from <= r.ceiling && len(r.status) == 1 && r.floor <= from {
		offer(found, sdk.Review, "Set Status to "+lines[from], r.setStatus(from))
	}
}

func (c *comparison) concepts() {
	if c.was.observed < searching {
		return
	}
	has := map[string]bool{}
	for i := range c.now.concepts {
		has[normal(c.now.concepts[i].name)] = true
	}
	for i := range c.was.concepts {
		if name := c.was.concepts[i].name; !has[normal(name)] && strings.TrimSpace(name) != "" {
			c.tell("concept-dropped", c.now, c.now.rp, c.now.conceptTable.Part, normal(name), "concept "+shown(name)+" removed")
		}
	}
}

func (c *comparison) sources() {
	r := c.now
	for _, was := range c.was.sources {
		for _, s := range r.sources {
			if s.twin == nil && was.twin == nil && !s.bad && !was.bad && s.id == was.id && (s.id < extraSource || fold(s.name) == fold(was.name)) {
				c.source(was, s)
			}
		}
	}
	if !r.sm.readable() || !c.was.sm.readable() {
		return
	}
	for _, was := range c.was.plans {
		if !was.heading.OK() {
			continue
		}
		id := sourceOf(was.heading.Text())
		if p := r.planOf(id, was.heading.Text()); p != nil {
			c.plan(was, p, orElse(nameOf(id), was.heading.Text()))
		}
	}
}

func nameOf(id int) string {
	if id < extraSource {
		return sourceNames[id]
	}
	return ""
}

func (c *comparison) source(was, s *source) {
	r := c.now
	t := &r.sourceTable
	if was.class == classComplete && (s.class == classPending || s.class == classSkipped) || was.class == classRunning && s.class == classPending {
		at := t.at(s.Row, srcStatus).Part
		if !at.OK() {
			at = s.Part
		}
		found := c.tell("completed-source-reset", r, r.rp, at, s.name, s.name+": "+className(was.class)+" before, "+className(s.class)+" now")
		if text := plain(was.status); text != "" {
			r.set(found, s, text)
		} else {
			advise(found, "Set it back", "mend the phase first, then set the source to what it was")
		}
	}
	for i := 1; i < len(s.counts); i++ {
		if s.counts[i] < 0 || s.counts[i] >= was.counts[i] {
			continue
		}
		found := c.tell("search-count-dropped", r, r.rp, t.at(s.Row, srcPlanned+i).Part, s.name+" "+countNames[i],
			s.name+" "+countNames[i]+": "+itoa(was.counts[i])+" before, "+itoa(s.counts[i])+" now")
		offer(found, sdk.Review, "Set it to "+itoa(was.counts[i]), r.rp.cell(s.Row, t.cols[srcPlanned+i], itoa(was.counts[i])))
	}
}

// plan compares the plans of one source.
func (c *comparison) plan(was, p *plan, name string) {
	r := c.now
	for i := range was.items {
		q := &was.items[i]
		at := -1
		for j := range p.items {
			if p.items[j].norm == q.norm {
				at = j
			}
		}
		switch {
		case at >= 0 && q.executed && !p.items[at].executed:
			found := c.tell("executed-query-lost", r, r.sm, p.heading.Part, name+" "+q.norm, shown(q.text)+" was executed")
			c.putBack(found, p.done, q, "Append it to Executed")
		case at < 0 && c.wasRunning(was) && !p.mentions(q.norm):
			found := c.tell("planned-query-dropped", r, r.sm, p.heading.Part, name+" "+q.norm, shown(q.text)+" left the plan of "+name)
			c.putBack(found, p.field, q, "Put it back")
		}
	}
}

// putBack appends a query to the list of a field.
func (c *comparison) putBack(found *sdk.Diagnostic, f markdown.Field, q *query, title string) {
	text := plain(q.text)
	r := c.now
	stays := r.observed >= searching && (r.claim.phase != initializing || r.hasRun())
	if stays && text != "" && f.OK() && f.Origin() == markdown.FromText && normal(text) == q.norm {
		all := c.now.sm.follow(f.Index())
		last := len(all) - 1
		switch {
		case last >= 0 && !all[last].inline && all[last].OK() && all[last].In(markdown.KindItem) && !strings.Contains(all[last].Raw(), "\n"):
			offer(found, sdk.Review, title, c.now.sm.insert(all[last].End(), "\n"+c.now.sm.marker(all[last].Part)+text))
		case last == 0 && all[0].inline && begins(fold(clean(all[0].text)), "none,nothing") == 0 && !digit(all[0].text[0]):
			offer(found, sdk.Review, title, c.now.sm.edit(f.Set(f.Raw()+"; "+text)))
		case last <= 0:
			offer(found, sdk.Review, title, c.now.sm.edit(f.Set(text)))
		}
	}
	if len(found.Remedies) == 0 {
		advise(found, title, "write "+shown(q.text)+" where it was")
	}
}

// marker is what stands before the text of an item on its line.
func (d *document) marker(p markdown.Part) string {
	start := strings.LastIndexByte(d.o.Text[:p.Start()], '\n') + 1
	return d.o.Text[start:p.Start()]
}

func (c *comparison) wasRunning(p *plan) bool {
	for _, s := range c.was.sources {
		if s.plan == p && s.class == classRunning {
			return true
		}
	}
	return false
}

// mentions reports whether Executed or Remaining holds a query.
func (p *plan) mentions(norm string) bool {
	for _, n := range p.norms {
		if strings.HasPrefix(n, norm) {
			return true
		}
	}
	for i := range p.listed {
		if normal(p.listed[i].text) == norm {
			return true
		}
	}
	return false
}
