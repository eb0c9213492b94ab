package autopilot

import (
	"os"
	"path"
	"sort"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/snapshot"
)

// An expectation is what a fixture shows, and every rule that speaks in it, once for
// each finding. The state is active if it is "".
type expectation struct{ name, rules, claimed, observed, state string }

func TestValid(t *testing.T) { checkAll(t, valid) }

func TestBroken(t *testing.T) { checkAll(t, broken) }

func checkAll(t *testing.T, list []expectation) {
	for _, want := range list {
		t.Run(want.name, func(t *testing.T) {
			rules, d := lookAt(t, want.name)
			if rules != want.rules {
				t.Errorf("rules: got %q, want %q", rules, want.rules)
			}
			observed := ""
			if d.Observed != nil {
				observed = d.Observed.Name
			}
			if want.state == "" {
				want.state = "active"
			}
			if d.Claimed != want.claimed || observed != want.observed || d.State.String() != want.state {
				t.Errorf("got %q/%s %s, want %q/%s %s", d.Claimed, observed, d.State, want.claimed, want.observed, want.state)
			}
		})
	}
}

// lookAt examines testdata/<name>.txtar as a host would: the rules that spoke, sorted,
// and the detection.
func lookAt(t *testing.T, name string) (string, sdk.Detection) {
	t.Helper()
	f, err := fixture.Load(os.DirFS("testdata"), name+".txtar")
	if err != nil {
		t.Fatal(err)
	}
	request, err := snapshot.Build(Workflow.Manifest(), inputOf(f))
	if err != nil {
		t.Fatal(err)
	}
	p := sdk.NewPass(Workflow, request)
	p.Model, _ = prepare(p)
	if p.Detections, err = detect(p); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range Workflow.Rules {
		p.Rule, p.Report = r, func(sdk.Diagnostic) { names = append(names, r.Name) }
		if err := r.Check(p); err != nil {
			t.Errorf("rule %s: %v", r.Name, err)
		}
	}
	for _, d := range p.Docs.All() {
		for _, fault := range d.Faults {
			names = append(names, fault.Rule)
		}
	}
	sort.Strings(names)
	resume(p, &p.Detections[0], nil)
	return strings.Join(names, " "), p.Detections[0]
}

func inputOf(f *fixture.Fixture) snapshot.Input {
	in := snapshot.Input{
		Root: f.Header.Root, Name: path.Base(f.Header.Root), Source: f.Header.Source, Now: f.Header.Now,
		Options: f.Header.Options, Unseen: f.Header.Unseen, Files: filesOf(f.Files),
	}
	in.Base = snapshot.InputBase{State: f.Header.BaseState, Root: f.Header.Root, Files: filesOf(f.Base)}
	return in
}

func filesOf(entries []fixture.Entry) []snapshot.File {
	var files []snapshot.File
	for _, e := range entries {
		if spec := snapshot.SpecOf(Workflow.Documents, e.Path, e.Kind); spec >= 0 {
			files = append(files, snapshot.File{
				Path: e.Path, Kind: e.Kind, Detail: e.Detail, Size: int64(len(e.Data)), Data: e.Data, Ignored: e.Ignored, Spec: spec,
			})
		}
	}
	return files
}
