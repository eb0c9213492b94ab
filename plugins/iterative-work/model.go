package iterativework

import (
	"cmp"
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

// A model is one task, read from its documents.
type model struct {
	pass       *sdk.Pass
	root, name string
	archived   bool
	docs       sdk.Docs
	state      *state.Doc
	plan       *outlook
	log        *journal
	base       *model // the task in the base; empty if the base lacks it

	hold    check.Needs
	phases  []*phase // from plan, state and log
	byID    map[string]*phase
	graph   *graph.Graph
	unknown map[string][]string // for each phase, the ids that it depends on but that are not phases
	cycles  [][]string
	claim   step
	ladder  ladder.Ladder
	fit     sdk.Fit
	current *phase // where work continues; nil if nowhere
}

// Conditions that rules can require: first those of the task, then those of a phase.
const (
	live          check.Needs = 1 << iota // the task is not in the archive, or is complete there
	onBase                                // the base has the task
	ofState                               // the state could be read
	sureState                             // the state is fully known: it could be read, or does not exist
	noState                               // there is no state
	ofPhases                              // the state has phases: it is not an early form
	sureLog                               // progress.md is fully known
	withLog                               // progress.md exists and could be read
	surePlan                              // the plan is fully known
	withPlan                              // the plan has a phase
	executed                              // the claimed step is execute or later
	executing                             // the claimed step is execute
	ofPlan                                // the plan has the phase
	tracked                               // the state has the phase
	trackedBefore                         // the base also has the phase
	claimsDone                            // the state says that the phase is done

	onTask = ofPlan - 1
)

func modelOf(p *sdk.Pass) *model { return p.Model.(*model) }

// view returns the model for a rule and the conditions that hold.
func view(r *check.Report) (*model, check.Needs) {
	m := modelOf(r.Pass)
	r.Finish = func(edits []sdk.Edit) []sdk.Edit { return m.state.Touch(r.Pass, edits) }
	return m, m.hold
}

func prepare(p *sdk.Pass) (any, error) {
	m := newModel(p.Root, p.Name, p.Docs)
	m.pass, m.base = p, newModel(p.Root, "", sdk.Docs{})
	if has := func(path string) bool { return p.Base.Docs.Get(path) != nil }; p.Base.State == sdk.BaseAt &&
		slices.ContainsFunc(markers, has) {
		m.base, m.hold = newModel(p.Base.Root, p.Base.Root[strings.LastIndexByte(p.Base.Root, '/')+1:], p.Base.Docs),
			onBase
		m.base.derive()
	}
	m.derive()
	return m, nil
}

// newModel reads the documents of a task.
func newModel(root, name string, docs sdk.Docs) *model {
	m := &model{root: root, name: name, docs: docs, state: spec.Read(statePath, docs.Get(statePath)),
		plan: readOutlook(docs)}
	m.base = &model{}
	m.archived = strings.HasSuffix(root[:strings.LastIndexByte(root, '/')+1], ".iterative-work/archive/")
	m.log = readJournal(docs.Get(logPath), m.plan.parallel)
	m.claim = step(m.state.Get("/phase").Place + 1)
	return m
}

// seesPlan reports whether the whole plan is known: every document of it was read, and no other part can exist unseen.
func (m *model) seesPlan() bool {
	hidden := func(path string) bool { return m.docs.Get(path) == nil && !m.docs.Known(path) }
	seen := !hidden(planPath)
	for n := range 13 {
		seen = seen && !hidden("plan-part"+say.Int(n)+".md") && !hidden("plan-part-"+say.Int(n)+".md")
	}
	return seen && !slices.ContainsFunc(m.plan.docs,
		func(d *planDoc) bool { return !d.Readable() || d.ids == 0 && !d.blank() })
}

// derive computes everything that follows from the state, the plan and the log.
func (m *model) derive() {
	sure := m.log.seen && !m.log.opaque && len(m.log.unread) == 0
	m.hold |= conditions(live, !m.archived || m.claim == complete, m.hold&onBase != 0, m.state.OK, m.state.OK ||
		m.absent(statePath), m.absent(statePath), full(m.state),
		sure || m.absent(logPath), sure, m.seesPlan(), len(m.plan.items) > 0, m.claim >= execute, m.claim == execute)
	m.gather()
	m.connect()
	for _, ph := range m.phases {
		m.observe(ph)
	}
	m.climb()
	m.current = m.findCurrent()
}

// conditions returns the conditions that hold. The first element of list is for the condition first, and each later
// element is for the condition that follows.
func conditions(first check.Needs, list ...bool) (hold check.Needs) {
	for i, holds := range list {
		if holds {
			hold |= first << i
		}
	}
	return hold
}

// holds reports whether all given conditions hold.
func (m *model) holds(needs check.Needs) bool { return needs&^m.hold == 0 }

// gather lists the phases: first in plan order, then the others by id.
func (m *model) gather() {
	m.byID = make(map[string]*phase, len(m.plan.items))
	for _, it := range m.plan.items {
		ph := m.add(it.id)
		ph.planned, ph.item, ph.max = true, it, cmp.Or(ph.max, it.max)
	}
	for _, id := range m.state.Keys("/phases") {
		if isID(id) && m.state.Has("/phases/"+id) {
			m.add(id)
		}
	}
	for _, e := range m.log.entries {
		if e.id != "" {
			m.add(e.id)
		}
	}
}

// add inserts a phase in order, unless it exists.
func (m *model) add(id string) *phase {
	if m.byID[id] == nil {
		m.byID[id] = newPhase(id, m.state, m.log)
		m.byID[id].of = m
		m.phases = insert(m.phases, m.byID[id], func(ph *phase) bool {
			return ph.planned || cmp.Or(ordinal.Compare(ph.id, id), cmp.Compare(ph.id, id)) < 0
		})
	}
	return m.byID[id]
}

// connect builds the dependency graph and removes circular dependencies from it.
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

// any returns the first phase that is accepted, or nil. The method first considers only phases in the plan or the
// state.
func (m *model) any(accept func(*phase) bool) *phase {
	if i := slices.IndexFunc(m.phases, accept); i >= 0 {
		return m.phases[i]
	}
	return nil
}

func (m *model) first(accept func(*phase) bool) *phase {
	return m.any(func(ph *phase) bool { return ph.known() && accept(ph) })
}

// findCurrent returns the phase where work continues. This is the phase that the state names, unless that phase is
// closed, or has not begun while another one is in progress or was wrongly marked done. If a phase began too early,
// work continues with the phase that it needs.
func (m *model) findCurrent() *phase {
	id, _ := m.named()
	busy := m.first(func(ph *phase) bool { return ph.busy() || ph.done && !ph.closed })
	if named := m.byID[id]; named.known() && !named.closed && (named.begun() || busy == nil) {
		for _, need := range m.graph.Above(id) {
			ph, refuted := m.byID[need], m.byID[need].done && !m.byID[need].closed && !m.plan.implied
			if named.busy() && (ph.busy() || refuted) {
				return ph // both are in progress, and one needs the other
			}
		}
		return m.due(named)
	}
	open := func(ph *phase) bool { return !ph.closed && len(m.unmet(ph)) == 0 }
	return cmp.Or(m.due(busy), m.first(m.ready), m.first(open))
}

// due returns the phase that must be done first if a phase began too early, or else the phase itself.
func (m *model) due(ph *phase) *phase {
	if ph == nil || !ph.status.working() || m.plan.implied {
		return ph
	}
	for range m.phases { // a bounded loop, because phases may need each other through alternatives
		if groups := m.overdue(ph); len(groups) > 0 {
			ph = m.byID[groups[0][0]]
		}
	}
	return ph
}

// unmet returns the dependency groups of a phase in which no dependency is met.
func (m *model) unmet(ph *phase) [][]string {
	return m.graph.Unmet(ph.id, func(id string) bool { return m.byID[id].met })
}

// overdue returns the unmet dependency groups of a phase, except those with a phase that a session may skip because of
// a blocker.
func (m *model) overdue(ph *phase) [][]string {
	return slices.DeleteFunc(m.unmet(ph), func(group []string) bool {
		return slices.ContainsFunc(group, func(id string) bool {
			return m.byID[id].halted() || m.held(id) || m.byID[id].haltedBefore(ph)
		})
	})
}

func (m *model) ready(ph *phase) bool { return !ph.closed && !ph.stuck() && len(m.unmet(ph)) == 0 }

// reachable returns the phase to continue with while another is blocked: the first that is ready, or else the first
// that may skip its dependencies, if all of them are done or blocked. A dependency that timed out may not be skipped.
func (m *model) reachable() *phase {
	waits := func(id string) bool { return !m.byID[id].met && !m.byID[id].halted() }
	return cmp.Or(m.first(m.ready), m.first(func(ph *phase) bool {
		return m.skips(ph) && !ph.closed && !ph.stuck() && !slices.ContainsFunc(m.graph.Above(ph.id), waits)
	}))
}
