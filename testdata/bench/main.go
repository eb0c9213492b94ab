// Command bench measures whole stategate processes: cold with empty caches,
// warm, over many sessions, with one worker and with two. It prints a table.
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
	name string
	runs int
	cold bool // with an empty cache each time
	dir  string
	args []string
}

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
	for _, m := range []measure{
		{"start only (version)", 21, false, one, []string{"version"}},
		{"1 session, cold", 7, true, one, []string{"check"}},
		{"1 session, warm", 21, false, one, []string{"check"}},
		{"1 session, warm, status", 21, false, one, []string{"status"}},
		{"2,000 sessions, warm", 7, false, many, []string{"check"}},
		{"2,000 sessions, warm, --jobs 1", 7, false, many, []string{"check", "--jobs=1"}},
		{"2,000 sessions, warm, --jobs 2", 7, false, many, []string{"check", "--jobs=2"}},
		{"2,000 sessions, warm, json", 7, false, many, []string{"check", "--format=json"}},
	} {
		if err := m.print(bin, filepath.Join(dir, "cache")); err != nil {
			return err
		}
	}
	return nil
}

func (m measure) print(bin, cache string) error {
	var times []time.Duration
	var peak int64
	for i := range m.runs + 1 { // the first one fills caches and is not counted
		if m.cold {
			if err := os.RemoveAll(cache); err != nil {
				return err
			}
		}
		took, memory, err := m.once(bin, cache)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if i > 0 {
			times = append(times, took)
			peak = max(peak, memory)
		}
	}
	slices.Sort(times)
	_, err := fmt.Printf("%-34s %5d %10s %10s %10s %12s\n", m.name, m.runs,
		shown(times[len(times)/2]), shown(times[0]), shown(times[len(times)-1]), fmt.Sprintf("%.1f MiB", float64(peak)/(1<<20)))
	return err
}

func (m measure) once(bin, cache string) (time.Duration, int64, error) {
	cmd := exec.Command(bin, m.args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil {
		return 0, 0, fmt.Errorf("%w\n%s", err, out)
	}
	return took, peakMemory(cmd.ProcessState), nil
}

func shown(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
