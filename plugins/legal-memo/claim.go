package legalmemo

import (
	"strings"
)

// judgeClaim finds whether the agent says that it is done, and whether its
// phases agree.
func (a *agent) judgeClaim() {
	last := len(a.phases) - 1
	open := a.openPhases()
	switch {
	case a.status != noWord:
		a.claims = a.status == complete
	case a.kind.style == 'W':
		a.claims = len(open) == 0 && a.hasPhases()
	case len(open) == 0 && a.hasPhases():
		a.claims = true
	case a.kind.style == 'P':
		a.claims = foldStatus(a.current) == "complete" || a.claimedPhase() == last && a.phases[last].in && !a.phases[last].word.open()
	}
	a.finished = a.claims && (len(open) == 0 || a.onlyReturn(open))
}

//go:noinline
func (a *agent) hasPhases() bool {
	for i := range a.phases {
		if a.phases[i].in {
			return true
		}
	}
	return false
}

// openPhases lists the phases in the map that are open, by index.
//
//go:noinline
func (a *agent) openPhases() []int {
	var list []int
	for i := range a.phases {
		if p := &a.phases[i]; p.in && p.word.open() {
			list = append(list, i)
		}
	}
	return list
}

// onlyReturn reports whether the last phase, which returns to the orchestrator,
// is all that is open.
func (a *agent) onlyReturn(open []int) bool {
	last := len(a.phases) - 1
	return len(open) == 1 && open[0] == last && strings.Contains(lower(a.phases[last].name), "return")
}

// claimedPhase is the phase that the state file claims, -1 if it names none.
func (a *agent) claimedPhase() int {
	if a.kind.style != 'P' {
		if a.status == complete {
			return len(a.phases) - 1
		}
		if open := a.openPhases(); len(open) > 0 {
			return open[0]
		}
		return len(a.phases) - 1
	}
	claim := norm(a.current)
	if claim == "complete" {
		return len(a.phases) - 1
	}
	at := a.phaseNamed(claim)
	for _, suffix := range [...]string{"_in_progress", "_completed", "_complete", "_blocked"} {
		if at < 0 && strings.HasSuffix(claim, suffix) {
			at = a.phaseNamed(claim[:len(claim)-len(suffix)])
		}
	}
	return at
}

//go:noinline
func (a *agent) phaseNamed(claim string) int {
	at := -1
	for i := range a.phases {
		n := a.phases[i].norm
		if n == claim {
			return i
		}
		if claim != "" && strings.HasPrefix(n, claim+"_") {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// claimed is the claim as the file has it.
//
//go:noinline
func (a *agent) claimed() string {
	if a.kind.style == 'P' {
		return a.current
	}
	return a.statusText
}
