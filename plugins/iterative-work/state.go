package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk/ladder"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/words"
)

const most = 9999 // of any count

// spec is the table of state.json. A task, created and updated are missing only in the full
// form: the early ones have no phases.
var spec = state.Spec{Fields: []state.Field{
	{At: "/phase", Kind: state.Word, Words: ladder.Names(taskLifecycle), Aliases: map[string]string{
		"discovery": "discover", "planning": "plan", "execution": "execute", "verification": "verify", "delivery": "deliver", "completed": "complete",
	}},
	{At: "/task", Must: full},
	{At: "/slug", Must: full},
	{At: "/created", Kind: state.Moment, Must: full, Base: state.Kept},
	{At: "/updated", Kind: state.Moment, Must: full, After: "/created", Base: state.Advances},
	{At: "/current_phase", Also: "current"},
	{At: "/current_iteration", Also: "iteration", Kind: state.Count, Most: most},
	{At: "/current_part"},
	{At: "/phases/*/status", Kind: state.Word, Words: ladder.Names(phaseLifecycle), Aliases: map[string]string{
		"complete": "done", "completed": "done", "verification": "verifying", "confirmation": "confirming", "timed_out": "timeout", "inprogress": "in_progress",
	}},
	{At: "/phases/*/iterations_used", Kind: state.Count, Most: most, Base: state.Rises},
	{At: "/phases/*/confirmations_used", Kind: state.Count, Most: most, Base: state.Rises},
	{At: "/phases/*/max_iterations", Kind: state.Count, Least: 1, Most: most},
	{At: "/phases/*/verification_passed", Kind: state.Flag},
	{At: "/phases/*/completed_at", Kind: state.Moment, Base: state.Kept},
}}

func full(d *state.Doc) bool { return d.Has("/phases") }

// named is the current phase as the state names it, and where.
func (m *model) named() (id, key string) {
	if v := m.state.Get("/current_phase"); v.Text != "" {
		return v.Text, v.Pointer[1:]
	}
	return "", "current_phase"
}

// explains reports whether the state itself has a reason why a phase is blocked.
func (m *model) explains(ph *phase) bool {
	return strings.Contains(m.state.Root.Get("blocked").Raw(), `"`+ph.id+`"`) || ph.has("blocked_reason") || ph.has("blocker")
}

// domains are what a task may be about.
var domains = []string{"research", "writing", "analysis", "planning"}

// domainOf is a set of domains from what a document says, 0 if it says none; known is
// false if it says something else.
func domainOf(text string) (set int, known bool) {
	if !words.Real(text) || words.Placeholder(text) != "" {
		return 0, true
	}
	for i, domain := range domains {
		if words.Mentions(text, domain) {
			set |= 1 << i
		}
	}
	return set, set != 0
}

// stateDomain is what state.json says of the domain: a text, or a list of texts.
func (m *model) stateDomain() string {
	v := m.state.Root.Get("domain")
	text, _ := v.Text()
	for _, e := range v.Elements() {
		one, _ := e.Text()
		text += " " + one
	}
	return strings.TrimSpace(text)
}

// absent reports whether a document surely does not exist.
func (m *model) absent(path string) bool { return m.docs.Get(path) == nil && m.docs.Known(path) }

// foreign reports whether the state is one of another workflow.
func (m *model) foreign() bool {
	has := m.state.Has
	return has("/session_id") && has("/phase_number") && !has("/phase") && !has("/phases") && !has("/slug") && !has("/task")
}
