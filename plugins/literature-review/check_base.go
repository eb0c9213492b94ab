package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
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
			c.texts()
		}
	}
}

// A comparison is one review in the earlier revision and now.
type comparison struct {
	*model
	was, now *review
	upgraded bool
}

// before says on which line of a document of the base a place is.
func before(d *document, at place) string {
	if at == nil || !at.OK() {
		return ""
	}
	return say.Line(d.doc, at.Start())
}

func (m *model) checkRemoved(was *review) {
	if was.lost || was.observed < searching || m.docs.Get(was.rp.path) != nil || !m.docs.Known(was.rp.path) {
		return
	}
	for _, r := range m.reviews {
		if m.base.named[r.name] == nil && r.topicFolded == was.topicFolded && date(r.dateField.Text()) == date(was.dateField.Text()) {
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
	found := m.tell("review-removed", nil, d, at, was.name, "the folder "+was.name+" is gone; in the base it was in phase "+phaseName(was.observed))
	var edits []sdk.Edit
	for _, doc := range [...]*document{was.rp, was.sm, was.lr} {
		if doc.doc != nil && m.docs.Get(doc.path) == nil {
			edits = append(edits, sdk.Restore(doc.path))
		}
	}
	if m.index.kind == indexUsable && was.row != nil {
		if !at.OK() {
			edits = both(edits, m.listing(was))
		}
		offer(found, sdk.Review, "Restore the documents from the base revision", edits)
	}
	advise(found, "Restore the folder", "bring "+was.dir+" back from git, with its row; a review that is given up keeps its folder and is Abandoned in "+indexPath)
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
	found := c.tell("mode-downgraded", r, r.rp, r.modeField, "", say.Was("Mode", modeName(narrow), modeName(full), before(c.was.rp, c.was.modeField))+", and "+status)
	offer(found, sdk.Review, "Set Mode to "+modeName(full), r.rp.setHeader(r.modeField, "Mode", modeName(full)))
	advise(found, "Start a narrow review", "set Mode back, or abandon this review and start a narrow one")
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
	var at place
	if len(was.status) > 0 {
		at = was.status[0]
	}
	found := c.tell("phase-moved-back", r, r.rp, r.status[0], "", say.Was("the phase", phaseName(to), phaseName(from), before(was.rp, at))+"; only an upgrade to "+modeName(full)+" goes back so far")
	if len(r.status) == 1 {
		offer(found, sdk.Review, "Set Status to "+lines[from], r.setStatus(from))
	}
}

func (c *comparison) concepts() {
	if c.was.observed < searching || len(c.now.concepts) == 0 {
		return
	}
	has := map[string]bool{}
	for i := range c.now.concepts {
		has[normal(c.now.concepts[i].name)] = true
	}
	for i := range c.was.concepts {
		if old := &c.was.concepts[i]; !has[normal(old.name)] && strings.TrimSpace(old.name) != "" {
			c.tell("concept-dropped", c.now, c.now.rp, c.now.conceptTable, normal(old.name), "the concept "+shown(old.name)+" is gone; the base has it"+before(c.was.rp, old))
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
		if len(was.items) == 0 {
			continue
		}
		p := r.planOf(sourceOf(was.name), was.name)
		if p == nil || len(p.items) == 0 && p.lists[planned] == nil {
			c.planLost(was, p)
			continue
		}
		c.plan(was, p)
	}
}

// planLost reports that the queries of a source are gone, or are not readable any more.
func (c *comparison) planLost(was, p *plan) {
	r := c.now
	found := c.tell("search-plan-lost", r, r.sm, nil, markdown.Name(was.name),
		"the plan of "+was.name+" is gone; the base has "+say.Count(len(was.items), "query")+" of it, "+itoa(was.executed)+" executed"+say.Line(c.was.sm.doc, max(was.at.Start(), 0)))
	if p != nil && p.text {
		found.Range = p.place(r.sm.path, planned)
		found.Message = "the plan of " + was.name + " cannot be read; expected a list of queries below Planned, Executed and Remaining, as in the base" + say.Line(c.was.sm.doc, max(was.at.Start(), 0))
	}
	advise(found, "Bring the plan back", "copy the queries of "+was.name+" from the base revision of "+methodsName)
}

func (c *comparison) source(was, s *source) {
	r := c.now
	t := &r.sourceTable
	at := t.at(s.Row, srcStatus).Part
	if !at.OK() {
		at = s.Part
	}
	if was.class == classComplete && (s.class == classPending || s.class == classSkipped) || was.class == classRunning && s.class == classPending {
		found := c.tell("completed-source-reset", r, r.rp, at, s.name, say.Was(s.name, className(s.class), className(was.class), before(c.was.rp, was)))
		r.set(found, s, plain(was.status))
		advise(found, "Set it back", "set the source to what it was, or to In Progress if it is to be searched again")
	}
	for i := 1; i < len(s.counts); i++ {
		if s.counts[i] < 0 || s.counts[i] >= was.counts[i] {
			continue
		}
		name := s.name + " " + r.countName(i)
		found := c.tell("search-count-dropped", r, r.rp, t.at(s.Row, srcPlanned+i), name, say.Was(name, itoa(s.counts[i]), itoa(was.counts[i]), before(c.was.rp, was)))
		offer(found, sdk.Review, "Set it to "+itoa(was.counts[i]), r.rp.cell(s.Row, t.cols[srcPlanned+i], itoa(was.counts[i])))
	}
}

// plan compares the plans of one source.
func (c *comparison) plan(was, p *plan) {
	r := c.now
	where := say.Line(c.was.sm.doc, max(was.at.Start(), 0))
	for i := range was.items {
		q := &was.items[i]
		at := -1
		for j := range p.items {
			if p.items[j].norm == q.norm {
				at = j
			}
		}
		key := was.name + " " + q.norm
		switch {
		case at >= 0 && q.executed && !p.items[at].executed:
			found := c.tell("executed-query-lost", r, r.sm, nil, key, "the query "+shown(q.text)+" of "+was.name+" is planned now; it was executed in the base"+where)
			found.Range = p.place(r.sm.path, executed)
			c.putBack(found, p.lists[executed], q, "Append it to Executed")
		case at < 0 && c.wasRunning(was) && !p.mentions(q.norm):
			found := c.tell("planned-query-dropped", r, r.sm, nil, key, "the query "+shown(q.text)+" left the plan of "+was.name+"; the base has it"+where)
			found.Range = p.place(r.sm.path, planned)
			c.putBack(found, p.lists[planned], q, "Put it back")
		}
	}
}

// putBack appends a query to a list.
func (c *comparison) putBack(found *sdk.Diagnostic, l *list, q *query, title string) {
	d := c.now.sm
	if text := plain(q.text); text != "" && l != nil && l.end > 0 && normal(text) == q.norm {
		switch {
		case l.marker != "":
			offer(found, sdk.Review, title, d.insert(l.end, "\n"+l.marker+text))
		case l.value == "":
			offer(found, sdk.Review, title, d.insert(l.end, " "+text))
		case isNone(l.value):
			offer(found, sdk.Review, title, d.edit(markdown.Edit{Start: l.end - len(l.value), End: l.end, New: text}, true))
		case !digit(l.value[0]):
			offer(found, sdk.Review, title, d.insert(l.end, "; "+text))
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
	for _, item := range p.left() {
		if normal(item.text) == norm {
			return true
		}
	}
	return false
}

// texts reports what was written in the base and is blank now: goals, ticks, the critique, and
// sections of the review text.
func (c *comparison) texts() {
	r, was := c.now, c.was
	lost := func(key string, d, of *document, at, old place, what string) {
		found := c.tell("recorded-text-lost", r, d, at, key, what+before(of, old))
		advise(found, "Bring it back", "copy it from the base revision, or say in the session notes why it is gone")
	}
	if was.hasGoals() && !r.hasGoals() {
		h := was.rp.heading(goalsSection)
		lost("goals", r.rp, was.rp, r.rp.heading(goalsSection), h, "Research Goals are blank; the base has them")
	}
	switch {
	case r.ticked < was.ticked && len(r.checks) > 0 && !c.upgraded && r.observed >= antagonizing:
		lost("checks", r.rp, was.rp, r.checks[0], was.antagonist, say.Was("the number of ticked antagonistic checks", itoa(r.ticked), itoa(was.ticked), ""))
	case was.critique && !r.critique && was.observed >= synthesizing && r.observed >= antagonizing:
		lost("critique", r.rp, was.rp, r.antagonist, was.antagonist, "the critique of the Antagonistic Review is blank; the base has it")
	}
	if !r.lr.readable() || !was.lr.readable() {
		return
	}
	for _, h := range was.lr.heads {
		if closing(h.name) < 0 || !was.lr.real(h.Heading, true) {
			continue
		}
		if now := r.lr.heading(h.name); !r.lr.real(now, true) {
			lost(h.name, r.lr, was.lr, now, h, "the section "+shown(h.Text())+" is blank or gone; the base has it")
		}
	}
}

func (r *review) hasGoals() bool { return r.goals[0] || r.goals[1] || r.goals[2] }
