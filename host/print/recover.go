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

// Recover lists every finding with its remedies and recovery options, and says how to apply one. If there are many
// findings, it only counts those that must be fixed by hand, and repeats the list of applicable remedies at the end.
func Recover(w io.Writer, x Recovery, o Options) error {
	r := x.Result
	o.short = shortIDs(r)
	p := newReport(w, r, o)
	applies := recoverable(r, o.shows)
	crowded := len(applies) > many
	folds := crowded && !o.All
	byHand := func(d *result.Diagnostic) bool {
		command, listed := applies[d]
		return folds && listed && !command
	}
	offers, list := r.Offers(), p.listed(func(d *result.Diagnostic) bool {
		_, listed := applies[d]
		return listed && !byHand(d)
	})
	list.applicable = map[string]int{}
	for _, c := range p.ruleCounts(p.how.shows) {
		list.applicable[c.rule] = len(result.OfRule(offers, c.rule))
	}
	list.write()
	var alone []*result.Instance // with recovery options, but without a listed finding
	for n := range r.Instances {
		i := &r.Instances[n]
		hidden := len(i.Recoveries) == 0 || folds && !slices.ContainsFunc(i.Recoveries, canApply)
		if !hidden && !slices.ContainsFunc(list.entries, func(e entry) bool { return e.instance == i }) {
			alone = append(alone, i)
			p.line(p.bold(p.path(i.Root)), ":")
			p.remedies(i.Root, i.Recoveries)
			p.line()
		}
	}
	if rules := p.ruleCounts(byHand); len(rules) > 0 {
		p.counts("to fix by hand (--show all):", rules)
	}
	p.unseen()
	if crowded {
		list.again(alone)
	}
	p.choices()
	return p.w.Flush()
}

// recoverable returns the findings to list. The value is true if a command fixes the finding. It omits infos without
// a remedy.
func recoverable(r *result.Result, shows func(*result.Diagnostic) bool) map[*result.Diagnostic]bool {
	list := map[*result.Diagnostic]bool{}
	for i, d := range r.Findings() {
		all := append(i.RecoveriesOf(d), d.Remedies...)
		if shows(d) && (d.Severity > wire.Info || len(all) > 0) {
			list[d] = len(d.Fixed) > 0 || slices.ContainsFunc(all, canApply)
		}
	}
	return list
}

func canApply(r result.Remedy) bool { return r.Safety != wire.Manual }

func (p *report) choices() {
	n := map[wire.Safety]int{}
	for _, c := range p.result.Offers() {
		n[c.Safety]++
	}
	var apply, parts []string
	for _, s := range []wire.Safety{wire.Safe, wire.Review} {
		if n[s] > 0 {
			apply = append(apply, strconv.Itoa(n[s])+" "+s.String())
		}
	}
	if all := strconv.Itoa(n[wire.Safe] + n[wire.Review]); len(apply) > 0 {
		// remedies of one kind need no second number
		parts = append(parts, all+" to apply ("+strings.TrimPrefix(strings.Join(apply, ", "), all+" ")+")")
	}
	if n[wire.Manual] > 0 {
		parts = append(parts, strconv.Itoa(n[wire.Manual])+" by hand")
	}
	if len(parts) == 0 {
		p.line("no remedies: ", p.withoutRemedy())
		return
	}
	p.line("remedies: ", strings.TrimSuffix(strings.Join(parts, ", ")+"; "+p.withoutRemedy(), "; "))
	if len(apply) > 0 && p.how.Recover != "" {
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
		return ""
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
		return p.mark("rolled back:")
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
