package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/ladder"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/state"
)

// A model is one task as its documents have it.
type model struct {
	pass       *sdk.Pass
	root, name string
	archived   bool
	docs       sdk.Docs
	state      *state.Doc
	plan       *outlook
	log        *journal
	base       *model // the task in the base, nil if there is none

	hold     check.Needs
	planSeen bool // no document of the plan is hidden
	logSeen  bool // progress.md could be read as a whole, or does not exist

	phases  []*phase // of plan, state and log
	byID    map[string]*phase
	graph   *graph.Graph
	unknown map[string][]string // ids on which phases depend that are not phases
	cycles  [][]string
	claim   step
	ladder  ladder.Ladder
	fit     sdk.Fit
	current *phase // where work goes on, nil if nowhere
}

// A phase is one phase of the task.
type phase struct {
	id       string
	item     *item   // nil if the plan lacks it
	rec      *record // nil if the state lacks it
	trail    *trail  // never nil
	status   status  // as the state claims it
	observed status
	fit      sdk.Fit
	reopened bool // a review or revision reopens it
	back     bool // the state says that it went back to work from a gate
	resumed  bool // the state that says that it is worked on was written behind its last entry
	max      int  // 0 without

	done, settled, met bool
	closed             bool // done, and the log does not refute it
}

// The conditions of rules.
const (
	live     check.Needs = 1 << iota // the task is not in the archive, or is complete there
	onBase                           // the base has the task
	ofState                          // the state could be read
	sureLog                          // all that progress.md has is known
	withLog                          // there is a progress.md that could be read
	surePlan                         // all that the plan has is known
)

func modelOf(p *sdk.Pass) *model { return p.Model.(*model) }

// view is the model of a rule, with the conditions that hold.
func view(r *check.Report) (*model, check.Needs) {
	m := modelOf(r.Pass)
	r.Finish = func(edits []sdk.Edit) []sdk.Edit { return m.state.Touch(r.Pass, edits) }
	return m, m.hold
}

func prepare(p *sdk.Pass) (any, error) {
	m := newModel(p.Root, p.Name, p.Docs)
	m.pass = p
	if p.Base.State == sdk.BaseAt && slices.ContainsFunc(markers, func(path string) bool { return p.Base.Docs.Get(path) != nil }) {
		m.base = newModel(p.Base.Root, p.Base.Root[strings.LastIndexByte(p.Base.Root, '/')+1:], p.Base.Docs)
		m.base.derive()
	}
	m.derive()
	for i, holds := range [...]bool{ // in the order of the conditions
		!m.archived || m.claim == complete, m.base != nil, m.state.OK, m.logSeen, m.log.seen && m.logSeen, m.planSeen,
	} {
		if holds {
			m.hold |= 1 << i
		}
	}
	return m, nil
}

// newModel reads documents.
func newModel(root, name string, docs sdk.Docs) *model {
	m := &model{root: root, name: name, docs: docs, state: spec.Read(statePath, docs.Get(statePath)), plan: readOutlook(docs)}
	m.archived = strings.HasSuffix(root[:strings.LastIndexByte(root, '/')+1], ".iterative-work/archive/")
	d := docs.Get(logPath)
	m.log = readJournal(d).follow(m.plan.parallel)
	m.logSeen = m.log.seen && !m.log.opaque && len(m.log.unread) == 0 || d == nil && docs.Known(logPath)
	m.planSeen = m.seesPlan()
	m.claim = step(m.state.Get("/phase").Place + 1)
	return m
}

// seesPlan reports whether every document of the plan could be read: those that are there, and
// no other can be hidden, as far as plans are split.
func (m *model) seesPlan() bool {
	for _, d := range m.plan.docs {
		if !d.Readable() || d.ids == 0 && !d.blank() {
			return false
		}
	}
	known := m.docs.Get(planPath) != nil || m.docs.Known(planPath)
	for n := range 13 {
		for _, sep := range [...]string{"", "-"} {
			part := "plan-part" + sep + say.Int(n) + ".md"
			known = known && (m.docs.Get(part) != nil || m.docs.Known(part))
		}
	}
	return known
}

// stateSeen reports whether all that the state says is known: it could be read, or does not exist.
func (m *model) stateSeen() bool {
	return m.state.OK || m.state.Doc == nil && m.docs.Known(statePath)
}

// derive works out all that follows from state, plan and log.
func (m *model) derive() {
	m.gather()
	m.connect()
	for _, ph := range m.phases {
		m.observe(ph)
	}
	m.climb()
	m.current = m.findCurrent()
}

// gather lists the phases: in the order of the plan, then the others by id.
func (m *model) gather() {
	m.byID = make(map[string]*phase, len(m.plan.items))
	for _, it := range m.plan.items {
		ph := m.phase(it.id)
		ph.item, ph.max = it, it.max
	}
	planned := len(m.phases)
	for _, id := range m.state.Keys("/phases") {
		if rec := readRecord(m.state, id); rec != nil && isID(id) {
			ph := m.phase(id)
			ph.rec, ph.status = rec, rec.status
			if rec.max > 0 {
				ph.max = rec.max
			}
		}
	}
	for id := range m.log.trails {
		m.phase(id)
	}
	others := m.phases[planned:]
	arrange(len(others), func(i, j int) bool {
		a, b := others[i].id, others[j].id
		c := ordinal.Compare(a, b)
		return c < 0 || c == 0 && a < b
	}, func(i, j int) { others[i], others[j] = others[j], others[i] })
}

// phase returns the phase of an id, made if it is new.
func (m *model) phase(id string) *phase {
	ph := m.byID[id]
	if ph == nil {
		ph = &phase{id: id, trail: m.log.trail(id)}
		m.byID[id] = ph
		m.phases = append(m.phases, ph)
	}
	return ph
}

// connect makes the graph of dependencies, without those that go round in a circle.
func (m *model) connect() {
	var names []string
	for _, ph := range m.phases {
		if ph.known() {
			names = append(names, ph.id)
		}
	}
	m.graph, m.unknown = graph.New(names...), map[string][]string{}
	for _, it := range m.plan.items {
		for _, group := range it.needs {
			m.unknown[it.id] = append(m.unknown[it.id], m.graph.Need(it.id, group...)...)
		}
	}
	m.cycles = m.graph.Cycles()
}

// findCurrent is the phase where work goes on: the one that the state names, unless it has not
// begun and another is being worked on.
func (m *model) findCurrent() *phase {
	id, _ := m.named()
	named := m.byID[id]
	if named != nil && named.known() && !named.closed && (named.begun() || m.busy() == nil) {
		return named
	}
	if busy := m.busy(); busy != nil {
		return busy
	}
	var open *phase
	for _, ph := range m.phases {
		switch {
		case !ph.known():
		case m.ready(ph):
			return ph
		case open == nil && !ph.closed && len(m.unmet(ph)) == 0:
			open = ph
		}
	}
	return open
}

// busy is the first phase that the state says is being worked on, or was done although the log refutes it; nil if there is none.
func (m *model) busy() *phase {
	for _, ph := range m.phases {
		if ph.known() && (ph.busy() || ph.done && !ph.closed) {
			return ph
		}
	}
	return nil
}

// unmet lists the groups of dependencies of which none is met.
func (m *model) unmet(ph *phase) [][]string {
	return m.graph.Unmet(ph.id, func(id string) bool { return m.byID[id].met })
}

func (m *model) ready(ph *phase) bool { return !ph.closed && !ph.stuck() && len(m.unmet(ph)) == 0 }

// reachable is the phase to skip to: the first that can be begun, or else the first of which all that
// it needs is done or blocked. What timed out is not skipped.
func (m *model) reachable() *phase {
	waits := func(id string) bool { return !m.byID[id].met && !m.byID[id].halted() }
	var next *phase
	for _, ph := range m.phases {
		switch {
		case !ph.known():
		case m.ready(ph):
			return ph
		case next == nil && !ph.closed && !ph.stuck() && !slices.ContainsFunc(m.graph.Above(ph.id), waits):
			next = ph
		}
	}
	return next
}

// known reports whether plan or state have the phase.
func (ph *phase) known() bool { return ph != nil && (ph.item != nil || ph.rec != nil) }

// begun reports whether anything says that the phase was worked on.
func (ph *phase) begun() bool {
	return ph.status > pending || len(ph.trail.entries) > 0 || ph.used() > 0
}

// busy reports whether a phase is being worked on, and it alone.
func (ph *phase) busy() bool { return ph.status.working() && !ph.done && !ph.parallel() }

// stuck reports whether the phase is blocked or timed out.
func (ph *phase) stuck() bool { return ph.status >= blocked || ph.observed >= blocked }

func (ph *phase) halted() bool { return ph.status == blocked || ph.observed == blocked }

func (ph *phase) parallel() bool { return ph.item != nil && ph.item.parallel }

// used is the count of iterations in the state, -1 without one.
func (ph *phase) used() int {
	if ph.rec == nil {
		return -1
	}
	return ph.rec.used
}

// confirmations is how many passed, as the state counts them or the log shows them.
func (ph *phase) confirmations() int {
	n := max(ph.trail.done-1, 0)
	if ph.rec != nil {
		n = max(n, ph.rec.confirm)
	}
	return n
}

// extra is how many of the iterations may be confirmations.
func (ph *phase) extra() int { return max(ph.confirmations(), ph.trail.done) }

// verified reports whether the state or the log record that the verification passed.
func (ph *phase) verified() bool {
	return ph.rec != nil && ph.rec.passed() || ph.trail.lastVerified >= 0
}

// recorded reports whether the gates of confirmation and verification are recorded.
func (ph *phase) recorded() bool { return ph.confirmations() > 0 && ph.verified() }

// iteration is the highest number of a work entry, or the count of the state if the log has as many; 0 without one.
func (ph *phase) iteration() int {
	n := ph.trail.highest
	if used := ph.used(); used <= ph.trail.works {
		n = max(n, used)
	}
	return min(n, most)
}

// title is the id with what the plan calls the phase.
func (ph *phase) title() string {
	if ph.item == nil || ph.item.title == "" {
		return ph.id
	}
	return ph.id + ": " + say.Clip(ph.item.title)
}
