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

// sixteen is an answer whose length is in the code of the guest that gives it.
const sixteen = "0123456789abcdef"

// twins are two plugins that differ in one byte of a function's body, and their answers.
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

// says loads a module through the cache in dir and has it say its answer, without a warning.
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

// codeFiles are the engine's files below a cache with their contents.
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

// TestTwins holds that plugins whose shells differ in nothing but the digest run their own code, cold and warm, and
// that a warm load reads the entry and leaves it as it is.
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

// TestShellIsFound holds that the machine code of a module lies under the name of its shell: a warm load that read the
// whole module would find nothing, compile, and be noticed here.
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

// TestMiss holds that an entry of another plugin is noticed.
func TestMiss(t *testing.T) {
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

// TestInvalidBodies holds that a module which the engine refuses gets no entry.
func TestInvalidBodies(t *testing.T) {
	dir, e := t.TempDir(), engine(t)
	module := guests.Well("manifest", sixteen)
	at := bytes.LastIndex(module, []byte{0x42, 16, 0x10})
	module[at] = 0x41 // an i32 where the call wants an i64
	var f *fault.Failure
	if err := e.Compile(t.Context(), module, "a digest", dir); !errors.As(err, &f) || f.Kind != fault.Compile {
		t.Errorf("a module with an invalid body: %v, want a failure of kind compile", err)
	}
	if _, err := e.Load(t.Context(), module, false); err == nil {
		t.Error("a module with an invalid body is loaded")
	}
}

// TestDataBeyondTheMemory holds that a plugin which cannot begin says the same from the cache.
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

// TestFullDisk holds that a directory which cannot be written does not read as a plugin that cannot be compiled.
func TestFullDisk(t *testing.T) {
	var f *fault.Failure
	err := engine(t).Compile(t.Context(), guests.Well("manifest", sixteen), "a digest",
		filepath.Join(t.TempDir(), "missing"))
	if !errors.As(err, &f) || f.Kind != fault.IO {
		t.Errorf("Compile = %v, want a failure of kind io", err)
	}
}

// FuzzShell holds, with the engine as the judge, that what a module has besides bodies is what its shell has: a module
// that compiles has a shell that compiles and declares as much.
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
