// Command ecosystem runs stategate on real repositories on this machine. For each rule, it prints the number of
// repositories and findings, how many findings are new or missing compared with another binary, and how the ledger
// judges them. It fetches no repositories, and changes only copies.
//
//	go run ./testdata/ecosystem [-old BINARY] [-plugin NAME] [-show RULE] [-history N] [-recall] [-repair] BINARY FOLDER…
//
// A folder contains repositories, each named OWNER+NAME: a tree of state files from one commit, or a bare repository
// (OWNER+NAME/repo also works), whose HEAD is checked. -commits names files with lines "repository, commit, …". They
// specify a tree's commit, and the commit to check in a bare repository.
//
// The exit code is 1 if a check fails or takes longer than patience, if an error is wrong according to the ledger, if
// more than a tenth of the commits introduce a finding that closes the gate, or if fewer than 95% of the mutations are
// found.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

type options struct {
	bin, old, plugin, show string
	commits, ledger        string
	history                int
	recall, repair         bool
}

func main() {
	var o options
	flag.StringVar(&o.old, "old", "", "compare with what `BINARY` finds")
	flag.StringVar(&o.plugin, "plugin", "", "only the workflow `NAME`")
	flag.StringVar(&o.show, "show", "", "print each finding of `RULE`, or of all rules (all), with its place")
	flag.StringVar(&o.commits, "commits", "", "`FILES`, separated by commas, that say which commits to check")
	flag.StringVar(&o.ledger, "ledger", "testdata/ledger", "the `DIR` of judged findings")
	flag.IntVar(&o.history, "history", 0, "check the last `N` commits of each bare repository that touch state")
	flag.BoolVar(&o.recall, "recall", false, "change clean trees in ways that a rule must find")
	flag.BoolVar(&o.repair, "repair", false, "apply every remedy to a copy, check again, and undo it")
	flag.Parse()
	if flag.NArg() < 2 {
		flag.Usage()
		os.Exit(2)
	}
	o.bin = flag.Arg(0)
	ok, err := run(o, flag.Args()[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "ecosystem:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(o options, folders []string) (ok bool, err error) {
	for _, name := range []*string{&o.bin, &o.old} {
		if *name != "" {
			if *name, err = filepath.Abs(*name); err != nil {
				return false, err
			}
		}
	}
	commits, err := readCommits(o.commits)
	if err != nil {
		return false, err
	}
	repos, err := repositories(folders, commits)
	if err != nil || len(repos) == 0 {
		return false, fmt.Errorf("no repository in %s: %v", strings.Join(folders, ", "), err)
	}
	copies, err := os.MkdirTemp("", "stategate-ecosystem-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(copies)
	for i, r := range repos {
		if !r.bare {
			if repos[i], err = adopt(r, filepath.Join(copies, strconv.Itoa(i))); err != nil {
				return false, err
			}
		}
	}
	judged, err := readLedger(o.ledger)
	if err != nil {
		return false, err
	}
	now := checkAll(o.bin, repos, o.plugin)
	var then []look
	if o.old != "" {
		then = checkAll(o.old, repos, o.plugin)
	}
	ok = report(os.Stdout, now, then, judged, o)
	if o.history > 0 {
		ok = history(os.Stdout, o, repos) && ok
	}
	if o.repair {
		ok = repairs(os.Stdout, o, now) && ok
	}
	if o.recall {
		ok = recall(os.Stdout, o, now) && ok
	}
	return ok, nil
}

// each calls a function for every element, several at a time, and returns the results in order.
func each[T, R any](list []T, do func(T) R) []R {
	results := make([]R, len(list))
	var all sync.WaitGroup
	slots := make(chan bool, runtime.NumCPU())
	for i := range list {
		slots <- true
		all.Go(func() {
			results[i] = do(list[i])
			<-slots
		})
	}
	all.Wait()
	return results
}

type repository struct {
	name   string // owner/name
	dir    string
	bare   bool
	commit string // the commit that is checked, or the tree's commit; "" if unknown
}

// repositories lists the repositories in folders and their subfolders.
func repositories(folders []string, commits map[string]string) (list []repository, err error) {
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			owner, name, ok := strings.Cut(e.Name(), "+")
			dir := filepath.Join(folder, e.Name())
			if !ok {
				if more, err := repositories([]string{dir}, commits); e.IsDir() && err == nil {
					list = append(list, more...)
				}
				continue
			}
			r := repository{name: owner + "/" + name, dir: dir, commit: commits[owner+"/"+name]}
			for _, d := range []string{dir, filepath.Join(dir, "repo")} {
				if _, err := os.Stat(filepath.Join(d, "objects")); err == nil {
					r.dir, r.bare = d, true
				}
			}
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b repository) int { return strings.Compare(a.name+a.dir, b.name+b.dir) })
	return list, nil
}

// readCommits reads files whose lines begin with a repository, a tab and a commit.
func readCommits(names string) (map[string]string, error) {
	commits := map[string]string{}
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' }) {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			if cells := strings.Split(strings.TrimSpace(line), "\t"); len(cells) > 1 &&
				strings.Contains(cells[0], "/") {
				commits[cells[0]] = cells[1]
			}
		}
	}
	return commits, nil
}
