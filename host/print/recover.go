package print

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Recover lists every finding with its remedies and recovery options, and says how to apply one.
func Recover(w io.Writer, x Recovery, o Options) error {
	r := x.Result
	p := newReport(w, r, o)
	p.short = shortIDs(r)
	offers, list := r.Offers(), p.listed()
	list.applicable = map[string]int{}
	for _, c := range p.ruleCounts(p.how.shows) {
		list.applicable[c.rule] = len(result.OfRule(offers, c.rule))
	}
	list.entries = slices.DeleteFunc(list.entries, func(e entry) bool {
		return e.finding.Severity == wire.Info && len(e.remedies) == 0
	})
	list.write()
	for n := range r.Instances {
		i := &r.Instances[n]
		if len(i.Recoveries) > 0 && !slices.ContainsFunc(list.entries, func(e entry) bool { return e.instance == i }) {
			p.line(p.bold(p.path(i.Root)), ":")
			p.remedies(i.Recoveries)
			p.line()
		}
	}
	p.unseen()
	p.choices()
	return p.w.Flush()
}

func (p *report) choices() {
	n := map[wire.Safety]int{}
	for _, c := range p.result.Offers() {
		n[c.Safety]++
	}
	text := ""
	for _, s := range []wire.Safety{wire.Safe, wire.Review, wire.Manual} {
		if n[s] > 0 {
			text += ", " + strconv.Itoa(n[s]) + " " + s.String()
		}
	}
	if text == "" {
		p.line("no remedies: ", p.withoutRemedy())
		return
	}
	p.line(text[2:], "; ", p.withoutRemedy())
	if n[wire.Safe]+n[wire.Review] > 0 && p.how.Recover != "" {
		p.line("apply one:    ", advice.Apply(Safe(p.how.Recover), "ID"))
		p.line("see it first: ", advice.Apply(Safe(p.how.Recover), "ID"), " --dry-run")
	}
}

func (p *report) withoutRemedy() string {
	r := p.result
	none, all, sum := 0, 0, r.Summary()
	for i, d := range r.Findings() {
		if all++; len(d.Remedies)+len(i.RecoveriesOf(d)) == 0 {
			none++
		}
	}
	switch {
	case len(r.Failures) > 0:
		return p.mark("some state could not be checked")
	case len(r.Instances) == 0:
		return "no workflow state was found"
	case all == 0 && sum.Suppressed > 0:
		return "every finding is accepted (" + strings.Join(accepted(&sum), ", ") + ")"
	case all == 0:
		return p.paint(green, "nothing is wrong")
	case none == 0:
		return "every finding has a remedy"
	}
	return Count(none, "finding") + " without a remedy"
}

// Outcome writes the outcome of applying remedies to each instance.
func Outcome(w io.Writer, out *result.Outcome, o Options) error {
	p := &changes{newPrinter(w, o)}
	for i := range out.Instances {
		p.repaired(&out.Instances[i])
	}
	return p.w.Flush()
}

// A changes writes the outcome of remedies.
type changes struct{ *printer }

func (p *changes) repaired(r *result.Repaired) {
	where := p.directory(r.Root)
	if r.To != "" && r.To != r.Root {
		where += " -> " + p.directory(r.To)
	}
	p.line(p.done(r.Done), " ", Safe(r.Plugin), " in ", p.bold(where))
	for _, title := range r.Titles {
		p.wrapped("  ", 2, "    ", Safe(title), "")
	}
	if r.Why != "" {
		p.wrapped("  because ", 10, "    ", Safe(r.Why), "")
	}
	for _, c := range r.Files {
		switch {
		case r.Done == result.Applied || c.To == "":
			p.line("    ", p.fileLine(c))
		default:
			p.line("    restored  ", p.path(cmp.Or(c.From, c.To)))
		}
	}
	p.skipped(r.Skipped)
}

func (p *changes) directory(root string) string {
	path := p.path(root)
	if path == "." {
		return path
	}
	return strings.TrimSuffix(path, "/") + "/"
}

func (p *changes) done(d result.Done) string {
	switch d {
	case result.Applied:
		return p.paint(green, "applied")
	case result.RolledBack:
		return p.mark("rolled back, nothing was changed:")
	}
	return p.paint(green, "undone")
}

func (p *changes) fileLine(c result.FileChange) string {
	switch {
	case c.From == "":
		return "new      " + p.path(c.To)
	case c.To == "":
		return "removed  " + p.path(c.From)
	case c.From != c.To:
		return "moved    " + p.path(c.From) + " -> " + p.path(c.To)
	}
	return "changed  " + p.path(c.To)
}

// Skipped writes the remedies that were not applied, with the reason.
func Skipped(w io.Writer, list []result.Skipped, o Options) error {
	p := &changes{newPrinter(w, o)}
	p.skipped(list)
	return p.w.Flush()
}

func (p *changes) skipped(list []result.Skipped) {
	for _, s := range list {
		rule := ""
		if s.Finding != nil {
			rule = " [" + Safe(s.Rule()) + "]"
		}
		p.wrapped("  "+p.paint(yellow, "left out")+" ", 11, "    ", Safe(s.Title)+rule+": "+Safe(s.Why), "")
	}
}

// ByHand writes the manual steps of remedies that cannot be applied.
func ByHand(w io.Writer, list []result.Offer, o Options) error {
	p := newPrinter(w, o)
	for _, f := range list {
		p.line("by hand: ", Safe(f.Title))
		for _, s := range f.Steps {
			p.line("  - ", Safe(s))
		}
	}
	return p.w.Flush()
}

// Gate writes one line for each finding that still closes the gate after a change, then the summary line and the next
// command. If there is no command because the user is asked, it writes only the summary line.
func Gate(w io.Writer, r *result.Result, o Options) error {
	p := newReport(w, r, o)
	if o.Recover != "" {
		p.how.Quiet = true
		p.concise()
		p.how.Quiet = false
	}
	p.unseen()
	p.summary()
	if o.Recover != "" && r.Gate(o.FailOn) == result.Closed {
		p.line("fix: ", Safe(o.Recover))
	}
	return p.w.Flush()
}
