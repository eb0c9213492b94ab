package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// phase returns the number of the phase that a blocker starts with.
func (it *item) phase() (n int, ok bool) {
	text := strings.TrimLeftFunc(it.text, markdown.Symbol)
	bare := after(text, "Phase ")
	if bare == text && len(text) > 1 && text[0]|0x20 == 'p' {
		bare = text[1:]
	}
	n, _ = words.Leading(bare)
	return n, n >= 0
}

// blockerContradicts reports a Blocked status without blockers, and offers to remove the blockers of complete work.
// While work continues, blockers are only an info.
func blockerContradicts(r *check.Report, m *model) {
	all := m.pos.blockers
	if m.s == blocked && len(all) == 0 && m.pos.reason == "" && none(m.hand.texts[textBlockers]) {
		m.but(r, "no blocker is listed").Keyed("blocked")
	}
	if text := m.hand.texts[textBlockers]; m.verdict == handLive && m.s == inProgress && len(all) == 0 &&
		!none(text) && !placeholder(text) && !words.Mentions(text, "none", "no blocker", "nothing") {
		r.At(m.hand.textAt[textBlockers], m.hand.doc.Path+" lists the blocker "+quote(clip(text, 100))+", but "+
			m.pos.doc.Path+" lists none").Keyed("hand-off").As(sdk.Info)
	}
	if len(all) == 0 || m.s == unknown || m.s >= blocked {
		return
	}
	var left []*item
	for _, it := range all {
		if phase, ok := it.phase(); m.s == projectComplete || m.s == phaseComplete && ok && phase == m.n {
			left = append(left, it)
		}
	}
	if left == nil {
		r.At(all[0].at, say.Count(len(all), "blocker")+" listed, but Status is "+quote(m.pos.statusText)).As(sdk.Info)
		return
	}
	var edits []sdk.Edit
	for n, it := range left {
		switch {
		case n == 0 && len(left) == len(all):
			edits = append(edits, sdk.Replace(it.whole, "- None"))
		case n < 50:
			edits = append(edits, it.remove(m.cdoc.Text))
		}
	}
	f := r.At(left[0].at, "Status is "+quote(m.pos.statusText)+", but the blocker "+quote(left[0].text)+
		" is still listed").Keyed("complete")
	known := func(it *item) bool {
		return slices.ContainsFunc(m.base.pos.blockers, func(old *item) bool { return words.Alike(old.text, it.text) })
	}
	if !slices.ContainsFunc(left, func(it *item) bool { return !known(it) }) {
		f.Offer(sdk.Review, "Remove the blockers", edits...)
	} else { // no other copy of the text exists
		f.Advise("Find out whether the blocker is resolved",
			"Remove the blocker if it is resolved. Otherwise, set the status to Blocked.")
	}
}

func blockerWithoutPhase(r *check.Report, m *model) {
	for _, it := range m.pos.blockers {
		if _, ok := it.phase(); ok {
			continue
		}
		f := r.At(it.at, "the blocker "+quote(it.text)+" does not name a phase").Keyed(clip(it.text, 100))
		if m.focus > 0 && !it.blank {
			f.Offer(sdk.Review, "Start the blocker with phase "+itoa(m.focus),
				sdk.Replace(it.at, "Phase "+itoa(m.focus)+": "+sdk.Literal(m.pos.doc.Text[it.at.Start:it.at.End])))
		}
	}
}
