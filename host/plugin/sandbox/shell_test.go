package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/testdata/guests"
)

// sixteen is an answer whose length is part of the guest's code.
const sixteen = "0123456789abcdef"

// twins returns two plugins that differ in one byte of a function's body, with their answers.
func twins(t *testing.T) map[string][]byte {
	t.Helper()
	long := guests.Well("manifest", sixteen)
	push := []byte{0x42, 16, 0x10} // i64.const 16, call
	at := bytes.LastIndex(long, push)
	if at < 0 {
		t.Fatal("the length of the answer is not in the code")
	}
	short := bytes.Clone(long)
	short[at+1] = 8
	return map[string][]byte{sixteen: long, sixteen[:8]: short}
}

// says loads a module through the cache in dir and checks its answer and that there is no warning.
func says(t *testing.T, dir string, module []byte, want string) {
	t.Helper()
	g, warning := through(t, dir, module)
	if out, err := g.Call(t.Context(), "examine", nil); err != nil || string(out) != want {
		t.Errorf("examine = %q, %v, want %q", out, err, want)
	}
	if warning != "" {
		t.Errorf("warning: %s", warning)
	}
}

// codeFiles returns the engine's files below a cache, with their contents.
func codeFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	names, err := fs.Glob(os.DirFS(dir), "*/wazero-*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

// TestTwins: plugins whose shells differ only in the digest run their own code, whether or not it was cached, and
// loading cached code does not change the entry.
func TestTwins(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	for want, module := range twins(t) {
		says(t, dir, module, want)
	}
	cold := codeFiles(t, dir)
	if len(cold) != 4 {
		t.Errorf("%d files of code, want two of each twin: its own and that of the modules that all are linked with",
			len(cold))
	}
	for want, module := range twins(t) {
		says(t, dir, module, want)
	}
	warm := codeFiles(t, dir)
	for name, code := range warm {
		if cold[name] != code {
			t.Errorf("the warm loads changed %s", name)
		}
	}
	if len(warm) != len(cold) {
		t.Errorf("the warm loads left %d files of %d", len(warm), len(cold))
	}
}

// TestShellIsFound: a module's machine code is stored under its shell's name. If a load read the whole module, it
// would find nothing and compile, which this test would notice.
func TestShellIsFound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	module := guests.Well("manifest", sixteen)
	says(t, dir, module, sixteen)
	file, err := wasmfile.Check(module, limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := filepath.Glob(filepath.Join(dir, "*", "wazero-*"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, %v, want one", len(entries), err)
	}
	if code, err := compile(t.Context(), file.Redirect(redirected), filepath.Dir(entries[0]), asCode); err != nil {
		t.Fatal(err)
	} else {
		code.close(t.Context())
	}
	if files := codeFiles(t, dir); len(files) != 3 {
		t.Errorf("compiling the whole module leaves %d files, want a third one", len(files))
	}
}

// TestEntryOfOtherPluginIsDetected: an entry of another plugin is detected.
func TestEntryOfOtherPluginIsDetected(t *testing.T) {
	module, e := guests.Well("manifest", sixteen), engine(t)
	dir := t.TempDir()
	if err := e.Compile(t.Context(), module, "another digest", dir); err != nil {
		t.Fatal(err)
	}
	for digest, stale := range map[string]bool{"another digest": false, "a digest": true} {
		g, _, err := e.Kept(t.Context(), digest, dir)
		if err != nil {
			t.Fatal(err)
		}
		if (g == nil) != stale {
			t.Errorf("with %s it is of no use: %v, want %v", digest, g == nil, stale)
		}
		if g == nil {
			continue
		}
		defer shut(t, g)
		if out, err := g.Call(t.Context(), "examine", nil); err != nil || string(out) != sixteen {
			t.Errorf("with %s examine = %q, %v", digest, out, err)
		}
	}
}

// TestInvalidBodies: a module that the engine rejects gets no entry.
func TestInvalidBodies(t *testing.T) {
	dir, e := t.TempDir(), engine(t)
	module := guests.Well("manifest", sixteen)
	at := bytes.LastIndex(module, []byte{0x42, 16, 0x10})
	module[at] = 0x41 // an i32 where the call requires an i64
	var f *fault.Failure
	if err := e.Compile(t.Context(), module, "a digest", dir); !errors.As(err, &f) || f.Kind != fault.Compile {
		t.Errorf("a module with an invalid body: %v, want a failure of kind compile", err)
	}
	if _, err := e.Load(t.Context(), module, false); err == nil {
		t.Error("a module with an invalid body is loaded")
	}
}

// TestDataBeyondTheMemory: a plugin that cannot start fails the same way from the cache.
func TestDataBeyondTheMemory(t *testing.T) {
	m := guests.NewModule().Memory(1, 0).Data(0, []byte("a")).Data(8, []byte("b")).Data(1<<16, []byte("c"))
	f := m.Func(nil, []byte{guests.I32}, 0, guests.Const32(0))
	module := m.Export("describe", f).Export("examine", f).Export("stategate_abi_1", m.Func(nil, nil, 0)).Bytes()
	_, want := load(t, engine(t), module).Call(t.Context(), "examine", nil)
	kept, _ := through(t, filepath.Join(t.TempDir(), "cache"), module)
	if _, err := kept.Call(t.Context(), "examine", nil); want == nil || err == nil || err.Error() != want.Error() {
		t.Errorf("from the cache: %v, want %v", err, want)
	}
}

// TestFullDisk: a directory that cannot be written is not reported as a plugin that cannot be compiled.
func TestFullDisk(t *testing.T) {
	var f *fault.Failure
	err := engine(t).Compile(t.Context(), guests.Well("manifest", sixteen), "a digest",
		filepath.Join(t.TempDir(), "missing"))
	if !errors.As(err, &f) || f.Kind != fault.IO {
		t.Errorf("Compile = %v, want a failure of kind io", err)
	}
}

// FuzzShell: a shell contains everything in its module except the bodies. If a module compiles in the engine, so does
// its shell, and it declares the same.
func FuzzShell(f *testing.F) {
	for _, module := range [][]byte{guests.Well("manifest", "report"), guests.NewModule().Bytes(),
		[]byte(wasm.Header)} {
		f.Add(module)
	}
	f.Fuzz(func(t *testing.T, module []byte) {
		file, err := wasmfile.Read(module)
		if err != nil || file.CheckCode(limits.Default()) != nil {
			return // the engine never sees it
		}
		shell := file.Shell("tag")
		ctx := t.Context()
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		defer r.Close(ctx)
		whole, err := r.CompileModule(ctx, module)
		if err != nil {
			return
		}
		stripped, err := r.CompileModule(ctx, shell)
		if err != nil {
			t.Fatalf("the engine compiles the module, and refuses its shell: %v", err)
		}
		a, b := whole.ImportedFunctions(), stripped.ImportedFunctions()
		if len(a) != len(b) || len(whole.ExportedFunctions()) != len(stripped.ExportedFunctions()) ||
			len(whole.ExportedMemories()) != len(stripped.ExportedMemories()) ||
			len(whole.CustomSections()) > len(stripped.CustomSections()) {
			t.Fatal("the shell declares something else than its module")
		}
	})
}
