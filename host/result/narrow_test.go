package result

import (
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestNarrow: findings that a change does not touch are removed, and the runs with errors or warnings among them
// counted.
func TestNarrow(t *testing.T) {
	at := func(severity wire.Severity, path string) Diagnostic {
		return Diagnostic{Severity: severity, Place: Place{Path: path}}
	}
	r := &Result{Failures: []Failure{{Root: "a"}, {Root: "b"}}, Instances: []Instance{
		{Root: "a", Touched: true, Detections: []wire.Detection{{Subject: "one", Files: []string{"one/**"}},
			{Subject: "two", Files: []string{"two/**"}}, {Subject: "three", Files: []string{"three/**"}}},
			Diagnostics: []Diagnostic{at(wire.Error, "a/one/x"), at(wire.Error, "a/one/y"),
				at(wire.Warning, "a/two/x"), at(wire.Info, "a/two/y"),
				at(wire.Info, "a/three/x"), at(wire.Error, "a/z")}},
		{Root: "b", Diagnostics: []Diagnostic{at(wire.Error, "b")}},
	}}
	r.Narrow(func(f Failure) bool { return f.Root == "a" }, func(*Instance) func(*Diagnostic) bool {
		return func(d *Diagnostic) bool { return d.Place.Path == "a/z" }
	})
	if len(r.Failures) != 1 || len(r.Instances) != 1 || len(r.Instances[0].Diagnostics) != 1 {
		t.Errorf("left: %+v", r)
	}
	if want := (Outside{Errors: 3, Warnings: 1, Infos: 2, Failures: 1, Runs: 4}); r.Outside != want {
		t.Errorf("got %+v, want %+v", r.Outside, want)
	}
}
