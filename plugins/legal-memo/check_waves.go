package legalmemo

import (
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkWaves looks at the waves of a remediation.
func (m *model) checkWaves(a *agent) {
	for i := range a.phases {
		p := &a.phases[i]
		if p.word != complete && p.word != inProgress {
			continue
		}
		var open []string
		for _, dep := range a.dependencies(p.name) {
			if at := a.phaseNamed(norm(dep)); at >= 0 && a.phases[at].in && a.phases[at].word.open() {
				open = append(open, a.phases[at].name)
			}
		}
		if len(open) > 0 {
			advise(m.say(a, "wave-before-its-dependency", 0, a.phasePointer(i), p.name, p.name+" is "+wordNames[p.word]+", but it depends on "+list(open)), "Do the earlier wave first", "finish "+list(open)+", then "+p.name)
		}
		if p.word == complete {
			m.checkTasks(a, i)
		}
	}
}

func (m *model) checkTasks(a *agent, i int) {
	var open []string
	for j := range a.items {
		if it := &a.items[j]; a.waveOf(it) == a.phases[i].name && it.word != complete && it.word != skipped {
			open = append(open, it.key)
		}
	}
	if len(open) > 0 {
		advise(m.say(a, "wave-done-with-open-task", 0, a.phasePointer(i), a.phases[i].name, a.phases[i].name+" is complete, but open: "+list(open)), "Finish the tasks", "finish the tasks, or set the wave in_progress")
	}
}

// dependencies lists the waves that a wave depends on.
func (a *agent) dependencies(name string) []string {
	v := a.root.Get("wave_dependencies").Get(name)
	if v.Kind() == jsondoc.Object {
		v = v.Get("depends_on")
	}
	if s, ok := v.Text(); ok {
		return []string{s}
	}
	var names []string
	for _, e := range v.Elements() {
		if s, ok := e.Text(); ok {
			names = append(names, s)
		} else if n, ok := integer(e); ok {
			names = append(names, "wave_"+itoa(int(n)))
		}
	}
	return names
}

// waveOf is the wave of a task: its field wave, or the number in W2-001.
func (a *agent) waveOf(it *item) string {
	v := it.body.Get("wave")
	if n, ok := integer(v); ok {
		return "wave_" + itoa(int(n))
	}
	if s, ok := v.Text(); ok {
		if n, rest := leading(s); rest == "" {
			return "wave_" + itoa(n)
		}
		return norm(s)
	}
	if len(it.key) > 1 && it.key[0]|32 == 'w' {
		if n, rest := leading(it.key[1:]); rest != it.key[1:] {
			return "wave_" + itoa(n)
		}
	}
	return ""
}
