package print

import (
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Recover lists every finding with its remedies and recoveries, and says how to apply one.
func Recover(w io.Writer, r *result.Result, o Options) error {
	p := newPrinter(w, o)
	short := shortIDs(r)
	for n := range r.Instances {
		i := &r.Instances[n]
		list := o.shown(i)
		for at, d := range list {
			p.remedied(d, remediesOf(i, list, at), short)
		}
		if len(list) == 0 && len(i.Recoveries) > 0 {
			p.line(p.bold(p.path(i.Root)), ":")
			p.remedies(i.Recoveries, short)
			p.line()
		}
	}
	p.unseen(r)
	p.choices(r, o)
	return p.w.Flush()
}

func (p *printer) choices(r *result.Result, o Options) {
	n := map[wire.Safety]int{}
	for _, c := range r.Offers() {
		n[c.Safety]++
	}
	text := ""
	for _, s := range []wire.Safety{wire.Safe, wire.Review, wire.Manual} {
		if n[s] > 0 {
			text += ", " + strconv.Itoa(n[s]) + " " + s.String()
		}
	}
	if text == "" {
		p.line("no remedies: ", p.withoutRemedy(r))
		return
	}
	p.line(text[2:], "; ", p.withoutRemedy(r))
	if n[wire.Safe]+n[wire.Review] > 0 && o.Recover != "" {
		p.line("apply one:    ", Safe(o.Recover), " --apply ID")
		p.line("see it first: ", Safe(o.Recover), " --apply ID --dry-run")
	}
}

func (p *printer) withoutRemedy(r *result.Result) string {
	none, list, sum := 0, findings(r), r.Summary()
	for _, f := range list {
		if len(f.Remedies) == 0 && len(RecoveriesOf(f.instance, f.Diagnostic)) == 0 {
			none++
		}
	}
	switch {
	case len(r.Failures) > 0:
		return p.mark("some state could not be checked")
	case len(r.Instances) == 0:
		return "no workflow state was found"
	case len(list) == 0 && sum.Suppressed > 0:
		return "every finding is accepted (" + strings.Join(accepted(&sum), ", ") + ")"
	case len(list) == 0:
		return p.paint(green, "nothing is wrong")
	case none == 0:
		return "every finding has a remedy"
	}
	return Count(none, "finding") + " without a remedy"
}
