package brief_test

import (
	"fmt"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
)

func Example() {
	p := &sdk.Pass{Docs: sdktest.Docs([]wire.Document{{Path: "plan.md"}, {Path: "state.json"}})}
	d := &sdk.Detection{}
	b := brief.Of(p, d, []sdk.Diagnostic{
		{Rule: "stale", Severity: sdk.Warning, Message: "phase is draft"},
		{Rule: "ahead", Severity: sdk.Error, Message: "phase is done, but there is no report.md"},
	})
	b.Read("state.json", "log.md", "plan.md", "plan.md")
	b.Do("write part 2")
	b.Rest(1, []brief.Part{{Title: "part 1", Done: true}, {Title: "part 2"}, {Title: "part 3"}, {Title: "part 3"}})
	b.Left("write part 2", "") // the next action does not remain as well
	fmt.Printf("%s\n%q\n%s\n%q %q\n", d.Resume.First, d.Resume.ReadFirst, d.Resume.Next, d.Resume.Skip,
		d.Resume.Remaining)
	// Output:
	// settle ahead: phase is done, but there is no report.md
	// ["state.json" "plan.md"]
	// write part 2
	// ["part 1 (done)"] ["part 3"]
}
