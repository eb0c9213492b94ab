package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A language is the language of an example plugin.
type language struct {
	dir     string
	most    int64                  // maximum size of the packed plugin, in bytes
	missing func() (reason string) // returns "" if the plugin can be compiled here
	args    func() []string        // extra arguments for make
}

func languages() []language {
	return []language{
		{"rust", 200_000, missingRust, func() []string { return []string{"RUSTC=" + rustc()} }},
		{"assemblyscript", 200_000, missingAssemblyScript, nil},
	}
}

// TestLanguages compiles the example plugin in every language with its Makefile, and runs the fixtures that all of them
// share. All plugins must report the same findings with the same words.
func TestLanguages(t *testing.T) {
	for _, l := range languages() {
		t.Run(l.dir, func(t *testing.T) {
			if reason := l.missing(); reason != "" {
				t.Skip(reason)
			}
			dir := copyExamples(t)
			args := []string{"-C", filepath.Join(dir, l.dir), "clean", "checklist.wasm"}
			if l.args != nil {
				args = append(args, l.args()...)
			}
			ran(t, "make", args...)
			wasm := filepath.Join(dir, l.dir, "checklist.wasm")
			out := ran(t, "stategate", "plugin", "test", wasm, filepath.Join(dir, "testdata"))
			if !strings.Contains(out, "checklist 1.0.0 conforms to ABI 1: ") {
				t.Errorf("got %s", out)
			}
			if info, err := os.Stat(wasm); err != nil || info.Size() > l.most {
				t.Errorf("the plugin has %d bytes (%v), at most %d are wanted", info.Size(), err, l.most)
			}
			hostileTrees(t, wasm)
		})
	}
}

// hostileTrees checks state that must not harm any plugin.
func hostileTrees(t *testing.T, wasm string) {
	dir := t.TempDir()
	state := filepath.Join(dir, ".checklist", "release", "checklist.json")
	if err := os.MkdirAll(filepath.Join(filepath.Dir(state), "results"), 0o755); err != nil {
		t.Fatal(err)
	}
	step := `{"name":"build","status":"done"},`
	for name, text := range map[string]string{
		"deep":        strings.Repeat("[", 60) + strings.Repeat("]", 60),
		"deeper":      strings.Repeat("[", 100_000),
		"many steps":  `{"status":"done","steps":[` + strings.Repeat(step, 2_000) + `{}]}`,
		"long":        `{"status":"` + strings.Repeat("x", 1<<20) + `","steps":[]}`,
		"half a pair": `{"status":"\ud800","steps":[]}`,
		"controls":    `{"status":"open","steps":[{"name":"\u0000\u001b[31m","status":"done"}]}`,
		"a scalar":    `7`,
		"nothing":     ``,
	} {
		if err := os.WriteFile(state, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("stategate", "check", "--plugin", wasm, dir).CombinedOutput()
		if code := exitCode(err); code != exitOpen && code != exitClosed {
			t.Errorf("%s: exit %d: %.500s", name, code, out)
		}
	}
}

func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		return e.ExitCode()
	}
	return -1
}

// copyExamples copies the sources, so that the test leaves no files in them.
func copyExamples(t *testing.T) string {
	t.Helper()
	from, err := filepath.Abs("../../plugins/examples")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "examples")
	if err := os.CopyFS(dir, sources{os.DirFS(from)}); err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join("assemblyscript", "node_modules")
	if err := os.Symlink(filepath.Join(from, installed), filepath.Join(dir, installed)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sources returns a tree without the packages that npm installed, which are large.
type sources struct{ fs.FS }

func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(list, func(d fs.DirEntry) bool { return d.Name() == "node_modules" }), err
}

// rustc returns a compiler that has the WebAssembly library, or "" if there is none.
func rustc() string {
	for _, name := range []string{"rustc", "/usr/bin/rustc"} {
		out, err := exec.Command(name, "--print", "target-libdir", "--target", "wasm32-unknown-unknown").Output()
		if err != nil {
			continue
		}
		if _, err := os.Stat(strings.TrimSpace(string(out))); err == nil {
			return name
		}
	}
	return ""
}

func missingRust() string {
	if rustc() == "" {
		return "there is no rustc with the library for wasm32-unknown-unknown"
	}
	return ""
}

func missingAssemblyScript() string {
	if _, err := os.Stat("../../plugins/examples/assemblyscript/node_modules/.bin/asc"); err != nil {
		return "the compiler of AssemblyScript is not installed; run `make -C plugins/examples/assemblyscript " +
			"deps`, which needs npm and its registry"
	}
	return ""
}

func ran(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}
