package sdktest

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// Command is the environment variable with the path of the stategate command for Compiled. If it is not set,
// Compiled searches PATH.
const Command = "STATEGATE"

// ours reports whether the test is in the module of the SDK, whose tests may not have a stategate command yet.
func ours() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && info.Main.Path == "github.com/stategate/stategate"
}

// Compiled compiles the plugin whose main package is pkg, such as "./cmd/notes", and checks it in the sandbox
// against the fixtures in testdata and the laws, like `stategate plugin test` does. With -short, it
// skips the test. Without a stategate command, the test fails, because `go test` does not show a skipped one.
func Compiled(t *testing.T, pkg string) {
	t.Helper()
	if testing.Short() {
		t.Skip("the compiled plugin is not tested with -short")
	}
	name := os.Getenv(Command)
	command, err := exec.LookPath(cmp.Or(name, "stategate"))
	switch {
	case err != nil && name != "":
		t.Fatalf("the compiled plugin is not tested: %v; set %s to the path of stategate (make STATEGATE=…)", err,
			Command)
	case err != nil && ours():
		t.Skip("stategate's own tests compile this plugin")
	case err != nil:
		t.Fatalf("the compiled plugin is not tested: %v; add stategate to PATH, set the variable %s to its path, or "+
			"skip this test with -short", err, Command)
	}
	file := filepath.Join(t.TempDir(), "plugin.wasm")
	for _, args := range [][]string{{"plugin", "build", "--output", file, pkg}, {"plugin", "test", file, Dir}} {
		out, err := exec.CommandContext(t.Context(), command, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", command, args, err, out)
		}
	}
}
