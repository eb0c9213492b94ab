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

func stateMissing(r *check.Report, m *model) {
	if !m.absent(statePath) {
		return
	}
	says := "the documents show the task in " + m.observed().String()
	if ph := m.current; ph != nil && len(ph.trail.entries) > 0 {
		says = "progress.md shows " + ph.id + " in " + ph.observed.String()
	}
	f := warnIf(len(m.plan.docs) == 0 && m.log.doc == nil, r.Whole(statePath, "there is no state.json; "+says))
	for _, remedy := range m.rebuilds() {
		f.Offer(remedy.Safety, remedy.Title, remedy.Edits...)
	}
}

func unknownTaskPhase(r *check.Report, m *model) {
	m.state.Unknown(r, func(*state.Value) string { return m.observed().String() }, "/phase")
}

func unknownPhaseStatus(r *check.Report, m *model) {
	m.state.Unknown(r, func(v *state.Value) string {
		ph := m.byID[v.Subject]
		switch {
		case ph == nil:
			return ""
		case ph.trail.done > 0 && ph.recorded() && !ph.failed():
			return done.String()
		}
		return ph.observed.String()
	}, "/phases/*/status")
}

func missingField(r *check.Report, m *model) {
	m.state.Missing(r, func(f *state.Field) string {
		switch f.At {
		case "/task":
			return jsondoc.Quote(m.task())
		case "/slug":
			return jsondoc.Quote(m.name)
		case "/created":
			return jsondoc.Quote(m.createdAt())
		}
		return jsondoc.Quote(sdk.NowInEdit)
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
			setCount(lacks("iterations_used", "; progress.md has "+say.Count(n, "iteration")+" of it"), ph, "iterations_used", min(n-max(ph.trail.done-1, 0), most))
		}
		if !ph.has("max_iterations") {
			f := lacks("max_iterations", m.limits(ph))
			if ph.item != nil && ph.item.max > 0 && ph.item.max <= most {
				setCount(f, ph, "max_iterations", ph.item.max)
			}
		}
	}
}

// limits says what the plan allows a phase.
func (m *model) limits(ph *phase) string {
	if ph.item == nil || ph.item.max == 0 {
		return ""
	}
	return "; the plan allows " + say.Count(ph.item.max, "iteration") + say.Line(ph.item.doc.Document, ph.item.line.Start)
}

func slugMismatch(r *check.Report, m *model) {
	slug := m.state.Get("/slug").Text
	if slug == "" || m.name == "" || words.SameName(slug, m.name) {
		return
	}
	for i := range m.name {
		if m.archived && m.name[i] == '-' && words.SameName(m.name[i+1:], slug) {
			if _, why := instant.Loose(m.name[:i]); why == "" {
				return
			}
		}
	}
	f := inState(r, "/slug", say.Wrong("slug", say.Quote(slug), say.Quote(m.name)+", the name of the directory"))
	offer(f, "Set slug to the name of the directory", "/slug", jsondoc.Quote(m.name))
}

func unknownDomain(r *check.Report, m *model) {
	text := m.stateDomain()
	if _, known := domainOf(text); !known {
		inState(r, "/domain", say.Wrong("domain", say.Quote(text), say.Or(domains...)))
	}
}

func domainMismatch(r *check.Report, m *model) {
	is, _ := domainOf(m.stateDomain())
	for _, path := range [...]string{briefPath, planPath} {
		f := head(m.docs.Get(path), "Domain")
		if f == nil {
			continue
		}
		if says, _ := domainOf(f.Value); says != 0 && is != 0 && says&is == 0 {
			inState(r, "/domain", say.Wrong("domain", say.Quote(m.stateDomain()), say.Quote(f.Value))+say.Line(m.docs.Get(path), f.Start)).Keyed(path).
				See(atPair(path, f), "Domain is "+say.Quote(f.Value))
		}
	}
}

func earlyFormOutgrown(r *check.Report, m *model) {
	if m.holds(ofPhases) {
		return
	}
	if full(m.base.state) {
		was := m.base.state.Root.Get("phases")
		f := r.Whole(statePath, "state.json has no phases; the base has them"+say.Line(m.base.state.Doc, was.Start()))
		offer(f, "Restore the phases from base", "/phases", was.Raw())
		return
	}
	n := 0
	for _, ph := range m.phases {
		n += min(ph.trail.works, 1)
	}
	if n > 1 {
		f := r.Whole(statePath, "state.json has no phases; progress.md has work on "+say.Int(n)+" phases").As(sdk.Warning)
		if !m.state.Has("/slug") {
			f.As(sdk.Info)
		}
		offer(f, "Fill in the phases from progress.md", "/phases", m.rebuiltPhases().Compact())
	}
}

func currentMissing(r *check.Report, m *model) {
	id, key := m.named()
	if open := m.first(func(ph *phase) bool { return ph.item != nil && !ph.done }); id == "" && open != nil {
		setCurrent(r.Whole(statePath, key+" is missing, and "+open.id+" is not done"), m, key)
	}
}

func unknownCurrentPhase(r *check.Report, m *model) {
	id, key := m.named()
	if id == "" || m.claim != plan && m.claim != execute || len(m.plan.items)+len(m.state.Keys("/phases")) == 0 || m.state.Has("/phases/"+jsondoc.EscapeToken(id)) {
		return
	}
	if !m.byID[id].known() {
		setCurrent(inState(r, "/"+key, key+" is "+say.Quote(id)+", which is neither in the plan nor in phases"), m, key)
	}
}

func currentMismatch(r *check.Report, m *model) {
	id, key := m.named()
	named := m.byID[id]
	if named == nil || named.status != done && (named.begun() || named.status != pending) {
		return
	}
	if ph := m.first(func(ph *phase) bool { return ph != named && ph.status.working() && !ph.done }); ph != nil {
		setCurrent(seeStatus(inState(r, "/"+key, key+" is "+id+", which is "+named.status.String()+"; "+ph.is()), ph), m, key)
	}
}

func archivedNotComplete(r *check.Report, m *model) {
	if !m.archived || m.claim == 0 || m.claim == complete {
		return
	}
	f := inState(r, "/phase", say.Wrong("phase", m.claim.String(), "complete, as the task is in the archive"))
	setTask(warnIf(m.claim == deliver, f), complete)
	f.Advise("Move the task out of the archive", "move the directory back to .iterative-work/"+m.name)
}

func completeNotArchived(r *check.Report, m *model) {
	if m.claim == complete && !m.archived {
		inState(r, "/phase", "phase is complete, and the task is not in the archive")
	}
}

// taskBehind lets a task that was executed be planned anew.
func taskBehind(r *check.Report, m *model) {
	at := sdk.AtPointer(statePath, "/phase")
	m.ladder.Behind(r, at, int(m.claim)-1)
	ph := m.underway()
	if m.claim == plan && m.fit == sdk.Lags && m.base.claim != execute && m.base.underway() == nil && ph != nil {
		setTask(seeStatus(r.At(at, say.Wrong("phase", "plan", "execute: "+ph.is())), ph), execute)
	}
}

// underway is the first phase that the state says is being worked on, or else done, nil without one.
func (m *model) underway() *phase {
	return cmp.Or(m.first(func(ph *phase) bool { return ph.status.working() }), m.first(func(ph *phase) bool { return ph.status == done }))
}

func taskAhead(r *check.Report, m *model) {
	open := m.overtaken()
	if open == nil {
		if fail := m.log.lastFail; m.claim >= deliver && m.log.review == failed {
			inState(r, "/phase", "phase is "+m.claim.String()+", but the last review failed").As(sdk.Warning).See(m.log.entries[fail].at(), "the last review")
		}
		return
	}
	var says []string
	for _, ph := range open {
		says = append(says, ph.id+" is "+ph.says().String())
	}
	f := inState(r, "/phase", "phase is "+m.claim.String()+", but "+say.List(says))
	setTask(f.See(open[0].item.line, open[0].id+" is not done"), execute)
}
