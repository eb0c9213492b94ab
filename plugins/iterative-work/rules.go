package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A rule is one row of a table. It contains only data, because code that builds the table when a guest starts would
// make the guest 60 kB larger.
type rule struct {
	name     string
	severity sdk.Severity
	needs    check.Needs
	find     any // checks the whole task, each phase that meets the needs, or each log entry
	doc      string
	hides    string // rule names, separated by spaces
	replaces string // former names, separated by spaces
	advice   string // the title of a manual remedy with the fix as its step, for findings that offer nothing else
	fix      string
}

// A group is a set of rules, with the reason why they matter.
type group struct {
	name, why string
	rules     []rule
}

var groups = [...]*group{&stateRules, &planRules, &gateRules, &logRules, &documentRules, &baseRules}

// rows returns the rule table for the SDK.
func rows() []check.Rule[*model] {
	var list []check.Rule[*model]
	for i := range groups {
		for j := range groups[i].rules {
			r := &groups[i].rules[j]
			needs := r.needs & onTask
			if needs&onBase != 0 {
				needs |= check.OnBase
			}
			list = append(list, check.Rule[*model]{
				Name: r.name, Group: groups[i].name, Severity: r.severity, Needs: needs, Doc: r.doc,
				Why:   groups[i].why,
				Hides: strings.Fields(r.hides), Replaces: strings.Fields(r.replaces), Advice: r.advice, Fix: r.fix,
				Find: r.run,
			})
		}
	}
	return list
}

func (r *rule) run(report *check.Report, m *model) {
	switch find := r.find.(type) {
	case func(*check.Report, *model):
		find(report, m)
	case func(*check.Report, *model, *phase):
		for _, ph := range m.phases {
			if r.needs&^m.holdsFor(ph) == 0 {
				find(report, m, ph)
			}
		}
	case func(*check.Report, *model, *entry):
		for _, e := range m.log.entries {
			find(report, m, e)
		}
	}
}

// inState begins a finding about a field in state.json.
func inState(r *check.Report, pointer, message string) *check.Finding {
	return r.At(sdk.AtPointer(statePath, pointer), message)
}

// inPhase begins a finding about a field of a phase in state.json, or about the phase if key is "".
func inPhase(r *check.Report, ph *phase, key, message string) *check.Finding {
	return inState(r, pointer(ph.id, key), message).About(ph.id)
}

// inPlan begins a finding about an item in the plan.
func inPlan(r *check.Report, it *item, message string) *check.Finding {
	return r.At(it.line, message).About(it.id)
}

// key identifies an entry, regardless of the time zone in which its time is written.
func (e *entry) key() string { return say.Clip(instant.Canon(e.title)) }

// inLog begins a finding about the heading of an entry.
func inLog(r *check.Report, e *entry, message string) *check.Finding {
	return r.At(e.at(), message).About(e.id).Keyed(e.key())
}

// atPair returns the location of a value.
func atPair(path string, p *markdown.Pair) sdk.Range { return sdk.AtBytes(path, p.Start, p.End) }

// warnIf lowers the severity to warning if holds is true.
func warnIf(holds bool, f *check.Finding) *check.Finding {
	if holds {
		f.As(sdk.Warning)
	}
	return f
}

// A part is something that a text must have.
type part struct {
	name  string
	there bool
}

// lacking returns the names of the missing parts.
func lacking(parts ...part) (names []string) {
	for _, p := range parts {
		if !p.there {
			names = append(names, p.name)
		}
	}
	return names
}

// declarations describes how often the log declares the phase done.
func (ph *phase) declarations() string {
	return ph.id + "_DONE in " + say.Count(ph.trail.done, "entry")
}

// is describes the status of the phase in state.json: "R1 is done".
func (ph *phase) is() string { return ph.id + " is " + ph.status.String() }

// seeStatus adds a reference to the status of a phase; seeLast adds one to its last entry, if there is one.
func seeStatus(f *check.Finding, ph *phase) *check.Finding {
	return f.See(sdk.AtPointer(statePath, pointer(ph.id, "status")), ph.is())
}

func seeLast(f *check.Finding, ph *phase) *check.Finding {
	if last := ph.trail.last; last != nil {
		f.See(last.at(), "the last entry of "+ph.id)
	}
	return f
}

// offer offers another JSON value for a field in state.json, or to remove the field if json is "".
func offer(f *check.Finding, title, pointer, json string) {
	edit := sdk.Set(statePath, pointer, json)
	if json == "" {
		edit = sdk.Unset(statePath, pointer)
	}
	f.Offer(sdk.Review, title, edit)
}

// setUpdated offers to set updated, which is older than what the state records.
func setUpdated(f *check.Finding) {
	f.Offer(sdk.Review, "Set updated to now", sdk.SetNow(statePath, "/updated"))
}

// setCount offers another number for a field of a phase. For iterations_used, the remedy also corrects the current
// iteration.
func setCount(f *check.Finding, ph *phase, key string, n int) {
	edits := []sdk.Edit{sdk.SetInt(statePath, pointer(ph.id, key), int64(n))}
	v := ph.of.state.Get("/current_iteration")
	if id, _ := ph.of.named(); key == "iterations_used" && id == ph.id && v.OK() && (v.Int+1 < n || v.Int > n+1) {
		edits = append(edits, sdk.SetInt(statePath, v.Pointer, int64(n)))
	}
	f.Offer(sdk.Review, "Set "+key+" of "+ph.id+" to "+say.Int(n), edits...)
}

// setStatus offers another status for a phase, together with its gates, counters, box and the current phase.
func setStatus(f *check.Finding, ph *phase, s status) {
	edits := []sdk.Edit{sdk.SetText(statePath, pointer(ph.id, "status"), s.String())}
	set := func(key string, n int) {
		if !ph.has(key) && n > 0 {
			edits = append(edits, sdk.SetInt(statePath, pointer(ph.id, key), int64(min(n, most))))
		}
	}
	unset := func(keys ...string) {
		for _, key := range keys {
			if ph.has(key) {
				edits = append(edits, sdk.Unset(statePath, pointer(ph.id, key)))
			}
		}
	}
	t, title := ph.trail, "Set "+ph.id+" to "+s.String()
	switch {
	case s == done:
		if t.lastVerified >= 0 {
			if !ph.passed() {
				edits = append(edits, sdk.Set(statePath, pointer(ph.id, "verification_passed"), "true"))
			}
			if !ph.has("completed_at") && t.finished != "" {
				edits = append(edits, sdk.SetText(statePath, pointer(ph.id, "completed_at"), t.finished))
			}
		}
		set("confirmations_used", t.done-1)
		if !ph.item.ticked && ph.of.any(func(other *phase) bool { return other.item.ticked }) != nil {
			edits = append(edits, ph.item.tick("x")...)
		}
	case ph.status > s && s < verifying || ph.status == done: // the phase moves back
		if unset("completed_at"); !ph.failed() { // a failure stays on record
			unset("verification_passed")
		}
		if s == pending || s == inProgress && ph.of.log.seen && t.done == 0 && !ph.reopened {
			unset("confirmations_used")
		}
		if s == pending && t.works == 0 {
			unset("iterations_used")
		}
		if ph.item.ticked {
			edits = append(edits, ph.item.tick(" ")...)
		}
	case ph.status == pending && ph.was != nil: // restore what was removed when it was set to pending
		for _, key := range [...]string{"iterations_used", "confirmations_used"} {
			if was := ph.was.get(key); was.OK() && !ph.has(key) {
				edits = append(edits, sdk.Set(statePath, pointer(ph.id, key), sdk.Literal(was.JSON.Raw())))
			}
		}
	case ph.status == pending:
		set("iterations_used", t.works-max(t.done-1, 0))
	case ph.status == inProgress && s.working() && ph.used >= 0 && ph.used < t.works-t.after():
		edits = append(edits, sdk.SetInt(statePath, pointer(ph.id, "iterations_used"), int64(t.works-t.after())))
	}
	back := ph.awaiting(s)
	for _, next := range back {
		title += ", and " + next.id + " to " + pending.String()
		edits = append(edits, sdk.SetText(statePath, pointer(next.id, "status"), pending.String()))
	}
	if c := ph.of.current; s == pending && c != nil { // work continues with another phase
		edits = append(edits, c.takeOver([]*phase{ph})...)
	} else if s.working() {
		edits = append(edits, ph.takeOver(back)...)
	}
	if m := ph.of; ph.status == done && s < done && m.claim >= verify && !m.archived {
		title += ", and the task's phase to " + execute.String()
		edits = append(edits, sdk.SetText(statePath, "/phase", execute.String()))
		if id, key := m.named(); id == "" && key != "" {
			edits = append(edits, sdk.SetText(statePath, "/"+key, ph.id))
		}
	}
	f.Offer(sdk.Review, title, edits...)
}

// awaiting returns the phases that must wait for ph because it moves back from done to s: they need ph, and only the
// state says that they have begun.
func (ph *phase) awaiting(s status) (list []*phase) {
	for _, next := range ph.of.phases {
		if ph.status == done && s.working() && next.status == inProgress && len(next.trail.entries) == 0 &&
			next.used <= 0 && slices.Contains(ph.of.graph.Above(next.id), ph.id) {
			list = append(list, next)
		}
	}
	return list
}

// takeOver returns the edits that make ph the current phase, if the state names a phase that has not begun or that
// moves back.
func (ph *phase) takeOver(back []*phase) []sdk.Edit {
	id, key := ph.of.named()
	named := ph.of.byID[id]
	if named == nil || named == ph || named.begun() && !slices.Contains(back, named) {
		return nil
	}
	edits := []sdk.Edit{sdk.SetText(statePath, "/"+key, ph.id)}
	if v := ph.of.state.Get("/current_iteration"); v.OK() && ph.iteration() > 0 {
		edits = append(edits, sdk.SetInt(statePath, v.Pointer, int64(ph.iteration())))
	}
	return edits
}

// tick changes the box of an item, if it has one.
func (it *item) tick(mark string) []sdk.Edit {
	if it.box < 0 {
		return nil
	}
	return []sdk.Edit{sdk.Replace(sdk.AtBytes(it.doc.Path, it.box, it.end), mark)}
}

// setTask offers another phase for the task. If work continues, it also sets the current phase.
func setTask(f *check.Finding, m *model, s step) {
	edits := []sdk.Edit{sdk.SetText(statePath, "/phase", s.String())}
	if id, key := m.named(); s == execute && id == "" && m.current != nil && m.holds(ofPhases) {
		edits = append(edits, sdk.SetText(statePath, "/"+key, m.current.id))
	}
	f.Offer(sdk.Review, "Set the task's phase to "+s.String(), edits...)
}

// setCurrent offers to make the phase where work continues the current one.
func setCurrent(f *check.Finding, m *model, key string) {
	if c := m.current; c != nil {
		offer(f, "Set "+key+" to "+c.id, "/"+key, jsondoc.Quote(c.id))
	} else {
		offer(f, "Remove "+key, "/"+key, "")
	}
}
