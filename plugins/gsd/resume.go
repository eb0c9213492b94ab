package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// resume says with which plan of which phase to go on, what to read before, and which gaps and tests are open.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	number, name, ph := m.at()
	b.Read(".continue-here.md", "HANDOFF.json", statePath, roadmapPath)
	if pair := markdown.PairAmong(m.state.doc.Outline().Document().Pairs(), "Resume file"); pair != nil {
		for _, d := range p.Docs.All() {
			if strings.TrimPrefix(pair.Value, ".planning/") == d.Path {
				b.Read(d.Path)
			}
		}
	}
	if b.First != "" {
		d.State = sdk.Blocked
	}
	if number == "" {
		if b.First == "" {
			d.State = sdk.Finished
			return
		}
		b.Do("settle what blocks, then complete the milestone")
		return
	}
	title := "phase " + number + ": " + say.Clip(name)
	if ph == nil {
		b.Do("discuss and plan " + title)
		b.Left(m.later(number)...)
		return
	}
	if ph.context != "" {
		b.Read(ph.context)
	}
	plan, rest := m.next(ph)
	later := m.later(number)
	switch rung := m.rung(ph); {
	case plan != nil && plan.stopped != nil:
		b.Read(plan.path, plan.stopped.doc.Path)
		b.Do("go on with " + plan.path + " where its summary stopped")
	case plan != nil:
		b.Read(plan.path)
		b.Do("execute " + plan.path + " and write " + summaryOf(plan))
	case rung < 2:
		b.Do("plan " + title)
	case rung < 4:
		b.Do("go on with " + title)
	case ph.gapsFound() != nil:
		b.Read(ph.gapsFound().path)
		b.DoWith("plan the gaps of ", title, " and close them")
	case rung == 4:
		b.Do("verify " + title)
	default:
		var ticks []string
		later = slices.DeleteFunc(later, func(text string) bool {
			rest, tick := strings.CutPrefix(text, "tick ")
			if tick {
				ticks = append(ticks, rest)
			}
			return tick
		})
		then := " in ROADMAP.md and set STATE.md to the next phase"
		if len(later) == 0 {
			then = " in ROADMAP.md, then complete the milestone"
		}
		if ticks = append(ticks, title); len(ticks) > 1 {
			for i, text := range ticks {
				b.Know(text)
				ticks[i], _, _ = strings.Cut(text, ":")
			}
		}
		b.DoWith("tick ", say.And(ticks...), then)
	}
	for _, p := range ph.plans {
		if p.summary != "" {
			b.Done(file(p.path))
		}
	}
	if len(ph.plans) == 0 {
		for _, s := range ph.reports {
			b.Done(file(s.doc.Path))
		}
	}
	for _, v := range ph.uats {
		for i := range v.tests {
			if v.tests[i].waits() {
				b.Verify("test of " + file(v.path) + ": " + say.Clip(v.tests[i].title))
			}
		}
	}
	for _, p := range rest {
		b.Left("execute " + file(p.path))
	}
	b.Left(later...)
}
