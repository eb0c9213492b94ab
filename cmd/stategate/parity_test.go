package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/sandbox"
	"github.com/stategate/stategate/host/wasmfile"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// TestParity holds every built-in plugin, as it is compiled, to the fixtures
// of its source and to the laws: the sandbox says what the native code says, and
// a used guest says what a fresh one says.
func TestParity(t *testing.T) {
	files := build.Files()
	if len(files) == 0 {
		t.Fatal("no plugin is compiled; run `make plugins` first")
	}
	for _, file := range files {
		t.Run(file.Name, func(t *testing.T) { parity(t, file) })
	}
}

func parity(t *testing.T, file build.File) {
	text, err := wasmfile.Manifest(file.Wasm, wire.MaxManifest)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := wire.DecodeManifest(text)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("..", "..", "plugins", file.Name)
	fixtures, err := fixture.LoadAll(os.DirFS(dir), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	if len(fixtures) == 0 {
		t.Fatalf("%s has no fixtures", dir)
	}
	kit, err := fixture.NewKit(manifest, newUsed(t, file.Wasm))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fixtures {
		if _, err := kit.Check(f); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// used answers one request after another with the same guest.
type used struct{ guest, other *sandbox.Guest }

func newUsed(t *testing.T, wasm []byte) used {
	engine := sandbox.Open(sandbox.Config{Limits: limits.Default(), CacheDir: t.TempDir()})
	return used{load(t, engine, wasm), load(t, engine, wasm)}
}

func load(t *testing.T, engine *sandbox.Engine, wasm []byte) *sandbox.Guest {
	t.Helper()
	guest, err := engine.Load(context.Background(), wasm, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { guest.Close(context.Background()) })
	return guest
}

func (u used) Examine(r *wire.Request) (*wire.Report, error) { return asked(u.guest, r) }

// Fresh gives a guest that has answered nothing yet.
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
