package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

func (m *model) checkCycleStep(a, was *agent) {
	c, old := a.root.Get("qa_cycle"), was.root.Get("qa_cycle")
	before, ok := integer(old.Get("current_cycle"))
	now, has := integer(c.Get("current_cycle"))
	edit := a.restored("/qa_cycle", old)
	if ok && (!has || now < before) {
		m.back(a, "cycle-went-back", "/qa_cycle/current_cycle", "", m.was(a, "current_cycle", c.Get("current_cycle"), old.Get("current_cycle")), edit)
	}
	if ok && has && now > before+1 {
		advise(m.say(a, "cycle-jumped", 0, "/qa_cycle/current_cycle", "", m.was(a, "current_cycle", c.Get("current_cycle"), old.Get("current_cycle"))), "Look for the cycle between", "add the cycles that were left out to cycle_history")
	}
	m.raised(a, "/qa_cycle/max_cycles", old.Get("max_cycles"), c.Get("max_cycles"))
	var wrong []string
	history := c.Get("cycle_history")
	for _, o := range old.Get("cycle_history").Elements() {
		n, isN := integer(o.Get("cycle"))
		if !isN {
			continue
		}
		var match value
		for _, e := range history.Elements() {
			if k, is := integer(e.Get("cycle")); is && k == n {
				match = e
			}
		}
		if !match.Exists() {
			wrong = append(wrong, "cycle "+itoa(int(n))+" is gone")
		} else if (!has || n < now) && (!same(o.Get("score"), match.Get("score")) || !same(o.Get("outcome"), match.Get("outcome"))) {
			wrong = append(wrong, "cycle "+itoa(int(n))+" has another score or outcome")
		}
	}
	if len(wrong) > 0 {
		m.back(a, "cycle-history-rewritten", "/qa_cycle/cycle_history", "", list(wrong), a.restored("/qa_cycle/cycle_history", old.Get("cycle_history")))
	}
}

func (m *model) raised(a *agent, pointer string, old, now value) {
	o, ok1 := num(old)
	n, ok2 := num(now)
	if ok1 && ok2 && n > o {
		d := m.say(a, "limit-raised", 0, pointer, pointer, m.was(a, pointer[1:], now, old))
		offer(d, sdk.Review, "Restore the limit", a.set(pointer, old.Raw()))
		advise(d, "Ask who raised it", "restore the limit, or note who allowed more")
	}
}

func (m *model) checkGateStep(a, was *agent) {
	for _, e := range was.root.Get("gate_attempts").Members() {
		now := a.root.Get("gate_attempts").Get(e.Key)
		p := jsondoc.Pointer("gate_attempts", e.Key)
		if text := gateBack(e.Key, e.Value, now); text != "" {
			m.back(a, "attempts-went-back", p, e.Key, text, a.set(p, e.Value.Raw()))
		}
		for _, key := range limitKeys {
			m.raised(a, p+"/"+key, e.Value.Get(key), now.Get(key))
		}
	}
}

// limitKeys are the fields of a gate that bound its attempts and cycles.
var limitKeys = [...]string{"max", "max_attempts", "max_cycles"}

// gateBack says which counter of a gate went back, "" for none.
func gateBack(name string, old, now value) string {
	for _, key := range [...]string{"attempts", "cycles"} {
		o, ok := num(old.Get(key))
		n, has := num(now.Get(key))
		if !ok || o == 0 && !has {
			continue
		}
		if !has {
			return name + ": " + key + " are gone, they were " + figure(o)
		}
		if n < o {
			return name + ": " + key + " are " + figure(n) + ", they were " + figure(o)
		}
	}
	return ""
}

func (m *model) checkScriptStep(a, was *agent) {
	changed := measured(m.memo) && measured(m.base.memo) && m.memo.Digest != m.base.memo.Digest // of what it says
	for _, old := range was.scripts() {
		for _, s := range a.scripts() {
			if s.name == old.name {
				m.checkScriptPair(a, old, s, changed)
			}
		}
	}
}

func (m *model) checkScriptPair(a *agent, old, s *script, changed bool) {
	before, _ := num(old.body.Get("iteration_count"))
	now, has := num(s.body.Get("iteration_count"))
	counted := has && now > before
	if has && now < before {
		m.back(a, "iteration-went-back", s.at("iteration_count"), s.name, m.was(a, s.name+": iteration_count", s.body.Get("iteration_count"), old.body.Get("iteration_count")), a.set(s.at("iteration_count"), old.body.Get("iteration_count").Raw()))
		return
	}
	stamp, stamp2 := old.body.Get("timestamp"), s.body.Get("timestamp")
	if old.executed && !counted && s.executed && !empty(stamp) && !empty(stamp2) && !same(stamp, stamp2) {
		d := m.say(a, "script-rerun-uncounted", 0, s.at("iteration_count"), s.name, s.name+" was run again at "+plain(stamp2)+" (before at "+plain(stamp)+"), but iteration_count is still "+figure(before))
		offer(d, sdk.Review, "Count the run", a.set(s.at("iteration_count"), figure(before+1)))
	}
	if changed && old.executed && s.executed && same(old.body, s.body) {
		d := m.say(a, "cached-result-outdated", 0, s.at("executed"), s.name, memoPath+" changed ("+say.Was("number of words", itoa(m.memo.Summary.Words), itoa(m.base.memo.Summary.Words), "")+"), but the result of "+s.name+" is older")
		offer(d, sdk.Review, "Set it not_run", a.rerun(s)...)
		advise(d, "Run the scripts again", "run them in the order of their dependencies")
	}
}
