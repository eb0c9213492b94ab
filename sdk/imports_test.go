package sdk_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/stategate/stategate/"

// listed is the part of `go list -json` output that the tests use.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// TestImports checks that every package imports only the packages that the layout allows.
func TestImports(t *testing.T) {
	for _, p := range goList(t, nil, "./...") {
		from := strings.TrimPrefix(p.ImportPath, module)
		for _, imported := range p.Imports {
			if why := forbidden(from, imported); why != "" {
				t.Errorf("%s imports %s: %s", from, imported, why)
			}
		}
	}
}

// TestOneFileKnowsTheEngine keeps the WebAssembly engine behind one file, so that replacing or updating it changes
// nothing else.
func TestOneFileKnowsTheEngine(t *testing.T) {
	for _, file := range goFiles(t, "../host", "../cmd", "../sdk", "../plugins") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		engine := bytes.Contains(text, []byte(`"github.com/extism/go-sdk"`)) ||
			bytes.Contains(text, []byte(`"github.com/tetratelabs/wazero`))
		if engine && file != "../host/plugin/sandbox/sandbox.go" {
			t.Errorf("%s imports the engine, which only host/plugin/sandbox/sandbox.go may", file[3:])
		}
	}
}

// TestGuestImports keeps packages that would make a guest large out of everything that is linked into guests.
func TestGuestImports(t *testing.T) {
	large := []string{"encoding/json", "fmt", "regexp", "net/http", "github.com/extism/go-pdk",
		"github.com/yuin/goldmark", "github.com/santhosh-tekuri/jsonschema/v5", module + "sdk/engine/snapshot",
		module + "sdk/finding", module + "sdk/fixture"}
	env := []string{"GOOS=wasip1", "GOARCH=wasm"}
	guests := append([]string{"./sdk/plugin"}, commands(t)...)
	for _, p := range goList(t, env, guests...) {
		for _, dep := range p.Deps {
			if slices.Contains(large, dep) {
				t.Errorf("%s depends on %s, which a guest must not contain", strings.TrimPrefix(p.ImportPath, module),
					dep)
			}
		}
	}
}

// TestGuestsAreBuiltWithoutTheHost keeps host packages out of the programs that build the guests. Otherwise, every
// change in the host would rebuild all guests.
func TestGuestsAreBuiltWithoutTheHost(t *testing.T) {
	for _, p := range goList(t, nil, "./plugins/build/guests") {
		for _, dep := range p.Deps {
			if to, ours := strings.CutPrefix(dep, module); ours && (top(to) == "host" || top(to) == "cmd") {
				t.Errorf("plugins/build/guests depends on %s", to)
			}
		}
	}
}

// TestWorkflowsAreNotNamed keeps the names of the built-in workflows out of the host: they have no privilege over
// third-party plugins.
func TestWorkflowsAreNotNamed(t *testing.T) {
	for _, command := range commands(t) {
		name := filepath.Base(command)
		if name == "declare" {
			continue // here it names a language, not the workflow
		}
		for _, file := range goFiles(t, "../host", "../cmd") {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte(`"`+name+`"`)) || strings.Contains(name, "-") &&
				bytes.Contains(text, []byte(name)) {
				t.Errorf("%s names the workflow %s", file, name)
			}
		}
	}
}

// layers lists the directories of host, lowest first: each imports only those before it.
var layers = []string{
	"fault", "limits", "slashpath", "shell", "suggest", "atomicfile", "private", "yamledit", "schemafile",
	"plugin", "source", "journal", "result", "advice", "policy", "config", "print", "check", "repair",
}

// TestHostLayers keeps the directories of the host free of import cycles.
func TestHostLayers(t *testing.T) {
	for _, p := range goList(t, nil, "./host/...") {
		from, ok := layer(p.ImportPath)
		if !ok {
			continue
		}
		if !slices.Contains(layers, from) {
			t.Errorf("host/%s is not in the list of layers", from)
		}
		for _, imported := range p.Imports {
			if to, ok := layer(imported); ok && slices.Index(layers, to) > slices.Index(layers, from) {
				t.Errorf("%s imports host/%s, a layer above it", strings.TrimPrefix(p.ImportPath, module), to)
			}
		}
	}
}

// layer returns the directory directly under host that contains a package.
func layer(path string) (string, bool) {
	below, ok := strings.CutPrefix(path, module+"host/")
	name, _, _ := strings.Cut(below, "/")
	return name, ok
}

// TestPrintIsLight keeps the engine and the parsers out of the packages that print results.
func TestPrintIsLight(t *testing.T) {
	heavy := []string{"github.com/tetratelabs/wazero", "github.com/extism/go-sdk", "github.com/yuin/goldmark",
		"github.com/santhosh-tekuri/jsonschema/v5"}
	for _, p := range goList(t, nil, "./host/result", "./host/print") {
		for _, dep := range p.Deps {
			if slices.Contains(heavy, dep) {
				t.Errorf("%s depends on %s", strings.TrimPrefix(p.ImportPath, module), dep)
			}
		}
	}
}

// forbidden returns the reason why from must not import a package, or "" if it may.
func forbidden(from, imported string) string {
	engine := strings.HasPrefix(imported, "github.com/extism/") ||
		strings.HasPrefix(imported, "github.com/tetratelabs/wazero")
	if engine && from != "host/plugin/sandbox" {
		return "only host/plugin/sandbox knows the engine"
	}
	if (imported == "net" || imported == "net/http") && from != "host/plugin/fetch" {
		return "only host/plugin/fetch opens sockets"
	}
	to, ours := strings.CutPrefix(imported, module)
	if !ours {
		return ""
	}
	switch from, to := top(from), top(to); {
	case from == "sdk" && (to == "host" || to == "cmd" || to == "plugins"):
		return "the sdk depends on nothing else"
	case from == "host" && (to == "cmd" || to == "plugins" || to == "schemas"):
		return "the host must not depend on commands or workflows"
	case from == "schemas":
		return "schemas contain only text"
	case from == "plugins" && (to == "host" || to == "cmd"):
		return "a plugin may import only the sdk"
	}
	switch {
	case to == "plugins/build/pack" && top(from) != "cmd" && from != "plugins/build/guests":
		return "modules are rewritten when they are built; a host uses plugins unchanged"
	case from == "cmd/stategate/internal/declared" && strings.HasPrefix(to, "plugins/declare"):
		return "" // it reads declarations in a worker, which runs one guest
	case top(from) == "cmd" && top(to) == "plugins" && to != "plugins/build" && to != "plugins/build/pack":
		return "this command may import only the built files and the packer"
	case top(from) == "plugins" && top(to) == "plugins" && workflow(from) != workflow(to):
		return "plugins must not import each other"
	case strings.HasPrefix(to, "sdk/engine/") && !usesEngine(from):
		return "packages for plugin authors must not import the engine"
	}
	return ""
}

// usesEngine reports whether a package builds requests or applies edits itself: the host, the test kit and the
// programs that build plugins.
func usesEngine(from string) bool {
	kit := []string{"sdk/fixture", "sdk/sdktest", "plugins/build/pack"}
	return top(from) != "sdk" && top(from) != "plugins" || strings.HasPrefix(from, "sdk/engine/") ||
		slices.Contains(kit, from)
}

func top(path string) string { return strings.Split(path, "/")[0] }

func workflow(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}

// commands returns the main package of every built-in plugin.
func commands(t *testing.T) []string {
	t.Helper()
	mains, err := filepath.Glob("../plugins/*/cmd/*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for i := range mains {
		mains[i] = "./" + filepath.ToSlash(filepath.Dir(mains[i]))[len("../"):]
	}
	return mains
}

// goFiles returns the Go files in and below directories, except tests.
func goFiles(t *testing.T, dirs ...string) []string {
	t.Helper()
	return slices.DeleteFunc(allGoFiles(t, dirs...),
		func(file string) bool { return strings.HasSuffix(file, "_test.go") })
}

func allGoFiles(t *testing.T, dirs ...string) []string {
	t.Helper()
	var files []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if strings.HasSuffix(path, ".go") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func goList(t *testing.T, env []string, patterns ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, patterns...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
