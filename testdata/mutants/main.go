// Command mutants measures how much of the built-in plugins' behavior their fixtures check. It makes small changes
// to a plugin's source, builds a program that can run the plugin with any one of them, and runs all fixtures
// natively with each. Every change should alter a result somewhere. It prints a change that alters no result as a
// survivor. Either a fixture is missing, or the code is not needed, or the change has no effect and belongs in
// equivalents.txt.
//
//	go run ./testdata/mutants [-n 85] [-seed 1] [-most 25] [PLUGIN…]
//
// The choice of changes depends on their number, the seed and the text of the changed lines, so edits on other lines do
// not affect it. Only reports and the results of remedies are compared; laws and Go tests are not run. The exit code is
// 1 if more than -most percent survive.
package main

import (
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
	"strconv"
	"strings"
	"sync"
	"time"
)

const module = "github.com/stategate/stategate"

// patience is the time limit for all of a plugin's fixtures, which also detects mutants that loop.
const patience = 30 * time.Second

const atOnce = 400

//go:embed equivalents.txt
var equivalents string

// runner is the program that is built with the mutants. It exits with 1 at the first fixture that differs.
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

type tally struct{ killed, survived, same int }

func (t tally) percent() float64 {
	return 100 * float64(t.survived) / float64(max(1, t.killed+t.survived))
}

func (t tally) String() string {
	return fmt.Sprintf("%d mutants, %d survive (%.0f %%), %d more are equivalent", t.killed+t.survived, t.survived,
		t.percent(), t.same)
}

// readEquivalents returns the mutants without an effect. Each is a line in the form of a survivor, without line and
// column.
func readEquivalents(text string) (map[string]bool, error) {
	known := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if known[line] {
			return nil, fmt.Errorf("equivalents.txt has the line twice: %s", line)
		}
		known[line] = true
	}
	return known, nil
}

// try tries n mutants of a plugin, in an order that depends on the seed. Mutants that do not
// compile do not count.
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
	w := &workshop{name: name, pack: strings.ReplaceAll(name, "-", ""), dir: dir, main: main}
	program, out, err := w.build("as-it-is", nil)
	if err != nil {
		return tally{}, fmt.Errorf("%w\n%s", err, out)
	}
	if verdict, err := w.run(program, 0); err != nil || verdict != survived {
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
		left := n - t.killed - t.survived - t.same
		batch := mutants[:min(len(mutants), left+left/3+1, atOnce)]
		mutants = mutants[len(batch):]
		verdicts, err := w.all(batch, left, jobs)
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

type workshop struct{ name, pack, dir, main string }

// all tries the first mutants in a batch that compile, all in one program and several in parallel.
func (w *workshop) all(batch []mutant, most, jobs int) ([]verdict, error) {
	program, single, err := w.buildAll(batch)
	if err != nil {
		return nil, err
	}
	defer os.Remove(program)
	verdicts, faults := make([]verdict, len(batch)), make([]error, len(batch))
	var wg sync.WaitGroup
	slots := make(chan struct{}, jobs)
	for i := range batch {
		one, compiles := single[i]
		if !compiles || most == 0 {
			continue
		}
		most--
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if one != "" {
				defer os.Remove(one)
				verdicts[i], faults[i] = w.run(one, 0)
			} else {
				verdicts[i], faults[i] = w.run(program, i+1)
			}
		})
	}
	wg.Wait()
	return verdicts, errors.Join(faults...)
}

// buildAll builds a program that contains all mutants in a batch, numbered from 1, and returns which of them compile.
// Mutants that a switch cannot select get separate programs.
func (w *workshop) buildAll(batch []mutant) (program string, single map[int]string, err error) {
	files, single := map[string]map[int]*mutant{}, map[int]string{}
	for i := range batch {
		m := &batch[i]
		if !m.imports() {
			continue
		}
		if files[m.file] == nil {
			files[m.file] = map[int]*mutant{}
		}
		files[m.file][i+1] = m
		single[i] = ""
	}
	for {
		sources, spans := map[string][]byte{}, map[string][]span{}
		for file, list := range files {
			if len(list) == 0 {
				continue
			}
			text, where, others, err := switched(list)
			if err != nil {
				return "", nil, fmt.Errorf("%s: %w", file, err)
			}
			sources[file], spans[file] = text, where
			for _, n := range others {
				delete(list, n)
				program, out, err := w.build(fmt.Sprint("single", n), map[string][]byte{file: batch[n-1].source()})
				switch {
				case err == nil:
					single[n-1] = program
				case bytes.HasPrefix(out, []byte("# "+module+"/plugins/")):
					delete(single, n-1)
				default:
					return "", nil, fmt.Errorf("%w\n%s", err, out)
				}
			}
		}
		sources[filepath.Join("plugins", w.name, "mutants.go")] = fmt.Appendf(nil, selected, w.pack)
		program, out, err := w.build("all", sources)
		if err == nil {
			return program, single, nil
		}
		before := len(single)
		for _, line := range strings.Split(string(out), "\n") {
			part := strings.SplitN(line, ":", 3)
			if len(part) < 3 {
				continue
			}
			file := filepath.Join("plugins", w.name, filepath.Base(part[0]))
			at, _ := strconv.Atoi(part[1])
			for _, s := range spans[file] {
				if s.from <= at && at <= s.to {
					delete(single, s.mutant-1)
					delete(files[file], s.mutant)
				}
			}
		}
		if len(single) == before {
			return "", nil, fmt.Errorf("%w\n%s", err, out)
		}
	}
}

// build builds the runner with replacements for some source files.
func (w *workshop) build(id string, sources map[string][]byte) (program string, out []byte, err error) {
	here, err := os.Getwd()
	if err != nil {
		return "", nil, err
	}
	replace := map[string]string{filepath.Join(here, "plugins", w.name, "cmd", "mutant", "main.go"): w.main}
	for name, text := range sources {
		file := filepath.Join(w.dir, filepath.Base(name))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return "", nil, err
		}
		replace[filepath.Join(here, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", nil, err
	}
	file := filepath.Join(w.dir, id+".json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		return "", nil, err
	}
	program = filepath.Join(w.dir, id+".exe")
	out, err = exec.Command("go", "build", "-gcflags=-e", "-ldflags=-s -w", "-overlay", file, "-o", program,
		"./plugins/"+w.name+"/cmd/mutant").CombinedOutput()
	return program, out, err
}

// run runs a program as one of its mutants; 0 means the unchanged plugin.
func (w *workshop) run(program string, number int) (verdict, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, program)
	c.Env = append(os.Environ(), fmt.Sprint("MUTANT=", number))
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, nil
	case !errors.As(err, &exit):
		return invalid, err
	case exit.ExitCode() == 3:
		return invalid, fmt.Errorf("the fixtures: %s", out)
	}
	return killed, nil // because of a difference, a panic or the deadline
}
