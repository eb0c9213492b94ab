package print

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// An Offer is one remedy of one finding, or one recovery of an instance.
type Offer struct {
	result.Remedy
	Instance *result.Instance
	Finding  *result.Diagnostic // nil: a recovery
}

// Offers returns every remedy and recovery in the order in which Recover
// numbers them, from 1.
func Offers(r *result.Result) []Offer {
	var list []Offer
	for i := range r.Instances {
		inst := &r.Instances[i]
		for j := range inst.Diagnostics {
			for _, remedy := range inst.Diagnostics[j].Remedies {
				list = append(list, Offer{remedy, inst, &inst.Diagnostics[j]})
			}
		}
		for _, remedy := range inst.Recoveries {
			list = append(list, Offer{remedy, inst, nil})
		}
	}
	return list
}

// ends returns the rules whose findings are gone afterwards, but for that of the
// finding that the remedy belongs to.
func (c Offer) ends() []string {
	var list []string
	for _, rule := range c.Heals {
		if rule = c.Instance.Plugin + "/" + rule; c.Finding == nil || rule != c.Finding.Rule {
			list = append(list, rule)
		}
	}
	return list
}

// Recover lists every remedy and recovery, numbered, below what it ends, and the
// numbers that are over.
func Recover(w io.Writer, r *result.Result, n *Numbers, o Options) error {
	p := newPrinter(w, o)
	all, short := Offers(r), shortIDs(r)
	for list := all; len(list) > 0; {
		end := 1
		for end < len(list) && list[end].Instance == list[0].Instance {
			end++
		}
		p.offers(n, list[:end], short)
		list = list[end:]
	}
	p.settled(n, all)
	p.unseen(r)
	p.choices(r, o)
	return p.w.Flush()
}

// offers writes those of one instance.
func (p *printer) offers(n *Numbers, list []Offer, short map[string]string) {
	i := list[0].Instance
	p.line(p.bold(p.path(i.Root)), "  ", p.faint(Safe(i.Plugin)))
	for j := range i.Diagnostics {
		d := &i.Diagnostics[j]
		if len(d.Remedies) == 0 && len(recoveriesOf(i, d)) == 0 {
			continue
		}
		p.line("  ", p.place(d.Place), ": ", p.severity(d.Severity), ": ", Safe(d.Message), p.faint(" ["+Safe(d.Rule)+"]"))
		for len(list) > 0 && list[0].Finding == d {
			p.choice(n.of(list[0]), list[0], short[list[0].ID])
			list = list[1:]
		}
	}
	if len(list) > 0 {
		p.line("  recovery options:")
	}
	for _, f := range list {
		p.choice(n.of(f), f, short[f.ID])
	}
}

// choice writes a remedy so that its title stands at the end: what is short
// stays readable on a narrow terminal.
func (p *printer) choice(n int, c Offer, short string) {
	p.line("  ", ordinal(n), "  ", p.safety(c.Safety, len("review")), "  ", short, "  ", Safe(c.Title))
	if also := c.ends(); len(also) > 0 {
		p.line("       ends ", Safe(strings.Join(also, ", ")))
	}
	if c.Doubt != "" {
		p.line("       not safe: ", Safe(c.Doubt))
	}
	for _, s := range c.Steps {
		p.line("       - ", Safe(s))
	}
}

func ordinal(n int) string { return fmt.Sprintf("%3d", n) }

// choices writes the summary line, and how to go on.
func (p *printer) choices(r *result.Result, o Options) {
	var n [3]int
	for _, c := range Offers(r) {
		n[min(c.Safety, wire.Safe)]++
	}
	var parts []string
	for _, s := range []wire.Safety{wire.Safe, wire.Review, wire.Manual} {
		if n[s] > 0 {
			parts = append(parts, strconv.Itoa(n[s])+" "+s.String())
		}
	}
	if len(parts) == 0 {
		p.line("no remedies: ", p.withoutRemedy(r))
		return
	}
	p.line(strings.Join(parts, ", "), "; ", p.withoutRemedy(r))
	if n[wire.Safe]+n[wire.Review] > 0 && o.Recover != "" {
		p.line("apply one:    ", Safe(o.Recover), " --apply ID")
		p.line("see it first: ", Safe(o.Recover), " --apply ID --dry-run")
	}
}

// withoutRemedy counts the findings that nothing is offered for.
func (p *printer) withoutRemedy(r *result.Result) string {
	none, all := 0, 0
	for i := range r.Instances {
		for j := range r.Instances[i].Diagnostics {
			all++
			if d := &r.Instances[i].Diagnostics[j]; len(d.Remedies) == 0 && len(recoveriesOf(&r.Instances[i], d)) == 0 {
				none++
			}
		}
	}
	switch {
	case len(r.Failures) > 0:
		return p.mark("some state could not be checked")
	case all == 0:
		return p.paint(green, "nothing is wrong")
	case none == 0:
		return "every finding has a remedy"
	}
	return count(none, "finding") + " without a remedy"
}
