package print

import (
	"io"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// StatusMarkdown writes the runs of a view as a table for the summary of a job, or for a comment.
func StatusMarkdown(w io.Writer, r *result.Result, v View, o Options) error {
	s, p := newSummary(r, o.FailOn), &overview{newReport(io.Discard, r, Options{FailOn: o.FailOn}), &v, nil}
	places, n := result.Places(v.Runs), 0
	rows := each(v.Runs, func(run *result.Run) string {
		x := p.row(run, places[n])
		n++
		if by := run.Updated.By; by != "" {
			x.updated += ", " + FirstColumns(by, 30)
		}
		return cells(x.mark+" "+stateWords[x.state], run.Instance.Plugin, x.run, x.phase, x.done,
			x.updated, x.next) + "|\n"
	})
	s.table(rows, " more runs do not fit here.", "state", "workflow", "run", "phase", "progress", "updated", "next")
	for _, f := range r.Failures {
		s.add("\n" + markdown("could not be checked: "+failureText(&f)) + "\n")
	}
	_, err := io.WriteString(w, strings.TrimRight(s.text.String(), "\n")+"\n")
	return err
}
