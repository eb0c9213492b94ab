package print

import (
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// StatusMarkdown writes the runs of a view as a table for the summary of a job, or for a comment.
func StatusMarkdown(w io.Writer, r *result.Result, v View, o Options) error {
	s, p := &summary{}, &overview{newReport(io.Discard, r, Options{FailOn: o.FailOn}), &v, nil}
	s.add("### stategate: the gate is " + string(r.Gate(o.FailOn)) + "\n\n" + markdown(verdict(r, o.FailOn)) + "\n")
	if len(v.Runs) > 0 {
		s.add("\n| state | workflow | run | phase | progress | touched | next |\n|---|---|---|---|---|---|---|\n")
	}
	for n := range v.Runs {
		run := &v.Runs[n]
		x := p.row(run)
		touched := x.touched
		if by := run.Instance.LastTouch.By; by != "" {
			touched += ", " + FirstColumns(by, 30)
		}
		text := ""
		for _, cell := range []string{x.mark + " " + stateWords[x.state], run.Instance.Plugin, run.Instance.Root,
			x.phase, x.done, touched, x.next} {
			text += "| " + markdown(cell) + " "
		}
		if !s.add(text + "|\n") {
			s.text.WriteString("\n" + strconv.Itoa(len(v.Runs)-n) + " more runs do not fit here.\n")
			break
		}
	}
	for _, f := range r.Failures {
		s.add("\n" + markdown("could not be checked: "+failureText(&f)) + "\n")
	}
	_, err := io.WriteString(w, strings.TrimRight(s.text.String(), "\n")+"\n")
	return err
}
