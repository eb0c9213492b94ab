// Command bench measures whole processes and prints a table. It runs stategate on one session, on many sessions and
// on large repositories: cold (empty caches), computed (compiled plugins, but no cached verdicts) and unchanged
// (cached verdicts). All rows take turns, so that other load on the machine affects all of them. Each run gets a
// fresh copy of its program and cache, because two identical copies that stay in the page cache can differ by up to 8
// percent. It also measures git status on the same files. It uses two other programs if they are in PATH: conftest,
// which also checks files, to compare one small policy on the same state.json files; and strace, to count system
// calls.
//
// Usage: bench [-runs N] [-only TEXT] STATEGATE [OTHER]
//
// OTHER is another stategate, such as the one from the last commit. Ratios compare the medians of CPU time.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	runs := flag.Int("runs", 15, "how often to run each row")
	only := flag.String("only", "", "measure only rows whose names contain this `text`")
	flag.Parse()
	if n := flag.NArg(); n < 1 || n > 2 {
		fmt.Fprintln(os.Stderr, "usage: bench [-runs N] [-only TEXT] STATEGATE [OTHER]")
		os.Exit(2)
	}
	if err := run(flag.Args(), *runs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type row struct {
	name    string
	program string
	args    []string
	input   string // standard input
	dir     string
	files   int // state files that it checks, or 0 if the number does not matter
	cache   cached
	home    string              // directory of its cache
	before  func(run int) error // changes the tree before each run; may be nil
	beside  *row                // the conftest row to compare with, or nil
	other   *row                // the other program's row to compare with, or nil

	wall, cpu []time.Duration
	peak      int64 // bytes
	calls     int   // system calls, or 0 if unknown
}

// cached describes the contents of the cache at the start of a run.
type cached int

const (
	everything cached = iota
	plugins           // no verdicts
	nothing
)

const (
	many  = 2000    // sessions
	large = 100_000 // files in a repository
	each  = 7       // state files in a session
)

func run(programs []string, runs int, only string) error {
	dir, err := os.MkdirTemp("", "stategate-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i := range programs {
		if programs[i], err = filepath.Abs(programs[i]); err != nil {
			return err
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(sessions(in("one"), 1), sessions(in("many"), many), sessions(in("1,000"), 1000),
		sessions(in("3,000"), 3000), repository(in("1,000"), 0), repository(in("3,000"), 0), features(in("spec-kit")),
		specs(in("kiro")), changes(in("openspec")), changes(in("edited")),
		repository(in("one"), 0), repository(in("many"), 0),
		repository(in("openspec"), 0), repository(in("edited"), 0), repository(in("large"), large)); err != nil {
		return err
	}
	conftest1, conftestMany, err := conftests(dir)
	if err != nil {
		return err
	}
	var rows, first []*row
	for i, program := range programs {
		add := func(name string, cache cached, where string, files int, args ...string) *row {
			r := &row{name: name, program: program, args: args, dir: in(where), files: files, cache: cache,
				home: in(fmt.Sprintf("cache-%d-%d", i, len(rows)))}
			rows = append(rows, r)
			return r
		}
		start := len(rows)
		add("start only (version)", everything, "one", 0, "version")
		add("1 session, cold", nothing, "one", each, "check")
		add("1 session, computed", plugins, "one", each, "check").beside = conftest1
		add("1 session, unchanged", everything, "one", each, "check").beside = conftest1
		add("1 session, unchanged, status", everything, "one", each, "status")
		add("2,000 sessions, computed", plugins, "many", many*each, "check").beside = conftestMany
		add("2,000 sessions, computed, --jobs 1", plugins, "many", many*each, "check", "--jobs=1")
		add("2,000 sessions, unchanged", everything, "many", many*each, "check").beside = conftestMany
		add("2,000 sessions, unchanged, no base", everything, "many", many*each, "check", "--base=none")
		add("2,000 sessions, unchanged, json", everything, "many", many*each, "check", "--format=json")
		for _, n := range []string{"1,000", "3,000"} {
			stop := add(n+" sessions, one changed, Stop hook", everything, n, 0, "hook", "claude-code")
			stop.input, stop.before = `{"hook_event_name": "Stop", "session_id": "1"}`, note(in(n))
		}
		add("1,000 files of Spec Kit, computed", plugins, "spec-kit", 1000, "check")
		add("1,000 files of Kiro, computed", plugins, "kiro", 1000, "check")
		add("1,900 files of OpenSpec, cold", nothing, "openspec", 1900, "check")
		edited := add("1,900 files of OpenSpec, one changed", everything, "edited", 1900, "check")
		edited.before = touch(in("edited"))
		add("1,900 files of OpenSpec, unchanged", everything, "openspec", 1900, "check")
		add("100,000 files, --staged, 1 session", plugins, "large", 0, "check", "--staged")
		add("100,000 files, --staged, no state", everything, "large", 0, "check", "--staged")
		if i == 0 {
			first = rows[start:]
			continue
		}
		for j, r := range rows[start:] {
			r.name += " (other)"
			first[j].other = r
		}
	}
	if conftest1 != nil {
		rows = append(rows, conftest1, conftestMany)
	}
	rows = append(rows, &row{name: "git status, the same files", program: "git", args: []string{"status", "--short"},
		dir: in("many"), files: many * each})
	chosen := map[*row]bool{}
	for _, r := range rows {
		if strings.Contains(r.name, only) {
			chosen[r], chosen[r.beside] = true, true
		}
	}
	rows = slices.DeleteFunc(rows, func(r *row) bool { return !chosen[r] })
	return inTurns(rows, runs, in("fresh"))
}

// conftests returns the conftest rows for one state file and for all of them, or nil if conftest is not in PATH.
func conftests(dir string) (one, all *row, err error) {
	program, err := exec.LookPath("conftest")
	if err != nil {
		return nil, nil, nil
	}
	policy := filepath.Join(dir, "policy")
	if err := put(filepath.Join(policy, "p.rego"), rego); err != nil {
		return nil, nil, err
	}
	over := func(name, where string) (*row, error) {
		files, err := filepath.Glob(filepath.Join(dir, where, ".ocr/sessions/*/state.json"))
		args := append([]string{"test", "--no-color", "--policy", policy}, files...)
		return &row{name: name, program: program, args: args, dir: filepath.Join(dir, where), files: len(files)}, err
	}
	one, err1 := over("conftest, 1 file", "one")
	all, err2 := over("conftest, 2,000 files", "many")
	return one, all, errors.Join(err1, err2)
}

// rego is the policy for conftest: one comparison, as simple as possible.
const rego = `package main
import rego.v1
deny contains msg if {
	input.current_round > 100
	msg := "too many rounds"
}
`

// inTurns measures all rows in turn, several times, and prints them.
func inTurns(rows []*row, runs int, fresh string) error {
	for _, r := range rows {
		if r.home != "" && r.cache != nothing {
			for i := range 3 { // the first run interprets small jobs, the second compiles them
				if out, err := r.command(-1-i, r.program, r.home).CombinedOutput(); err != nil {
					return fmt.Errorf("%s: %w\n%s", r.name, err, out)
				}
			}
		}
	}
	for i := range runs {
		for _, r := range rows {
			cmd, err := r.prepare(i, fresh)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			start := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", r.name, err, out)
			}
			r.wall = append(r.wall, time.Since(start))
			r.cpu = append(r.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		}
	}
	for _, r := range rows {
		slices.Sort(r.wall)
		slices.Sort(r.cpu)
	}
	fmt.Printf("%-38s %10s %10s %10s %12s %10s %9s %9s\n", "", "CPU", "wall", "fastest", "peak memory", "calls/file",
		"/conftest", "/other")
	for _, r := range rows {
		cmd, err := r.prepare(runs, fresh)
		if err == nil {
			r.peak, err = peakMemory(cmd) // in a separate run, because measuring takes time
		}
		if err == nil {
			err = r.count(runs+1, fresh)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		r.print()
	}
	return nil
}

// prepare returns the command of run number i, with fresh copies of the program and the cache.
func (r *row) prepare(i int, fresh string) (*exec.Cmd, error) {
	if r.before != nil {
		if err := r.before(i); err != nil {
			return nil, err
		}
	}
	if r.home == "" {
		return r.command(i, r.program, ""), nil
	}
	program, home := filepath.Join(fresh, "program"), filepath.Join(fresh, "cache")
	if err := errors.Join(os.RemoveAll(fresh), os.MkdirAll(home, 0o700), os.MkdirAll(r.home, 0o700)); err != nil {
		return nil, err
	}
	err := exec.Command("cp", "-a", r.program, program).Run() // -a keeps its time, which is in the verdicts' keys
	if err == nil && r.cache != nothing {
		err = exec.Command("cp", "-a", r.home+"/.", home).Run()
	}
	return r.command(i, program, home), err
}

// command returns the command of run number i. The limits are part of the key of cached verdicts, so a run with a
// unique limit checks everything.
func (r *row) command(i int, program, home string) *exec.Cmd {
	args := r.args
	if r.cache == plugins {
		args = append(slices.Clone(args), fmt.Sprintf("--limit-instance=%dms", 9990-i))
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(r.input)
	if home != "" {
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+home)
	}
	return cmd
}

// count counts the system calls of a run and its children with strace, if that is installed.
func (r *row) count(i int, fresh string) error {
	if _, err := exec.LookPath("strace"); err != nil || r.files < many {
		return nil
	}
	cmd, err := r.prepare(i, fresh)
	if err != nil {
		return err
	}
	traced := exec.Command("strace", append([]string{"-f", "-c", "-U", "calls", "--"}, cmd.Args...)...)
	traced.Dir, traced.Env, traced.Stdin = cmd.Dir, cmd.Env, cmd.Stdin
	out, err := traced.CombinedOutput()
	if err != nil {
		return nil // tracing is not allowed here
	}
	for line := range strings.Lines(string(out)) {
		var n int
		if _, err := fmt.Sscanf(strings.TrimSpace(line), "%d", &n); err == nil && n > r.calls {
			r.calls = n // the total is the largest number
		}
	}
	return nil
}

func (r *row) print() {
	calls := ""
	if r.calls > 0 {
		calls = fmt.Sprintf("%.1f", float64(r.calls)/float64(r.files))
	}
	fmt.Printf("%-38s %10s %10s %10s %12s %10s %9s %9s\n", r.name, shown(median(r.cpu)), shown(median(r.wall)),
		shown(r.wall[0]), fmt.Sprintf("%.1f MiB", float64(r.peak)/(1<<20)), calls, r.ratio(r.beside), r.ratio(r.other))
}

func (r *row) ratio(to *row) string {
	if to == nil {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(median(r.cpu))/float64(median(to.cpu)))
}

func median(sorted []time.Duration) time.Duration { return sorted[len(sorted)/2] }

func shown(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
