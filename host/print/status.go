package print

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Status writes every run of every instance: who, phase, progress, state, what
// to do next, and facts.
// The run that a workflow's own tool would choose is marked with a star. Facts of
// runs that are over are left out where there are several instances.
func Status(w io.Writer, r *result.Result, o Options) error {
	p := newPrinter(w, o)
	picks, manifests := picked(r), map[string]*wire.Manifest{}
	for _, x := range r.Plugins {
		manifests[x.Name] = x.Manifest
	}
	for i := range r.Instances {
		lines := statusLines(&r.Instances[i], manifests[r.Instances[i].Plugin], picks)
		if len(r.Instances) > 1 {
			withoutOld(lines)
		}
		p.instance(&r.Instances[i], lines)
	}
	if len(picks) > 0 {
		p.line("* the run that the workflow's own tool would choose")
	}
	p.unseen(r)
	if n := len(Offers(r)); n > 0 && o.Recover != "" {
		p.line("remedies (", strconv.Itoa(n), "): ", Safe(o.Recover))
	}
	p.states(r)
	return p.w.Flush()
}

// picked returns the detections that Pick chooses: per plugin the eligible one
// with the greatest key, the first of equals.
func picked(r *result.Result) map[*wire.Detection]bool {
	best := map[string]*wire.Detection{}
	for i := range r.Instances {
		inst := &r.Instances[i]
		for j := range inst.Detections {
			d := &inst.Detections[j]
			if old := best[inst.Plugin]; d.Pick.Eligible && (old == nil || d.Pick.Key > old.Pick.Key) {
				best[inst.Plugin] = d
			}
		}
	}
	picks := map[*wire.Detection]bool{}
	for _, d := range best {
		picks[d] = true
	}
	return picks
}

// instance writes the runs of one instance, and an empty line if there is more
// to say of them than a line each.
func (p *printer) instance(i *result.Instance, lines []statusLine) {
	p.line(p.bold(p.path(i.Root)), "  ", p.faint(Safe(i.Plugin)), p.findings(i))
	var widths [3]int
	for _, l := range lines {
		for c, cell := range l.cells() {
			widths[c] = max(widths[c], Columns(cell))
		}
	}
	brief := true
	for _, l := range lines {
		p.run(l, widths)
		brief = brief && l.over() && len(l.facts) == 0
	}
	if !brief {
		p.line()
	}
}

func (p *printer) findings(i *result.Instance) string {
	s := (&result.Result{Instances: []result.Instance{*i}}).Summary()
	var counts []string
	if s.Errors > 0 {
		counts = append(counts, p.mark(count(s.Errors, "error")))
	}
	if s.Warnings > 0 {
		counts = append(counts, count(s.Warnings, "warning"))
	}
	if len(counts) == 0 {
		return ""
	}
	return "  " + strings.Join(counts, ", ")
}

// A statusLine is one detection, or several alike that follow each other.
type statusLine struct {
	*wire.Detection
	facts  []wire.Fact
	picked bool
	last   string // the subject of the last of them
	n      int
}

// over reports whether nothing is left to be done.
func (l statusLine) over() bool { return l.State > wire.Blocked }

func withoutOld(lines []statusLine) {
	for i := range lines {
		if lines[i].over() && !lines[i].picked {
			lines[i].facts = nil
		}
	}
}

// crowd is how many detections alike become one line.
const crowd = 4

func statusLines(i *result.Instance, m *wire.Manifest, picks map[*wire.Detection]bool) []statusLine {
	var lines []statusLine
	list := inOrder(i, m)
	for len(list) > 0 {
		n := 1
		for n < len(list) && alike(list[0], list[n], picks) {
			n++
		}
		if n < crowd {
			n = 1
		}
		lines = append(lines, statusLine{list[0], list[0].Facts, picks[list[0]], list[n-1].Subject, n})
		list = list[n:]
	}
	return lines
}

func inOrder(i *result.Instance, m *wire.Manifest) []*wire.Detection {
	var list []*wire.Detection
	for j := range i.Detections {
		list = append(list, &i.Detections[j])
	}
	slices.SortStableFunc(list, func(a, b *wire.Detection) int {
		return cmp.Or(cmp.Compare(lifecycleIndex(m, a.Lifecycle), lifecycleIndex(m, b.Lifecycle)), natural(a.Subject, b.Subject))
	})
	return list
}

func lifecycleIndex(m *wire.Manifest, name string) int {
	if m == nil {
		return 0
	}
	return slices.IndexFunc(m.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == name })
}

// alike reports whether two detections say the same of two subjects and have
// nothing of their own to say.
func alike(a, b *wire.Detection, picks map[*wire.Detection]bool) bool {
	return a.Lifecycle == b.Lifecycle && a.Claimed == b.Claimed && a.Observed == b.Observed && a.Fit == b.Fit && a.State == b.State &&
		a.Progress == b.Progress && len(a.Facts)+len(b.Facts) == 0 && a.Resume.First+b.Resume.First == "" &&
		(a.State > wire.Blocked || a.Resume.Next == b.Resume.Next) && !picks[a] && !picks[b]
}

func (l statusLine) cells() [3]string {
	return [3]string{Safe(l.who()), Safe(l.phase()), l.bar()}
}

func (l statusLine) who() string {
	switch {
	case l.n > 1:
		return l.Lifecycle + " " + l.Subject + " … " + l.last + " (" + strconv.Itoa(l.n) + ")"
	case l.Subject == "", l.Subject == l.Lifecycle:
		return l.Lifecycle
	}
	return l.Lifecycle + " " + l.Subject
}

// phase names the observed phase, and what the state file claims if that differs.
func (l statusLine) phase() string {
	observed := l.Observed
	if observed == "" {
		observed = "no phase proved"
	}
	switch {
	case l.Claimed == "" || l.Claimed == l.Observed && (l.Fit == wire.Fits || l.Fit == wire.FitUnknown):
		return observed
	case l.Fit == wire.Fits:
		return observed + " (written " + l.Claimed + ")"
	}
	return observed + " (claims " + l.Claimed + ": " + fitWord(l.Fit) + ")"
}

// fitWord says how a claim relates to what is observed. An unknown fit may be a phase
// that does not exist, or one that nothing proves or refutes.
func fitWord(f wire.Fit) string {
	if f == wire.FitUnknown {
		return "not proved"
	}
	return f.String()
}

const barWidth = 10

func (l statusLine) bar() string {
	pr := l.Progress
	if pr.Total <= 0 {
		return ""
	}
	full := max(0, min(barWidth, pr.Done*barWidth/pr.Total))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "] " +
		strconv.Itoa(pr.Done) + "/" + strconv.Itoa(pr.Total) + " " + Safe(pr.Unit)
}

func (p *printer) run(l statusLine, widths [3]int) {
	mark := "  "
	if l.picked {
		mark = "* "
	}
	var b strings.Builder
	for c, cell := range l.cells() {
		b.WriteString(cell + strings.Repeat(" ", widths[c]-Columns(cell)+2))
	}
	p.line(mark, b.String(), p.state(l.State))
	if !l.over() {
		p.labelled("first", l.Resume.First)
		p.labelled("next", l.Resume.Next)
	}
	p.facts(l.facts)
}

func (p *printer) state(s wire.State) string {
	switch s {
	case wire.Active:
		return p.paint(yellow, s.String())
	case wire.Blocked:
		return p.paint(red, s.String())
	case wire.Finished:
		return p.paint(green, s.String())
	}
	return p.faint(s.String())
}

func (p *printer) labelled(name, text string) {
	if text != "" {
		p.line("    ", p.bold(name+":"), " ", Safe(text))
	}
}

func (p *printer) states(r *result.Result) {
	var n [4]int
	for _, i := range r.Instances {
		for _, d := range i.Detections {
			n[min(int(d.State), 3)]++
		}
	}
	parts := []string{count(len(r.Instances), "instance")}
	for s, k := range n {
		if k > 0 {
			parts = append(parts, strconv.Itoa(k)+" "+wire.State(s).String())
		}
	}
	if len(r.Failures) > 0 {
		parts = append(parts, p.mark(count(len(r.Failures), "failure")+": some state could not be checked"))
	}
	p.line(strings.Join(parts, ", "))
}
