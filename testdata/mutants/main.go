// Command mutants asks how much of the built-in plugins their fixtures hold. It makes small changes to a plugin's source,
// one at a time, and runs all its fixtures natively: each change should give another verdict somewhere. One that gives none is
// printed as a survivor: a fixture is missing, or the changed code is not needed, or the change is none, and belongs in
// equivalents.txt.
//
//	go run ./testdata/mutants [-n 85] [-seed 1] [-most 25] [PLUGIN…]
//
// Which changes are made depends on the number, the seed and the text of the changed lines: work on other lines leaves them as they are. Only verdicts and what remedies leave are
// compared; laws and the tests in Go are not run. The exit code is 1 if more than -most percent survive.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const module = "github.com/stategate/stategate"

// patience is how long all fixtures of a plugin may take: a mutant that loops is found out.
const patience = 30 * time.Second

//go:embed equivalents.txt
var equivalents string

// runner is the program that is built with each mutant: it exits with 1 at the first fixture that differs.
const runner = `package main

import (
	"fmt"
	"os"

	plugin %q

	"github.com/stategate/stategate/sdk/fixture"
)

func main() {
	kit, err := fixture.NewKit(plugin.Workflow.Manifest(), fixture.Native(plugin.Workflow))
	if err == nil {
		err = plugin.Workflow.Validate()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fixtures, err := fixture.LoadAll(os.DirFS(%q), "testdata")
	if err != nil || len(fixtures) == 0 {
		fmt.Println("no fixtures:", err)
		os.Exit(3)
	}
	for _, f := range fixtures {
		if _, err := kit.Compare(f); err != nil {
			fmt.Printf("%%s: %%v\n", f.Name, err)
			os.Exit(1)
		}
	}
}
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutants: ")
	n := flag.Int("n", 85, "mutants of each plugin")
	seed := flag.Int64("seed", 1, "seed of the choice")
	most := flag.Float64("most", 100, "percent that may survive")
	jobs := flag.Int("jobs", 2, "mutants at once")
	flag.Parse()
	plugins := flag.Args()
	if len(plugins) == 0 {
		found, err := filepath.Glob("plugins/*/cmd/*/main.go")
		if err != nil || len(found) == 0 {
			log.Fatal("run it at the top of the source tree")
		}
		for _, name := range found {
			plugins = append(plugins, strings.Split(filepath.ToSlash(name), "/")[1])
		}
	}
	known, err := readEquivalents(equivalents)
	if err != nil {
		log.Fatal(err)
	}
	var all tally
	for _, name := range plugins {
		t, err := try(name, *n, *seed, *jobs, known)
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		fmt.Printf("%s: %s\n", name, t)
		all.killed, all.survived, all.same = all.killed+t.killed, all.survived+t.survived, all.same+t.same
	}
	fmt.Printf("all: %s\n", all)
	if all.percent() > *most {
		log.Fatalf("found %.0f %% survivors, expected %.0f %% at most", all.percent(), *most)
	}
}

// A tally counts the mutants that were tried.
type tally struct{ killed, survived, same int }

func (t tally) percent() float64 {
	return 100 * float64(t.survived) / float64(max(1, t.killed+t.survived))
}

func (t tally) String() string {
	return fmt.Sprintf("%d mutants, %d survive (%.0f %%), %d more are equivalent", t.killed+t.survived, t.survived, t.percent(), t.same)
}

// readEquivalents returns the mutants that change nothing, each a line as a survivor is printed, without its line and column.
func readEquivalents(text string) (map[string]bool, error) {
	known := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if known[line] {
			return nil, fmt.Errorf("equivalents.txt has the line twice: %s", line)
		}
		known[line] = true
	}
	return known, lines.Err()
}

// try makes n mutants of a plugin that compile, in an order that the seed gives.
func try(name string, n int, seed int64, jobs int, known map[string]bool) (tally, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return tally{}, err
	}
	defer os.RemoveAll(dir)
	main := filepath.Join(dir, "main.go")
	source := fmt.Sprintf(runner, module+"/plugins/"+name, "plugins/"+name)
	if err := os.WriteFile(main, []byte(source), 0o644); err != nil {
		return tally{}, err
	}
	w := &workshop{name: name, dir: dir, main: main}
	if verdict, err := w.run("as-it-is", nil); err != nil || verdict != survived {
		return tally{}, errors.Join(err, errors.New("the fixtures do not pass before any change"))
	}
	mutants, err := mutantsOf(filepath.Join("plugins", name))
	if err != nil {
		return tally{}, err
	}
	slices.SortStableFunc(mutants, func(a, b mutant) int { return cmp.Compare(a.rank(seed), b.rank(seed)) })
	var t tally
	var list []mutant
	for len(mutants) > 0 && t.killed+t.survived+t.same < n {
		batch := mutants[:min(len(mutants), max(1, min(4*jobs, n-t.killed-t.survived-t.same)))]
		mutants = mutants[len(batch):]
		verdicts, err := w.all(batch, jobs)
		if err != nil {
			return t, err
		}
		for i, m := range batch {
			switch {
			case verdicts[i] == killed:
				t.killed++
			case verdicts[i] == survived && known[m.key()]:
				t.same++
			case verdicts[i] == survived:
				t.survived++
				list = append(list, m)
			}
		}
	}
	slices.SortFunc(list, mutant.compare)
	for _, m := range list {
		fmt.Println(m)
	}
	return t, nil
}

type verdict int

const (
	invalid verdict = iota // it does not compile
	killed
	survived
)

// A workshop builds and runs the mutants of one plugin.
type workshop struct{ name, dir, main string }

// all tries mutants, some at once.
func (w *workshop) all(batch []mutant, jobs int) ([]verdict, error) {
	verdicts, faults := make([]verdict, len(batch)), make([]error, len(batch))
	var wg sync.WaitGroup
	slots := make(chan struct{}, jobs)
	for i := range batch {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			verdicts[i], faults[i] = w.run(fmt.Sprint(i), &batch[i])
		})
	}
	wg.Wait()
	return verdicts, errors.Join(faults...)
}

// run builds the runner with a mutant in the place of its file, nil for none, and runs it.
func (w *workshop) run(id string, m *mutant) (verdict, error) {
	here, err := os.Getwd()
	if err != nil {
		return invalid, err
	}
	replace := map[string]string{filepath.Join(here, "plugins", w.name, "cmd", "mutant", "main.go"): w.main}
	if m != nil {
		file := filepath.Join(w.dir, id+".go")
		if err := os.WriteFile(file, m.source(), 0o644); err != nil {
			return invalid, err
		}
		replace[filepath.Join(here, m.file)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return invalid, err
	}
	overlayFile, program := filepath.Join(w.dir, id+".json"), filepath.Join(w.dir, id+".exe")
	if err := os.WriteFile(overlayFile, overlay, 0o644); err != nil {
		return invalid, err
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", overlayFile, "-o", program, "./plugins/"+w.name+"/cmd/mutant")
	if out, err := build.CombinedOutput(); err != nil {
		if m == nil || !bytes.HasPrefix(out, []byte("# "+module+"/plugins/")) {
			return invalid, fmt.Errorf("%v: %w\n%s", build.Args, err, out)
		}
		return invalid, nil
	}
	defer os.Remove(program)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, program).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, nil
	case !errors.As(err, &exit):
		return invalid, err
	case exit.ExitCode() == 3 || m == nil:
		return invalid, fmt.Errorf("the fixtures: %s", out)
	}
	return killed, nil // by a difference, a panic or the deadline
}
