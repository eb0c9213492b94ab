package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

var planRules = group{"plan", "Each iteration takes its phase, criteria and limit from the plan.", []rule{
	{"plan-missing", sdk.Error, live | ofState | surePlan | executed, func(r *check.Report, m *model) {
		if len(m.plan.docs) == 0 {
			f := inState(r, "/phase", "phase is "+say.Quote(m.claim.String())+", but plan.md does not exist")
			for _, was := range m.base.plan.docs {
				m.restore(f, was.Path)
			}
			f.Advise("Write the plan", "Write plan.md, or set the task's phase back.")
		}
	}, "A task is being executed without a plan.", "", "", "", ""},
	// A draft may not have any phases yet.
	{"unreadable-plan", sdk.Error, live, func(r *check.Report, m *model) {
		for i, d := range m.plan.docs {
			begun := m.holds(executed) || slices.ContainsFunc(d.Outline().Document().Meaning(), mentionsID)
			switch {
			case !d.Readable() || d.ids > 0:
			case !d.blank() && begun:
				warnIf(m.planWas(d).ids == 0, r.Whole(d.Path, d.Path+" has no readable phase; "+itemForm))
			case i == 0 && len(m.plan.items) == 0 && m.holds(ofState|surePlan|executed):
				m.restore(r.Whole(d.Path, "phase is "+say.Quote(m.claim.String())+", but the plan lists no phase; "+
					itemForm), d.Path)
			}
		}
	}, "The plan has no readable phase. A warning unless the base has phases in it, or the plan is empty while the " +
		"task is being executed.", "", "empty-plan", "Write the phases in this form",
		"Write an item like - [ ] **R1**: title for every phase."},
	{"phase-not-planned", sdk.Warning, live | ofState | surePlan | withPlan, func(r *check.Report, m *model) {
		cut := m.cutShort()
		for _, id := range m.unplanned() {
			if cut {
				continue
			}
			f := r.At(sdk.AtKey(statePath, "/phases/"+jsondoc.EscapeToken(id)),
				say.Clip(id)+" is in state.json, but not in the plan").About(id)
			if it := m.base.plan.byID[id]; it != nil {
				f.Message += "; the base has it" + say.Line(it.doc.Document, it.line.Start)
				m.replan(f)
				f.Advise("Decide whether it was dropped", "Restore "+id+" in the plan. If the user dropped it, append "+
					"a Revise entry that says so to progress.md, and remove it from state.json.")
			}
		}
	}, "The state has a phase that the plan lacks.", "", "", "Plan it or remove it",
		"Add the phase to the plan, or remove it from state.json."},
	{"planned-phase-untracked", sdk.Error, live | ofState | ofPhases | ofPlan,
		func(r *check.Report, m *model, ph *phase) {
			logged := len(ph.trail.entries) > 0
			if ph.tracked || !m.holds(executed) && ph.status == 0 && !logged { // the task is still being planned
				return
			}
			f := inPlan(r, ph.item, ph.id+" is in the plan, but not in state.json")
			if m.had(ph).tracked {
				v := m.base.state.Root.Get("phases").Get(ph.id)
				f.Message += "; the base has it" + say.Line(m.base.state.Doc, v.Start())
				if lost := m.unplanned(); len(lost) == 1 && m.base.byID[lost[0]] == nil &&
					ordinal.Compare(lost[0], ph.id) == 0 {
					m.rename(f, lost[0], ph.id)
					return
				}
				offer(f, "Restore "+ph.id+" from the base", pointer(ph.id, ""), v.Raw())
				return
			}
			f.As(sdk.Warning)
			if logged {
				offer(f, "Add "+ph.id+" as progress.md shows it", pointer(ph.id, ""), m.rebuiltPhase(ph).Compact())
				return
			}
			if lost := m.unplanned(); len(lost) > 0 { // one of these may have a new id in the plan
				f.Advise("Decide whether "+ph.id+" is new", "If it is "+say.Or(lost...)+" with a new id, use the old "+
					"id in the plan again. If it is new, add it to state.json as pending.")
				return
			}
			o := jsondoc.NewObject().String("status", "pending")
			if ph.item.max > 0 && ph.item.max <= most {
				o.Int("max_iterations", int64(ph.item.max))
			}
			f.Offer(sdk.Safe, "Add "+ph.id+" as pending", sdk.Set(statePath, pointer(ph.id, ""), o.Compact()))
		}, "state.json lacks a phase that the plan has. A warning if the base also lacks it.", "", "", "", ""},
	{"id-repeated", sdk.Error, live, func(r *check.Report, m *model) {
		for _, d := range m.plan.docs {
			for _, it := range d.twice {
				inPlan(r, it, it.id+" is listed twice in "+d.Path)
			}
		}
	}, "A plan document lists an id twice.", "", "duplicate-plan-item", "Give it another id",
		"Renumber this item, or merge it with the first."},
	{"total-mismatch", sdk.Error, live | surePlan, func(r *check.Report, m *model) {
		for _, d := range m.plan.docs {
			f, total, lost := head(d.Document, "Total"), d.total(), len(m.unplanned())
			if d.ids == 0 || total < 0 || total == d.ids || total == len(m.plan.items) || total == d.ids+len(d.twice) {
				continue
			}
			switch digits := strings.TrimLeft(d.Text[f.Start:f.End], "0123456789"); {
			case m.cutShort():
				r.At(atPair(d.Path, f), "Total is "+say.Int(total)+"; the plan lists "+say.Count(d.ids, "phase")+
					" and lacks "+say.And(m.unplanned()...)+", which state.json has")
			default:
				found := r.At(atPair(d.Path, f), say.Wrong("Total", say.Int(total),
					say.Int(d.ids)+", the number of phases in the plan")).As(sdk.Warning)
				if number := sdk.AtBytes(d.Path, f.Start, f.End-len(digits)); number.End > number.Start &&
					len(d.twice)+lost == 0 {
					found.Offer(sdk.Safe, "Set Total to "+say.Int(d.ids), sdk.Replace(number, say.Int(d.ids)))
				}
			}
		}
	},
		"The total in the plan is not the number of its phases. A warning unless state.json has the missing phases, " +
			"which shows that the plan was cut short.", "", "",
		"Decide which phases exist",
		"Restore the missing items, or make Total and state.json agree with the plan."},
	{"dependency-missing", sdk.Error, live | surePlan | sureState | withPlan, func(r *check.Report, m *model) {
		told := map[string]bool{}
		find := func(at sdk.Range, subject, id, says string) {
			if key := subject + " " + id; !told[key] {
				told[key], told[id] = true, true
				r.At(at, says+id+", which is neither in the plan nor in state.json").About(subject).Keyed(id)
			}
		}
		for _, it := range m.plan.items {
			for _, id := range m.unknown[it.id] {
				find(it.line, it.id, id, it.id+" depends on ")
			}
		}
		for _, d := range m.plan.dangling {
			if !m.byID[d.id].known() && !told[d.id] {
				find(d.at, "", d.id, "the dependencies name ")
			}
		}
	}, "A dependency names a phase that neither the plan nor the state has.", "",
		"unknown-dependency", "Correct the dependency", "Name a phase in the plan, or add the intended one."},
	{"dependency-circular", sdk.Error, live | surePlan, func(r *check.Report, m *model) {
		for _, cycle := range m.cycles {
			inPlan(r, m.byID[cycle[0]].item, "phases depend on each other in a circle: "+strings.Join(cycle, " → "))
		}
	}, "Phases depend on each other in a circle.", "", "dependency-cycle", "Break the circle",
		"Remove one of these dependencies from the plan."},
	{"dependency-open", sdk.Error, live | ofState | surePlan | sureLog,
		func(r *check.Report, m *model, ph *phase) {
			var names []string
			for _, group := range m.overdue(ph) {
				for _, id := range group {
					names = append(names, id+", which it needs, is still "+m.byID[id].says().String())
				}
			}
			if names == nil || !ph.status.working() && ph.status != done && ph.status != timeout {
				return
			}
			f := warnIf(m.plan.implied, inPhase(r, ph, "status", ph.is()+", but "+say.List(names)))
			if len(ph.trail.entries) == 0 {
				setStatus(f, ph, pending)
			}
		},
		"A phase began before a phase that it needs is done. A warning if the plan does not state the order of " +
			"its phases.", "", "started-before-dependency", "Correct the order",
		"First finish the phase that it needs, and keep the existing work. If it does not need that phase, " +
			"correct the dependencies in the plan."},
	{"max-iterations-mismatch", sdk.Warning, live | ofState | ofPlan | tracked,
		func(r *check.Report, m *model, ph *phase) {
			limit, was := ph.get("max_iterations").Int, m.had(ph)
			lowered := limit >= 0 && limit < ph.item.max
			// the user may raise the limit when the phase reaches it
			raised := limit > ph.item.max && was.max > 0 && was.max <= was.item.max && was.item.max == ph.item.max &&
				max(ph.used, ph.trail.works) < was.max && !ph.stuck() && !was.stuck()
			if !lowered && !raised || ph.item.max <= 0 || ph.item.max > most {
				return
			}
			f := inPhase(r, ph, "max_iterations", "max_iterations of "+ph.id+" is "+say.Int(limit)+m.limits(ph))
			setCount(f, ph, "max_iterations", ph.item.max)
			if raised {
				f.Advise("Raise it in the plan", "If the user raised the limit, write it in the plan too.")
			}
		}, "The state allows fewer iterations than the plan, or more without need.", "",
		"", "", ""},
	{"box-not-ticked", sdk.Warning, live | ofState | ofPlan | claimsDone, func(r *check.Report, m *model, ph *phase) {
		ticks := func(other *phase) bool { return other.item.ticked }
		was := m.had(ph)
		lost, says := was.tracked && was.item.ticked, ph.is()+", but its box is not ticked"
		if lost {
			says += "; it was ticked in the base" + say.Line(was.item.doc.Document, was.item.line.Start)
		}
		if ph.item.box >= 0 && !ph.item.ticked && (lost || m.any(ticks) != nil) {
			seeStatus(inPlan(r, ph.item, says), ph).Offer(sdk.Safe, "Tick "+ph.id, ph.item.tick("x")...)
		}
	}, "A phase is done, but its box in the plan is not ticked.\n\nBoxes of other phases are ticked, or it was " +
		"ticked in the base.", "", "box-tick-lost done-box-unticked", "", ""},
	{"box-ticked-early", sdk.Error, live | ofState | sureLog | ofPlan, func(r *check.Report, m *model, ph *phase) {
		if ph.item.ticked && ph.status != 0 && ph.status != done && ph.observed != done {
			f := seeStatus(inPlan(r, ph.item, ph.id+" is ticked, but its status in state.json is "+
				say.Quote(ph.status.String())), ph)
			warnIf(ph.status == verifying || ph.observed == verifying, f).Offer(sdk.Review, "Untick "+ph.id,
				ph.item.tick(" ")...)
		}
	}, "A box in the plan is ticked, but the phase is not done. A warning while the phase is being verified.", "", "",
		"", ""},
	{"weak-plan-item", sdk.Warning, live | ofPlan, func(r *check.Report, m *model, ph *phase) {
		lacks := ph.item.lacks()
		if lacks == nil {
			return
		}
		f := inPlan(r, ph.item, ph.id+" has no "+strings.Join(lacks, ", no ")).As(sdk.Info)
		if was := m.had(ph); was.planned && len(was.item.lacks()) < len(lacks) && !m.cutShort() {
			f.As(sdk.Warning).Message += "; the base has more" + say.Line(was.item.doc.Document, was.item.line.Start)
			m.replan(f)
		}
	}, "A phase in the plan lacks criteria, an output or an iteration limit. An info unless the base has more of them.",
		"", "", "Complete the plan item",
		"Under the item, write criteria, an output such as outputs/report.md, and a number for Max iterations."},
}}

// rename offers to rename a phase in the state to its name in the plan.
func (m *model) rename(f *check.Finding, from, to string) {
	f.Message += "; state.json has " + from + " instead"
	edits := []sdk.Edit{
		sdk.Set(statePath, pointer(to, ""), sdk.Literal(m.state.Root.Get("phases").Get(from).Raw())),
		sdk.Unset(statePath, pointer(from, "")),
	}
	if id, key := m.named(); id == from {
		edits = append(edits, sdk.SetText(statePath, "/"+key, to))
	}
	f.Offer(sdk.Review, "Rename "+from+" to "+to+" in state.json", edits...)
}

const itemForm = "expected items like - [ ] **R1**: title"

// unplanned returns the phases that the state has but the plan lacks. Phases of a finished part are archived and do
// not count.
func (m *model) unplanned() []string {
	if len(m.plan.items) == 0 {
		return nil
	}
	return slices.DeleteFunc(m.state.Keys("/phases"), func(id string) bool {
		ph := m.byID[id]
		archived := ph != nil && ph.status == done && (m.plan.parts || m.state.Has("/current_part"))
		return ph != nil && (ph.planned || archived || !ph.tracked)
	})
}

// cutShort reports whether the plan was cut short: it is a single document that lists fewer phases than the state has,
// although its total covers all of them. The document must not mention the missing phases at all or, if the base's
// plan lists all of them, may mention them only under Dependencies.
func (m *model) cutShort() bool {
	missing := m.unplanned()
	if len(m.plan.docs) != 1 || !m.state.OK || len(missing) == 0 {
		return false
	}
	d := m.plan.docs[0]
	text := d.Text
	if !slices.ContainsFunc(missing, func(id string) bool {
		return m.base.byID[id] == nil ||
			!m.base.byID[id].planned
	}) {
		for _, s := range d.Outline().Split(onDependencies) {
			text = strings.Replace(text, d.Text[s.Start():s.End()], "", 1)
		}
	}
	return d.total() >= d.ids+len(missing) && !slices.ContainsFunc(missing,
		func(id string) bool { return strings.Contains(text, id) })
}

// total returns the number of phases that the document's header states, or -1 if it states none.
func (d *planDoc) total() int {
	if f := head(d.Document, "Total"); f != nil {
		return words.Number(f.Value)
	}
	return -1
}

// planWas returns a plan document from the base, or an empty one.
func (m *model) planWas(d *planDoc) *planDoc {
	for _, was := range m.base.plan.docs {
		if was.Path == d.Path {
			return was
		}
	}
	return &planDoc{}
}

// held reports whether a phase has not begun and needs a blocked one. A session that skips the blocked phase skips
// both.
func (m *model) held(id string) bool {
	return !m.byID[id].begun() && slices.ContainsFunc(m.graph.Above(id),
		func(need string) bool { return m.byID[need].halted() })
}

// haltedBefore reports whether the phase was blocked when the first log entry of another phase was written.
func (ph *phase) haltedBefore(other *phase) bool {
	for _, e := range slices.Backward(ph.trail.entries) {
		if len(other.trail.entries) > 0 && e.index < other.trail.entries[0].index {
			return e.stop == blocked || e.reason != ""
		}
	}
	return false
}
