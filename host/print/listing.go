package print

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// mostAlike is the number of findings per rule and severity that people see for a state directory or, if there are
// many findings, for all state directories together. The rest are counted.
const mostAlike = 3

// many is the number of findings that fit on a screen. If there are more, they are also counted by rule.
const many = 20

type entry struct {
	instance *result.Instance
	finding  *result.Diagnostic
	remedies []result.Remedy
	more     int // number of findings of the same rule that are only counted
}

// shows reports whether the text format includes a finding, individually or in a count.
func (o *Options) shows(d *result.Diagnostic) bool {
	return d.Severity >= o.FailOn || d.Severity >= o.Show && !o.Quiet
}

type listing struct {
	*report
	entries    []entry
	applicable map[string]int // for recover: the number of findings per rule with a remedy that can be applied
}

// listed returns the findings to list, most severe first.
func (p *report) listed(wanted func(*result.Diagnostic) bool) *listing {
	type kind struct {
		instance *result.Instance // nil stands for all, if there are many findings
		rule     string
		severity wire.Severity
	}
	var all []entry
	shown := 0
	for _, d := range p.result.Findings() {
		if wanted(d) {
			shown++
		}
	}
	alike, last, listed := map[kind]int{}, map[kind]int{}, map[*result.Instance][]*result.Diagnostic{}
	for i, d := range p.result.Severest() {
		if !wanted(d) {
			continue
		}
		k := kind{i, d.Rule, d.Severity}
		if shown > many {
			k.instance = nil
		}
		if alike[k]++; alike[k] > mostAlike && !p.how.All {
			all[last[k]].more++
			continue
		}
		last[k] = len(all)
		all, listed[i] = append(all, entry{instance: i, finding: d}), append(listed[i], d)
	}
	for n := range all {
		e := &all[n]
		e.remedies = remediesOf(e.instance, listed[e.instance], slices.Index(listed[e.instance], e.finding))
	}
	return &listing{report: p, entries: all}
}

// remediesOf returns the remedies to list below the finding at index at: the finding's own remedies, and each
// recovery option that fixes this finding but no finding above it. Recoveries that fix none of the findings follow
// the last one.
func remediesOf(i *result.Instance, list []*result.Diagnostic, at int) []result.Remedy {
	all := slices.Clone(list[at].Remedies)
	for _, r := range i.Recoveries {
		first := slices.IndexFunc(list, func(d *result.Diagnostic) bool { return i.Ends(&r, d) })
		if first == at || first < 0 && at == len(list)-1 {
			all = append(all, r)
		}
	}
	return all
}

func (p *listing) write() {
	for _, e := range p.entries {
		p.finding(e.finding)
		if len(e.finding.Fixed) > 0 {
			p.line("  ", p.how.fixed(e.finding))
		}
		root := e.instance.Root
		if e.finding.Found == nil { // the host's own remedies name paths of the workspace
			root = ""
		}
		p.remedies(root, e.remedies)
		if e.more > 0 {
			p.line()
			p.line(fmt.Sprintf("… and %d more %s (--show all)", e.more, Safe(result.RuleName(e.finding.Rule))))
			p.applyAll(e.finding.Rule)
		}
		p.line()
	}
}

// applyAll explains, once per rule, how to apply a remedy to all of its findings.
func (p *listing) applyAll(rule string) {
	n := p.applicable[rule]
	if n < 2 {
		return
	}
	delete(p.applicable, rule)
	command := Safe(rule)
	if p.how.Recover != "" {
		command = advice.Apply(Safe(p.how.Recover), command)
	}
	p.line(fmt.Sprintf("  apply to all %d: ", n), command)
}

type ruleCount struct {
	severity wire.Severity
	rule     string
	n        int
}

// ruleCounts counts findings by rule: most severe first, then most frequent.
func (p *report) ruleCounts(counted func(*result.Diagnostic) bool) []ruleCount {
	var list []ruleCount
	for _, d := range p.result.Findings() {
		if !counted(d) {
			continue
		}
		at := slices.IndexFunc(list, func(c ruleCount) bool { return c.severity == d.Severity && c.rule == d.Rule })
		if at < 0 {
			at, list = len(list), append(list, ruleCount{severity: d.Severity, rule: d.Rule})
		}
		list[at].n++
	}
	slices.SortFunc(list, func(a, b ruleCount) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(b.n, a.n), cmp.Compare(a.rule, b.rule))
	})
	return list
}

// counts writes a table below a title, if there is one.
func (p *report) counts(title string, list []ruleCount) {
	if title != "" {
		p.line(p.bold(title))
		defer p.line()
	}
	for _, c := range list {
		p.line(fmt.Sprintf("%6d  ", c.n), p.paint(severityColor(c.severity),
			padded(c.severity.String(), len("warning"))), "  ", Safe(c.rule))
	}
}
