package print

import (
	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// The last lines of a check: what it compared with, what it left out, the verdict, and what to do about it.

// summary writes all of them that say what was found.
func (p *report) summary() {
	if p.noState() {
		p.line("no workflow state found (", Count(len(p.result.Plugins), "workflow"), " known: ",
			Safe(p.how.Explain), ")")
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

// noState reports whether there is nothing that could have been checked.
func (p *report) noState() bool {
	r := p.result
	return len(r.Instances)+len(r.Failures)+len(r.Checked) == 0 && !r.Changed && p.how.Explain != ""
}

// next writes what to do: remedy is the id of the one to name, "" if none can be applied.
func (p *report) next(remedy string, findings int) {
	p.fix(remedy)
	if p.result.Gate(p.how.FailOn) == result.Closed {
		if command := p.accept(); command != "" {
			p.hint("accept: ", Safe(command), "")
		}
		if findings > many && p.how.Init != "" {
			p.hint("start: ", Safe(p.how.Init), "keeps today's errors in a baseline: only new ones close the gate")
		}
	}
	if p.how.Last != "" {
		p.line(p.how.Last)
	}
}

// fix writes the commands that repair what was found.
func (p *report) fix(id string) {
	if id == "" || p.how.Recover == "" {
		return
	}
	p.hint("fix: ", Safe(p.how.Recover), "asks, and shows every change first")
	then := ""
	if p.result.Source == wire.Index {
		then = "then git add and commit again"
	}
	p.hint(" or: ", advice.Apply(Safe(p.how.Recover), id), then)
}

// accept is the command that accepts the first finding that closes the gate and may be accepted; "" if there is none.
func (p *report) accept() string {
	for _, d := range p.result.Severest() {
		if d.Severity >= p.how.FailOn && !result.Unread(d.Rule) && len(d.Fixed) == 0 && p.how.Accept != nil {
			return p.how.Accept(p.short[d.Fingerprint])
		}
	}
	return ""
}
