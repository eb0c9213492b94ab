package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// comparedNth selects every nth fixture with a base; STATEGATE_TEST_LONG selects all.
const comparedNth = 20

// TestChangedReportsWhatIsNew checks the promise of check --changed with fixtures of every built-in plugin that have a
// base: it reports every error in the working tree that the base lacks, and no findings that check does not report.
func TestChangedReportsWhatIsNew(t *testing.T) {
	if testing.Short() {
		t.Skip("it checks hundreds of runs, which takes seconds")
	}
	needBuiltIns(t)
	for _, file := range build.Files() {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			plug, err := plugin.ReadPlugin(file.Name+".wasm", file.Wasm(), "", limits.Default())
			if err != nil {
				t.Fatal(err)
			}
			all, err := fixture.LoadAll(os.DirFS(filepath.Join(repository, "plugins", file.Name)), "testdata")
			if err != nil {
				t.Fatal(err)
			}
			worlds, seen := map[string]*laid{}, 0
			for _, f := range all {
				if !layable(f) || f.Header.BaseState == wire.BaseNone {
					continue
				}
				if seen++; !long && seen%comparedNth != 1 {
					continue
				}
				key := fmt.Sprint(f.Header.Now)
				if worlds[key] == nil {
					worlds[key] = &laid{plugin: file.Name, based: true}
				}
				worlds[key].fixtures = append(worlds[key].fixtures, f)
			}
			if len(worlds) == 0 {
				t.Error("no fixture has a base")
			}
			for _, world := range worlds {
				world.reportsWhatIsNew(t, plug)
			}
		})
	}
}

func (l *laid) reportsWhatIsNew(t *testing.T, plug *plugin.Plugin) {
	dir := t.TempDir()
	l.layDown(t, dir)
	o := check.Options{
		Subject: check.Subject{Dir: dir, Environ: []string{"PATH=" + os.Getenv("PATH")},
			Compare: source.Compare{Predecessors: true}},
		Rules:  check.Rules{Plugins: []*plugin.Plugin{plug}},
		Report: check.Report{NoResume: true, FailOn: wire.Error},
		Now:    l.fixtures[0].Header.Now,
		Resources: check.Resources{Limits: limits.Default(), CacheDir: compiled(), StateDir: t.TempDir(),
			Version: "test", Reserve: sharedWorkers},
	}
	all := errorsIn(look(t, o))
	o.Changed = true
	changed := errorsIn(look(t, o))
	o.Changed, o.Source, o.Rev, o.Compare = false, wire.Commit, "HEAD", source.Compare{}
	before := errorsIn(look(t, o))
	for key, d := range all {
		if _, was := before[key]; !was && changed[key] == nil {
			t.Errorf("%s is new, and check --changed does not report it: %s", key, d.Message)
		}
	}
	for key := range changed {
		if all[key] == nil {
			t.Errorf("check --changed reports %s, and check does not", key)
		}
	}
}

// errorsIn returns the errors in a check, keyed by what identifies a fault.
func errorsIn(r *result.Result) map[string]*result.Diagnostic {
	list := map[string]*result.Diagnostic{}
	for i, d := range r.Findings() {
		if d.Severity == wire.Error {
			list[i.Root+": "+d.Rule+" "+d.Subject+" "+d.Key] = d
		}
	}
	return list
}
