package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/ladder"
	"github.com/stategate/stategate/sdk/state"
)

// A status is the position of a phase in the phase lifecycle; 0 means none or unknown.
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

// A step is the position of the task in the task lifecycle; 0 means unknown.
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
		{Name: "complete", Number: 6, Title: "Complete", Doc: "archived; a new task needs a new directory"},
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
		{Name: "timeout", Number: 7, Title: "Timeout", Doc: "used all its iterations"},
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

// nameAt returns the name of a phase by its position in a lifecycle, or "" for 0.
func nameAt(l *sdk.Lifecycle, place int) string {
	if place == 0 {
		return ""
	}
	return l.Phases[place-1].Name
}

// gate returns how many gates a phase with this status has reached.
func (s status) gate() int { return int("\x00\x00\x01\x02\x03\x04\x01\x01"[s]) }

// working reports whether a phase with this status is in progress.
func (s status) working() bool { return s >= inProgress && s <= verifying }

const most = 9999 // the largest count

// spec describes state.json. Only the full form requires task, created and updated; the early forms have no phases.
var spec = state.Spec{Fields: []state.Field{
	{At: "/phase", Kind: state.Word, Words: ladder.Names(taskLifecycle), Aliases: map[string]string{
		"discovery": "discover", "planning": "plan", "execution": "execute", "verification": "verify",
		"delivery": "deliver", "completed": "complete",
	}},
	{At: "/task", Must: full},
	{At: "/slug", Must: full},
	{At: "/created", Kind: state.Moment, Must: full, Base: state.Kept},
	{At: "/updated", Kind: state.Moment, Must: full, After: "/created", Base: state.Advances},
	{At: "/current_phase", Also: "current"},
	{At: "/current_iteration", Also: "iteration", Kind: state.Count, Most: most},
	{At: "/current_part"},
	{At: "/phases/*/status", Kind: state.Word, Words: ladder.Names(phaseLifecycle), Aliases: map[string]string{
		"complete": "done", "completed": "done", "verification": "verifying", "confirmation": "confirming",
		"timed_out": "timeout", "inprogress": "in_progress", "reviewing": "verifying",
	}},
	{At: "/phases/*/iterations_used", Kind: state.Count, Most: most, Base: state.Rises},
	{At: "/phases/*/confirmations_used", Kind: state.Count, Most: most, Base: state.Rises},
	{At: "/phases/*/max_iterations", Kind: state.Count, Least: 1, Most: most},
	{At: "/phases/*/verification_passed", Kind: state.Flag},
	{At: "/phases/*/completed_at", Kind: state.Moment, Base: state.Kept},
}}

func full(d *state.Doc) bool { return d.Has("/phases") }

// named returns the id of the current phase according to the state, and the key of that field.
func (m *model) named() (id, key string) {
	if v := m.state.Get("/current_phase"); v.Text != "" {
		return v.Text, v.Pointer[1:]
	}
	return "", "current_phase"
}

// explains reports whether the state itself says why a phase is blocked.
func (m *model) explains(ph *phase) bool {
	return strings.Contains(m.state.Root.Get("blocked").Raw(), `"`+ph.id+`"`) || ph.has("blocked_reason") ||
		ph.has("blocker")
}

// created returns when the task was created. If the time was changed, it returns the time in the base, and
// time-changed reports the change.
func (m *model) created() instant.Moment {
	if was := m.base.state.Get("/created"); was.OK() {
		return was.Moment
	}
	return m.state.Get("/created").Moment
}

// absent reports whether a document is known not to exist.
func (m *model) absent(path string) bool { return m.docs.Get(path) == nil && m.docs.Known(path) }
