package iterativework

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/words"
)

// recoveries proposes recovery options for an unreadable state.json, and for a document with a merge conflict. The rule
// state-missing covers a missing file.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := modelOf(p)
	d := m.state.Doc
	if d == nil || m.state.OK || d.Need != sdk.Content {
		return m.resolutions(), nil
	}
	list := m.rebuilds(sdk.Aside(statePath, "corrupt"))
	for i := range list {
		for n := range d.Faults {
			list[i].Fixes = append(list[i].Fixes, d.Faults[n].Rule)
		}
	}
	return append(list, m.resolutions()...), nil
}

// rebuilds returns the remedies that create a new state: one restores the state of the base, and one rebuilds the
// state from the documents. The second one comes first if the base has less. It also unticks boxes that the log
// refutes, and begins with the given edits.
func (m *model) rebuilds(edits ...sdk.Edit) []sdk.Remedy {
	var list []sdk.Remedy
	if m.base.state.OK && len(m.base.state.Doc.Faults) == 0 {
		list = append(list, sdk.Remedy{Title: "Restore state.json from the base", Safety: sdk.Review,
			Edits: []sdk.Edit{sdk.Restore(statePath)}})
	}
	edits = append(edits, sdk.Create(statePath, m.rebuilt()))
	for _, ph := range m.phases {
		if ph.item.ticked && ph.proved() != done {
			edits = append(edits, ph.item.tick(" ")...)
		}
	}
	rebuild := sdk.Remedy{Title: "Rebuild state.json from the documents", Safety: sdk.Review, Edits: edits}
	if m.outdates() {
		return append([]sdk.Remedy{rebuild}, list...)
	}
	return append(list, rebuild)
}

// outdates reports whether restoring the state from the base would lose work: one side of a merge conflict, values of
// a truncated state that differ from the base, or a log entry that the base does not count.
func (m *model) outdates() bool {
	d, was := m.state.Doc, m.base.state
	if d != nil && strings.Contains(d.Text, "\n<<<<<<< ") {
		return true
	}
	for _, v := range m.legible().List {
		if then := was.Get(v.Pointer); v.Text != then.Text || v.Int != then.Int || v.Flag != then.Flag {
			return true
		}
	}
	then := newModel(m.root, m.name, m.docs)
	then.state, then.pass = was, m.pass
	then.derive()
	return then.any(func(ph *phase) bool { return ph.fit == sdk.JustBehind || ph.fit == sdk.Behind }) != nil
}

// rebuilt returns the text of a new state.json.
func (m *model) rebuilt() string {
	b, left := jsondoc.NewObject(), m.legible()
	if len(m.plan.items) == 0 && len(m.log.entries) == 0 {
		early := discover
		if m.archived {
			early = complete
		} else if m.docs.Get(briefPath) != nil {
			early = plan
		}
		return b.String("phase", early.String()).Text()
	}
	known := func(key, text string) {
		if text != "" {
			b.String(key, text)
		}
	}
	known("task", cmp.Or(left.Get("/task").Text, m.task()))
	b.String("slug", m.name)
	known("created", cmp.Or(left.Get("/created").Moment.Text, m.createdAt()))
	b.String("updated", sdk.NowInEdit)
	known("domain", m.domain())
	step, c := max(m.observed(), execute), m.current
	if step == execute && c == nil {
		step = verify
	}
	b.String("phase", step.String())
	if c != nil && step < verify {
		b.String("current_phase", c.id).Int("current_iteration", int64(c.iteration()))
	}
	return b.Object("phases", m.rebuiltPhases()).Text()
}

// task returns the name of the task from the base, or else from the heading of brief.md. It returns "" if neither has
// one.
func (m *model) task() string {
	title := ""
	for _, h := range m.docs.Get(briefPath).Outline().Headings() {
		if h.Level() == 1 && title == "" && words.Placeholder(h.Text()) == "" {
			title = strings.TrimSpace(h.Text())
		}
	}
	return cmp.Or(m.base.state.Get("/task").Text, title)
}

// legible returns what can still be read of a truncated state.json.
func (m *model) legible() *state.Doc {
	d := m.state.Doc
	if d == nil {
		return spec.Read(statePath, nil)
	}
	return spec.Read(statePath, &sdk.Document{Path: statePath, Need: sdk.Content, Text: jsondoc.Beginning(d.Text)})
}

// createdAt returns the creation time in the base, or else the earliest time in the documents. It returns "" if there
// is none or it is in the future.
func (m *model) createdAt() string {
	if was := m.base.state.Get("/created"); was.OK() {
		return was.Text
	}
	var first instant.Moment
	if f := head(m.docs.Get(briefPath), "Created"); f != nil {
		first, _ = instant.Find(f.Value)
	}
	for _, e := range m.log.entries {
		if e.when.Precision > 0 && (first.Precision == 0 || e.when.At.Before(first.At)) {
			first = e.when
		}
	}
	if first.Precision == 0 || !state.NotBefore(m.pass, first) {
		return ""
	}
	return first.Text
}

// domain returns the domain that the plan and the brief state, or "" if they disagree.
func (m *model) domain() string {
	said := ""
	for _, path := range [...]string{planPath, briefPath} {
		f := head(m.docs.Get(path), "Domain")
		if f == nil || !words.Real(f.Value) || words.Placeholder(f.Value) != "" {
			continue
		}
		if said != "" && !strings.EqualFold(said, f.Value) {
			return ""
		}
		said = f.Value
	}
	return said
}

// rebuiltPhases returns what the documents show about every phase.
func (m *model) rebuiltPhases() *jsondoc.Builder {
	all := jsondoc.NewObject()
	for _, ph := range m.phases {
		all.Object(ph.id, m.rebuiltPhase(ph))
	}
	return all
}

// proved returns the status that the log shows, regardless of the state.
func (ph *phase) proved() status {
	if ph.observed == done && ph.status == done {
		return ph.proves(ph.trail)
	}
	return ph.observed
}

// rebuiltPhase returns what the log, the readable part of the state, and the base show about a phase. It omits a gate
// that none of them records.
func (m *model) rebuiltPhase(ph *phase) *jsondoc.Builder {
	s, t, was := ph.proved(), ph.trail, m.had(ph)
	if left := newPhase(ph.id, m.legible(), m.log); left.status != 0 && !m.state.OK {
		was = left
	}
	k := max(t.done-1, 0)
	used, limit, at, verified := t.works-k, ph.item.max, "", t.lastVerified >= 0
	if verified { // otherwise, it is unknown when the phase passed its last gate
		at = t.finished
	}
	if s > pending && !ph.item.parallel {
		used = max(used, was.used)
	}
	if s > inProgress {
		k = max(k, was.confirm)
	}
	if was.status > pending && was.status <= s || was.status == s {
		limit = cmp.Or(max(was.get("max_iterations").Int, 0), limit)
	}
	if s == done && was.status == done {
		used, k, verified = cmp.Or(max(was.used, 0), used), cmp.Or(max(was.confirm, 0), k), verified || was.passed()
		at = cmp.Or(was.get("completed_at").Moment.Text, at)
	}
	b := jsondoc.NewObject().String("status", s.String())
	count := func(key string, n int) {
		if n > 0 {
			b.Int(key, int64(min(n, most)))
		}
	}
	count("iterations_used", used)
	count("confirmations_used", k)
	if s == done && verified {
		b.Bool("verification_passed", true)
	}
	count("max_iterations", limit)
	if s == done && at != "" {
		b.String("completed_at", at)
	}
	return b
}
