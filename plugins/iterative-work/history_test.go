package iterativework_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	iterativework "github.com/stategate/stategate/plugins/iterative-work"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

var histories = flag.Int("histories", 8, "how many random histories to live through")

// TestHistoriesAreSilent writes tasks as the workflow does. Documents that change together are written in either
// order. It checks the task after every write, with the previous revision as the base. Nothing that the workflow
// itself writes may be reported.
func TestHistoriesAreSilent(t *testing.T) {
	kit, err := fixture.NewKit(iterativework.Workflow.Manifest(), fixture.Native(iterativework.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range *histories {
		h := &history{t: t, kit: kit, random: rand.New(rand.NewSource(int64(seed))), files: map[string]string{},
			now: time.Date(2026, 1, 16, 9, 0, 0, 0, time.UTC)}
		h.live()
		if t.Failed() {
			t.Fatalf("the history of seed %d", seed)
		}
	}
}

// A history is a task as its workflow writes it.
type history struct {
	t       *testing.T
	kit     *fixture.Kit
	random  *rand.Rand
	now     time.Time
	files   map[string]string
	before  []fixture.Entry
	task    string
	early   bool // phases is not written yet
	current string
	number  int
	phases  []*livedPhase
	log     string
	archive bool
	terse   bool // the log signals DONE once per phase; only the state records confirmations and verifications
}

type livedPhase struct {
	id, status          string
	used, confirmations int
	gates               string
	done                bool
	entries             int
}

func (h *history) coin() bool { return h.random.Intn(2) == 0 }

func (h *history) tick() string {
	h.now = h.now.Add(time.Duration(1+h.random.Intn(9)) * time.Minute)
	return h.now.Format(time.RFC3339)
}

// either makes two writes in a random order.
func (h *history) either(a, b func()) {
	if h.coin() {
		a, b = b, a
	}
	a()
	b()
}

func (h *history) live() {
	h.task, h.terse = "discover", h.coin()
	h.either(h.state, func() {
		h.write("brief.md",
			"# Task\n\n**Created:** "+h.tick()+"\n\n## Outcome Needed\nA text.\n")
	})
	h.write("brief.md", h.files["brief.md"]+"\n## Done When\n- it is written\n")
	h.task = "plan"
	h.state()
	for i := range 2 + h.random.Intn(3) {
		h.phases = append(h.phases, &livedPhase{id: fmt.Sprintf("R%d", i+1), status: "pending"})
	}
	h.plan()
	h.write("context.md", "# Context\n\n**Goal:** a text\n")
	h.write("progress.md", "")
	h.write("guardrails.md", "# Guardrails\n")
	h.task, h.early, h.current = "execute", h.coin(), "R1"
	h.state()
	for _, p := range h.phases {
		h.livePhase(p)
	}
	h.task, h.current = "verify", ""
	h.state()
	for h.coin() {
		h.fail()
	}
	h.entry("Review - Iteration 1 - " + h.tick() + "\n**Checked:** all\n**Result:** PASS\n**Signal:** REVIEW_PASS\n")
	h.task = "deliver"
	h.state()
	h.task = "complete"
	h.archive = true
	h.state()
}

// fail writes a review that reopens the last phase.
func (h *history) fail() {
	p := h.phases[len(h.phases)-1]
	h.entry("Review - Iteration 1 - " + h.tick() + "\n**Checked:** all\n**Result:** FAIL\n**Issues:**\n- [gap] " +
		p.id + "\n")
	if h.coin() {
		h.entry("Revise - Iteration 1 - " + h.tick() + "\n**Issue:** gap\n**Fix:** filled\n**Output:** outputs/" +
			p.id + ".md\n**Signal:** FIXED\n")
	}
}

func (h *history) livePhase(p *livedPhase) {
	h.current = p.id
	h.iterations(p, 1+h.random.Intn(3))
	h.early = false
	h.write("outputs/"+p.id+".md", "Text.\n")
	p.status = "confirming"
	h.state()
	for h.random.Intn(4) == 0 { // the confirmation finds something to do
		h.either(func() { p.confirmations++; h.state() }, func() { h.work(p, "one item", "") })
		p.status = "in_progress"
		h.state()
		h.iterations(p, 1)
		p.status = "confirming"
		h.state()
	}
	h.confirm(p)
	p.status = "verifying"
	h.state()
	for range h.random.Intn(3) {
		if h.terse {
			h.reject(p)
			continue
		}
		h.entry("Verify " + p.id + " - " + h.tick() +
			"\n**Checked:** all\n**Result:** GAPS_FOUND\n**Issues:**\n- one\n**Signal:** " + p.id + "_GAPS:1\n")
		p.status = "in_progress"
		h.state()
		h.iterations(p, 1)
		p.status = "confirming"
		h.state()
		h.confirm(p)
		p.status = "verifying"
		h.state()
	}
	if !h.terse && h.coin() {
		h.entry("Verify " + p.id + " - " + h.tick() + "\n**Checked:** all\n**Result:** VERIFIED\n")
	}
	h.either(func() { p.done = true; h.plan() }, func() {
		p.status = "done"
		p.gates = `, "verification_passed": true, "completed_at": "` + h.tick() + `"`
		h.state()
	})
}

// reject adds a verification that finds issues, which only the state records.
func (h *history) reject(p *livedPhase) {
	p.status, p.gates = "in_progress", `, "verification_passed": false`
	h.state()
	h.iterations(p, 1)
	p.status, p.gates = "confirming", ""
	h.state()
	h.confirm(p)
	p.status = "verifying"
	h.state()
}

// confirm counts a confirmation that finds nothing, and logs it unless the task is terse.
func (h *history) confirm(p *livedPhase) {
	if h.terse {
		p.confirmations++
		h.state()
		return
	}
	h.either(func() { p.confirmations++; h.state() }, func() { h.work(p, "None", p.id+"_DONE") })
}

// iterations work on a phase until it is declared done.
func (h *history) iterations(p *livedPhase, n int) {
	for i := range n {
		remaining, signal := "one item", ""
		if i == n-1 {
			remaining, signal = "None", p.id+"_DONE"
		}
		h.either(func() {
			p.status, p.used, h.number = "in_progress", p.used+1, p.entries
			if h.number == 0 || signal != "" {
				h.number = p.used
			}
			h.state()
		}, func() { h.work(p, remaining, signal) })
	}
}

func (h *history) work(p *livedPhase, remaining, signal string) {
	p.entries++
	text := fmt.Sprintf("%s - Iteration %d - %s\n**Did:** something\n**Remaining:** %s\n", p.id, p.entries, h.tick(),
		remaining)
	if signal != "" {
		text += "**Signal:** " + signal + "\n"
	}
	h.entry(text)
}

func (h *history) entry(text string) {
	if h.log == "" {
		h.log = "# Progress Log\n"
	}
	h.log += "\n## " + text
	h.write("progress.md", h.log)
}

func (h *history) plan() {
	text := "# Task - Phases\n\n## Phases\n\n"
	for _, p := range h.phases {
		box := " "
		if p.done {
			box = "x"
		}
		text += "- [" + box + "] **" + p.id + "**: A part\n  - Criteria: it is there\n  - Output: `outputs/" + p.id +
			".md`\n  - Max iterations: 8\n"
	}
	h.write("plan.md", text)
}

func (h *history) state() {
	text := `{"phase": "` + h.task + `"`
	switch {
	case h.task == "execute" && h.early:
		text += fmt.Sprintf(`, "current": "%s", "iteration": %d`, h.current, h.phases[0].used)
	case len(h.phases) > 0 && h.task != "plan":
		text += `, "task": "a task", "slug": "task", "created": "2026-01-16T09:00:00Z", "updated": "` + h.tick() + `"`
		if h.current != "" {
			text += `, "current_phase": "` + h.current + `"`
		}
		var list []string
		for _, p := range h.phases {
			list = append(list, fmt.Sprintf(`"%s": {"status": "%s", "iterations_used": %d, "confirmations_used": `+
				`%d, "max_iterations": 8%s}`, p.id, p.status, p.used, p.confirmations, p.gates))
		}
		text += `, "phases": {` + strings.Join(list, ", ") + "}"
	}
	h.write("state.json", text+"}\n")
}

// quiet lists warnings that are expected between two writes.
var quiet = []string{"state-missing", "box-not-ticked", "box-ticked-early", "phase-behind",
	"complete-not-archived", "brief-incomplete", "context-missing"}

func (h *history) write(path, text string) {
	h.files[path] = text
	var now []fixture.Entry
	for _, name := range slices.Sorted(maps.Keys(h.files)) {
		now = append(now, fixture.Entry{Path: name, Data: []byte(h.files[name]), Size: int64(len(h.files[name]))})
	}
	world := fixture.World{Files: now, Base: h.before}
	world.Header.Root, world.Header.Name, world.Header.Now = ".iterative-work/task", "task", h.now.Add(time.Hour)
	if h.archive {
		world.Header.Root = ".iterative-work/archive/task"
	}
	if h.before != nil {
		world.Header.BaseState, world.Header.BaseRoot = wire.BaseAt, ".iterative-work/task"
	}
	h.before = now
	look, err := h.kit.Look(world)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range look.Findings {
		if f.Severity == wire.Error || f.Severity == wire.Warning && !slices.Contains(quiet, f.Rule) {
			h.t.Errorf("after writing %s: %s [%s]: %s\n%s", path, f.Rule, f.Subject, f.Message,
				world.Archive("A history."))
		}
	}
}
