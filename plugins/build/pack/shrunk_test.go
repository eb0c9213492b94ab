package pack_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/sandbox"
	"github.com/stategate/stategate/plugins/build/pack"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// A pair holds two versions of a guest: the Go linker's, and Compile's. It fails the test if their answers differ.
type pair struct {
	t              *testing.T
	linked, shrunk *sandbox.Guest
	calls          int
}

func newPair(t *testing.T, pkg string) *pair {
	t.Helper()
	if testing.Short() {
		t.Skip("it compiles a guest, which takes seconds")
	}
	linked, output, err := pack.Link(t.Context(), pkg)
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	shrunk, err := pack.Shrink(linked)
	if err != nil {
		t.Fatal(err)
	}
	if len(shrunk) > len(linked)*92/100 {
		t.Errorf("%d bytes shrink to %d, want 8 %% less: does Go write something else now?", len(linked), len(shrunk))
	}
	t.Logf("%s: %d bytes, shrunk %d", pkg, len(linked), len(shrunk))
	load := func(module []byte) *sandbox.Guest {
		g, err := sandbox.Open(limits.Default()).Load(context.Background(), module, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { g.Renew(context.Background()) })
		return g
	}
	return &pair{t: t, linked: load(linked), shrunk: load(shrunk)}
}

// call returns the answer of both guests.
func (p *pair) call(export string, input []byte) []byte {
	p.t.Helper()
	p.calls++
	want, err := p.linked.Call(p.t.Context(), export, input)
	if err != nil {
		p.t.Fatal(err)
	}
	if got, err := p.shrunk.Call(p.t.Context(), export, input); err != nil || !bytes.Equal(got, want) {
		p.t.Errorf("shrunk, %s says %s, %v; want %s", export, got, err, want)
	}
	return want
}

// Examine implements the kit's examiner, which sends requests like a host, including those for paths.
func (p *pair) Examine(r *wire.Request) (*wire.Report, error) {
	if len(r.Answers) == 0 {
		return wire.DecodeReport(p.call("examine", wire.EncodeRequest(r)))
	}
	return wire.DecodeReport(p.call("answer", wire.EncodeAnswers(r.Answers, r.Base.Answers)))
}

// TestSameAnswers compares built-in plugins before and after shrinking: their descriptions and their answers for all
// fixtures, with every remedy tried, must have the same bytes. The third plugin is the template for new authors.
func TestSameAnswers(t *testing.T) {
	for _, c := range []struct{ pkg, fixtures string }{
		{"../../taskmaster/cmd/taskmaster", "../../taskmaster/testdata"},
		{"../../ocr/cmd/ocr", "../../ocr/testdata"},
		{"../../../sdk/engine/scaffold/fieldnotes/cmd/fieldnotes", "../../../sdk/engine/scaffold/fieldnotes/testdata"},
	} {
		t.Run(c.pkg, func(t *testing.T) {
			p := newPair(t, c.pkg)
			m, err := wire.DecodeManifest(p.call("describe", nil))
			if err != nil {
				t.Fatal(err)
			}
			fixtures, err := fixture.LoadAll(os.DirFS(c.fixtures), ".")
			if err != nil {
				t.Fatal(err)
			}
			kit, err := fixture.NewKit(m, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fixtures {
				if _, err := kit.LookAt(f); err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
			}
			t.Logf("%d fixtures, %d calls", len(fixtures), p.calls)
		})
	}
}

// TestShrunkGuestsSayTheSame does the same with a guest that unwinds and switches stacks in every way that Go has.
func TestShrunkGuestsSayTheSame(t *testing.T) {
	p, request := newPair(t, "../../../testdata/guests/falls"), wire.EncodeRequest(&wire.Request{Root: "a"})
	for range 3 {
		for export, says := range map[string]string{
			"describe": `"name":"falls"`,
			"examine":  "fell past 1 of 5000 after 48 12056 7seven 780 1500 303 at main.go:",
		} {
			if got := p.call(export, request); !strings.Contains(string(got), says) {
				t.Errorf("%s says %s, want %s", export, got, says)
			}
		}
	}
}
