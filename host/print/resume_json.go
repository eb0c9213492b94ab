package print

import (
	"io"

	"github.com/stategate/stategate/sdk/wire"
)

// The JSON of resume, field by field in the order of schemas/resume.schema.json.

type jsonResumption struct {
	Format   int              `json:"format"`
	Version  string           `json:"version"`
	Outcome  string           `json:"outcome"`
	Anchor   string           `json:"anchor"`
	Run      *jsonRun         `json:"run"`
	Choices  []jsonRun        `json:"choices"`
	Over     []jsonRun        `json:"over"`
	Hidden   []jsonDiagnostic `json:"hidden"`
	Failures []jsonFailure    `json:"failures"`
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
	d := jsonResumption{
		Format: 1, Version: o.Version, Outcome: x.outcome(), Anchor: x.Anchor,
		Choices: jsonRuns(x.Choices, o.FailOn), Over: jsonRuns(x.Over, o.FailOn), Hidden: []jsonDiagnostic{}, Failures: []jsonFailure{},
	}
	if x.Run != nil {
		run := newJSONRun(x.Run, o.FailOn)
		d.Run = &run
	}
	for _, h := range x.Hidden {
		d.Hidden = append(d.Hidden, o.diagnostic(h))
	}
	for _, f := range x.Failures {
		d.Failures = append(d.Failures, jsonFailure{f.Plugin, f.Root, string(f.Kind), f.Message, f.Stderr})
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

func jsonRuns(list []RunOption, failOn wire.Severity) []jsonRun {
	all := []jsonRun{}
	for i := range list {
		all = append(all, newJSONRun(&list[i], failOn))
	}
	return all
}

func newJSONRun(c *RunOption, failOn wire.Severity) jsonRun {
	out := jsonRun{
		Plugin: c.Instance.Plugin, Root: c.Instance.Root, Name: c.Name(), State: c.State().String(), Gate: "open",
		Commands: jsonCommands{c.Resume, c.Recover, c.Check}, Parts: []jsonDetection{}, Diagnostics: []jsonDiagnostic{},
	}
	if c.Self != nil {
		d := detection(c.Self, false)
		out.Detection = &d
	}
	for _, part := range c.Parts {
		out.Parts = append(out.Parts, detection(part, false))
	}
	how := Options{Recover: c.Recover}
	for _, e := range c.Closing(failOn) {
		out.Gate = "closed"
		out.Diagnostics = append(out.Diagnostics, how.diagnostic(e))
	}
	return out
}
