package legalmemo

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// An answer holds the result of one examination.
type answer struct {
	*wire.Report
	findings []finding.Finding // including the host's, without hidden findings
}

// manifest and builder are created once, because compiling their schemas is slow.
var (
	manifest = sync.OnceValue(Workflow.Manifest)
	builder  = sync.OnceValues(func() (*snapshot.Builder, error) { return snapshot.NewBuilder(manifest()) })
)

// lookAt examines testdata/<name>.txtar like a host.
func lookAt(t *testing.T, name string) answer {
	t.Helper()
	f, err := fixture.Load(os.DirFS("testdata"), name+".txtar")
	if err != nil {
		t.Fatal(err)
	}
	return examine(t, f.World().Input(manifest()))
}

func examine(t *testing.T, in snapshot.Input) answer {
	t.Helper()
	request := requestOf(t, in)
	report, err := fixture.Native(Workflow).Examine(request)
	if err != nil || report.Failure != "" || len(report.RuleFailures) > 0 {
		t.Fatal(err, report.Failure, report.RuleFailures)
	}
	return answer{report, snapshot.Verdict(manifest(), request, report)}
}

func requestOf(t *testing.T, in snapshot.Input) *wire.Request {
	t.Helper()
	b, err := builder()
	if err != nil {
		t.Fatal(err)
	}
	request, err := b.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// rulesAt returns the sorted rules, including the host's, that have findings with one of the severities.
func (l answer) rulesAt(severities ...sdk.Severity) []string {
	var names []string
	for _, f := range l.findings {
		if slices.Contains(severities, f.Severity) {
			names = append(names, f.Rule)
		}
	}
	slices.Sort(names)
	return names
}
