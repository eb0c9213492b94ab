package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// offerLonger offers to restore a finished agent's output from the base, if it is complete there and not shorter.
func (l *look) offerLonger(f *check.Finding, a *agent, d *sdk.Document) {
	if a.claims && l.longer(d) != nil {
		f.Offer(sdk.Review, "Restore "+d.Path+" from the base", sdk.Restore(d.Path))
	}
}

// longer returns an output as it is in the base if it is complete and not shorter there, or nil.
func (m *model) longer(d *sdk.Document) *sdk.Document {
	if m.base == nil {
		return nil
	}
	was := m.base.docs.Get(d.Path)
	if measured(was) && wordCount(was) >= wordCount(d) && was.Digest != d.Digest && brokenAt(was) < 0 &&
		(d.Path != memoPath || ended(was)) {
		return was
	}
	return nil
}

// offerText offers to restore a text that the base has and the session lacks, so that no agent has to rewrite it.
func (l *look) offerText(f *check.Finding, a *agent) {
	if l.base == nil {
		return
	}
	for _, was := range l.base.outputs(a) {
		if l.gone(was) {
			f.Offer(sdk.Review, "Restore "+was.Path, sdk.Restore(was.Path))
		}
	}
}

// offerRebuilt offers to rebuild all missing state files from the outputs, or none. No agent needs the state of a phase
// that is over.
func (l *look) offerRebuilt(f *check.Finding, severity sdk.Severity, missing []*agent) {
	title, edits := "Rebuild the section states from the reports", []sdk.Edit(nil)
	for _, a := range missing {
		text := l.rebuilt(a)
		if text == "" || !l.complete || l.alike(a.path()) != nil || severity == sdk.Info && l.over(a.kind.group()) {
			return
		}
		edits = append(edits, sdk.Create(a.path(), text))
	}
	if len(missing) == 1 {
		title = "Rebuild " + missing[0].path() + " from the outputs"
	}
	f.Offer(sdk.Review, title, edits...)
}

// over reports whether a later group has a state file, a finished agent or the memorandum.
func (m *model) over(group int) bool {
	return group < 4 && m.memo != nil || slices.ContainsFunc(m.agents, func(a *agent) bool {
		return a.kind.group() > group && (a.doc != nil || a.state == sdk.Finished)
	})
}
