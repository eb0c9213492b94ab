// Command bench measures whole processes and prints a table: stategate over one session, over many and over a large
// repository; cold with empty caches, computed (plugins are compiled, everything is looked at) and unchanged (verdicts
// are kept). What takes turns is measured in turns, so that a busy machine is busy for all. Beside it, where they are
// on PATH: conftest, another program that checks files, with one small policy over the same state.json files; git
// status over the same files; and how many system calls strace counts.
//
// Usage: bench STATEGATE [OTHER]
//
// OTHER is another stategate, such as that of the last commit, measured in the same turns.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: bench STATEGATE [OTHER]")
		os.Exit(2)
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A row is one command that is measured.
type row struct {
	name    string
	program string
	args    []string
	dir     string
	files   int // state files that it looks at, 0 for a number of no use
	cache   cached
	home    string // of its cache

	wall, cpu []time.Duration
	peak      int64 // bytes
	calls     int   // of the system, 0 if unknown
}

// cached says what a run finds in the cache.
type cached int

const (
	everything cached = iota
	plugins           // no verdict
	nothing
)

const (
	many  = 2000    // sessions
	large = 100_000 // files of a repository
	each  = 7       // state files of a session
)

func run(programs []string) error {
	dir, err := os.MkdirTemp("", "stategate-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// A program starts a seventh slower from the file that the linker wrote than from a copy.
	for i, program := range programs {
		data, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		programs[i] = filepath.Join(dir, fmt.Sprint("program-", i))
		if err := os.WriteFile(programs[i], data, 0o700); err != nil {
			return err
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(sessions(in("one"), 1), sessions(in("many"), many), features(in("spec-kit")),
		specs(in("kiro")), repository(in("many"), 0), repository(in("large"), large)); err != nil {
		return err
	}
	var small, big []*row
	for i, program := range programs {
		add := func(to *[]*row, name string, cache cached, where string, files int, args ...string) {
			if i > 0 {
				name += " (other)"
			}
			*to = append(*to, &row{name: name, program: program, args: args, dir: in(where), files: files, cache: cache,
				home: in(fmt.Sprintf("cache-%d-%d-%d", i, len(small), len(big)))})
		}
		add(&small, "start only (version)", everything, "one", 0, "version")
		add(&small, "1 session, cold", nothing, "one", each, "check")
		add(&small, "1 session, computed", plugins, "one", each, "check")
		add(&small, "1 session, unchanged", everything, "one", each, "check")
		add(&small, "1 session, unchanged, status", everything, "one", each, "status")
		add(&big, "2,000 sessions, computed", plugins, "many", many*each, "check")
		add(&big, "2,000 sessions, computed, --jobs 1", plugins, "many", many*each, "check", "--jobs=1")
		add(&big, "2,000 sessions, unchanged", everything, "many", many*each, "check")
		add(&big, "2,000 sessions, unchanged, json", everything, "many", many*each, "check", "--format=json")
		add(&big, "1,000 files of spec-kit, computed", plugins, "spec-kit", 1000, "check")
		add(&big, "1,000 files of Kiro, computed", plugins, "kiro", 1000, "check")
		add(&big, "100,000 files, --staged, 1 session", plugins, "large", 0, "check", "--staged")
		add(&big, "100,000 files, --staged, no state", everything, "large", 0, "check", "--staged")
	}
	if program, err := exec.LookPath("conftest"); err == nil {
		policy := in("policy")
		if err := errors.Join(os.Mkdir(policy, 0o755),
			os.WriteFile(filepath.Join(policy, "p.rego"), []byte(rego), 0o644)); err != nil {
			return err
		}
		other := func(name, where string, files []string) *row {
			return &row{name: name, program: program,
				args: append([]string{"test", "--no-color", "--policy", policy}, files...), dir: in(where),
				files: len(files)}
		}
		one, err1 := filepath.Glob(in("one/.ocr/sessions/*/state.json"))
		all, err2 := filepath.Glob(in("many/.ocr/sessions/*/state.json"))
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		small, big = append(small, other("conftest, 1 file", "one", one)),
			append(big, other("conftest, 2,000 files", "many", all))
	}
	big = append(big, &row{name: "git status, the same files", program: "git", args: []string{"status", "--short"},
		dir: in("many"), files: many * each})

	fmt.Printf("%-38s %4s %10s %10s %10s %12s %10s\n", "", "runs", "median", "fastest", "CPU", "peak memory",
		"calls/file")
	for _, part := range []struct {
		rows []*row
		runs int
	}{{small, 21}, {big, 7}} {
		if err := inTurns(part.rows, part.runs); err != nil {
			return err
		}
	}
	return nil
}

// rego is the policy that conftest reads: one comparison, as simple as there is.
const rego = `package main
import rego.v1
deny contains msg if {
	input.current_round > 100
	msg := "too many rounds"
}
`

// inTurns measures every row as often, one after the other, and prints them.
func inTurns(rows []*row, runs int) error {
	for _, r := range rows {
		if r.home != "" && r.cache != nothing {
			for range 3 { // compiled by the second run, and the verdicts of the third
				if err := r.run(-1); err != nil {
					return err
				}
			}
		}
	}
	for i := range runs {
		for _, r := range rows {
			if err := r.run(i); err != nil {
				return err
			}
		}
	}
	for _, r := range rows {
		cmd, err := r.command(runs)
		if err == nil {
			r.peak, err = peakMemory(cmd) // in a run of its own, because looking takes time
		}
		if err == nil {
			err = r.count(runs + 1)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		r.print()
	}
	return nil
}

func (r *row) run(i int) error {
	cmd, err := r.command(i)
	if err != nil {
		return err
	}
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", r.name, err, out)
	}
	if i >= 0 {
		r.wall = append(r.wall, time.Since(start))
		r.cpu = append(r.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	return nil
}

// command returns run number i. Verdicts are kept under the limits that they were reached with: a limit of its own
// makes a run look at everything.
func (r *row) command(i int) (*exec.Cmd, error) {
	args := r.args
	if r.cache == plugins {
		args = append(slices.Clone(args), fmt.Sprintf("--limit-instance=%dms", 9990-i))
	}
	cmd := exec.Command(r.program, args...)
	cmd.Dir = r.dir
	if r.home == "" {
		return cmd, nil
	}
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+r.home)
	if r.cache == nothing {
		return cmd, os.RemoveAll(r.home)
	}
	return cmd, nil
}

// count has strace, if it is there, count the system calls of a run and of all that it starts.
func (r *row) count(i int) error {
	if _, err := exec.LookPath("strace"); err != nil || r.files < many {
		return nil
	}
	cmd, err := r.command(i)
	if err != nil {
		return err
	}
	traced := exec.Command("strace", append([]string{"-f", "-c", "-U", "calls", "--"}, cmd.Args...)...)
	traced.Dir, traced.Env = cmd.Dir, cmd.Env
	out, err := traced.CombinedOutput()
	if err != nil {
		return nil // not allowed here
	}
	for line := range strings.Lines(string(out)) {
		var n int
		if _, err := fmt.Sscanf(strings.TrimSpace(line), "%d", &n); err == nil && n > r.calls {
			r.calls = n // the total is the greatest
		}
	}
	return nil
}

func (r *row) print() {
	slices.Sort(r.wall)
	slices.Sort(r.cpu)
	calls := ""
	if r.calls > 0 {
		calls = fmt.Sprintf("%.1f", float64(r.calls)/float64(r.files))
	}
	fmt.Printf("%-38s %4d %10s %10s %10s %12s %10s\n", r.name, len(r.wall), shown(r.wall[len(r.wall)/2]),
		shown(r.wall[0]), shown(r.cpu[len(r.cpu)/2]),
		fmt.Sprintf("%.1f MiB", float64(r.peak)/(1<<20)), calls)
}

func shown(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
