package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/engine/pack"
	"github.com/stategate/stategate/sdk/wire"
)

// TestShrunkGuestsSayTheSame compiles a guest that walks its own stack in each way that Go has, and runs it as the linker
// wrote it and shrunk.
func TestShrunkGuestsSayTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a guest, which takes seconds")
	}
	file := filepath.Join(t.TempDir(), "falls.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s", "-o", file, "../../../testdata/guests/falls")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	plain, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	shrunk, err := pack.Shrink(plain, "github.com/stategate/stategate")
	if err != nil {
		t.Fatal(err)
	}
	if len(shrunk) > len(plain)*9/10 {
		t.Errorf("%d bytes shrink to %d, want a tenth less: does Go write something else now?", len(plain), len(shrunk))
	}
	e, request := engine(t), wire.EncodeRequest(&wire.Request{Root: "a"})
	before, after := load(t, e, plain), load(t, e, shrunk)
	for range 3 {
		for export, says := range map[string]string{"describe": `"name":"falls"`, "examine": "fell past 1 of 5000 after 48 12056 7seven 780 1500 303 at main.go:"} {
			want, err := before.Call(t.Context(), export, request)
			if err != nil || !strings.Contains(string(want), says) {
				t.Fatalf("%s says %s, %v; want %s", export, want, err, says)
			}
			if got, err := after.Call(t.Context(), export, request); err != nil || !bytes.Equal(got, want) {
				t.Errorf("shrunk, %s says %s, %v; want %s", export, got, err, want)
			}
		}
	}
}
