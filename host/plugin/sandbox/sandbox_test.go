package sandbox

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/testdata/guests"
)

func engine(t *testing.T) *Engine {
	t.Helper()
	return Open(limits.Default())
}

// shut frees a guest's resources, which a worker does by exiting.
func shut(t *testing.T, g *Guest) {
	g.Renew(t.Context())
	g.code.close(t.Context())
}

func load(t *testing.T, e *Engine, wasm []byte) *Guest {
	t.Helper()
	g, err := e.Load(t.Context(), wasm, false)
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	t.Cleanup(func() { shut(t, g) })
	return g
}

// through loads a module through the cache in a directory, like a worker, and returns the cache's warning.
func through(t *testing.T, dir string, module []byte) (*Guest, string) {
	t.Helper()
	c, err := cache.Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	e, digest := engine(t), plugin.Digest(module)
	entry, err := c.Get(Key(digest), func(dir string) error { return e.Compile(t.Context(), module, digest, dir) })
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := e.Kept(t.Context(), digest, entry.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if g == nil {
		t.Fatal("the machine code that was just made is not used")
	}
	t.Cleanup(func() { shut(t, g) })
	return g, entry.Warning
}

func TestCall(t *testing.T) {
	report := strings.Repeat("0123456789", 1000) + "abc"
	g := load(t, engine(t), guests.Well("manifest", report))
	for range 3 {
		for export, want := range map[string]string{"describe": "manifest", "examine": report} {
			got, err := g.Call(t.Context(), export, []byte("request"))
			if err != nil || string(got) != want {
				t.Fatalf("%s = %.40q, %v, want %.40q", export, got, err, want)
			}
		}
	}
}

// TestSins runs the misbehaving guests that end on their own. Package worker runs the others.
func TestSins(t *testing.T) {
	e := engine(t)
	for _, sin := range guests.Bytes() {
		if slices.Contains(sin.Kinds, fault.Timeout) {
			continue
		}
		t.Run(sin.Name, func(t *testing.T) {
			g, err := e.Load(t.Context(), sin.Wasm, false)
			if (err != nil) != sin.Refused {
				t.Fatalf("Load = %v, refused should be %v", err, sin.Refused)
			}
			if err == nil {
				defer shut(t, g)
				var out []byte
				if out, err = g.Call(t.Context(), "examine", []byte("{}")); err == nil {
					t.Fatalf("examine = %.40q, want a failure", out)
				}
			}
			var f *fault.Failure
			if !errors.As(err, &f) || !slices.Contains(sin.Kinds, f.Kind) {
				t.Fatalf("failure %+v, want one of %v", f, sin.Kinds)
			}
			if len(f.Message) > 4<<10+100 || len(f.Stderr) > 16<<10+100 {
				t.Errorf("message of %d and stderr of %d bytes are not bounded", len(f.Message), len(f.Stderr))
			}
			t.Logf("%s: %s\n%.300s", f.Kind, f.Message, f.Stderr)
		})
	}
}

// TestReuseAfterFailure: a failed call costs only the instance. The guest can be called again.
func TestReuseAfterFailure(t *testing.T) {
	g := load(t, engine(t), guests.Canned{Manifest: "manifest", Report: guests.Report("{}"), Panic: true,
		Stderr: "boom"}.Bytes())
	for range 2 {
		_, err := g.Call(t.Context(), "examine", nil)
		var f *fault.Failure
		if !errors.As(err, &f) || f.Kind != fault.Trap || !strings.HasPrefix(f.Stderr, "boom") {
			t.Fatalf("examine: %+v, want a trap with its stderr", f)
		}
		if out, err := g.Call(t.Context(), "describe", nil); err != nil || string(out) != "manifest" {
			t.Fatalf("describe after a trap = %q, %v", out, err)
		}
	}
}
