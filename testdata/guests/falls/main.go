// Command falls is a guest whose only rule panics at the bottom of a deep recursion, after the stack has grown and a
// garbage collection.
package main

import (
	"runtime"
	"strconv"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() {
	plugin.Serve(&sdk.Workflow{
		Name: "falls", Version: "1.0.0", Doc: "Falls.",
		Detect: func(*sdk.Pass) ([]sdk.Detection, error) { return []sdk.Detection{{}}, nil },
		Rules: []*sdk.Rule{{Name: "falls", Severity: sdk.Error,
			Check: func(*sdk.Pass) error { return fall(5000, nil) }}},
	})
}

func fall(n int, seen []string) error {
	if n == 0 {
		runtime.GC()
		panic("fell past " + seen[len(seen)-1] + " of " + strconv.Itoa(len(seen)) + " after " + detours())
	}
	return fall(n-1, append(seen, strconv.Itoa(n)))
}

func main() { plugin.Main() }
