package print

import (
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// mostStatus is the maximum size of a status in Markdown, in bytes. GitHub rejects a comment of more than 65,536
// characters.
const mostStatus = 60_000

// These are the sizes of a status at which its parts must end. This leaves room for the parts below. A part can use
// the space that the parts above it left.
const (
	mostFailures = mostStatus * 2 / 10
	mostClosing  = mostStatus * 6 / 10
	mostRuns     = mostStatus * 8 / 10
	mostRules    = mostStatus * 85 / 100
	mostNotes    = mostStatus * 9 / 10
	mostWarnings = mostStatus - 1_000 // the lines that count what is left out follow
)

// StatusMarkdown writes the page's content as tables, for a job summary or a comment: first what closes the gate, then
// the runs, then the warnings.
func StatusMarkdown(w io.Writer, r *result.Result, v View, o Options) error {
	all := v.Runs
	if !v.Filtered {
		all = r.RunsAndRoots() // the view lacks the finished ones
	}
	s := newSummary(r, o, standing(result.CountStates(all, o.FailOn)))
	p := &overview{newReport(io.Discard, r, Options{FailOn: o.FailOn}), &v, r.Current()}
	s.most = mostFailures
	s.add("\n" + strings.Join(each(v.facts(r), func(f *fact) string {
		return f.Name + " " + markdown(f.Text)
	}), " · ") + "\n")
	s.list(each(r.Failures, func(f *result.Failure) string {
		return "\n" + markdown("could not be checked: "+failureText(f)) + "\n"
	}), "failures: stategate check")
	var closing, warnings []string
	listed := map[string]bool{} // fingerprints; one finding may block several runs
	for _, x := range v.findings(r, o.FailOn) {
		switch {
		case listed[x.finding.Fingerprint]:
		case x.finding.Severity >= o.FailOn:
			closing = append(closing, s.finding(x.instance, x.finding))
		default:
			warnings = append(warnings, s.finding(x.instance, x.finding))
		}
		listed[x.finding.Fingerprint] = true
	}
	s.most = mostClosing
	s.findings(closing, faultWord(o.FailOn)+"s: stategate check")
	s.most = mostRuns
	s.table(p.markdownRows(), "runs: stategate status", "state", "workflow", "run", "phase", "progress", "updated",
		"next")
	s.most = mostRules
	s.table(s.ruleRows(p.ruleCounts(func(d *result.Diagnostic) bool {
		return d.Severity < o.FailOn && listed[d.Fingerprint]
	})), "rules: stategate check --statistics", "warnings", "rule")
	s.most = mostNotes
	notes := each(o.notes(r), func(text *string) string { return "\n" + markdown(*text) + "\n" })
	s.list(notes, "notes: stategate check")
	if s.most = mostWarnings; len(warnings) > 0 {
		s.text.WriteString("\n<details>\n<summary>" + Count(len(warnings), "warning") + "</summary>\n")
		s.findings(warnings, "warnings: stategate check")
		s.text.WriteString("\n</details>\n")
	}
	s.most = mostStatus
	if command := acceptAny(&o); command != "" && len(listed) > 0 {
		s.add("\n" + acceptText + " " + code(command) + "\n")
	}
	_, err := io.WriteString(w, strings.TrimRight(s.text.String(), "\n")+"\n")
	return err
}

// findings returns the findings of state directories that close the gate, followed by the findings of the view's
// runs.
func (v *View) findings(r *result.Result, failOn wire.Severity) (list []entry) {
	for i, d := range r.OfDirectory(failOn) {
		list = append(list, entry{instance: i, finding: d})
	}
	for n := range v.Runs {
		for _, d := range findingsOf(&v.Runs[n], failOn) {
			list = append(list, entry{instance: v.Runs[n].Instance, finding: &d})
		}
	}
	return list
}

func (p *overview) markdownRows() (rows []string) {
	places := result.Places(p.view.Runs)
	for n := range p.view.Runs {
		run := &p.view.Runs[n]
		x := p.runFacts(run, places[n])
		if x.Current {
			x.run += " (current)"
		}
		rows = append(rows, cells(x.mark+" "+x.State, x.Of, x.run, strings.TrimSpace(drawnStep(run)+" "+x.phase),
			x.Done, strings.TrimSuffix(x.Updated+", "+x.By, ", "))+
			"| "+strings.TrimLeft(withCode(x.Next)+" |\n", " "))
	}
	return rows
}

func (s *summary) ruleRows(list []ruleCount) []string {
	return each(list, func(c *ruleCount) string { return cells(strconv.Itoa(c.n)) + "| " + s.rule(c.rule) + " |\n" })
}
