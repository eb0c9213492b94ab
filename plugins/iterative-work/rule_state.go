package iterativework

import (
	"cmp"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/words"
)

var stateRules = group{"state", "The main session resumes from state.json and trusts it.", []rule{
	{"state-missing", sdk.Error, noState, func(r *check.Report, m *model) {
		says := "the documents show the phase " + m.observed().String()
		if ph := m.current; ph != nil && len(ph.trail.entries) > 0 {
			says = "progress.md shows that " + ph.id + " is " + ph.observed.String()
		}
		f := warnIf(len(m.plan.docs) == 0 && m.log.doc == nil, r.Whole(statePath, "state.json is missing; "+says))
		for _, remedy := range m.rebuilds() {
			f.Offer(remedy.Safety, remedy.Title, remedy.Edits...)
		}
	}, "A task has no state.json. A warning before the plan and the log exist, because brief.md is written first.", "",
		"", "", ""},
	{"phase-unknown", sdk.Error, ofState, func(r *check.Report, m *model) {
		m.state.Unknown(r, func(*state.Value) string { return m.observed().String() }, "/phase")
	}, "The task's phase is not one of the workflow's six.\n\nThey are discover, plan, execute, verify, deliver " +
		"and complete.", "", "unknown-task-phase",
		"", ""},
	{"status-unknown", sdk.Error, ofState, func(r *check.Report, m *model) {
		m.state.Unknown(r, func(v *state.Value) string {
			ph := m.byID[v.Subject]
			switch {
			case ph == nil:
				return ""
			case ph.trail.done > 0 && ph.recorded() && !ph.failed():
				return done.String()
			case ph.observed <= inProgress: // the phase may be blocked, too
				return ""
			}
			return ph.observed.String()
		}, "/phases/*/status")
	}, "The status of a phase is not one of the seven. Other rules then ignore it.", "", "unknown-phase-status",
		"Choose the status", "Set the status of the phase to one of the seven."},
	{"noncanonical-value", sdk.Warning, ofState, func(r *check.Report, m *model) { m.state.Noncanonical(r) },
		"A phase or status is clear, but not in the workflow's spelling.", "", "", "", ""},
	{"field-missing", sdk.Warning, live | ofState, func(r *check.Report, m *model) {
		m.state.Missing(r, func(f *state.Field) string {
			text := map[string]string{"/task": m.task(), "/slug": m.name, "/created": m.createdAt(),
				"/updated": sdk.NowInEdit}[f.At]
			if text == "" {
				return ""
			}
			return jsondoc.Quote(text)
		})
		for _, ph := range m.phases {
			lacks := func(key, says string) *check.Finding {
				return inPhase(r, ph, "", ph.id+" has no "+key+says).Keyed(key)
			}
			if !ph.tracked {
				continue
			}
			if !ph.has("status") {
				setStatus(lacks("status", "; the documents show "+ph.observed.String()), ph, ph.observed)
			}
			if n := ph.trail.works; n > 0 && ph.status > pending && ph.status != blocked && !ph.has("iterations_used") {
				setCount(lacks("iterations_used", "; progress.md has "+say.Count(n, "iteration")+" for it"), ph,
					"iterations_used", min(n-max(ph.trail.done-1, 0), most))
			}
			if !ph.has("max_iterations") {
				f := lacks("max_iterations", m.limits(ph))
				if ph.item.max > 0 && ph.item.max <= most {
					setCount(f, ph, "max_iterations", ph.item.max)
				}
			}
			if ph.status == done && ph.settled && ph.recorded() && !ph.has("completed_at") {
				f := lacks("completed_at", "")
				if t := ph.trail; t.lastVerified >= 0 && t.finished != "" {
					offer(f, "Set completed_at of "+ph.id+" to the time of its verification",
						pointer(ph.id, "completed_at"), jsondoc.Quote(t.finished))
				} else {
					f.Advise("Record the time", "Set completed_at to the time when the phase passed its "+
						"verification, if it is known.")
				}
			}
		}
	},
		"state.json lacks a required field.\n\nThe fields are task, slug, created and updated, and for each phase " +
			"status, max_iterations, iterations_used and, when it is done, completed_at. Early forms have no phases " +
			"and need none of these fields.", "", "missing-field completed-at-missing", "Set a limit",
		"Set max_iterations of the phase in state.json, and in the plan."},
	{"id-unlike-name", sdk.Warning, ofState, func(r *check.Report, m *model) {
		slug := m.state.Get("/slug").Text
		_, dated := instant.Find(m.name)
		if slug == "" || m.name == "" || words.SameName(slug, m.name) || m.archived && words.SameName("-"+slug, dated) {
			return
		}
		f := inState(r, "/slug", say.Wrong("slug", say.Quote(slug), say.Quote(m.name)+", the directory's name"))
		offer(f, "Set slug to the directory's name", "/slug", jsondoc.Quote(m.name))
	}, "The slug is not the directory's name, which may begin with a date in the archive.", "", "slug-mismatch", "",
		""},
	{"timestamp-malformed", sdk.Error, ofState, func(r *check.Report, m *model) { m.state.Malformed(r) },
		"A time cannot be read.", "", "", "", ""},
	{"timestamp-in-future", sdk.Warning, ofState, func(r *check.Report,
		m *model) {
		m.state.InFuture(r, 5*instant.Minute)
	}, "A time is more than five minutes in the future.", "", "", "", ""},
	{"updated-before-created", sdk.Error, ofState,
		func(r *check.Report, m *model) {
			created, updated := m.state.Get("/created").Moment, m.state.Get("/updated").Moment
			if !updated.Before(created, 0) || !m.predates(created) {
				m.state.OutOfOrder(r, "/updated")
				return
			}
			inState(r, "/created", "created is "+created.Text+", after updated, which is "+updated.Text+
				", and after the first entry in progress.md").See(m.log.entries[0].at(), "the first entry")
		}, "The state was updated before it was created.", "", "", "Correct created",
		"Set created in state.json to when the task began."},
	{"date-mismatch", sdk.Warning, live | ofState, func(r *check.Report, m *model) {
		created := m.state.Get("/created").Moment
		for _, path := range [...]string{briefPath, planPath} {
			f := head(m.docs.Get(path), "Created")
			if f == nil {
				continue
			}
			at, _ := instant.Find(f.Value)
			if at.Precision > 0 && created.Precision > 0 && at.At.Add(36*instant.Hour).Before(created.At) {
				r.At(atPair(path, f), "Created in "+path+" is "+at.Text+", but the task was created at "+
					created.Text).Keyed(path).
					See(sdk.AtPointer(statePath, "/created"), "created")
			}
		}
	}, "The brief or the plan is more than a day older than the task.", "", "", "Correct the date",
		"Set created in state.json to when the task began, or Created in the document to when it was written."},
	{"early-form-outgrown", sdk.Error, ofState, func(r *check.Report, m *model) {
		n := 0
		for _, ph := range m.phases {
			n += min(ph.trail.works, 1)
		}
		switch was := m.base.state.Root.Get("phases"); {
		case m.holds(ofPhases):
		case full(m.base.state):
			f := r.Whole(statePath, "state.json has no phases, but the base has them"+say.Line(m.base.state.Doc,
				was.Start()))
			offer(f, "Restore the phases from the base", "/phases", was.Raw())
		case n > 1:
			f := r.Whole(statePath, "state.json has no phases, but progress.md has work on "+say.Int(n)+
				" phases").As(sdk.Info)
			offer(warnIf(m.state.Has("/slug"), f), "Fill in the phases from progress.md", "/phases",
				m.rebuiltPhases().Compact())
		}
	},
		"state.json has no phases, although the base has them. A warning if only the log has work on several " +
			"phases; an info if state.json is still in the early form, which has no slug either.", "", "", "", ""},
	{"current-phase-unknown", sdk.Error, ofState | surePlan, func(r *check.Report, m *model) {
		id, key := m.named()
		none := len(m.plan.items)+len(m.state.Keys("/phases")) == 0 || m.claim != plan && m.claim != execute
		if id != "" && !none && !m.byID[id].known() && !m.state.Has("/phases/"+jsondoc.EscapeToken(id)) {
			setCurrent(inState(r, "/"+key, key+" is "+say.Quote(id)+", which is neither in the plan nor in phases"), m,
				key)
		}
	}, "The current phase is neither in the state nor in the plan.", "", "unknown-current-phase", "", ""},
	{"current-phase-mismatch", sdk.Warning, ofState | executing, func(r *check.Report, m *model) {
		id, key := m.named()
		open := m.first(func(ph *phase) bool { return ph.planned && !ph.done })
		if id == "" && open != nil && m.holds(ofPhases) {
			setCurrent(r.Whole(statePath, key+" is missing, but "+open.id+" is not done"), m, key)
		}
		named := m.byID[id]
		ph := m.first(func(ph *phase) bool { return ph != named && ph.status.working() && !ph.done })
		if named != nil && named != m.current && ph != nil &&
			(named.status == done || named.status == pending && !named.begun()) {
			setCurrent(seeStatus(inState(r, "/"+key, key+" is "+say.Quote(id)+", which is "+named.status.String()+
				", but "+
				ph.is()),
				ph), m, key)
		}
	}, "The current phase is missing, done or not begun, while another is in progress.", "",
		"current-phase-done current-missing", "", ""},
}}

// limits describes how many iterations the plan allows for a phase.
func (m *model) limits(ph *phase) string {
	if ph.item.max == 0 {
		return ""
	}
	return "; the plan allows " + say.Count(ph.item.max, "iteration") + say.Line(ph.item.doc.Document,
		ph.item.line.Start)
}

// predates reports whether the log begins before a time.
func (m *model) predates(at instant.Moment) bool {
	return len(m.log.entries) > 0 && m.log.entries[0].when.Before(at, instant.Minute)
}

// underway returns the first phase that the state says is being worked on, or else the first that is done, or nil.
func (m *model) underway() *phase {
	return cmp.Or(m.first(func(ph *phase) bool { return ph.status.working() }),
		m.first(func(ph *phase) bool { return ph.status == done }))
}
