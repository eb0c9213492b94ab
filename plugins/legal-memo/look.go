package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// The conditions that a rule needs.
const (
	onOutputs check.Needs = 1 << iota // outputs are tracked
	onAll                             // a missing document is known to be missing
	onBase    = check.OnBase
)

// A rule is one row in the table. It contains only data, because a table that is built when a guest starts would make
// the guest larger.
type rule struct {
	group    string // the group's name, set only in a table's first rule
	name     string
	severity sdk.Severity
	of       kindSet // the kinds of agents that it checks, or 0 for all
	needs    check.Needs
	each     func(*look, *agent)          // checks each state file; with onBase, only those that the base has
	script   func(*look, *agent, *script) // checks each script
	orch     func(*look)                  // checks the orchestrator's state; with onBase, only if the base has it
	all      func(*look)                  // checks the session
	hides    string                       // rule names, separated by spaces
	replaces string                       // former names, separated by spaces
	doc, why string
	// condition for a lower severity
	severityIf string
	fix        string // the manual remedy, as "Title: step"
}

// rows converts the table to SDK rules.
func rows() []check.Rule[*model] {
	var list []check.Rule[*model]
	for _, group := range rules {
		for i := range group {
			t := &group[i]
			title, step, _ := strings.Cut(t.fix, ": ")
			list = append(list, check.Rule[*model]{
				Name: t.name, Group: group[0].group, Severity: t.severity, Needs: t.needs,
				Doc: t.doc, Why: t.why, SeverityIf: t.severityIf, Fix: step, Advice: title,
				Hides: strings.Fields(t.hides), Replaces: strings.Fields(t.replaces), Find: t.find,
			})
		}
	}
	return list
}

// view returns a pass's model and the conditions that it meets.
func view(r *check.Report) (*model, check.Needs) {
	m := r.Model.(*model)
	r.Finish = settled
	var hold check.Needs
	for i, is := range [...]bool{m.tracked, m.complete} {
		if is {
			hold |= 1 << i
		}
	}
	return m, hold
}

// A look applies one rule to a session.
type look struct {
	*check.Report
	*model
}

// find runs a rule.
func (t *rule) find(r *check.Report, m *model) {
	l, history := &look{r, m}, t.needs&onBase != 0
	for _, a := range m.agents {
		if !t.of.has(a) || history && a.was == nil {
			continue
		}
		if t.each != nil {
			t.each(l, a)
		}
		if t.script == nil {
			continue
		}
		for _, s := range a.scripts() {
			t.script(l, a, s)
		}
	}
	if t.orch != nil && m.orch.doc != nil && (!history || m.base.orch.doc != nil) {
		t.orch(l)
	}
	if t.all != nil {
		t.all(l)
	}
}

// say adds a finding at a pointer in an agent's state file.
func (l *look) say(a *agent, pointer, message string) *check.Finding {
	if !a.read {
		pointer = ""
	}
	return l.At(sdk.AtPointer(a.path(), pointer), message).About(a.subject)
}

// about adds a finding about a whole document.
func (l *look) about(subject, path, message string) *check.Finding {
	return l.Whole(path, message).About(subject)
}

// orchestrator adds a finding at a range in orchestrator-state.md.
func (l *look) orchestrator(at sdk.Range, message string) *check.Finding {
	at.Path = orchestratorPath // even if the range is unknown
	return l.At(at, message).About("orchestrator")
}

// graded returns the severity yes if worse is true, and otherwise no.
func graded(worse bool, yes, no sdk.Severity) sdk.Severity {
	if worse {
		return yes
	}
	return no
}

// settled removes edits to a location that a later edit sets again.
func settled(edits []sdk.Edit) []sdk.Edit {
	var kept []sdk.Edit
	for i, e := range edits {
		again := func(l sdk.Edit) bool { return l.Range.Path == e.Range.Path && l.Range.Pointer == e.Range.Pointer }
		if e.Range.Pointer == "" || !slices.ContainsFunc(edits[i+1:], again) {
			kept = append(kept, e)
		}
	}
	return kept
}

// set returns the edits that set fields in the agent's file, from pairs of pointer and JSON text.
func (a *agent) set(pairs ...string) (edits []sdk.Edit) {
	for i := 0; i < len(pairs); i += 2 {
		edits = append(edits, sdk.Set(a.path(), pairs[i], pairs[i+1]))
	}
	return edits
}

// texts returns a JSON array of strings.
func texts(names []string) string {
	return array(gather(names, jsondoc.Quote))
}

// array returns a JSON array of JSON texts.
func array(elements []string) string { return "[" + strings.Join(elements, ", ") + "]" }
