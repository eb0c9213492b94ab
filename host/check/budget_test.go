package check_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/guests"
)

// TestBudgetOfReports: the total size of all reports in one check is limited, however many state directories there
// are.
func TestBudgetOfReports(t *testing.T) {
	var all []string
	for i := range 1900 {
		all = append(all, fmt.Sprintf(`{"rule":"told","key":"k%d","range":{"path":"%s"},"message":"%s"}`, i,
			guests.Document, strings.Repeat("x", 4000)))
	}
	c := guests.Canned{Manifest: guests.Manifest("loud"),
		Report: guests.Report(`{"diagnostics":[` + strings.Join(all, ",") + `]}`)}
	p, err := plugin.ReadPlugin("loud.wasm", c.Bytes(), "", limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	var roots []string
	for i := range 10 {
		roots = append(roots, fmt.Sprint("d", i))
	}
	r, err := check.Check(t.Context(), checktest.Options(checktest.Tree(t, roots...), p))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Instances); n < 1 || n > 8 || n+len(r.Failures) != len(roots) {
		t.Errorf("%d instances and %d failures of %d, want at most 8 and the rest", n, len(r.Failures), len(roots))
	}
	for _, f := range r.Failures {
		if f.Kind != fault.Limit || !strings.Contains(f.Message, "64 MiB") {
			t.Errorf("failure %+v, want the limit of the check", f)
		}
	}
}

// TestPatience: the whole check has a time limit, regardless of how long each plugin may take.
func TestPatience(t *testing.T) {
	p, err := plugin.ReadPlugin("endless.wasm", guests.All()["endless-loop"].Wasm, "", limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	o := checktest.Options(checktest.Tree(t, "a", "b", "c"), p)
	o.Patience = 300 * time.Millisecond
	began := time.Now()
	_, err = check.Check(t.Context(), o)
	var f *fault.Failure
	if !errors.As(err, &f) || f.Kind != fault.Timeout ||
		!strings.Contains(f.Message, "the check took longer than 300ms") {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestBudgetOfGlobs: every name in a tree is compared with a limited number of globs.
func TestBudgetOfGlobs(t *testing.T) {
	many := slices.Repeat([]string{strings.Repeat("{a*,b*}", 6)}, 64)
	for name, root := range map[string]wire.Root{"markers": {Markers: many},
		"exceptions": {Markers: []string{"a"}, Except: many}} {
		t.Run(name, func(t *testing.T) {
			m, err := wire.DecodeManifest([]byte(guests.Manifest("globs")))
			if err != nil {
				t.Fatal(err)
			}
			m.Roots = nil
			for i := range 64 {
				root.Dir = fmt.Sprintf("r%d/*", i)
				m.Roots = append(m.Roots, root)
				root.Except = nil // more than the limit
			}
			p, err := plugin.ReadPlugin("globs.wasm", guests.Well(string(wire.EncodeManifest(m)), "{}"), "",
				limits.Default())
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			r, err := check.Check(t.Context(), checktest.Options(checktest.Tree(t, "a", strings.Repeat("ab", 100)), p,
				checktest.Plugin(t, "one", checktest.Told)))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Failures) != 1 || !strings.Contains(r.Failures[0].Message, "more than 2000 alternatives") ||
				len(r.Instances) != 2 {
				t.Errorf("failures %+v, %d instances", r.Failures, len(r.Instances))
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}
