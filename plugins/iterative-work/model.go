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

// A model is one task, as read from its documents.
type model struct {
	pass       *sdk.Pass
	root, name string
	archived   bool
	docs       sdk.Docs
	state      *state.Doc
	plan       *outlook
	log        *journal
	base       *model // the task in the base, one without documents if there is none

	hold    check.Needs
	phases  []*phase // of plan, state and log
	byID    map[string]*phase
	graph   *graph.Graph
	unknown map[string][]string // ids on which phases depend that are not phases
	cycles  [][]string
	claim   step
	ladder  ladder.Ladder
	fit     sdk.Fit
	current *phase // where work continues, nil if nowhere
}

// The conditions of rules: those on the task, then those on a phase.
const (
	live          check.Needs = 1 << iota // the task is not in the archive, or is complete there
	onBase                                // the base has the task
	ofState                               // the state could be read
	sureState                             // all that the state says is known: it could be read, or does not exist
	noState                               // there is none
	ofPhases                              // the state has phases: it is not an early form
	sureLog                               // all that progress.md has is known
	withLog                               // there is a progress.md that could be read
	surePlan                              // all that the plan has is known
	withPlan                              // the plan has a phase
	executed                              // the task is claimed to be executed, or beyond
	executing                             // it is claimed to be executed
	ofPlan                                // the plan has the phase
	tracked                               // the state has the phase
	trackedBefore                         // so has the base
	claimsDone                            // the state says that the phase is done

	onTask = ofPlan - 1
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

// newModel reads documents.
func newModel(root, name string, docs sdk.Docs) *model {
	m := &model{root: root, name: name, docs: docs, state: spec.Read(statePath, docs.Get(statePath)),
		plan: readOutlook(docs)}
	m.base = &model{}
	m.archived = strings.HasSuffix(root[:strings.LastIndexByte(root, '/')+1], ".iterative-work/archive/")
	m.log = readJournal(docs.Get(logPath), m.plan.parallel)
	m.claim = step(m.state.Get("/phase").Place + 1)
	return m
}

// seesPlan reports whether every document of the plan was read: the existing ones, and if plans are split no other
// can be hidden.
func (m *model) seesPlan() bool {
	hidden := func(path string) bool { return m.docs.Get(path) == nil && !m.docs.Known(path) }
	seen := !hidden(planPath)
	for n := range 13 {
		seen = seen && !hidden("plan-part"+say.Int(n)+".md") && !hidden("plan-part-"+say.Int(n)+".md")
	}
	return seen && !slices.ContainsFunc(m.plan.docs,
		func(d *planDoc) bool { return !d.Readable() || d.ids == 0 && !d.blank() })
}

// derive works out all that follows from state, plan and log.
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

// conditions are those that hold, from a first one on.
func conditions(first check.Needs, list ...bool) (hold check.Needs) {
	for i, holds := range list {
		if holds {
			hold |= first << i
		}
	}
	return hold
}

// holds reports whether all of some conditions hold.
func (m *model) holds(needs check.Needs) bool { return needs&^m.hold == 0 }

// gather lists the phases: in the order of the plan, then the others by id.
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

// add adds a phase in its place, unless it is there.
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

// any is the first phase that is accepted, nil if none is; first, of those of plan or state.
func (m *model) any(accept func(*phase) bool) *phase {
	if i := slices.IndexFunc(m.phases, accept); i >= 0 {
		return m.phases[i]
	}
	return nil
}

func (m *model) first(accept func(*phase) bool) *phase {
	return m.any(func(ph *phase) bool { return ph.known() && accept(ph) })
}

// findCurrent returns the phase where work continues: the one that the state names, unless it has not
// begun and another is being worked on, or was done although the log refutes it.
func (m *model) findCurrent() *phase {
	id, _ := m.named()
	busy := m.first(func(ph *phase) bool { return ph.busy() || ph.done && !ph.closed })
	if named := m.byID[id]; named.known() && !named.closed && (named.begun() || busy == nil) {
		for _, need := range m.graph.Above(id) {
			ph, refuted := m.byID[need], m.byID[need].done && !m.byID[need].closed && !m.plan.implied
			if named.busy() && (ph.busy() || refuted) {
				return ph // the two are worked on, and one needs the other
			}
		}
		return named
	}
	open := func(ph *phase) bool { return !ph.closed && len(m.unmet(ph)) == 0 }
	return cmp.Or(busy, m.first(m.ready), m.first(open))
}

// unmet lists the groups of dependencies without a met one.
func (m *model) unmet(ph *phase) [][]string {
	return m.graph.Unmet(ph.id, func(id string) bool { return m.byID[id].met })
}

func (m *model) ready(ph *phase) bool { return !ph.closed && !ph.stuck() && len(m.unmet(ph)) == 0 }

// reachable returns the phase to skip to: the first that can begin, or else the first whose dependencies are all done
// or blocked. A phase that timed out is not skipped.
func (m *model) reachable() *phase {
	waits := func(id string) bool { return !m.byID[id].met && !m.byID[id].halted() }
	return cmp.Or(m.first(m.ready), m.first(func(ph *phase) bool {
		return !ph.closed && !ph.stuck() && !slices.ContainsFunc(m.graph.Above(ph.id), waits)
	}))
}
