package print

import (
	"strings"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// This file writes a check's last lines: the base, what is out of scope, the verdict, and what to do next.

func (p *report) summary() {
	if noState(p.result) && p.how.Explain != "" {
		p.line("no workflow state found (", Count(len(p.result.Plugins), "workflow"), " known: ",
			Safe(p.how.Explain), ")")
		for _, x := range p.result.Plugins {
			if x.IsDeclared() { // its author may have misspelt the file
				p.line(Safe(x.Origin), ": no directory contains ", Safe(markers(x.Manifest.Roots)))
			}
		}
		return
	}
	gate := p.result.Gate(p.how.FailOn)
	color := red
	if gate == result.Open {
		color = green
	}
	show := min(p.how.Show, p.how.FailOn)
	if p.how.Quiet {
		show = wire.Inherit
	}
	if text := comparedWith(p.result.Base); text != "" && len(p.result.Instances) > 0 {
		p.line(p.faint(text))
	}
	if text := outOfScope(p.result); text != "" {
		p.line(text, ": ", p.how.CheckAll)
	}
	p.line(counts(p.result, show), ": ", p.paint(color, gateWords[gate]))
}

func noState(r *result.Result) bool {
	return len(r.Instances)+len(r.Failures)+len(r.Checked) == 0 && !r.Changed
}

func markers(roots []wire.Root) string {
	var list []string
	for _, r := range roots {
		for _, m := range r.Markers {
			list = append(list, strings.TrimPrefix(r.Dir+"/", "**/")+m)
		}
	}
	return say.Or(list...)
}

// next writes what to do about the given number of findings.
func (p *listing) next(findings int) {
	list := p.fix(p.best())
	if p.result.Gate(p.how.FailOn) == result.Closed {
		if command := p.accept(); command != "" {
			list = append(list, hint{"accept:", Safe(command), ""})
		}
		if findings > many && p.how.Init != "" {
			list = append(list, hint{"start:", Safe(p.how.Init),
				"keeps today's errors in a baseline: only new ones close the gate"})
		}
	}
	p.hints(list)
	if p.how.Last != "" {
		p.line(p.how.Last)
	}
}

// fix recommends the remedy id. One that does not help to open a closed gate is only listed by recover.
func (p *listing) fix(id string, closes bool) []hint {
	if id == "" || p.how.Recover == "" {
		return nil
	}
	then := ""
	if p.result.Source == wire.Index {
		then = "then git add and commit again"
	}
	list := []hint{{"fix:", Safe(p.how.Recover), "asks, and shows every change first"}}
	if closes || p.result.Gate(p.how.FailOn) != result.Closed {
		list = append(list, hint{"or:", advice.Apply(Safe(p.how.Recover), id), then})
	}
	return list
}

// accept returns the command that accepts the first finding that closes the gate and can be accepted, or "" if there
// is none.
func (p *listing) accept() string {
	for _, d := range p.result.Severest() {
		if d.Severity >= p.how.FailOn && !result.Unread(d.Rule) && len(d.Fixed) == 0 && p.how.Accept != nil {
			return p.how.Accept(p.how.short[d.Fingerprint])
		}
	}
	return ""
}

// best returns the id of the remedy to recommend, or "" if all are manual, and whether its finding closes the gate.
func (p *listing) best() (id string, closes bool) {
	best := -1
	for _, e := range p.entries {
		for _, x := range e.remedies {
			if rank := usefulness(e.finding, &x, p.how.FailOn); rank > best {
				best, id, closes = rank, p.how.short[x.ID], e.finding.Severity >= p.how.FailOn
			}
		}
	}
	return id, closes
}

// usefulness ranks a remedy as the one command to recommend. The remedy of a finding that closes the gate ranks
// highest. Next comes one for a document that the change touches, because the base may not have that finding, and
// then a safe one. The rank of a manual remedy is -1.
func usefulness(d *result.Diagnostic, r *result.Remedy, failOn wire.Severity) int {
	rank := 0
	if r.Safety == wire.Manual {
		return -1
	}
	if d.Severity >= failOn {
		rank += 4
	}
	if d.Touched {
		rank += 2
	}
	if r.Safety == wire.Safe {
		rank++
	}
	return rank
}
