package iterativework_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	iterativework "github.com/stategate/stategate/plugins/iterative-work"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// TestNaturalFormsAreHealthy writes tasks at every point of their lifecycle in the forms that careful people and
// agents use. None of them may be reported.
func TestNaturalFormsAreHealthy(t *testing.T) {
	kit, err := fixture.NewKit(iterativework.Workflow.Manifest(), fixture.Native(iterativework.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range *tasks * 5 {
		n := &natural{dice{rand.New(rand.NewSource(int64(seed)))}, time.Date(2026, 1, 16, 9, 0, 0, 0, time.UTC), nil}
		world := n.world()
		look, err := kit.Look(world)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range look.Findings {
			if f.Severity >= wire.Warning {
				t.Errorf("seed %d: %s [%s]: %s\n%s", seed, f.Rule, f.Subject, f.Message,
					world.Archive("A natural task."))
			}
		}
		if brief := look.Report.Detections[0].Resume; brief.First != "" &&
			!strings.HasPrefix(brief.First, "ask the user") || brief.Next == "" {
			t.Errorf("seed %d: the brief says first %q, next %q", seed, brief.First, brief.Next)
		}
	}
}

type natural struct {
	dice
	now   time.Time
	files []fixture.Entry
}

func (n *natural) write(path, text string) {
	n.files = append(n.files, fixture.Entry{Path: path, Data: []byte(text), Size: int64(len(text))})
}

// time returns a time later than the previous one, in one of several forms that include the minute.
func (n *natural) time(form int) string {
	n.now = n.now.Add(7 * time.Minute)
	return n.now.In(time.FixedZone("", []int{0, 0, 3600, 0}[form])).Format([]string{time.RFC3339,
		"2006-01-02 15:04 UTC", "2006-01-02T15:04:05-07:00", "2 Jan 2006 15:04 UTC"}[form])
}

func (n *natural) world() fixture.World {
	names := []string{"Find sources", "Read them", "Compare", "Write"}[:2+n.Intn(3)]
	at, status := n.Intn(len(names)), n.of("pending", "in_progress", "in_progress", "confirming", "verifying",
		"blocked", "timeout")
	n.brief()
	n.plan(names, at)
	n.write("context.md", "# Context\n\n**Goal:** know\n")
	n.write("guardrails.md", "# Guardrails\n\n"+n.of("",
		"## Paywalls\n- **Context:** x\n- **Problem:** an hour lost\n- **Solution:** go on\n- **Learned:** R1 "+
			"iteration 1\n", "## Paywalls\nNote it and go on.\n", "## Paywalls\nProblem: x\nSolution: y\n"))
	n.state(names, at, status)
	w := fixture.World{Files: n.files}
	w.Header.Root, w.Header.Name, w.Header.Now = ".iterative-work/know-more", "know-more", n.now.Add(time.Hour)
	return w
}

func (n *natural) brief() {
	n.write("brief.md", n.of(
		"# Know more\n\n**Created:** 2026-01-16T09:00:00Z\n**Domain:** research\n\n## Outcome Needed\nA text.\n\n## "+
			"Done When\n- it is there\n",
		"# Know more\n\nCreated: 2026-01-16\nDomain: Research\n\n### Outcome\nA text.\n\n### Acceptance "+
			"Criteria\n1. it is there\n",
		"# Know more\n\n| Field | Value |\n|---|---|\n| Created | January 16, 2026 |\n| Domain | research / writing "+
			"|\n\n## 🎯 Outcome Needed\n- A text.\n\n## ✅ Done When\n- [ ] it is there\n",
		"# Know more\n\n**Domain**: research\n\n**Outcome:** a text\n\n**Done when:** it is there\n"))
}

func (n *natural) plan(names []string, at int) {
	style := n.Intn(6)
	text := "# Know more - Phases\n\n" + n.of("**Total:** "+fmt.Sprint(len(names))+" phases\n",
		"Total: "+fmt.Sprint(len(names))+"\n", "") + "\n## Phases\n\n"
	if style == 5 {
		text += "| ID | Title | Criteria | Output | Max iterations | Status |\n|---|---|---|---|---|---|\n"
	}
	for i, name := range names {
		box, mark, done := " ", "", ""
		if i < at {
			box, mark, done = n.of("x", "X"), " ✅", "done"
		}
		if i <= at {
			n.write(fmt.Sprintf("outputs/%d.md", i+1), "A text.\n")
		}
		id := fmt.Sprintf("R%d", i+1)
		below := n.of("  - Criteria: enough\n  - Output: `outputs/%d.md`\n  - Max iterations: 4\n",
			"  - **Criteria:** enough\n  - **Output:** outputs/%d.md\n  - **Max iterations:** 3-4\n",
			"  * Done when: enough\n  * Outputs: `outputs/%d.md`\n  * Max: 4 iterations\n")
		below = fmt.Sprintf(below, i+1)
		text += []string{
			"- [" + box + "] **" + id + "**: " + name + "\n" + below + "\n",
			"- [" + box + "] **" + id + ": " + name + "**\n" + below,
			"* [" + box + "] " + id + ": " + name + "\n" + below,
			"- [" + box + "] `" + id + "` " + name + "\n" + below,
			"### " + id + " — " + name + mark + "\n" + strings.NewReplacer("  - ", "", "  * ", "").Replace(below) +
				"\n",
			fmt.Sprintf("| %s | %s | enough | `outputs/%d.md` | 4 | %s |\n", id, name, i+1, done),
		}[style]
	}
	n.write("plan.md", text+n.of("", "\n## Dependencies\n\n"+chain(len(names), " → ")+" (sequential)\n",
		"\n## Dependencies\n\n"+chain(len(names), " -> ")+"\n",
		"\n## Dependencies\n\nSequential: one after the other.\n", "\n## Dependencies\n\nNone\n",
		"\n### Dependencies\n\n- R2 depends on R1\n"))
}

func chain(n int, arrow string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("R%d", i+1))
	}
	return strings.Join(list, arrow)
}

// state writes the log up to a status of a phase, and the matching state.
func (n *natural) state(names []string, at int, status string) {
	form, heading, field, terse := n.Intn(4), n.of("## %s - Iteration %d - %s", "### %s - Iteration %d - %s",
		"## ✅ %s – Iteration %d – %s", "## Phase %s: Iteration %d (%s)", "## [%s] Iteration #%d, %s"), n.Intn(5),
		n.coinToss()
	log := "# Progress Log\n"
	pairs := func(list ...string) {
		for i := 0; i < len(list); i += 2 {
			log += fmt.Sprintf([]string{"**%s:** %s\n", "**%s**: %s\n", "%s: %s\n", "- %s: %s\n", "*%s:* %s\n"}[field],
				list[i], list[i+1])
		}
	}
	entry := func(id string, number int, left, signal string) {
		log += "\n" + fmt.Sprintf(heading, id, number, n.time(form)) + "\n"
		if pairs("Did", "something", "Remaining", left, "Blockers", n.of("None", "none", "-", "N/A")); signal != "" {
			pairs("Signal", signal)
		}
	}
	nothing := func() string { return n.of("None", "none.", "Nothing", "-", "N/A", "None (all met)", "Keine", "无") }
	signal := func(id string) string { return n.of(id+"_DONE", id+" DONE", strings.ToLower(id)+"_done", id+"-DONE") }
	records := ""
	for i := range names {
		id, used, says := fmt.Sprintf("R%d", i+1), 1+n.Intn(3), `"status": "pending"`
		if i < at || i == at && status != "pending" {
			for k := 1; k < used; k++ {
				entry(id, k, "the rest", "")
			}
			open := i == at && (status == "in_progress" || status == "blocked" || status == "timeout")
			if open {
				entry(id, used, "the rest", "")
			} else {
				entry(id, used, nothing(), signal(id))
			}
			says = fmt.Sprintf(`"status": "%s", "iterations_used": %d`, status, used)
			switch {
			case i < at:
				if !terse {
					entry(id, used+1, nothing(), signal(id))
					log += "\n## Verify " + id + " - " + n.time(form) + "\n"
					pairs("Checked", "all", "Result", "VERIFIED")
				}
				says = fmt.Sprintf(`"status": "done", "iterations_used": %d, "confirmations_used": 1, `+
					`"verification_passed": true, "completed_at": "%s"`, used, n.time(0))
			case status == "verifying":
				says += `, "confirmations_used": 1`
				if !terse {
					entry(id, used+1, nothing(), signal(id))
				}
			case status == "blocked":
				log += "\n## " + id + " - Blocked - " + n.time(form) + "\nNo access to the archive until Monday.\n"
			case status == "timeout":
				says = `"status": "timeout", "iterations_used": 4`
				log = log[:strings.LastIndex(log, "\n#")]
				for k := strings.Count(log, id) - strings.Count(log, id+"_") + 1; k <= 4; k++ {
					entry(id, k, "the rest", "")
				}
				log += "\n## " + id + " - Timeout - " + n.time(form) + "\nAttempted two ways to read the archive.\n"
			}
		}
		records += fmt.Sprintf(`, "%s": {%s, "max_iterations": 4}`, id, says)
	}
	n.write("progress.md", log)
	current := ""
	if status != "pending" || n.coinToss() {
		current = fmt.Sprintf(`"current_phase": "R%d", `, at+1)
	} else {
		current = fmt.Sprintf(`"current": "R%d", `, at+1)
	}
	n.write("state.json", `{"task": "know more", "slug": "know-more", "created": "2026-01-16T09:00:00Z", "updated": "`+
		n.time(n.Intn(4))+`", "domain": "research", "phase": "execute", `+current+`"phases": {`+records[2:]+"}}\n")
}

func (n *natural) coinToss() bool { return n.Intn(2) == 0 }
