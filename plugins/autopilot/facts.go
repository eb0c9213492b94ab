package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// facts are what status shows of the flight beside its phase and progress.
func (m *model) facts() []sdk.Fact {
	var facts []sdk.Fact
	add := func(name, title string, n int) {
		if n >= 0 {
			facts = append(facts, sdk.IntFact(name, title, int64(n)))
		}
	}
	add("phase", "phase", m.n)
	add("phases_total", "phases", m.m)
	add("plan", "plan", m.p)
	add("plans_total", "plans", m.t)
	if h := m.hand; h != nil && m.holds() {
		add("task", "task", h.task)
		add("tasks_total", "tasks", h.total)
	}
	if p := m.pos; p != nil && known(p.stamp) {
		facts = append(facts, sdk.TextFact("updated", "updated", p.stamp.Text))
	}
	facts = append(facts, sdk.TextFact("holding_pattern", "hand-off", verdictNames[m.verdict]))
	var levels, spent, phases [][]string
	for k := range kinds {
		if n := m.th.levels[k].n; n > 0 {
			name := levelNames[n]
			if m.ak.valid(k) != nil {
				name += " (ack)"
			}
			levels = append(levels, []string{kindNames[k], name})
		}
	}
	for _, t := range m.triggers {
		if t.dated && len(spent) < 50 {
			spent = append(spent, []string{say.Clip(t.name), t.fired.Text})
		}
	}
	for _, p := range m.phases.list {
		if len(phases) < 200 {
			phases = append(phases, []string{itoa(p.n), m.phaseState(p)})
		}
	}
	for _, t := range [...]struct {
		name, title, first, second string
		rows                       [][]string
	}{
		{"levels", "levels", "type", "level", levels},
		{"spent_triggers", "spent triggers", "trigger", "last triggered", spent},
		{"phases", "phases", "phase", "state", phases},
	} {
		if len(t.rows) > 0 {
			facts = append(facts, sdk.TableFact(t.name, t.title, []string{t.first, t.second}, t.rows))
		}
	}
	return facts
}

func (m *model) phaseState(p *phase) string {
	_, traced := m.trace(p.n)
	switch {
	case m.done(p.n):
		return "done"
	case traced, m.holds() && m.hand.phase == p.n:
		return "in-progress"
	case p.route != nil:
		return readyToExecute.phase().Name
	case p.briefing != nil:
		return readyToPlan.phase().Name
	}
	return readyToDiscuss.phase().Name
}
