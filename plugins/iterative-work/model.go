package iterativework

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// A model is one task as its documents tell it.
type model struct {
	pass       *sdk.Pass
	root, name string
	archived   bool
	docs       sdk.Docs
	state      *state
	plan       *outlook
	log        *journal
	base       *model // the task in the base revision, nil if there is none

	planSeen bool // no document of the plan is hidden
	logSeen  bool // progress.md could be read, or does not exist

	phases   []*phase // of plan, state and log
	byID     map[string]*phase
	cycles   [][]*phase
	observed step
	fit      sdk.Fit
	current  *phase          // where work goes on, nil if nowhere
	errors   map[string]bool // by name, worked out when a remedy is tried first
	tried    int             // how many remedies were
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
	reopened bool       // a review or revision reopens it
	needs    [][]*phase // groups of which one must be met, without cycles
	max      int        // 0 without

	done, settled, met bool
	// Of the search for cycles.
	order, low int
	open       bool
}

func modelOf(p *sdk.Pass) *model { return p.Model.(*model) }

func prepare(p *sdk.Pass) (any, error) {
	m := newModel(p.Root, p.Name, p.Docs, nil)
	m.pass = p
	if p.Base.State == sdk.BaseAt && slices.ContainsFunc(markers, func(path string) bool { return p.Base.Docs.Get(path) != nil }) {
		m.base = newModel(p.Base.Root, path.Base(p.Base.Root), p.Base.Docs, m)
	}
	return m, nil
}

// newModel reads documents. Of a log that a later model, which may be nil, goes on
// with, nothing is read again.
func newModel(root, name string, docs sdk.Docs, later *model) *model {
	m := &model{root: root, name: name, docs: docs, state: readState(docs.Get(statePath)), plan: readOutlook(docs)}
	m.archived = strings.HasSuffix(path.Dir(root), ".iterative-work/archive")
	d := docs.Get(logPath)
	if later != nil {
		m.log = later.log.asOf(d, later.parallel)
	}
	if m.log == nil {
		m.log = readJournal(d)
		m.log.follow(m.parallel)
	}
	m.logSeen = m.log.seen || d == nil && docs.Known(logPath)
	m.planSeen = m.seesPlan()
	m.derive()
	return m
}

// seesPlan reports whether every document of the plan could be read: those
// that are there, and no other can be hidden, as far as anybody counts.
func (m *model) seesPlan() bool {
	for _, d := range m.plan.docs {
		if !d.Readable() {
			return false
		}
	}
	known := m.docs.Get(planPath) != nil || m.docs.Known(planPath)
	for n := range 13 {
		for _, sep := range [...]string{"", "-"} {
			part := "plan-part" + sep + itoa(n) + ".md"
			known = known && (m.docs.Get(part) != nil || m.docs.Known(part))
		}
	}
	return known
}

// stateSeen reports whether all that the state says is known: it could be read,
// or does not exist.
func (m *model) stateSeen() bool {
	return m.state.ok || m.state.doc == nil && m.docs.Known(statePath)
}

func (m *model) parallel(id string) bool { return m.plan.parallel[id] }

// derive works out all that follows from state, plan and log.
func (m *model) derive() {
	m.gather()
	for _, ph := range m.phases {
		m.observe(ph)
	}
	m.connect()
	m.observeTask()
	m.current = m.findCurrent()
}

// gather lists the phases: in the order of the plan, then the others by id.
func (m *model) gather() {
	m.byID = make(map[string]*phase, len(m.plan.items)+len(m.state.records))
	m.phases = nil
	for _, it := range m.plan.items {
		ph := m.phase(it.id)
		ph.item, ph.max = it, it.max
	}
	planned := len(m.phases)
	for _, r := range m.state.records {
		ph := m.phase(r.id)
		ph.rec, ph.status = r, r.status
		if r.max > 0 {
			ph.max = r.max
		}
	}
	for id := range m.log.trails {
		m.phase(id)
	}
	slices.SortFunc(m.phases[planned:], func(a, b *phase) int {
		if idLess(a.id, b.id) {
			return -1
		}
		return 1
	})
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

// connect resolves dependencies, finds cycles and sees what is met.
func (m *model) connect() {
	for _, ph := range m.phases {
		if ph.item == nil {
			continue
		}
		for _, group := range ph.item.needs {
			var any []*phase
			for _, id := range group {
				if need := m.byID[id]; need != nil && need.known() {
					any = append(any, need)
				}
			}
			if len(any) > 0 && len(any) == len(group) {
				ph.needs = append(ph.needs, any)
			}
		}
	}
	m.cycles = nil
	if m.plan.depends || m.plan.arrows {
		(&cycles{m: m}).find()
	}
}

// findCurrent is the phase where work goes on.
func (m *model) findCurrent() *phase {
	id, _ := m.state.named()
	if ph := m.byID[id]; ph != nil && ph.known() && !ph.done {
		return ph
	}
	var open *phase
	for _, ph := range m.phases {
		switch {
		case !ph.known():
		case ph.ready():
			return ph
		case open == nil && !ph.done && ph.unmet() == nil:
			open = ph
		}
	}
	return open
}

// unmet is the first group of dependencies of which none is met.
//
//go:noinline
func (ph *phase) unmet() []*phase {
	for _, group := range ph.needs {
		if !slices.ContainsFunc(group, func(need *phase) bool { return need.met }) {
			return group
		}
	}
	return nil
}

func (ph *phase) ready() bool { return !ph.done && !ph.stuck() && ph.unmet() == nil }

// known reports whether plan or state have the phase.
//
//go:noinline
func (ph *phase) known() bool { return ph.item != nil || ph.rec != nil }

// stuck reports whether the phase is blocked or timed out.
//
//go:noinline
func (ph *phase) stuck() bool { return ph.status >= blocked || ph.observed >= blocked }

//go:noinline
func (ph *phase) parallel() bool { return ph.item != nil && ph.item.parallel }

// confirmations is what the state counts, 0 if it does not.
//
//go:noinline
func (ph *phase) confirmations() int {
	if ph.rec == nil {
		return 0
	}
	return max(ph.rec.confirmations, 0)
}

// extra is how many of the iterations may be confirmations.
//
//go:noinline
func (ph *phase) extra() int { return max(ph.confirmations(), ph.trail.done) }

// used is the count of iterations in the state, -1 without one.
//
//go:noinline
func (ph *phase) used() int {
	if ph.rec == nil {
		return -1
	}
	return ph.rec.used
}

// cycles finds phases that need each other (Tarjan). Only dependencies
// without an alternative make a cycle.
type cycles struct {
	m     *model
	stack []*phase
	n     int
}

func (c *cycles) find() {
	for _, ph := range c.m.phases {
		if ph.order == 0 {
			c.visit(ph)
		}
	}
	for _, cycle := range c.m.cycles {
		for _, ph := range cycle {
			ph.needs = slices.DeleteFunc(ph.needs, func(group []*phase) bool {
				return len(group) == 1 && slices.Contains(cycle, group[0])
			})
		}
	}
}

func (c *cycles) visit(ph *phase) {
	c.n++
	ph.order, ph.low, ph.open = c.n, c.n, true
	c.stack = append(c.stack, ph)
	itself := false
	for _, group := range ph.needs {
		if len(group) > 1 {
			continue
		}
		need := group[0]
		itself = itself || need == ph
		if need.order == 0 {
			c.visit(need)
			ph.low = min(ph.low, need.low)
		} else if need.open {
			ph.low = min(ph.low, need.order)
		}
	}
	if ph.low < ph.order {
		return
	}
	at := slices.Index(c.stack, ph)
	var members []*phase
	for _, member := range c.stack[at:] {
		member.open = false
		members = append(members, member)
	}
	c.stack = c.stack[:at]
	if len(members) > 1 || itself {
		c.m.cycles = append(c.m.cycles, members)
	}
}
