// Command bench measures whole stategate processes: cold with empty caches, warm
// (plugins are compiled, everything is looked at) and unchanged (verdicts are kept),
// over one session and over many. It prints a table.
//
// Usage: bench STATEGATE
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bench STATEGATE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A measure is one row of the table.
type measure struct {
	name  string
	runs  int
	cache cached
	dir   string
	args  []string
}

// cached says what a run finds in the cache.
type cached int

const (
	everything cached = iota
	plugins           // no verdict
	nothing
)

func run(bin string) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "stategate-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	if err := errors.Join(sessions(one, 1), sessions(many, 2000)); err != nil {
		return err
	}
	fmt.Printf("%-34s %5s %10s %10s %10s %12s\n", "", "runs", "median", "fastest", "slowest", "peak memory")
	for n, m := range []measure{
		{"start only (version)", 21, everything, one, []string{"version"}},
		{"1 session, cold", 7, nothing, one, []string{"check"}},
		{"1 session, warm", 21, plugins, one, []string{"check"}},
		{"1 session, unchanged", 21, everything, one, []string{"check"}},
		{"1 session, unchanged, status", 21, everything, one, []string{"status"}},
		{"2,000 sessions, warm", 7, plugins, many, []string{"check"}},
		{"2,000 sessions, warm, --jobs 1", 7, plugins, many, []string{"check", "--jobs=1"}},
		{"2,000 sessions, warm, --jobs 2", 7, plugins, many, []string{"check", "--jobs=2"}},
		{"2,000 sessions, unchanged", 7, everything, many, []string{"check"}},
		{"2,000 sessions, unchanged, json", 7, everything, many, []string{"check", "--format=json"}},
	} {
		if err := m.print(bin, filepath.Join(dir, "cache", fmt.Sprint(n))); err != nil {
			return err
		}
	}
	return nil
}

func (m measure) print(bin, cache string) error {
	var times []time.Duration
	for i := range m.runs + 1 { // the first one fills caches and is not counted
		cmd, err := m.command(bin, cache, i)
		if err != nil {
			return err
		}
		start := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(start)
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", m.name, err, out)
		}
		if i > 0 {
			times = append(times, took)
		}
	}
	cmd, err := m.command(bin, cache, m.runs+1)
	if err != nil {
		return err
	}
	peak, err := peakMemory(cmd) // in a run of its own, because looking takes time
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	slices.Sort(times)
	_, err = fmt.Printf("%-34s %5d %10s %10s %10s %12s\n", m.name, m.runs,
		shown(times[len(times)/2]), shown(times[0]), shown(times[len(times)-1]), fmt.Sprintf("%.1f MiB", float64(peak)/(1<<20)))
	return err
}

// command returns run number i. Verdicts are kept under the limits that they were
// reached with: a limit of its own makes a run look at everything.
func (m measure) command(bin, cache string, i int) (*exec.Cmd, error) {
	args := m.args
	if m.cache == plugins {
		args = append(slices.Clone(args), fmt.Sprintf("--limit-instance=%dms", 9999-i))
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	if m.cache != nothing {
		return cmd, nil
	}
	return cmd, os.RemoveAll(cache)
}

func shown(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
