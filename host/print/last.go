package print

import (
	"slices"
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
	best, id := p.best()
	list := p.fix(best, id)
	if p.result.Gate(p.how.FailOn) == result.Closed {
		list = append(list, p.accept(best)...)
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

// fix recommends the remedy of the finding best that has the given id. If that does not help to open a closed gate, or
// if there is no such remedy, it only refers to recover.
func (p *listing) fix(best *result.Diagnostic, id string) []hint {
	applicable := func(e entry) bool { return slices.ContainsFunc(e.remedies, canApply) }
	if p.how.Recover == "" || !slices.ContainsFunc(p.entries, applicable) {
		return nil
	}
	then := ""
	if p.result.Source == wire.Index && p.result.Gate(p.how.FailOn) != result.Open {
		then = "then git add and commit again"
	}
	list := []hint{{"fix:", Safe(p.how.Recover), "asks, and shows every change first"}}
	if best != nil && (best.Severity >= p.how.FailOn || p.result.Gate(p.how.FailOn) != result.Closed) {
		list = append(list, hint{"or:", advice.Apply(Safe(p.how.Recover), id), then})
	}
	return list
}

// accept says how to accept a finding that closes the gate and can be accepted: best, or else the first one. If others
// close the gate too, it says which finding that is.
func (p *listing) accept(best *result.Diagnostic) []hint {
	if p.how.Accept == nil {
		return nil
	}
	var chosen *result.Diagnostic
	closing := 0
	for _, d := range p.result.Severest() {
		if d.Severity < p.how.FailOn {
			continue
		}
		closing++
		if !result.Unread(d.Rule) && len(d.Fixed) == 0 && (chosen == nil || d == best) {
			chosen = d
		}
	}
	if chosen == nil {
		return nil
	}
	command, which := p.how.Accept(p.how.short[chosen.Fingerprint]), ""
	if closing > 1 {
		which = "accepts " + Safe(chosen.Rule) + " at " + p.place(chosen.Place)
	}
	if command == "" {
		return nil
	}
	return []hint{{"accept:", Safe(command), which}}
}

// best returns the finding whose remedy to recommend, and the remedy's id. An expert would choose the first remedy of a
// finding, so it recommends no other one. It returns nil if all first remedies are manual.
func (p *listing) best() (finding *result.Diagnostic, id string) {
	best := -1
	for _, e := range p.entries {
		if len(e.remedies) == 0 {
			continue
		}
		if x := &e.remedies[0]; usefulness(e.finding, x, p.how.FailOn) > best {
			best, finding, id = usefulness(e.finding, x, p.how.FailOn), e.finding, p.how.short[x.ID]
		}
	}
	return finding, id
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
