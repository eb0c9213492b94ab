package bmad

import (
	"path"
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
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

// droppedPlans reports stories in the backlog that a tracker lost, although the plan that the tracker is written from
// did not change. If there are new stories, the sprint was planned again.
func (m *model) droppedPlans(r *check.Report, t, was *tracker) {
	if !m.plansKept || slices.ContainsFunc(m.list, func(e *entry) bool { return was.byKey[e.key] == nil }) {
		return
	}
	lost := func(e *entry) bool {
		return e.status == status.Open && m.stories[e.name] == nil && t.byKey[e.key] == nil
	}
	var gone []*entry
	var edits []sdk.Edit
	for _, e := range was.list {
		// storyLost reports a lost epic if any of its stories remain or had been started
		if e.kind != aRetro && lost(e) && (e.kind == aStory || len(e.parts) > 0 &&
			!slices.ContainsFunc(e.parts, func(s *entry) bool { return !lost(s) })) {
			gone, edits = append(gone, e), append(edits, sdk.SetText(t.path, e.at.Pointer, e.text)) // appends it
		}
	}
	if len(gone) == 0 {
		return
	}
	if t.lacks(was) {
		edits = []sdk.Edit{sdk.Restore(t.path)}
	}
	r.At(sdk.AtPointer(t.path, "/development_status"), t.path+" no longer has "+names(gone)+", but "+m.plans+
		" has not changed since the base").About(gone[0].key).
		Offer(sdk.Review, "Restore these entries", edits...).
		Advise("Restore the plan, or remove it from the epics", "If it was abandoned, remove it from "+m.plans+
			" too, or keep it in the tracker, as deferred.")
}

// renamedKeys reports stories whose key changed since the base, although the file kept the old one.
func (m *model) renamedKeys(r *check.Report) {
	if m.base == nil || !m.base.tracked() {
		return
	}
	for _, e := range m.all {
		if e.file == nil || e.file.spec() || m.byKey[e.file.name()] != nil || m.base.byKey[e.file.name()] == nil ||
			m.base.stories[e.file.name()] == nil {
			continue
		}
		old := e.file.doc.Path
		to := old[:len(old)-len(e.file.name()+".md")] + e.name + ".md"
		r.At(e.at, e.name+".md does not exist; the file is still "+old+", named after the base's key").About(e.key).
			See(e.file.claims(), "the file").Offer(sdk.Review, "Move "+old+" to "+to, sdk.Move(old, to))
	}
}
