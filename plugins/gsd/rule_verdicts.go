package gsd

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// ticked returns the line in ROADMAP.md on which a phase is ticked, or 0 if it is not.
func (m *model) ticked(ph *phase) int {
	if e := m.entry(ph); e != nil && e.task.Checked() && !e.off {
		return e.task.Line()
	}
	return 0
}

// shown returns what shows that an executed phase is complete, or "": a verification, a person's tests or, if no
// verification and no test is open, its row.
func (m *model) shown(ph *phase) (proof string, at sdk.Range) {
	v, _ := ph.untested()
	switch w := m.row(ph); {
	case ph.passed():
		return "its verification passed", sdk.At(ph.checks[0].path)
	case ph.gapsFound() != nil || ph.untried() != nil || v != nil:
	case ph.tried():
		return "its tests passed", sdk.At(ph.uats[0].path)
	case w != nil && w.complete:
		return "the table marks it complete", sdk.AtLine(roadmapPath, w.row.Line())
	}
	return "", sdk.Range{}
}

func completeWithGaps(r *check.Report, m *model) {
	for _, ph := range m.phases {
		v, line, says := ph.gapsFound(), m.ticked(ph), "phase "+ph.number+" is ticked"
		if w := m.row(ph); line == 0 && w != nil && w.complete && !m.road.boxed(ph.number) {
			line, says = w.row.Line(), "the table marks phase "+ph.number+" complete"
		}
		if v == nil || line == 0 {
			continue
		}
		f := r.At(sdk.AtLine(roadmapPath, line), says+", but the status in "+v.path+" is "+
			say.Quote(v.status)+" and no plan has gap_closure: true").About(ph.subject())
		f.See(sdk.AtLine(v.path, v.line), "the verification")
	}
}

// verifiedEarly reports a verification that passed although the phase has waiting plans. Plans that close gaps do not
// count, because they are written after it. If the base has the verification as well, the plans may have been added
// since.
func verifiedEarly(r *check.Report, m *model) {
	for _, ph := range m.phases {
		waits := slices.DeleteFunc(m.waits(ph), func(p *plan) bool { return p.gaps })
		for _, v := range ph.checks {
			if was := m.base.docs.Get(v.path); v.word != "passed" || len(waits) == 0 || m.ticked(ph) > 0 ||
				was != nil && (!was.Readable() || readVerdict(was).word == v.word) {
				continue
			}
			r.At(sdk.AtLine(v.path, max(v.line, 1)), "the status in "+file(v.path)+" is "+say.Quote(v.status)+", but "+
				ph.summaries()+"; open: "+say.List(ids(waits))).About(ph.subject()).Keyed(file(v.path)).
				See(sdk.At(waits[0].path), "a plan without a summary")
		}
	}
}

var verdicts = []string{"passed", "human_needed", "gaps_found"}

func verdictUnknown(r *check.Report, m *model) {
	for _, ph := range m.phases {
		for _, v := range ph.checks {
			if v.front && v.status != "" && !slices.Contains(verdicts, words.Fold(v.status)) {
				r.At(sdk.AtLine(v.path, v.line), say.Wrong("status in "+file(v.path), say.Quote(v.status),
					say.Or(verdicts...))).About(ph.subject()).Keyed(file(v.path))
			}
		}
	}
}

// uatOpen also reports a verification that asks for a person's tests if none are recorded. The severity is Info if the
// base also ticks the phase, because earlier versions of the tool ticked it after a person agreed, without a record.
func uatOpen(r *check.Report, m *model) {
	for _, ph := range m.phases {
		if m.ticked(ph) == 0 {
			continue
		}
		if v := ph.untried(); v != nil && len(ph.uats) == 0 {
			f := r.At(sdk.AtLine(v.path, v.line), "phase "+ph.number+" is ticked, but the status in "+file(v.path)+
				" is "+say.Quote(v.status)+", and "+ph.dir+" has no UAT file with a person's tests").
				About(ph.subject()).Keyed(file(v.path)).See(sdk.AtLine(roadmapPath, m.ticked(ph)), "the tick")
			if !m.closes(ph) {
				f.As(sdk.Info)
			}
		}
		for _, v := range ph.uats {
			var titles []string
			line := v.line
			for _, t := range ph.waiting(v) {
				if titles == nil {
					line = t.line
				}
				titles = append(titles, say.Quote(t.title))
			}
			if titles == nil && v.word == "diagnosed" && ph.gapsClosed() {
				continue
			}
			if titles == nil && v.word != "diagnosed" && !v.testing() {
				continue
			}
			message := "phase " + ph.number + " is ticked, but its UAT status is " + say.Quote(v.status)
			if titles != nil {
				message = "phase " + ph.number + " is ticked, but these tests are pending or failed: " +
					say.List(titles)
			}
			r.At(sdk.AtLine(v.path, max(line, 1)),
				message).About(ph.subject()).Keyed(file(v.path)).See(sdk.AtLine(roadmapPath, m.ticked(ph)), "the tick")
		}
	}
}
