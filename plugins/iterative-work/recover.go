package iterativework

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// recoveries proposes recovery options for a state.json that is there and cannot be read. What to do
// about a missing one, the rule state-missing says.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := modelOf(p)
	d := m.state.Doc
	if d == nil || m.state.OK || d.Need != sdk.Content {
		return nil, nil
	}
	list := m.rebuilds()
	for i := range list {
		for n := range d.Faults {
			list[i].Heals = append(list[i].Heals, d.Faults[n].Rule)
		}
		if list[i].Edits[0].Op == wire.Create {
			list[i].Edits = append([]sdk.Edit{sdk.Aside(statePath, "corrupt")}, list[i].Edits...)
		}
	}
	return list, nil
}

// rebuilds are the ways to a new state: that of base, then what the documents prove.
func (m *model) rebuilds() []sdk.Remedy {
	var list []sdk.Remedy
	if m.base != nil && m.base.state.OK && len(m.base.state.Doc.Faults) == 0 {
		list = append(list, sdk.Remedy{Title: "Restore state.json from base", Safety: sdk.Review, Edits: []sdk.Edit{sdk.Restore(statePath)}})
	}
	var unticked []sdk.Edit
	text := m.rebuilt(&unticked)
	return append(list, sdk.Remedy{
		Title: "Rebuild state.json from the documents", Safety: sdk.Review,
		Edits: append([]sdk.Edit{sdk.Create(statePath, text)}, unticked...),
	})
}

// rebuilt is the text of a new state.json. Boxes that the log refutes become edits.
func (m *model) rebuilt(unticked *[]sdk.Edit) string {
	if len(m.plan.items) == 0 && len(m.log.entries) == 0 {
		early := discover
		if m.archived {
			early = complete
		} else if m.docs.Get(briefPath) != nil {
			early = plan
		}
		return jsondoc.NewObject().String("phase", early.String()).Text()
	}
	task := strings.ReplaceAll(m.name, "-", " ")
	if m.base != nil && m.base.state.Get("/task").Text != "" {
		task = m.base.state.Get("/task").Text
	}
	b := jsondoc.NewObject().String("task", task).String("slug", m.name)
	b.String("created", m.createdAt()).String("updated", sdk.NowInEdit)
	if domain := m.domain(); domain != "" {
		b.String("domain", domain)
	}
	phases := m.rebuiltPhases(unticked)
	step, c := m.observed(), m.current
	if step < execute {
		step = execute
	}
	if step == execute && c == nil {
		step = verify
	}
	b.String("phase", step.String())
	if c != nil && step < verify {
		b.String("current_phase", c.id).Int("current_iteration", int64(c.iteration()))
	}
	return b.Object("phases", phases).Text()
}

// createdAt is the earliest time that the documents have, now if that is to come or there is none.
func (m *model) createdAt() string {
	if m.base != nil && m.base.state.Get("/created").OK() {
		return m.base.state.Get("/created").Text
	}
	first := instant.Moment{}
	consider := func(t instant.Moment) {
		if t.Precision > 0 && (first.Precision == 0 || t.At.Before(first.At)) {
			first = t
		}
	}
	for _, e := range m.log.entries {
		consider(e.when)
	}
	if f := markdown.PairAmong(m.docs.Get(briefPath).Outline().Head().Pairs(), "Created"); f != nil {
		t, _ := instant.Find(f.Value)
		consider(t)
	}
	if first.Precision == 0 || !state.NotBefore(m.pass, first) {
		return sdk.NowInEdit
	}
	return first.Text
}

// domain is what the plan or the brief say.
func (m *model) domain() string {
	for _, path := range [...]string{planPath, briefPath} {
		f := markdown.PairAmong(m.docs.Get(path).Outline().Head().Pairs(), "Domain")
		if f != nil && words.Real(f.Value) && words.Placeholder(f.Value) == "" {
			return f.Value
		}
	}
	return ""
}

// rebuiltPhases is what the documents prove of every phase.
func (m *model) rebuiltPhases(unticked *[]sdk.Edit) *jsondoc.Builder {
	all := jsondoc.NewObject()
	for _, ph := range m.phases {
		all.Object(ph.id, m.rebuiltPhase(ph, unticked))
	}
	return all
}

// rebuiltPhase is what the documents prove of a phase. A phase that is done passed its gates, whether
// the log has an entry of each or not. A box that is ticked although the last entry leaves work is unticked.
func (m *model) rebuiltPhase(ph *phase, unticked *[]sdk.Edit) *jsondoc.Builder {
	t, s := ph.trail, ph.observed
	if s == done && ph.status == done {
		s = ph.proves(t.entries)
	}
	if unticked != nil && ph.item != nil && ph.item.ticked && s != done {
		*unticked = append(*unticked, ph.item.tick(" ")...)
	}
	b := jsondoc.NewObject().String("status", s.String())
	k := max(t.done-1, 0)
	used, limit, at := t.works-k, 5, t.finished()
	if s == done {
		k = max(k, 1)
	}
	if ph.item != nil && ph.item.max > 0 {
		limit = ph.item.max
	}
	if old := m.had(ph); old.status == done && s == done {
		was := old.rec
		used, k, limit = cmp.Or(max(was.used, 0), used), cmp.Or(max(was.confirm, 0), k), cmp.Or(max(was.max, 0), limit)
		at = cmp.Or(was.get("completed_at").Moment.Text, at)
	}
	if used > 0 {
		b.Int("iterations_used", int64(min(used, most)))
	}
	if k > 0 {
		b.Int("confirmations_used", int64(min(k, most)))
	}
	if s == done {
		b.Bool("verification_passed", true)
	}
	b.Int("max_iterations", int64(min(limit, most)))
	if s == done && at != "" {
		b.String("completed_at", at)
	}
	return b
}
