package print

import (
	"io"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

type jsonBrief struct {
	Format           int              `json:"format"`
	Version          string           `json:"version"`
	Outcome          string           `json:"outcome"`
	WorkspaceRoot    string           `json:"workspace_root"`
	Run              *jsonRun         `json:"run"`
	Choices          []jsonRun        `json:"choices"`
	Finished         []jsonRun        `json:"finished"`
	ErrorsWithoutRun []jsonFinding    `json:"errors_without_run"`
	Failures         []result.Failure `json:"failures"`
}

type jsonRun struct {
	Plugin      string          `json:"plugin"`
	Root        string          `json:"root"`
	Name        string          `json:"name"`
	State       string          `json:"state"`
	Gate        result.Gate     `json:"gate"`
	Commands    result.Commands `json:"commands"`
	Detection   *jsonDetection  `json:"detection"`
	Parts       []jsonDetection `json:"parts"`
	Diagnostics []jsonFinding   `json:"diagnostics"`
}

// ResumeJSON writes a brief, or the runs to choose from, in the format of schemas/resume.schema.json.
func ResumeJSON(w io.Writer, x *Resumption, o Options) error {
	run := func(r *result.Run) jsonRun { return newRun(r, o.FailOn) }
	out := jsonBrief{1, o.Version, x.outcome(), o.Workspace, nil, each(x.Choices, run), each(x.Finished, run),
		each(x.ErrorsWithoutRun, o.jsonFinding), some(x.Failures)}
	if x.Run != nil {
		brief := run(x.Run)
		out.Run = &brief
	}
	return encode(w, out)
}

func (x *Resumption) outcome() string {
	switch {
	case len(x.Failures) > 0:
		return "incomplete"
	case x.Run != nil:
		return "brief"
	case len(x.Choices) > 0:
		return "choose"
	case len(x.ErrorsWithoutRun) > 0:
		return "unknown"
	}
	return "nothing"
}

func newRun(r *result.Run, failOn wire.Severity) jsonRun {
	how, closing := Options{Recover: r.Recover}, r.Closing(failOn)
	out := jsonRun{r.Instance.Plugin, r.Instance.Root, r.Name(), r.State().String(), result.Open,
		r.Commands, nil,
		each(r.Parts, func(part **wire.Detection) jsonDetection { return newDetection(*part) }),
		each(closing, findingOf(&how, r.Instance))}
	if len(closing) > 0 {
		out.Gate = result.Closed
	}
	if r.Self != nil {
		self := newDetection(r.Self)
		out.Detection = &self
	}
	return out
}
