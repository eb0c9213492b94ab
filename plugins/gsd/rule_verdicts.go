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

func completeWithGaps(r *check.Report, m *model) {
	for _, ph := range m.phases {
		v, line := ph.gapsFound(), m.ticked(ph)
		if v == nil || line == 0 {
			continue
		}
		f := r.At(sdk.AtLine(roadmapPath, line), "phase "+ph.number+" is ticked, but the status in "+v.path+" is "+
			say.Quote(v.status)+" and no plan has gap_closure: true").About(ph.subject())
		f.See(sdk.AtLine(v.path, v.line), "the verification")
	}
}

var verdicts = []string{"passed", "human_needed", "gaps_found"}

func verdictUnknown(r *check.Report, m *model) {
	for _, ph := range m.phases {
		for _, v := range ph.checks {
			if v.front && v.status != "" && !slices.Contains(verdicts, words.Fold(v.status)) {
				r.At(sdk.AtLine(v.path, v.line), say.Wrong("status", say.Quote(v.status),
					say.Or(verdicts...))).About(ph.subject()).Keyed(file(v.path))
			}
		}
	}
}

func uatOpen(r *check.Report, m *model) {
	for _, ph := range m.phases {
		if m.ticked(ph) == 0 {
			continue
		}
		for _, v := range ph.uats {
			var titles []string
			line := v.line
			for i := range v.tests {
				if t := &v.tests[i]; t.waits() {
					if titles == nil {
						line = t.line
					}
					titles = append(titles, say.Quote(t.title))
				}
			}
			if titles == nil && v.word != "partial" && v.word != "diagnosed" && v.word != "testing" {
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
