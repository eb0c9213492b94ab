package print

import (
	"io"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// StatusMarkdown writes the page's content as tables, for a job summary or a comment.
func StatusMarkdown(w io.Writer, r *result.Result, v View, o Options) error {
	s, p := newSummary(r, o), &overview{newReport(io.Discard, r, Options{FailOn: o.FailOn}), &v, r.Current()}
	s.add("\n" + strings.Join(each(v.facts(r), func(f *[2]string) string {
		return f[0] + " " + markdown(f[1])
	}), " · ") + "\n")
	for _, f := range r.Failures {
		s.add("\n" + markdown("could not be checked: "+failureText(&f)) + "\n")
	}
	places, n := result.Places(v.Runs), 0
	rows := each(v.Runs, func(run *result.Run) string {
		x := p.row(run, places[n])
		n++
		when, by := p.updated(run)
		if run.Self != nil && p.picks[run.Self] {
			x.run += " (current)"
		}
		return cells(x.mark+" "+stateWords[x.state], run.Instance.Plugin, x.run,
			strings.TrimSpace(drawnStep(run)+" "+x.phase), x.done, strings.TrimSpace(when+" "+by), x.next) + "|\n"
	})
	s.table(rows, " more runs do not fit here.", "state", "workflow", "run", "phase", "progress", "updated", "next")
	var found []string
	told := map[string]bool{} // one finding may block several runs
	tell := func(i *result.Instance, d *result.Diagnostic) {
		if !told[d.Fingerprint] {
			told[d.Fingerprint], found = true, append(found, s.finding(i, d))
		}
	}
	for i, d := range r.OfDirectory(o.FailOn) {
		tell(i, d)
	}
	for n := range v.Runs {
		for _, d := range findingsOf(&v.Runs[n], o.FailOn) {
			tell(v.Runs[n].Instance, &d)
		}
	}
	s.findings(found, " more findings do not fit here: stategate check.")
	for _, text := range o.notes(r) {
		s.add("\n" + markdown(text) + "\n")
	}
	_, err := io.WriteString(w, strings.TrimRight(s.text.String(), "\n")+"\n")
	return err
}
