package main

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

// validResume checks resume's JSON against its schema.
func validResume(text []byte) error { return validAs(schemas.Resume, text) }

// TestResumeHostile: whatever a result contains, no format emits terminal or CI commands, and the JSON matches its
// schema.
func TestResumeHostile(t *testing.T) {
	r := full(t)
	r.Instances[0].Diagnostics[0].Severity = wire.Error
	r.Instances[0].Lifecycles, r.Instances[0].Detections[0].PartOf = nil, wire.RunName{} // it is a run
	c := r.Runs()[0]
	c.Resume, c.Recover, c.Check = hostile, hostile, hostile
	parts := c
	parts.Self, parts.Parts = nil, []*wire.Detection{c.Self}
	both := c
	both.Parts = parts.Parts
	for name, x := range map[string]result.Choice{
		"run":        {Run: &c},
		"parts":      {Run: &parts, Failures: r.Failures},
		"both":       {Run: &both},
		"choose":     {Choices: []result.Run{c, parts}, ErrorsWithoutRun: r.Instances[0].Diagnostics},
		"finished":   {Finished: []result.Run{c, parts}},
		"unknown":    {ErrorsWithoutRun: r.Instances[0].Diagnostics},
		"incomplete": {Choices: []result.Run{c}, Failures: r.Failures},
		"empty":      {},
	} {
		for _, format := range resumeFormats {
			var b strings.Builder
			if err := format.Resume(&b, &print.Resumption{Choice: x},
				print.Options{FailOn: wire.Error, Version: "1", Workspace: hostile}); err != nil {
				t.Fatal(err)
			}
			if fault := commanding(b.String()); fault != "" {
				t.Errorf("%s as %s: it holds %s", name, format.Name, fault)
			}
			if format.Name != formatJSON {
				continue
			}
			if err := validResume([]byte(b.String())); err != nil {
				t.Errorf("%s: %#v\n%s", name, err, b.String())
			}
		}
	}
}
