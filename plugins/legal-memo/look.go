package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// The conditions of rules.
const (
	onOutputs check.Needs = 1 << iota // outputs are among the documents
	onAll                             // what is absent is known to be absent
	onBase    = check.OnBase
)

// A rule is one row of the table. It is data alone: a table that is made when a guest starts would make the guest
// larger.
type rule struct {
	group    string // of the rules of one table; the first one names it
	name     string
	severity sdk.Severity
	of       kindSet // the kinds whose agents it checks; 0 for all
	needs    check.Needs
	each     func(*look, *agent)          // checks each state file, or with onBase those that the base has
	script   func(*look, *agent, *script) // checks each script
	orch     func(*look)                  // checks the orchestrator's, likewise
	all      func(*look)                  // checks the session
	hides    string                       // names of rules, joined by blanks
	replaces string                       // former names, likewise
	doc, why string
	// when a finding has a lower severity
	severityIf string
	fix        string // what a person does, as "Title: step"
}

// rows makes the table of the sdk.
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

// view gives the model of a pass, and what holds of it.
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

// say begins a finding at a pointer of an agent's state file.
func (l *look) say(a *agent, pointer, message string) *check.Finding {
	if !a.read {
		pointer = ""
	}
	return l.At(sdk.AtPointer(a.path(), pointer), message).About(a.subject)
}

// about begins a finding about a document as a whole.
func (l *look) about(subject, path, message string) *check.Finding {
	return l.Whole(path, message).About(subject)
}

// orchestrator begins a finding at a place of orchestrator-state.md.
func (l *look) orchestrator(at sdk.Range, message string) *check.Finding {
	at.Path = orchestratorPath // also where nothing is known
	return l.At(at, message).About("orchestrator")
}

// graded is one severity or another.
func graded(worse bool, yes, no sdk.Severity) sdk.Severity {
	if worse {
		return yes
	}
	return no
}

// settled drops the edits of a place that a later one sets again.
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

// set are the edits that give fields of the agent's file new values: pointers, each with its JSON text.
func (a *agent) set(pairs ...string) (edits []sdk.Edit) {
	for i := 0; i < len(pairs); i += 2 {
		edits = append(edits, sdk.Set(a.path(), pairs[i], pairs[i+1]))
	}
	return edits
}

// texts is a JSON array of texts.
func texts(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = jsondoc.Quote(n)
	}
	return array(quoted)
}

// array is a JSON array of JSON texts.
func array(elements []string) string { return "[" + strings.Join(elements, ", ") + "]" }
