package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/gittest"
)

// merges is the number of generated merges of each kind. With STATEGATE_TEST_LONG, it is ten times as large, and each
// branch is also checked alone.
const merges = 12

// A mergedCase holds the changes that two branches make to the same state, by path.
type mergedCase struct{ base, ours, theirs map[string]string }

// TestMergedIDs generates merges of two valid branches; half of them give one id to two things. The planned merge must
// have exactly these duplicates, and no other errors. Every case has its own directory in one repository, so that git
// performs all merges at once.
func TestMergedIDs(t *testing.T) {
	if !gittest.Since(t, 2, 38) {
		t.Skip("a git before 2.38 cannot merge without a working tree")
	}
	t.Parallel()
	needBuiltIns(t)
	o := check.Options{
		Subject: check.Subject{Source: wire.Commit, Environ: []string{"PATH=" + os.Getenv("PATH")}},
		Now:     time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Resources: check.Resources{Limits: limits.Default(), CacheDir: compiled(), StateDir: t.TempDir(),
			Version: "test", Reserve: sharedWorkers},
	}
	for _, file := range build.Files() {
		if slices.Contains([]string{"backlog", "bmad", "taskmaster"}, file.Name) {
			plug, err := plugin.ReadPlugin(file.Name+".wasm", file.Wasm(), "", limits.Default())
			if err != nil {
				t.Fatal(err)
			}
			o.Plugins = append(o.Plugins, plug)
		}
	}
	count := merges
	if long {
		count *= 10
	}
	random := rand.New(rand.NewPCG(21, 7))
	var all mergedCase
	for n := range count {
		for kind, make := range collisions {
			all.add(fmt.Sprintf("twice-%02d-%03d/", kind, n), make(2+random.IntN(3), 5+random.IntN(90)))
		}
		for kind, make := range harmless {
			all.add(fmt.Sprintf("healthy-%02d-%03d/", kind, n), make(2+random.IntN(3), 5+random.IntN(90)))
		}
	}
	o.Dir = gittest.Repository(t, all.base)
	gittest.Run(t, o.Dir, "switch", "-q", "-c", "side")
	commit := func(files map[string]string) {
		gittest.Write(t, o.Dir, files)
		gittest.Run(t, o.Dir, "add", "-A")
		gittest.Run(t, o.Dir, "commit", "-q", "-m", "more")
	}
	commit(all.theirs)
	gittest.Run(t, o.Dir, "switch", "-q", "main")
	commit(all.ours)
	for _, rev := range []string{"main", "side"} {
		if o.Rev = rev; !long {
			continue
		}
		for root, rules := range repeated(t, o) {
			t.Errorf("%s alone: %s has %v", rev, root, rules)
		}
	}
	o.Rev, o.Merge = "main", "side"
	found := repeated(t, o)
	for n := range count {
		for kind := range collisions {
			root := fmt.Sprintf("twice-%02d-%03d", kind, n)
			if len(found[root]) != 1 {
				t.Errorf("%s: found %v, want one duplicate id", root, found[root])
			}
			delete(found, root)
		}
	}
	for root, rules := range found {
		t.Errorf("%s: found %v, want nothing", root, rules)
	}
}

// repeated lists the rules about ids, and other rules that report errors, by the case in which they report.
func repeated(t *testing.T, o check.Options) map[string][]string {
	found := map[string][]string{}
	for _, i := range look(t, o).Instances {
		root, _, _ := strings.Cut(i.Root, "/")
		for _, d := range i.Diagnostics {
			if strings.HasSuffix(d.Rule, "-repeated") || d.Severity.String() == "error" {
				found[root] = append(found[root], d.Rule)
			}
		}
	}
	return found
}

func (c *mergedCase) add(root string, other mergedCase) {
	for _, pair := range [][2]*map[string]string{{&c.base, &other.base}, {&c.ours, &other.ours},
		{&c.theirs, &other.theirs}} {
		if *pair[0] == nil {
			*pair[0] = map[string]string{}
		}
		for name, text := range *pair[1] {
			(*pair[0])[root+name] = text
		}
	}
}

func page(id, rest string) string { return fmt.Sprintf("---\nid: %s\n%s---\n", id, rest) }

const todo = "status: To Do\ndependencies: []\n"

// board returns a backlog with tasks 1 to have.
func board(have int, more map[string]string) map[string]string {
	files := map[string]string{"backlog/config.yml": "statuses: [\"To Do\", \"Done\"]\n"}
	for i := range have {
		files[fmt.Sprintf("backlog/tasks/task-%d - Old.md", i+1)] = page(fmt.Sprintf("task-%d", i+1), todo)
	}
	maps.Copy(files, more)
	return files
}

// boards returns two branches of one backlog, each with an additional file.
func boards(have int, ours, oursID, theirs, theirsID string) mergedCase {
	return mergedCase{board(have, nil), map[string]string{"backlog/" + ours: page(oursID, todo)},
		map[string]string{"backlog/" + theirs: page(theirsID, todo)}}
}

// tasks returns a Task Master list with ids in this order.
func tasks(ids ...int) string {
	var b strings.Builder
	for i, id := range ids {
		fmt.Fprintf(&b, "    {\n      \"id\": %d,\n      \"title\": \"Task %d at %d\",\n      \"status\": "+
			"\"pending\",\n      \"dependencies\": []\n    }%s\n", id, id, i,
			map[bool]string{true: ","}[i+1 < len(ids)])
	}
	return "{\"tasks\": [\n" + b.String() + "]}\n"
}

func lists(base, ours, theirs string) mergedCase {
	const name = ".taskmaster/tasks/tasks.json"
	return mergedCase{map[string]string{name: base}, map[string]string{name: ours}, map[string]string{name: theirs}}
}

func trackers(ours, theirs string) mergedCase {
	const name, head, middle = "docs/sprint-artifacts/sprint-status.yaml",
		"development_status:\n  epic-1: in-progress\n", "  1-1-begin: done\n  1-2-go-on: done\n  1-3-end: backlog\n"
	return mergedCase{map[string]string{name: head + middle}, map[string]string{name: head + ours + middle},
		map[string]string{name: head + middle + theirs}}
}

// collisions lists merges that give one id to two things. Each function gets the number of existing tasks, and the id
// that both branches take next.
var collisions = []func(have, next int) mergedCase{
	func(have, next int) mergedCase {
		id := fmt.Sprintf("task-%d", next)
		return boards(have, "tasks/"+id+" - Export.md", id, "tasks/"+id+" - Import.md", id)
	},
	func(have, next int) mergedCase {
		return boards(have, fmt.Sprintf("tasks/task-%d - Export.md", next), fmt.Sprintf("task-%d", next),
			fmt.Sprintf("tasks/task-%03d - Import.md", next), fmt.Sprintf("TASK-%03d", next))
	},
	func(have, next int) mergedCase {
		id := fmt.Sprintf("task-1.%d", next)
		return boards(have, "tasks/"+id+" - Export.md", id, "completed/"+id+" - Import.md", id)
	},
	func(have, next int) mergedCase {
		id := fmt.Sprintf("decision-%d", next)
		return boards(have, "decisions/"+id+" - Export.md", id, "decisions/"+id+" - Import.md", id)
	},
	func(have, next int) mergedCase {
		return boards(have, fmt.Sprintf("docs/doc-%d - Export.md", next), fmt.Sprintf("doc-%d", next),
			fmt.Sprintf("docs/later/doc-%03d - Import.md", next), fmt.Sprintf("doc-%03d", next))
	},
	func(have, next int) mergedCase {
		return lists(tasks(1, 2, 3, 4), tasks(100+next, 1, 2, 3, 4), tasks(1, 2, 3, 4, 100+next))
	},
	func(have, next int) mergedCase {
		return lists(tasks(1, 2, 3, 4, have+200), tasks(1, 100+next, 2, 3, 4, have+200),
			tasks(1, 2, 3, 4, 100+next, have+200))
	},
	func(have, next int) mergedCase {
		return lists(tasks(1, 2, 3, 4), "{\"name\": \"notes\", "+tasks(100+next, 1, 2, 3, 4)[1:],
			tasks(1, 2, 3, 4, 100+next))
	},
	func(have, next int) mergedCase {
		return trackers(fmt.Sprintf("  1-%d-export: backlog\n", next), fmt.Sprintf("  1-%d-import: backlog\n", next))
	},
}

// harmless lists merges that look similar but in which every id is unique.
var harmless = []func(have, next int) mergedCase{
	func(have, next int) mergedCase {
		return boards(have, fmt.Sprintf("tasks/task-%d - Export.md", next), fmt.Sprintf("task-%d", next),
			fmt.Sprintf("tasks/task-%d - Import.md", next+1), fmt.Sprintf("task-%d", next+1))
	},
	func(have, next int) mergedCase { // both picked the same commit
		id := fmt.Sprintf("task-%d", next)
		return boards(have, "tasks/"+id+" - Export.md", id, "tasks/"+id+" - Export.md", id)
	},
	func(have, next int) mergedCase { // an archived id is reused
		id := fmt.Sprintf("task-%d", next)
		return boards(have, "archive/tasks/"+id+" - Export.md", id, "tasks/"+id+" - Import.md", id)
	},
	func(have, next int) mergedCase { // a subtask, and a task with the number after the subtask's dot
		return boards(have, fmt.Sprintf("tasks/task-1.%d - Export.md", next), fmt.Sprintf("task-1.%d", next),
			fmt.Sprintf("tasks/task-%d - Import.md", next), fmt.Sprintf("task-%d", next))
	},
	func(have, next int) mergedCase { // a document, and a decision
		return boards(have, fmt.Sprintf("docs/doc-%d - Export.md", next), fmt.Sprintf("doc-%d", next),
			fmt.Sprintf("decisions/decision-%d - Import.md", next), fmt.Sprintf("decision-%d", next))
	},
	func(have, next int) mergedCase { // drafts have separate ids
		return boards(have, fmt.Sprintf("drafts/draft-%d - Export.md", next), fmt.Sprintf("draft-%d", next),
			fmt.Sprintf("tasks/task-%d - Import.md", next), fmt.Sprintf("task-%d", next))
	},
	func(have, next int) mergedCase {
		return lists(tasks(1, 2, 3, 4), tasks(100+next, 1, 2, 3, 4), tasks(1, 2, 3, 4, 200+next))
	},
	func(have, next int) mergedCase { // one branch moves a task to the end, the other adds one at the beginning
		return lists(tasks(1, 2, 3, 4), tasks(1, 2, 3, 4, have+200), tasks(100+next, 1, 2, 3, 4))
	},
	func(have, next int) mergedCase {
		return trackers(fmt.Sprintf("  1-%d-export: backlog\n", next), fmt.Sprintf("  1-%d-import: backlog\n", next+1))
	},
	func(have, next int) mergedCase { // cut into parts
		return trackers(fmt.Sprintf("  1-%d-1-export: backlog\n", next),
			fmt.Sprintf("  1-%d-2-import: backlog\n", next))
	},
}
