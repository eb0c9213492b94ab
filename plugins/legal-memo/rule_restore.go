package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// offerLonger offers to restore the base's output if it proves what the current one does not.
func (l *look) offerLonger(f *check.Finding, a *agent, d *sdk.Document) {
	if l.base == nil || !a.claims {
		return
	}
	was := l.base.docs.Get(d.Path)
	if measured(was) && wordCount(was) >= max(l.least(a.kind), wordCount(d)) && brokenAt(was) < 0 &&
		(d.Path != memoPath || ended(was)) {
		f.Offer(sdk.Review, "Restore "+d.Path+" from the base", sdk.Restore(d.Path))
	}
}

// offerText offers to restore a text that the base has and the session lacks, so that no agent has to rewrite it.
func (l *look) offerText(f *check.Finding, a *agent) {
	if l.base == nil {
		return
	}
	for _, was := range l.base.outputs(a) {
		if l.docs.Get(was.Path) == nil && (wordCount(was) > 0 || !measured(was)) {
			f.Offer(sdk.Review, "Restore "+was.Path, sdk.Restore(was.Path))
		}
	}
}
