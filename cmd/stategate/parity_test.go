package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/sandbox"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// The test compares only some of a plugin's fixtures, some of these also with a fresh guest, and checks the laws only
// in the first. Each plugin's own tests check all fixtures and laws natively, and the nightly run also does so here.
const (
	comparedOfNth = 10
	freshOfNth    = 4 * comparedOfNth
	lawsOfNth     = 40 * comparedOfNth
)

// TestParity compares every compiled built-in plugin with its fixtures and with its native code. The sandbox must
// report the same as the native code, and a used guest the same as a fresh one.
func TestParity(t *testing.T) {
	t.Parallel()
	needBuiltIns(t)
	for _, file := range build.Files() {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			parity(t, file)
		})
	}
}

func parity(t *testing.T, file build.File) {
	text, err := wasmfile.Manifest(file.Wasm(), wire.MaxManifest)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := wire.DecodeManifest(text)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(repository, "plugins", file.Name)
	fixtures, err := fixture.LoadAll(os.DirFS(dir), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	if len(fixtures) == 0 {
		t.Fatalf("%s has no fixtures", dir)
	}
	guests := newUsed(t, file.Wasm())
	// the build takes the manifest from the native program
	if described, err := guests.other.Call(t.Context(), "describe", nil); err != nil || !bytes.Equal(described, text) {
		t.Errorf("the guest describes\n%s\nits file has the manifest\n%s\n%v", described, text, err)
	}
	kit, err := fixture.NewKit(manifest, guests)
	if err != nil {
		t.Fatal(err)
	}
	if kit.Known, err = fixture.LoadKnown(os.DirFS(dir), "testdata"); err != nil {
		t.Fatal(err)
	}
	kit.Thorough = long
	for i, f := range fixtures {
		if !long && i%comparedOfNth > 0 {
			continue
		}
		l, err := agrees(kit, f, long || i%lawsOfNth == 0, long || i%freshOfNth == 0)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if l == nil {
			continue
		}
		if got, want := l.Text(), nativeLook(t, file.Name, f).Text(); got != want {
			t.Errorf("%s: the sandbox reports\n%s\nthe native code reports\n%s", f.Name, got, want)
		}
	}
}

// agrees runs the compiled plugin. It returns the Look, and the differences from a fixture or between a used guest
// and a fresh one.
func agrees(kit *fixture.Kit, f *fixture.Fixture, laws, fresh bool) (*fixture.Look, error) {
	if laws {
		return kit.Check(f) // a law requires that a used guest and a fresh one agree
	}
	l, err := kit.Compare(f)
	if err != nil || !fresh {
		return l, err
	}
	return l, kit.KeepsNoState(l)
}

// used answers successive requests with the same guest.
type used struct{ guest, other *sandbox.Guest }

func newUsed(t *testing.T, wasm []byte) used {
	return used{load(t, wasm), load(t, wasm)}
}

func load(t *testing.T, wasm []byte) *sandbox.Guest {
	t.Helper()
	kept, err := cache.Open(compiled(), false)
	if err != nil {
		t.Fatal(err)
	}
	engine, digest := sandbox.Open(limits.Default()), plugin.Digest(wasm)
	var guest *sandbox.Guest
	for tries := 0; guest == nil; tries++ { // stories that run in parallel may evict the cache entry
		entry, err := kept.Get(sandbox.Key(digest),
			func(dir string) error { return engine.Compile(t.Context(), wasm, digest, dir) })
		if err != nil {
			t.Fatal(err)
		}
		if guest, _, err = engine.Kept(t.Context(), digest, entry.Dir); err != nil || guest == nil && tries == 3 {
			t.Fatalf("the entry that was just made is of no use: %v", err)
		}
	}
	t.Cleanup(func() { guest.Renew(context.Background()) })
	return guest
}

func (u used) Examine(r *wire.Request) (*wire.Report, error) { return asked(u.guest, r) }

// Fresh returns a new guest.
func (u used) Fresh() (fixture.Examiner, error) {
	u.other.Renew(context.Background())
	return fresh{u.other}, nil
}

type fresh struct{ guest *sandbox.Guest }

func (f fresh) Examine(r *wire.Request) (*wire.Report, error) { return asked(f.guest, r) }

func asked(guest *sandbox.Guest, r *wire.Request) (*wire.Report, error) {
	output, err := guest.Call(context.Background(), "examine", wire.EncodeRequest(r))
	if err != nil {
		return nil, err
	}
	return wire.DecodeReport(output)
}
