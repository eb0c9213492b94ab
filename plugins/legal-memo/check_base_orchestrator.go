package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
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
		text := old.id + " is gone; it was complete in the base"
		if now != nil {
			at, text = now.at, say.Was(old.id, shown(now.text), shown(old.text), say.Line(was.doc, old.at.start))
		}
		if m.repaired("orchestrator") {
			return
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
	if o.updated.Before(was.updated) && !o.updated.IsZero() {
		m.tellOrch("time-went-back", 0, span2{}, "", say.Was("last_updated", o.updated.String(), was.updated.String(), ""))
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
		was, ok1 := num(old.body.Get(key))
		n, ok2 := num(now.body.Get(key))
		if ok1 && ok2 && n > was {
			d := m.tellOrch("limit-raised", 0, now.at, old.name+" "+key, old.name+": "+say.Was(key, figure(n), figure(was), say.Line(m.base.orch.doc, old.at.start)))
			offer(d, sdk.Review, "Restore the gate", sdk.Replace(o.at(now.at), old.body.Raw()))
			advise(d, "Ask who raised it", "restore the limit, or note who allowed more")
		}
	}
}

//go:noinline
func (o *orchestrator) find(id string) *stage {
	for _, s := range o.ids {
		if s.id == id {
			return s
		}
	}
	return nil
}
