package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// gatesBeside finds figures of gates that are wrong beside those of the base; has says that there still is one.
func (l *look) gatesBeside(wrong func(n, was float64, has bool) bool, fields ...string) {
	for _, old := range l.base.orch.gates {
		now := gateAt{name: old.name}
		for _, g := range l.orch.gates {
			if g.name == old.name {
				now = g
			}
		}
		for _, key := range fields {
			is, was := now.body.Get(key), old.body.Get(key)
			n, has := num(is)
			if o, ok := num(was); l.orch.why != "" || !ok || !wrong(n, o, has) {
				continue
			}
			what := key + " of " + old.name
			f := l.orchestrator(now.at, say.Was(what, plain(is), plain(was), "")).Keyed(what)
			if now.at != (stretch{}) && !now.prose {
				f.Offer(sdk.Review, "Restore the gate", sdk.Replace(l.orch.at(now.at), old.body.Raw()))
			}
		}
	}
}

func orchestratorCounters(l *look) {
	l.gatesBeside(func(n, was float64, has bool) bool { return has && n < was || !has && was > 0 }, "attempts", "cycles")
}

func orchestratorLimits(l *look) {
	l.gatesBeside(func(n, was float64, has bool) bool { return has && n > was }, "max", "max_attempts", "max_cycles")
}

// orchestratorReopened finds phases that were complete in the base; only A1 may be opened again.
func orchestratorReopened(l *look) {
	if l.orch.why != "" {
		return
	}
	for _, old := range l.base.orch.ids {
		now := l.orch.find(old.id)
		if old.word != complete || old.group == 4 || now != nil && now.word == complete {
			continue
		}
		line := say.Line(l.base.orch.doc, old.at.start)
		if now == nil {
			l.orchestrator(stretch{}, old.id+" is gone; it was complete in the base"+line).Keyed(old.id).As(old.severity())
			continue
		}
		l.orchestrator(now.at, say.Was("status of "+old.id, say.Quote(now.text), say.Quote(old.text), line)).Keyed(old.id).As(now.severity()).
			Offer(sdk.Review, "Restore the status", l.orch.setStatus(now, old.text)...)
	}
}

func orchestratorTimeWentBack(l *look) {
	if o, was := l.orch, l.base.orch; o.updated.Before(was.updated, 0) {
		l.orchestrator(stretch{}, say.Was("last_updated", o.updated.Text, was.updated.Text, ""))
	}
}
