package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stategate/stategate/host/plugin/worker"
)

// Most commands in stories run in the test's process with shared workers, because starting a process, and a worker for
// each plugin, takes ten times as long as the rest. exec starts real processes, and so does everything in the nightly
// run.

// insideCommands lists the subcommands that depend only on their arguments, not on the process's working directory or
// variables.
var insideCommands = []string{"check", "status", "resume", "recover", "explain", "accept", "init", "schema", "help",
	"version", "completion", "__complete"}

// sharedWorkers holds the workers of all stories: one for each built-in plugin, and some for the stories' own plugins.
var sharedWorkers = worker.NewReserve(16)

// inStory is the key for a story's variables.
type inStory struct{}

// storyVariables lists the names of all variables that a story has or sets.
type storyVariables struct {
	names  []string
	before map[string]string // values when the story begins
}

var setting = regexp.MustCompile(`(?m)^(?:\[[^\]]*\] )?env (.*)`)

// variables returns a story's variables before it begins.
func variables(t *testing.T, files []string, env *testscript.Env) *storyVariables {
	t.Helper()
	v := &storyVariables{before: map[string]string{}}
	for _, pair := range env.Vars {
		name, value, _ := strings.Cut(pair, "=")
		v.names, v.before[name] = append(v.names, name), value
	}
	for _, file := range files {
		if strings.TrimSuffix(filepath.Base(file), ".txtar") != strings.TrimPrefix(filepath.Base(env.WorkDir),
			"script-") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range setting.FindAllSubmatch(text, -1) {
			for pair := range strings.FieldsSeq(string(m[1])) {
				name, _, _ := strings.Cut(strings.Trim(pair, "'"), "=")
				v.names = append(v.names, name)
			}
		}
	}
	slices.Sort(v.names)
	v.names = slices.Compact(v.names)
	return v
}

// ofProcess reports whether an argument names a file relative to the process's directory, or makes the command run
// until it is interrupted.
func ofProcess(arg string) bool {
	return strings.HasPrefix(arg, "--report") || strings.HasPrefix(arg, "--baseline") ||
		strings.Contains(arg, ".wasm") || strings.HasSuffix(arg, ".yaml") || arg == "--watch"
}

// inside runs a command in this process and returns its exit code. It returns false if the command needs a separate
// process. args are the arguments of exits.
func inside(ts *testscript.TestScript, args []string) (code int, stdout, stderr string, ok bool) {
	v, _ := ts.Value(inStory{}).(*storyVariables)
	if long || v == nil || args[0] != "stategate" || len(args) < 2 || !slices.Contains(insideCommands, args[1]) ||
		slices.ContainsFunc(args, ofProcess) {
		return 0, "", "", false
	}
	for _, own := range []string{"PATH", "GOMAXPROCS", "XDG_CACHE_HOME", "HOME", "PRE_COMMIT_HOME", "GITHUB_EVENT_PATH",
		"GITHUB_STEP_SUMMARY"} {
		if ts.Getenv(own) != v.before[own] {
			return 0, "", "", false
		}
	}
	var all []string
	for _, name := range v.names {
		if value := ts.Getenv(name); value != "" {
			all = append(all, name+"="+value)
		}
	}
	env := environmentIn(ts.MkAbs("."), all, ts.Getenv, func() (string, error) { return sharedCache, nil })
	var out, err bytes.Buffer
	a := &app{stdin: &bytes.Buffer{}, stdout: &out, stderr: &err, env: env, reserve: sharedWorkers}
	code = a.run(args[1:])
	return code, out.String(), err.String(), true
}
