package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// eachOldGate calls a function for every field of a gate in the orchestrator of the base, with the gate as it is now.
func (l *look) eachOldGate(fields []string, f func(now gateAt, what string, is, was value) *check.Finding) {
	if l.orch.why != "" {
		return
	}
	for _, old := range l.base.orch.gates {
		now := gateAt{name: old.name}
		for _, g := range l.orch.gates {
			if g.name == old.name {
				now = g
			}
		}
		for _, key := range fields {
			if was := old.body.Get(key); was.Exists() {
				if found := f(now, key+" of "+old.name, now.body.Get(key), was); found != nil && now.at.end > now.at.start && !now.prose {
					found.Offer(sdk.Review, "Restore the gate", sdk.Replace(l.orch.at(now.at), old.body.Raw()))
				}
			}
		}
	}
}

func orchestratorCounters(l *look) {
	l.eachOldGate([]string{"attempts", "cycles"}, func(now gateAt, what string, is, was value) *check.Finding {
		o, ok := num(was)
		if n, has := num(is); !ok || has && n >= o || !has && o == 0 {
			return nil
		}
		return l.orchestrator(now.at, say.Was(what, plain(is), plain(was), "")).Keyed(now.name)
	})
}

func orchestratorLimits(l *look) {
	l.eachOldGate([]string{"max", "max_attempts", "max_cycles"}, func(now gateAt, what string, is, was value) *check.Finding {
		o, ok := num(was)
		if n, has := num(is); !ok || !has || n <= o {
			return nil
		}
		return l.orchestrator(now.at, say.Was(what, plain(is), plain(was), "")).Keyed(what)
	})
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
