package print

import (
	"io"

	"github.com/stategate/stategate/sdk/wire"
)

// ResumeJSON writes a brief, or the runs to choose from, as schemas/resume.schema.json describes it.
func ResumeJSON(w io.Writer, x *Resumption, o Options) error {
	run := func(c *RunOption) members { return runMembers(c, o.FailOn) }
	var brief any
	if x.Run != nil {
		brief = run(x.Run)
	}
	return encode(w, members{
		"format", 1, "version", o.Version, "outcome", x.outcome(), "anchor", x.Workspace, "run", brief,
		"choices", each(x.Choices, run), "over", each(x.Over, run), "hidden", each(x.Hidden, o.diagnostic), "failures", x.Failures,
	})
}

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

func runMembers(c *RunOption, failOn wire.Severity) members {
	how, closing, gate := Options{Recover: c.Recover}, c.Closing(failOn), "open"
	if len(closing) > 0 {
		gate = "closed"
	}
	var self any
	if c.Self != nil {
		self = detection(c.Self)
	}
	return members{
		"plugin", c.Instance.Plugin, "root", c.Instance.Root, "name", c.Name(), "state", c.State(), "gate", gate,
		"commands", members{"resume", c.Resume, "recover", c.Recover, "check", c.Check}, "detection", self,
		"parts", each(c.Parts, func(part **wire.Detection) members { return detection(*part) }),
		"diagnostics", each(closing, how.diagnostic),
	}
}
