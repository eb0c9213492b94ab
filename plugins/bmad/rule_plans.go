package bmad

import (
	"path"
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

// findPlans finds the file of epics and stories from which sprint-planning writes the tracker, and whether it has the
// same content in the base.
func (m *model) findPlans(p *sdk.Pass) {
	for _, name := range []string{"planning-artifacts/epics.md", "epics.md"} {
		at := path.Join(path.Dir(p.Root), name)
		if is, kept := p.Presence(at), p.Base.Unchanged(at); is == sdk.Present && m.plans == "" {
			m.plans, m.plansKept = at, kept
		}
	}
}

// droppedPlans reports stories in the backlog that a tracker lost, although the plan from which it is written did not
// change. If stories are new, the sprint was planned again.
func (m *model) droppedPlans(r *check.Report, t, was *tracker) {
	if !m.plansKept || slices.ContainsFunc(m.list, func(e *entry) bool { return was.byKey[e.key] == nil }) {
		return
	}
	lost := func(e *entry) bool {
		return e.status == status.Open && m.stories[e.key] == nil &&
			!slices.ContainsFunc(m.list, func(is *entry) bool { return is.key == e.key })
	}
	for _, e := range was.list {
		if e.kind == aRetro || !lost(e) {
			continue
		}
		gone, with := []*entry{e}, ""
		if e.kind == anEpic {
			if len(e.parts) == 0 || slices.ContainsFunc(e.parts, func(s *entry) bool { return !lost(s) }) {
				continue // storyLost reports an epic with stories that remain or had begun
			}
			gone, with = append(gone, e.parts...), ", with its "+say.Count(len(e.parts), "story")
		} else if e.epic != nil && lost(e.epic) && !slices.ContainsFunc(e.epic.parts,
			func(s *entry) bool { return !lost(s) }) {
			continue // it is reported with its epic
		}
		var edits []sdk.Edit
		for _, g := range gone {
			edits = append(edits, sdk.SetText(t.path, g.at.Pointer, g.text)) // adds it at the end
		}
		if t.lacks(was) {
			edits = []sdk.Edit{sdk.Restore(t.path)}
		}
		r.At(sdk.AtPointer(t.path, "/development_status"), e.key+" is missing from "+t.path+with+
			"; in the base it is "+e.says()+", and "+m.plans+" has not changed since").About(e.key).
			Offer(sdk.Review, "Restore "+e.key, edits...).
			Advise("Restore the plan, or remove it from the epics", "If it was abandoned, remove it from "+m.plans+
				" too, or keep it in the tracker, as deferred.")
	}
}

// renamedKeys reports stories whose key changed since the base, while the file kept the old one.
func (m *model) renamedKeys(r *check.Report) {
	if m.base == nil {
		return
	}
	keys := map[string]bool{}
	for _, e := range m.all {
		keys[e.key] = true
	}
	for _, e := range m.all {
		if e.file == nil || e.file.spec() || keys[e.file.name()] || m.base.stories[e.file.name()] == nil ||
			!slices.ContainsFunc(m.base.all, func(was *entry) bool { return was.key == e.file.name() }) {
			continue
		}
		old := e.file.doc.Path
		to := old[:len(old)-len(e.file.name()+".md")] + e.key + ".md"
		r.At(e.at, e.key+".md does not exist; the file is still "+old+", the key in the base").About(e.key).
			See(e.file.claims(), "the file").Offer(sdk.Review, "Move "+old+" to "+to, sdk.Move(old, to))
	}
}
