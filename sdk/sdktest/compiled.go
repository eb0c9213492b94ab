package sdktest

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Command is the environment variable that names the command stategate for
// Compiled; without it stategate is looked for in PATH.
const Command = "STATEGATE"

// Compiled compiles the plugin whose main package is pkg, such as "./cmd/notes",
// and holds it, in the sandbox, to the fixtures in testdata and to the laws, as
// `stategate plugin test` does. Where there is no command stategate the test is
// skipped, unless the variable names one.
func Compiled(t *testing.T, pkg string) {
	t.Helper()
	name := os.Getenv(Command)
	command, err := exec.LookPath(cmp.Or(name, "stategate"))
	if err != nil && name != "" {
		t.Fatalf("the compiled plugin is not tested: %v; name stategate in the variable %s (make STATEGATE=…)", err,
			Command)
	}
	if err != nil {
		t.Skipf("the compiled plugin is not tested: %v; put stategate into PATH, or set the variable %s to its path",
			err, Command)
	}
	file := filepath.Join(t.TempDir(), "plugin.wasm")
	for _, args := range [][]string{{"plugin", "build", "--output", file, pkg}, {"plugin", "test", file, Dir}} {
		out, err := exec.CommandContext(t.Context(), command, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", command, args, err, out)
		}
	}
}
