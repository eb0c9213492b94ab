package iterativework

import (
	"github.com/stategate/stategate/sdk"
)

// A status is where a phase is: as its place in the phase lifecycle, 0 for none
// or an unknown one.
type status uint8

const (
	pending status = iota + 1
	inProgress
	confirming
	verifying
	done
	blocked
	timeout
)

// A step is where the task is: as its place in the task lifecycle, 0 for unknown.
type step uint8

const (
	discover step = iota + 1
	plan
	execute
	verify
	deliver
	complete
)

var taskLifecycle = &sdk.Lifecycle{
	Name: "task",
	Doc:  "One task: .iterative-work/<slug>.",
	Phases: []*sdk.Phase{
		{Name: "discover", Number: 1, Title: "Discover", Doc: "gathering requirements (brief.md)"},
		{Name: "plan", Number: 2, Title: "Plan", Doc: "decomposing into phases (plan.md, context.md)"},
		{Name: "execute", Number: 3, Title: "Execute", Doc: "running iteration loops (progress.md)"},
		{Name: "verify", Number: 4, Title: "Verify", Doc: "reviewing the finished work"},
		{Name: "deliver", Number: 5, Title: "Deliver", Doc: "packaging the outputs"},
		{Name: "complete", Number: 6, Title: "Complete", Doc: "archived; a new task is a new directory"},
	},
	Transitions: []sdk.Transition{
		{From: "discover", To: "plan"},
		{From: "plan", To: "execute"},
		{From: "execute", To: "verify"},
		{From: "verify", To: "deliver"},
		{From: "deliver", To: "complete"},
		{From: "verify", To: "execute", Doc: "the review found gaps"},
		{From: "execute", To: "plan", Doc: "re-planning"},
		{From: "deliver", To: "verify"},
	},
}

var phaseLifecycle = &sdk.Lifecycle{
	Name: "phase",
	Doc:  "One phase of the plan, such as R1.",
	Unit: sdk.Part,
	Phases: []*sdk.Phase{
		{Name: "pending", Number: 1, Title: "Pending", Doc: "not yet started"},
		{Name: "in_progress", Number: 2, Title: "In progress", Doc: "in the loop of work iterations"},
		{Name: "confirming", Number: 3, Title: "Confirming", Doc: "declared done once; the N+1 confirmation runs"},
		{Name: "verifying", Number: 4, Title: "Verifying", Doc: "confirmed; the quality review runs"},
		{Name: "done", Number: 5, Title: "Done", Doc: "passed all gates: work, confirmation, verification"},
		{Name: "blocked", Number: 6, Title: "Blocked", Doc: "cannot proceed"},
		{Name: "timeout", Number: 7, Title: "Timeout", Doc: "hit its maximum of iterations"},
	},
	Transitions: []sdk.Transition{
		{From: "pending", To: "in_progress"},
		{From: "in_progress", To: "confirming"},
		{From: "confirming", To: "verifying"},
		{From: "verifying", To: "done"},
		{From: "confirming", To: "in_progress", Doc: "issues found"},
		{From: "verifying", To: "in_progress", Doc: "issues found"},
		{From: "in_progress", To: "timeout"},
		{From: "timeout", To: "in_progress", Doc: "limit raised or criteria simplified"},
		{From: "pending", To: "blocked"},
		{From: "in_progress", To: "blocked"},
		{From: "confirming", To: "blocked"},
		{From: "verifying", To: "blocked"},
		{From: "timeout", To: "blocked"},
		{From: "blocked", To: "in_progress"},
		{From: "blocked", To: "pending"},
		{From: "done", To: "in_progress", Doc: "reopened after a failed review"},
	},
}

func (s status) String() string { return nameAt(phaseLifecycle, int(s)) }

func (s step) String() string { return nameAt(taskLifecycle, int(s)) }

// nameAt is the name of a phase by its place in a lifecycle, "" for 0.
func nameAt(l *sdk.Lifecycle, place int) string {
	if place == 0 {
		return ""
	}
	return l.Phases[place-1].Name
}

// gate is how many gates a phase of this status has come to.
func (s status) gate() int { return int("\x00\x00\x01\x02\x03\x04\x01\x01"[s]) }

// working reports whether a phase of this status is being worked on.
func (s status) working() bool { return s >= inProgress && s <= verifying }
