package print

import (
	"io"

	"github.com/stategate/stategate/sdk/wire"
)

// The JSON of resume, field by field in the order of schemas/resume.schema.json.

type jsonResumption struct {
	Format    int              `json:"format"`
	Version   string           `json:"version"`
	Outcome   string           `json:"outcome"`
	Workspace string           `json:"anchor"`
	Run       *jsonRun         `json:"run"`
	Choices   []jsonRun        `json:"choices"`
	Over      []jsonRun        `json:"over"`
	Hidden    []jsonDiagnostic `json:"hidden"`
	Failures  []jsonFailure    `json:"failures"`
}

type jsonRun struct {
	Plugin      string           `json:"plugin"`
	Root        string           `json:"root"`
	Name        string           `json:"name"`
	State       string           `json:"state"`
	Gate        string           `json:"gate"`
	Commands    jsonCommands     `json:"commands"`
	Detection   *jsonDetection   `json:"detection"`
	Parts       []jsonDetection  `json:"parts"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
}

type jsonCommands struct {
	Resume  string `json:"resume"`
	Recover string `json:"recover"`
	Check   string `json:"check"`
}

// ResumeJSON writes a brief, or the runs to choose from, as
// schemas/resume.schema.json describes it.
func ResumeJSON(w io.Writer, x *Resumption, o Options) error {
	run := func(c *RunOption) jsonRun { return newJSONRun(c, o.FailOn) }
	d := jsonResumption{
		Format: 1, Version: o.Version, Outcome: x.outcome(), Workspace: x.Workspace,
		Choices: each(x.Choices, run), Over: each(x.Over, run), Hidden: each(x.Hidden, o.diagnostic), Failures: each(x.Failures, failureJSON),
	}
	if x.Run != nil {
		brief := run(x.Run)
		d.Run = &brief
	}
	return encode(w, d)
}

// outcome says in a word what came of it.
func (x *Resumption) outcome() string {
	switch {
	case len(x.Failures) > 0:
		return "broken"
	case x.Run != nil:
		return "brief"
	case len(x.Choices) > 0:
		return "choose"
	case len(x.Hidden) > 0:
		return "hidden"
	}
	return "nothing"
}

func newJSONRun(c *RunOption, failOn wire.Severity) jsonRun {
	how, closing := Options{Recover: c.Recover}, c.Closing(failOn)
	out := jsonRun{
		Plugin: c.Instance.Plugin, Root: c.Instance.Root, Name: c.Name(), State: c.State().String(), Gate: "open",
		Commands: jsonCommands{c.Resume, c.Recover, c.Check}, Diagnostics: each(closing, how.diagnostic),
		Parts: each(c.Parts, func(part **wire.Detection) jsonDetection { return detection(*part, false) }),
	}
	if c.Self != nil {
		d := detection(c.Self, false)
		out.Detection = &d
	}
	if len(closing) > 0 {
		out.Gate = "closed"
	}
	return out
}
