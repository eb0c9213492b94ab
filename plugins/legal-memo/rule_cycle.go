package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// rewrittenCycles returns messages about the base's finished cycles that are missing or have another score or
// outcome.
func (a *agent) rewrittenCycles() []string {
	var wrong []string
	current, _, has, _ := a.cycles()
	for _, o := range a.was.history() {
		n, ok := integer(o.Get("cycle"))
		now := recordOf(a.history(), n)
		switch {
		case !ok:
		case !now.Exists():
			wrong = append(wrong, "cycle "+say.Int(n)+" is missing; the base has it"+say.Line(a.was.doc, o.Start()))
		case !has || n < current || n == current && a.was.finished && a.finished:
			for _, key := range [...]string{"score", "outcome"} {
				// scored again, or certified with limitations
				if n == current && (key == "score" && !same(o.Get("timestamp"), now.Get("timestamp")) ||
					key == "outcome" && (a.atLimit() || a.was.atLimit())) {
					continue
				}
				if !same(o.Get(key), now.Get(key)) {
					wrong = append(wrong, say.Was(key+" of cycle "+say.Int(n), plain(now.Get(key)), plain(o.Get(key)),
						say.Line(a.was.doc, o.Start())))
				}
			}
		}
	}
	return wrong
}

// cycleJumped finds a skipped cycle, and offers the base's cycle if the history records none since then.
func cycleJumped(l *look, a *agent) {
	now, _, ok1, _ := a.cycles()
	before, _, ok2, _ := a.was.cycles()
	if !ok1 || !ok2 || now <= before+1 {
		return
	}
	f := l.say(a, cyclePointer, l.was(a, "current_cycle", a.at(cyclePointer), a.was.at(cyclePointer)))
	later := func(e value) bool { n, ok := integer(e.Get("cycle")); return ok && n >= before }
	if !slices.ContainsFunc(a.history(), later) {
		f.Offer(sdk.Review, "Set current_cycle to "+say.Int(before), a.set(cyclePointer, say.Int(before))...)
	}
}
