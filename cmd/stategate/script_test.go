package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/testdata/gittest"
)

var update = flag.Bool("update", false, "write the output that the scripts compare with")

// long makes tests exhaustive, which takes minutes; make nightly sets it.
var long = os.Getenv("STATEGATE_TEST_LONG") != ""

// sharedCache is the cache directory for all tests in one run, so that each plugin is compiled only once.
var sharedCache string

// compiled returns the directory for compiled plugins of commands whose XDG_CACHE_HOME is sharedCache.
func compiled() string { return filepath.Join(sharedCache, "stategate", "compiled") }

// TestMain lets the test binary also run as stategate and as a worker.
func TestMain(m *testing.M) {
	if slices.Equal(os.Args[1:], []string{worker.Verb}) {
		main()
	}
	testscript.Main(withCache{m}, programs)
}

// programs lists the programs that stories may run, besides those on the machine.
var programs = map[string]func(){"stategate": main, "sealed": sealed, "terminal": onScreen}

// commands lists the story commands that testscript does not have. The stories' README.md describes them.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits": exits, "within": within,
	"tree": tree, "fixture": layDownFixture, "make": makeInput, "cut": cutFile,
	"sin": layDownSin, "packable": layDownPackable,
	"keep": keepTree, "same": sameTree,
	"registry": startRegistry, "publish": publish,
}

// withCache runs tests with a shared cache.
type withCache struct{ *testing.M }

func (w withCache) Run() int {
	var err error
	if sharedCache, err = os.MkdirTemp("", "stategate-test"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(sharedCache)
	kept := ""
	if dir, err := os.UserCacheDir(); err == nil && !long {
		kept = filepath.Join(dir, "stategate-test", "compiled")
	}
	copyCompiled(compiled(), kept)
	code := w.M.Run()
	sharedWorkers.Close()
	if code == 0 {
		copyCompiled(kept, compiled())
	}
	return code
}

const (
	longToCompile = 4 << 20 // bytes of machine code; built-in plugins have more
	maxKept       = 16      // compiled plugins; each change to a plugin adds one
)

// copyCompiled copies missing compiled plugins that are slow to compile, but no verdicts, so that a test run need not
// compile them again. Their names are digests of the plugin and the engine. If a copy fails, the plugin is compiled
// again.
func copyCompiled(to, from string) {
	sums, _ := filepath.Glob(filepath.Join(from, "*", "sums"))
	if there, _ := filepath.Glob(filepath.Join(to, "*", "sums")); len(there)+len(sums) > maxKept {
		os.RemoveAll(to)
	}
	for _, name := range sums {
		entry := filepath.Dir(name)
		if size(entry) < longToCompile || os.MkdirAll(to, 0o700) != nil {
			continue
		}
		tmp, err := os.MkdirTemp(to, "tmp-")
		if err == nil && os.CopyFS(tmp, os.DirFS(entry)) == nil {
			_ = os.Rename(tmp, filepath.Join(to, filepath.Base(entry))) // fails if it already exists
		}
		os.RemoveAll(tmp)
	}
}

// size returns the total size of the files in a directory, in bytes.
func size(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// TestScript runs the stories in testdata/script.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, params(t, "*"))
}

// TestOneProcessor runs the stories about hostile plugins with only one processor. Package worker always does this for
// every plugin that only a deadline stops.
func TestOneProcessor(t *testing.T) {
	if !long {
		t.Skip("only the nightly run repeats the stories about hostile plugins: set STATEGATE_TEST_LONG")
	}
	t.Parallel()
	p := params(t, "hostile-*")
	setup := p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Setenv("GOMAXPROCS", "1")
		return setup(env)
	}
	testscript.Run(t, p)
}

func params(t *testing.T, stories string) testscript.Params {
	t.Helper()
	needBuiltIns(t)
	files, err := filepath.Glob(filepath.Join(repository, "testdata", "script", stories+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	goCache, modCache := goEnv(t, "GOCACHE"), goEnv(t, "GOMODCACHE")
	return testscript.Params{
		Files:         files,
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", sharedCache)
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".journals"))
			env.Setenv("TERM", "xterm")
			if !long {
				env.Setenv("GOMAXPROCS", "1") // a second worker loads the same plugin again
			}
			env.Setenv("NOW", "2026-03-12T16:00:00Z")
			env.Setenv("REPOSITORY", repository)
			env.Setenv("GOCACHE", goCache)
			env.Setenv("GOMODCACHE", modCache)
			err := gitEnvironment(env)
			env.Values[inStory{}] = variables(t, files, env)
			return err
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "merges":
				return gittest.Since(t, 2, 38), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: commands,
	}
}

// goEnv returns a value from go env, because a script has no home directory for Go's cache.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatalf("go env %s: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

func gitEnvironment(env *testscript.Env) error {
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env.Setenv("GIT_"+who+"_NAME", "A. Tester")
		env.Setenv("GIT_"+who+"_EMAIL", "tester@example.com")
		env.Setenv("GIT_"+who+"_DATE", "2026-03-10T08:00:00Z")
	}
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	return nil
}

func needBuiltIns(t *testing.T) {
	t.Helper()
	if len(build.Files()) == 0 {
		t.Fatal("there are no built-in plugins: run `make plugins` first")
	}
}

// exits runs a command and asserts its exit code, and that its output contains no terminal or CI commands: exits 1
// stategate check.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command…")
	}
	want := args[0]
	got, stdout, stderr := runStep(ts, args[1:])
	recordStep(ts, args[1:], got, stdout, stderr)
	if got != want {
		ts.Fatalf("it exits with %s, expected %s\nstdout:\n%s\nstderr:\n%s", got, want, stdout, stderr)
	}
	for stream, text := range map[string]string{"stdout": stdout, "stderr": stderr} {
		if slices.Contains(args, "--format=github") {
			text = withoutAnnotations(formatGitHub, text)
		}
		if fault := commanding(text); fault != "" {
			ts.Fatalf("%s holds %s", stream, fault)
		}
	}
	if slices.Contains(args, "--format=json") && args[2] == "resume" && want != "2" {
		ts.Check(validResume([]byte(stdout)))
	}
	if slices.Contains(args, "--format=json") && (args[2] == "check" || args[2] == "status") && want != "2" {
		validate(ts, stdout)
	}
	if slices.Contains(args, "--format=json") && args[2] == "recover" && (want == "0" || want == "1") {
		ts.Check(validAs(schemas.Recover, []byte(stdout)))
	}
}

// loopback matches a test registry's address, whose port differs in each run.
var loopback = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// recordStep appends a step's output to the story's file in the directory that STATEGATE_RECORD names. testdata/record
// describes how to compare two builds.
func recordStep(ts *testscript.TestScript, args []string, code, stdout, stderr string) {
	dir := os.Getenv("STATEGATE_RECORD")
	if dir == "" {
		return
	}
	file, err := os.OpenFile(filepath.Join(dir, ts.Name()+".txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	ts.Check(err)
	text := fmt.Sprintf("== %s: exit %s\n%s\n-- stderr\n%s\n", strings.Join(args, " "), code, stdout, stderr)
	text = strings.ReplaceAll(text, ts.Getenv("WORK"), "$WORK")
	_, err = file.WriteString(loopback.ReplaceAllString(text, "127.0.0.1:PORT"))
	ts.Check(errors.Join(err, file.Close()))
}

// runStep runs a command and returns its exit code, or the signal that ended it.
func runStep(ts *testscript.TestScript, args []string) (code, stdout, stderr string) {
	if code, stdout, stderr, ok := inside(ts, args); ok {
		_, _ = ts.Stdout().Write([]byte(stdout))
		_, _ = ts.Stderr().Write([]byte(stderr))
		return strconv.Itoa(code % 10), stdout, stderr
	}
	code = "0"
	err := ts.Exec(args[0], args[1:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && !exit.Exited():
		code = exit.String()
	case exit != nil:
		code = strconv.Itoa(exit.ExitCode() % 10)
	case err != nil:
		ts.Fatalf("%v", err)
	}
	return code, ts.ReadFile("stdout"), ts.ReadFile("stderr")
}

// within runs the rest of the line and asserts its maximum duration. Because the machine may be busy, it tries up to
// three times.
func within(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := time.ParseDuration(args[0])
	if err != nil || neg || args[1] != "exits" {
		ts.Fatalf("usage: within DURATION exits CODE command…")
	}
	var took time.Duration
	for range 3 {
		start := time.Now()
		exits(ts, false, args[2:])
		if took = time.Since(start); took <= limit {
			return
		}
	}
	ts.Fatalf("it takes %v, expected %v at most", took, limit)
}

// tree copies a sample repository: tree NAME DIR.
func tree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tree NAME DIR")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(filepath.Join(repository, "testdata", "trees", args[0]))))
}
