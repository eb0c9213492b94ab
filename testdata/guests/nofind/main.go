// Command nofind is a plugin whose rule table has a row without a function.
package main

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/plugin"
)

var life = &sdk.Lifecycle{Name: "note", Phases: []*sdk.Phase{{Name: "open", Number: 1}}}

func init() {
	plugin.Serve(&sdk.Workflow{
		Name: "notes", Version: "1.0.0", Doc: "Notes", Lifecycles: []*sdk.Lifecycle{life},
		Roots:     []sdk.Root{{Dir: ".notes/*", Markers: []string{"note.md"}}},
		Documents: []sdk.DocumentSpec{{Glob: "note.md"}},
		Rules: check.Declare([]check.Rule[int]{{Name: "too-long", Severity: sdk.Error}},
			func(*check.Report) (int, check.Needs) { return 0, 0 }),
		Detect: func(*sdk.Pass) ([]sdk.Detection, error) { return []sdk.Detection{{Lifecycle: life}}, nil },
	})
}

func main() { plugin.Main() }
