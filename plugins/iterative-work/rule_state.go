package iterativework

import (
	"strings"

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
	f := r.Whole(statePath, "there is no state.json; "+says)
	if len(m.plan.docs) == 0 && m.log.doc == nil {
		f.As(sdk.Warning)
	}
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
		case ph.trail.done > 0 && ph.recorded() && !ph.rec.failed():
			return done.String()
		}
		return ph.observed.String()
	}, "/phases/*/status")
}

func missingField(r *check.Report, m *model) {
	m.state.Missing(r, func(f *state.Field) string {
		switch f.At {
		case "/task":
			return jsondoc.Quote(strings.ReplaceAll(m.name, "-", " "))
		case "/slug":
			return jsondoc.Quote(m.name)
		case "/created":
			return jsondoc.Quote(m.createdAt())
		}
		return jsondoc.Quote(sdk.NowInEdit)
	})
	for _, ph := range m.phases {
		if ph.rec == nil {
			continue
		}
		lacks := func(key string) bool { return !ph.rec.Has(pointer(ph.id, key)) }
		if lacks("status") {
			setStatus(inPhase(r, ph, "", ph.id+" has no status; the documents show "+ph.observed.String()).Keyed("status"), ph, ph.observed)
		}
		if n := ph.trail.works; n > 0 && ph.status > pending && ph.status != blocked && lacks("iterations_used") {
			f := inPhase(r, ph, "", ph.id+" has no iterations_used; progress.md has "+say.Count(n, "iteration")+" of it").Keyed("iterations_used")
			setCount(f, ph, "iterations_used", min(n-max(ph.trail.done-1, 0), most))
		}
		if !lacks("max_iterations") {
			continue
		}
		f := inPhase(r, ph, "", ph.id+" has no max_iterations"+m.limits(ph)).Keyed("max_iterations")
		if ph.item != nil && ph.item.max > 0 && ph.item.max <= most {
			setCount(f, ph, "max_iterations", ph.item.max)
		}
	}
}

// limits says what the plan allows a phase.
func (m *model) limits(ph *phase) string {
	if ph.item == nil || ph.item.max == 0 {
		return ""
	}
	return "; the plan allows " + say.Count(ph.item.max, "iteration") + say.Line(ph.item.doc.Document, ph.item.start)
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
		inState(r, "/domain", say.Wrong("domain", say.Quote(strings.TrimSpace(text)), say.Or(domains...)))
	}
}

func domainMismatch(r *check.Report, m *model) {
	is, known := domainOf(m.stateDomain())
	if is == 0 || !known {
		return
	}
	for _, path := range [...]string{briefPath, planPath} {
		d := m.docs.Get(path)
		f := (&planDoc{Document: d}).head("Domain")
		if f == nil {
			continue
		}
		if says, _ := domainOf(f.Value); says != 0 && says&is == 0 {
			inState(r, "/domain", say.Wrong("domain", say.Quote(strings.TrimSpace(m.stateDomain())), say.Quote(f.Value))+say.Line(d, f.Start)).Keyed(path).
				See(atPair(path, f), "Domain is "+say.Quote(f.Value))
		}
	}
}

func earlyFormOutgrown(r *check.Report, m *model) {
	n := 0
	for _, ph := range m.phases {
		if ph.trail.works > 0 {
			n++
		}
	}
	switch {
	case full(m.state):
	case m.base != nil && full(m.base.state):
		was := m.base.state.Root.Get("phases")
		f := r.Whole(statePath, "state.json has no phases; the base has them"+say.Line(m.base.state.Doc, was.Start()))
		offer(f, "Restore the phases from base", "/phases", was.Raw())
	case n > 1:
		f := r.Whole(statePath, "state.json has no phases; progress.md has work on "+say.Int(n)+" phases").As(sdk.Warning)
		if !m.state.Has("/slug") {
			f.As(sdk.Info)
		}
		offer(f, "Fill in the phases from progress.md", "/phases", m.rebuiltPhases(nil).Compact())
	}
}

func currentMissing(r *check.Report, m *model) {
	if id, _ := m.named(); m.claim != execute || !full(m.state) || id != "" {
		return
	}
	for _, ph := range m.phases {
		if ph.item != nil && !ph.done {
			setCurrent(r.Whole(statePath, "current_phase is missing, and "+ph.id+" is not done"), m, "current_phase")
			return
		}
	}
}

func unknownCurrentPhase(r *check.Report, m *model) {
	id, key := m.named()
	keys := m.state.Keys("/phases")
	if id == "" || m.claim != plan && m.claim != execute || len(m.plan.items)+len(keys) == 0 || m.state.Has("/phases/"+jsondoc.EscapeToken(id)) {
		return
	}
	if ph := m.byID[id]; !ph.known() {
		setCurrent(inState(r, "/"+key, key+" is "+say.Quote(id)+", which is neither in the plan nor in phases"), m, key)
	}
}

func currentMismatch(r *check.Report, m *model) {
	id, key := m.named()
	named := m.byID[id]
	if m.claim != execute || named == nil || named.status != done && (named.begun() || named.status != pending) {
		return
	}
	for _, ph := range m.phases {
		if ph != named && ph.status.working() && !ph.done {
			setCurrent(seeStatus(inState(r, "/"+key, key+" is "+id+", which is "+named.status.String()+"; "+ph.is()), ph), m, key)
			return
		}
	}
}

func archivedNotComplete(r *check.Report, m *model) {
	if !m.archived || m.claim == 0 || m.claim == complete {
		return
	}
	f := inState(r, "/phase", say.Wrong("phase", m.claim.String(), "complete, as the task is in the archive"))
	if m.claim == deliver {
		f.As(sdk.Warning)
	}
	setTask(f, complete)
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
	if m.claim != plan || m.fit != sdk.Lags || m.base != nil && (m.base.claim == execute || m.base.underway() != nil) {
		return
	}
	if ph := m.underway(); ph != nil {
		setTask(seeStatus(r.At(at, say.Wrong("phase", "plan", "execute: "+ph.is())), ph), execute)
	}
}

// underway is the first phase that the state says is being worked on, or else done, nil without one.
func (m *model) underway() *phase {
	var found *phase
	for _, ph := range m.phases {
		if ph.status.working() || ph.status == done && found == nil {
			found = ph
		}
		if ph.status.working() {
			break
		}
	}
	return found
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
	f := inState(r, "/phase", "")
	for _, ph := range open {
		says = append(says, ph.id+" is "+ph.says().String())
	}
	f.Message = "phase is " + m.claim.String() + ", but " + say.List(says)
	setTask(f.See(open[0].item.at(), open[0].id+" is not done"), execute)
}
