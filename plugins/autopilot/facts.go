package autopilot

import (
	"github.com/stategate/stategate/sdk"
)

// facts are what status shows of the flight.
func (m *model) facts() []sdk.Fact {
	var facts []sdk.Fact
	number := func(name, title string, n int) {
		if n >= 0 {
			facts = append(facts, sdk.IntFact(name, title, int64(n)))
		}
	}
	text := func(name, title, value string) {
		if value != "" {
			facts = append(facts, sdk.TextFact(name, title, clip(value, 300)))
		}
	}
	number("phase", "phase", m.n)
	number("phases_total", "phases", m.m)
	number("plan", "plan", m.p)
	number("plans_total", "plans", m.t)
	if h := m.hand; h != nil && m.holds() {
		number("task", "task", h.task)
		number("tasks_total", "tasks", h.total)
	}
	if p := m.pos; p != nil {
		if p.hasPercent {
			if whole := int(p.percent); float64(whole) == p.percent {
				facts = append(facts, sdk.IntFact("percent", "percent", int64(whole)))
			} else {
				text("percent", "percent", trimFloat(p.percent))
			}
		}
		text("updated", "updated", p.stamp.Text)
		layout := "A"
		if p.layoutB {
			layout = "B"
		}
		text("layout", "layout", layout)
	}
	text("holding_pattern", "hand-off", verdictNames[m.verdict])
	facts = m.tables(facts)
	if m.holds() {
		text("objective", "objective", m.objective())
	}
	if list := m.context(); len(list) > 0 {
		facts = append(facts, sdk.ListFact("resume_context", "context", list))
	}
	return facts
}

// tables appends the levels, the spent triggers and the phases.
func (m *model) tables(facts []sdk.Fact) []sdk.Fact {
	table := func(name, title, first, second string, rows [][]string) {
		if len(rows) > 0 {
			facts = append(facts, sdk.TableFact(name, title, []string{first, second}, rows))
		}
	}
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
			spent = append(spent, []string{clip(t.name, 100), t.fired.Text})
		}
	}
	for _, p := range m.phases.list {
		if len(phases) < 200 {
			phases = append(phases, []string{itoa(p.n), m.phaseState(p)})
		}
	}
	table("levels", "levels", "type", "level", levels)
	table("spent_triggers", "spent triggers", "trigger", "last triggered", spent)
	table("phases", "phases", "phase", "state", phases)
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

// trimFloat writes a number with at most two decimals, none if they are zero.
func trimFloat(v float64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	if v > 1e12 {
		return sign + "more than a trillion"
	}
	hundredths := int64(v*100 + 0.5)
	s := sign + itoa(int(hundredths/100))
	if rest := int(hundredths % 100); rest > 0 {
		if s += "." + itoa(rest/10); rest%10 > 0 {
			s += itoa(rest % 10)
		}
	}
	return s
}
