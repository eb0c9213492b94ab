package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkOrchestratorStep compares the blocks with those of an earlier revision. Only
// A1 may be opened again.
func (m *model) checkOrchestratorStep() {
	o, was := m.orch, m.base.orch
	for _, old := range was.ids {
		if old.word != complete || old.group == 4 || o.why != "" {
			continue
		}
		now := o.find(old.id)
		if now != nil && now.word == complete {
			continue
		}
		at := span2{}
		text := old.id + " was complete and is gone"
		if now != nil {
			at, text = now.at, old.id+" is "+shown(now.text)+", it was "+shown(old.text)
		}
		d := m.tellOrch("phase-reopened", 0, at, old.id, text)
		if now != nil && at.end > at.start && now.text != "" {
			offer(d, sdk.Review, "Restore the status", sdk.Replace(o.at(at), jsondoc.Quote(old.text)))
		}
		advise(d, "Compare with the earlier revision", "restore the status; only A1 may be opened again")
	}
	for _, old := range was.gates {
		m.checkOrchestratorGate(old)
	}
}

func (m *model) checkOrchestratorGate(old gateAt) {
	o := m.orch
	if o.why != "" {
		return
	}
	now := gateAt{name: old.name}
	for _, g := range o.gates {
		if g.name == old.name {
			now = g
		}
	}
	if text := gateBack(old.name, old.body, now.body); text != "" {
		d := m.tellOrch("attempts-went-back", 0, now.at, old.name, text)
		if now.at.end > now.at.start {
			offer(d, sdk.Review, "Restore the gate", sdk.Replace(o.at(now.at), old.body.Raw()))
		}
		advise(d, "Restore the count", "write the attempts that were made")
	}
	for _, key := range limitKeys {
		was, ok1 := old.body.Get(key).Float()
		n, ok2 := now.body.Get(key).Float()
		if ok1 && ok2 && n > was {
			d := m.tellOrch("limit-raised", 0, now.at, old.name+" "+key, old.name+": "+key+" is "+figure(n)+", it was "+figure(was))
			offer(d, sdk.Review, "Restore the gate", sdk.Replace(o.at(now.at), old.body.Raw()))
			advise(d, "Ask who raised it", "restore the limit, or note who allowed more")
		}
	}
}

func (o *orchestrator) find(id string) *stage {
	for _, s := range o.ids {
		if s.id == id {
			return s
		}
	}
	return nil
}
