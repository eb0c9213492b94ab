package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/wire"
)

// offerLonger offers to restore a finished agent's output from the base, if it is complete there and not shorter.
func (l *look) offerLonger(f *check.Finding, a *agent, d *sdk.Document) {
	if was := l.longer(d); a.claims && was != nil {
		l.offerOld(f, was, d)
	}
}

// overwritten is the word in the name of a text that is kept beside the restored one.
const overwritten = "overwritten"

// offerOld offers to restore an output from the base. New text is kept beside it, and the subsections that only the new
// text can have are reopened.
func (l *look) offerOld(f *check.Finding, was, now *sdk.Document) {
	fresh := keep(now.Summary.Headings, func(h wire.HeadingLine) bool {
		return !slices.ContainsFunc(was.Summary.Headings, func(o wire.HeadingLine) bool { return o.Text == h.Text })
	})
	var items []*item
	a := l.find(l.ownerOf(was.Path))
	if a != nil && a.kind == kinds[writer] {
		a = l.chosen(a)
		items = a.newItems()
	}
	if len(fresh)+len(items) == 0 {
		f.Offer(sdk.Review, "Restore "+was.Path+" from the base", sdk.Restore(was.Path))
		return
	}
	edits := []sdk.Edit{sdk.Aside(was.Path, overwritten), sdk.Restore(was.Path)}
	if len(items) > 0 {
		at := a.kind.worked
		edits = append(edits, a.reopen(at, func(g *guard) bool {
			return !namesAny(g, items) && !a.guardsPhase(g, at, len(a.phases), true)
		})...)
		for _, it := range items {
			edits = append(edits, a.set(a.itemPointer(it), `"pending"`)...)
		}
		edits = append(edits, a.setProgress(a.countItems(complete)-len(items), len(a.items), "subsections")...)
		edits = append(append(edits, a.recordWords(was.Summary.Words)...), l.reopenGroup(a)...)
		keys := list(gather(items, func(it *item) string { return it.key }))
		edits = append(edits, a.nextAction("append "+keys+" from "+strings.TrimSuffix(was.Path, ".md")+"."+overwritten+
			".md to the report")...)
	}
	f.Offer(sdk.Review, "Restore "+was.Path+" from the base, and keep the new text beside it", edits...)
}

// newItems returns the items that are complete but not in the base.
func (a *agent) newItems() []*item {
	if a.was == nil {
		return nil
	}
	return keep(a.items, func(it *item) bool {
		old := a.was.itemLike(it)
		return it.word == complete && (old == nil || old.word != complete)
	})
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

// ahead reports whether a file records work that its state in the base lacks.
func (a *agent) ahead() bool {
	was := a.was
	for i, p := range a.phases {
		if p.word == complete && was.phases[i].word != complete {
			return true
		}
	}
	for _, field := range growing {
		if a.root.Get(field).Len() > was.root.Get(field).Len() {
			return true
		}
	}
	for _, s := range a.scripts() {
		if old := scriptNamed(was.scripts(), s.name); s.executed && (old == nil || !same(old.body, s.body)) {
			return true
		}
	}
	return len(a.newItems()) > 0 || len(a.guards) > len(was.guards) || a.cycle > was.cycle
}
