package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkAll checks all rules in one pass, since they look at the same fields.
func checkAll(p *sdk.Pass) error {
	m := p.Model.(*model)
	m.check()
	m.tellApart()
	for _, rule := range p.Workflow.Rules {
		m.report(p, rule.Name)
	}
	return nil
}

// report hands in what was found under a rule's name.
func (m *model) report(p *sdk.Pass, rule string) {
	n := 0
	for _, d := range m.found {
		if d.Rule != rule {
			continue
		}
		if n++; n > mostOfRule {
			return
		}
		if n == mostOfRule {
			d.Message = "more like this from here on, not listed one by one: " + d.Message
			d.Key, d.Remedies = "more", nil
		}
		d.Message = cut(d.Message, mostText)
		for i := range d.Remedies {
			d.Remedies[i].Title = cut(d.Remedies[i].Title, 200)
		}
		p.Report(*d)
	}
}

// mostOfRule bounds the findings of one rule: a report may hold 5,000 in all.
const mostOfRule = 200

// mostText bounds a message: a host refuses texts of 4 KiB, and no file may bring
// a report to that.
const mostText = 3000

// say adds a finding of an agent, at a pointer of its state file.
//
//go:noinline
func (m *model) say(a *agent, rule string, severity sdk.Severity, pointer, key, message string) *sdk.Diagnostic {
	d := &sdk.Diagnostic{Rule: rule, Severity: severity, Subject: a.subject, Key: key, Message: message}
	d.Range.Path = a.path()
	if a.doc != nil && a.read {
		d.Range.Pointer = pointer
	}
	m.found = append(m.found, d)
	return d
}

// tell adds a finding about a document as a whole.
//
//go:noinline
func (m *model) tell(subject, rule string, severity sdk.Severity, path, key, message string) *sdk.Diagnostic {
	d := &sdk.Diagnostic{Rule: rule, Severity: severity, Subject: subject, Key: key, Message: message}
	d.Range.Path = path
	m.found = append(m.found, d)
	return d
}

// tellOrch adds a finding at a place of orchestrator-state.md.
//
//go:noinline
func (m *model) tellOrch(rule string, severity sdk.Severity, at span2, key, message string) *sdk.Diagnostic {
	d := m.tell("orchestrator", rule, severity, orchestratorPath, key, message)
	d.Range = m.orch.at(at)
	return d
}

// tellApart numbers findings that nothing tells apart.
func (m *model) tellApart() {
	seen := map[string]bool{}
	for _, d := range m.found {
		d.Key = cut(d.Key, 200)
		name := d.Rule + "\x00" + d.Range.Path + "\x00" + d.Subject + "\x00"
		key := d.Key
		for i := 2; seen[name+key]; i++ {
			key = d.Key + "#" + itoa(i)
		}
		d.Key = key
		seen[name+key] = true
	}
}

// advise adds a remedy that only a person can carry out.
//
//go:noinline
func advise(d *sdk.Diagnostic, title, step string) {
	d.Remedies = append(d.Remedies, sdk.Remedy{Title: title, Subject: d.Subject, Steps: []string{step}})
}

// offer adds a remedy.
//
//go:noinline
func offer(d *sdk.Diagnostic, safety sdk.Safety, title string, edits ...sdk.Edit) {
	if len(edits) == 0 || d == nil {
		return
	}
	edits = settled(edits)
	d.Remedies = append(d.Remedies, sdk.Remedy{Title: title, Safety: safety, Subject: d.Subject, Heals: []string{d.Rule}, Edits: edits})
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

// set is the edit that gives a field of the agent's file a new value.
//
//go:noinline
func (a *agent) set(pointer, json string) sdk.Edit { return sdk.Set(a.path(), pointer, json) }

// severityOf is the severity of a finding, or else that of its rule.
//
//go:noinline
func severityOf(d *sdk.Diagnostic) sdk.Severity {
	for i := range ruleTable {
		if d.Severity == 0 && ruleTable[i].name == d.Rule {
			return ruleTable[i].severity
		}
	}
	return d.Severity
}

// texts is a JSON array of texts.
//
//go:noinline
func texts(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = jsondoc.Quote(n)
	}
	return array(quoted)
}

// array is a JSON array of JSON texts.
//
//go:noinline
func array(elements []string) string { return "[" + strings.Join(elements, ", ") + "]" }
