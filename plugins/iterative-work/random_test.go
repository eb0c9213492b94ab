package iterativework_test

import (
	"flag"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	iterativework "github.com/stategate/stategate/plugins/iterative-work"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

var tasks = flag.Int("random", 15, "how many random tasks to look at")

// TestRandomTasksKeepTheLaws checks tasks whose documents are well-formed but have arbitrary content, with other such
// tasks as their base.
func TestRandomTasksKeepTheLaws(t *testing.T) {
	kit, err := fixture.NewKit(iterativework.Workflow.Manifest(), fixture.Native(iterativework.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	d := dice{rand.New(rand.NewSource(int64(*tasks)))}
	for range *tasks {
		world := d.world()
		look, err := kit.Look(world)
		if err != nil {
			t.Fatal(err)
		}
		for _, breach := range kit.Breaches(look) {
			t.Errorf("%v\n%s", breach, world.Archive("A random task."))
		}
	}
}

type dice struct{ *rand.Rand }

func (d dice) of(words ...string) string { return words[d.Intn(len(words))] }

func (d dice) most() bool { return d.Intn(8) > 0 }

var ids = []string{"R1", "R2", "R3", "A1"}

func (d dice) world() fixture.World {
	var w fixture.World
	w.Header.Root, w.Header.Name = ".iterative-work/task", "task"
	if !d.most() {
		w.Header.Root = ".iterative-work/archive/task"
	}
	w.Header.Now = time.Date(2026, 1, 16, 10+d.Intn(4), 0, 0, 0, time.UTC)
	w.Files = d.files()
	if d.Intn(2) == 0 {
		w.Header.BaseState, w.Header.BaseRoot, w.Base = wire.BaseAt, w.Header.Root, d.files()
		if d.Intn(2) == 0 { // the log grows
			for i := range w.Files {
				if b := &w.Base[min(i, len(w.Base)-1)]; w.Files[i].Path == "progress.md" && b.Path == "progress.md" {
					w.Files[i].Data = append(append([]byte{}, b.Data...), w.Files[i].Data...)
					w.Files[i].Size = int64(len(w.Files[i].Data))
				}
			}
		}
	}
	return w
}

func (d dice) files() []fixture.Entry {
	var list []fixture.Entry
	add := func(path, text string) {
		if d.most() {
			list = append(list, fixture.Entry{Path: path, Data: []byte(text), Size: int64(len(text))})
		}
	}
	add("brief.md", "# T\n\n**Created:** "+d.time()+"\n\n## Outcome\n"+d.of("x", "{x}", "")+"\n\n## Done When\n- y\n")
	add("context.md", "# C\n\n**Goal:** g\n")
	add("guardrails.md", "# G\n\n## "+d.of("One", "Two")+"\n- **Problem:** "+d.of("a", "a b", "")+"\n")
	add("plan.md", d.plan())
	add("progress.md", d.log())
	add("state.json", d.state())
	add("outputs/R1.md", d.of("text\n", "\n"))
	add("outputs/R2.md", "text\n")
	return list
}

func (d dice) time() string {
	return d.of("2026-01-16T09:00:00Z", "2026-01-16T10:30:00Z", "2026-01-16T11:00:00.5Z", "2026-01-16T12:00:00",
		"2026-01-16", "2026-01-16T13:00:00+01:00", "2026-01-17", "soon")
}

func (d dice) plan() string {
	text := "# P\n\n**Total:** " + d.of("3", "4") + " phases\n\n## Phases\n\n"
	for _, id := range ids {
		if !d.most() {
			continue
		}
		text += "- [" + d.of(" ", "x") + "] **" + id + "**: t\n  - Criteria: c\n  - Output: `outputs/" + id +
			".md`\n  - Max iterations: " + d.of("2", "3", "5") + "\n"
		text += d.of("", "", "", "  - Depends: "+d.of("none", "R1", "R1 | R2", "R2, R9", id)+"\n",
			"  - Parallel: true\n")
	}
	return text + d.of("", "", "\n## Dependencies\n\nR1 → R2 → R3\n", "\n## Dependencies\n\nR1 → R2 → R1\n")
}

func (d dice) log() string {
	var b strings.Builder
	b.WriteString("# Log\n\n")
	for range d.Intn(9) {
		id := d.of(ids...)
		switch d.Intn(8) {
		case 0:
			fmt.Fprintf(&b, "## Verify %s - %s\n**Signal:** %s\n\n", id, d.time(), d.of(id+"_VERIFIED", id+"_GAPS:2"))
		case 1:
			fmt.Fprintf(&b, "## %s - Iteration 1 - %s\n**Result:** %s\n\n", d.of("Review", "Revise"), d.time(),
				d.of("PASS", "FAIL"))
		default:
			fmt.Fprintf(&b, "## %s - Iteration %d - %s\n**Did:** x\n**Remaining:** %s\n**Blockers:** %s\n%s\n", id,
				1+d.Intn(4), d.time(), d.of("None", "y"), d.of("None", "z"),
				d.of("", "**Signal:** "+id+"_DONE\n", "**Signal:** "+id+"_DONE\n", "**Signal:** BLOCKED: key\n",
					"**Signal:** R1_DONE\n"))
		}
	}
	return b.String()
}

func (d dice) state() string {
	fields := []string{
		`"phase": ` + d.of(`"discover"`, `"plan"`, `"execute"`, `"execute"`, `"execute"`, `"verify"`, `"deliver"`,
			`"complete"`, `"Execute"`, `"run"`),
		`"slug": ` + d.of(`"task"`, `"other"`), `"created": "` + d.time() + `"`, `"updated": "` + d.time() + `"`,
		`"` + d.of("current", "current_phase") + `": "` + d.of("R1", "R2", "R3", "R9") + `"`,
		`"current_iteration": ` + d.of("0", "1", "4"),
	}
	var phases []string
	for _, id := range append(ids, "Q7") {
		if d.most() {
			phases = append(phases, `"`+id+`": {`+strings.Join(d.some(d.record()), ", ")+`}`)
		}
	}
	return "{" + strings.Join(d.some(append(fields, `"phases": {`+strings.Join(phases, ", ")+`}`)), ", ") + "}\n"
}

func (d dice) record() []string {
	return []string{
		`"status": ` + d.of(`"pending"`, `"in_progress"`, `"confirming"`, `"verifying"`, `"done"`, `"done"`,
			`"blocked"`, `"timeout"`, `"Done"`, `"odd"`),
		`"iterations_used": ` + d.of("0", "1", "2", "3", "7"), `"confirmations_used": ` + d.of("0", "1", "2"),
		`"max_iterations": ` + d.of("1", "3", "5"),
		`"verification_passed": ` + d.of("true", "false"), `"completed_at": "` + d.time() + `"`,
	}
}

// some leaves out a few elements of a list.
func (d dice) some(list []string) []string {
	var kept []string
	for _, s := range list {
		if d.most() {
			kept = append(kept, s)
		}
	}
	return kept
}
