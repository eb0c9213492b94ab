package iterativework_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	iterativework "github.com/stategate/stategate/plugins/iterative-work"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// at maps each status of a phase to its records in state.json and progress.md when nothing is wrong.
var at = map[string]struct{ record, log string }{
	"pending":     {`"status": "pending"`, ""},
	"in_progress": {`"status": "in_progress", "iterations_used": 1`, worked},
	"confirming":  {`"status": "confirming", "iterations_used": 2`, worked + declared},
	"verifying":   {`"status": "verifying", "iterations_used": 2, "confirmations_used": 1`, worked + declared},
	"done": {`"status": "done", "iterations_used": 2, "confirmations_used": 1, "verification_passed": true, ` +
		`"completed_at": "2026-01-16T10:30:00Z"`, worked + declared},
	"blocked": {`"status": "blocked", "iterations_used": 1`,
		worked + "\n## R1 - Blocked - 2026-01-16T10:20:00Z\nNo access.\n"},
	"timeout": {`"status": "timeout", "iterations_used": 2`,
		worked + "\n## R1 - Iteration 2 - 2026-01-16T10:10:00Z\nDid: a\nRemaining: b\n\n## R1 - Timeout - " +
			"2026-01-16T10:20:00Z\nAttempted two ways.\n"},
}

const (
	worked   = "\n## R1 - Iteration 1 - 2026-01-16T10:00:00Z\nDid: a\nRemaining: b\n"
	declared = "\n## R1 - Iteration 2 - 2026-01-16T10:10:00Z\nDid: a\nRemaining: None\nSignal: R1_DONE\n"
)

// TestMoves moves a phase from every status to every other between two commits, with the log entries that belong to
// the move and without them. The moves in the lifecycle must be silent, and all others must be reported.
func TestMoves(t *testing.T) {
	kit, err := fixture.NewKit(iterativework.Workflow.Manifest(), fixture.Native(iterativework.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	var legal []string
	for _, l := range iterativework.Workflow.Lifecycles {
		for _, move := range l.Transitions {
			legal = append(legal, move.From+" "+move.To)
		}
	}
	files := func(status, record, log, updated string) []fixture.Entry {
		box, limit := " ", 2
		if strings.Contains(record, "raised") {
			limit = 4
		}
		if strings.Contains(record, `"done"`) {
			box = "x"
		}
		var list []fixture.Entry
		for path, text := range map[string]string{
			"brief.md": "# T\n\n## Outcome\na\n\n## Done When\n- b\n", "context.md": "# C\n\nc\n",
			"guardrails.md": "# G\n", "outputs/a.md": "A.\n", "progress.md": "# Log\n" + log,
			"plan.md": "# P\n\n- [" + box + "] **R1**: t\n  - Criteria: c\n  - Output: `outputs/a.md`\n  - Max " +
				"iterations: 2\n",
			"state.json": fmt.Sprintf(`{"task": "t", "slug": "t", "created": "2026-01-16T09:00:00Z", "updated": `+
				`"%s", "phase": "execute", "current_phase": "R1", "phases": {"R1": {%s, "max_iterations": %d}}}`,
				updated, record, limit),
		} {
			list = append(list, fixture.Entry{Path: path, Data: []byte(text), Size: int64(len(text))})
		}
		return list
	}
	reported := func(from, to, record, log string) (rules []string) {
		w := fixture.World{Files: files(to, record, log, "2026-01-16T11:30:00Z"),
			Base: files(from, at[from].record, at[from].log, "2026-01-16T11:00:00Z")}
		w.Header.Root, w.Header.Name, w.Header.Now, w.Header.BaseState, w.Header.BaseRoot = ".iterative-work/t", "t",
			time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC), wire.BaseAt, ".iterative-work/t"
		look, err := kit.Look(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range look.Findings {
			if f.Severity >= wire.Warning {
				rules = append(rules, f.Rule+": "+f.Message)
			}
		}
		return rules
	}
	for from := range at {
		for to := range at {
			record, log := at[to].record, at[from].log
			switch behind, grows := strings.CutPrefix(at[to].log, log); {
			case grows:
				log += behind
			case to == "blocked":
				log += "\n## R1 - Blocked - 2026-01-16T11:20:00Z\nNo access.\n"
				record = strings.Replace(at[from].record, from, "blocked", 1)
			case strings.HasSuffix(at[to].log, declared) && !strings.Contains(log, "R1_DONE"):
				n := strings.Count(log, "Iteration") + 1
				log += fmt.Sprintf("\n## R1 - Iteration %d - 2026-01-16T11:20:00Z\nDid: a\nRemaining: None\nSignal: "+
					"R1_DONE\n", n)
				record = strings.Replace(record, `"iterations_used": 2`, fmt.Sprintf(`"iterations_used": %d`, n), 1) +
					`, "raised": true`
				record = strings.Replace(record, "2026-01-16T10:30:00Z", "2026-01-16T11:25:00Z", 1)
			}
			switch {
			case from == to:
			case to == "in_progress" && (from == "confirming" || from == "verifying"): // issues were found
				record = `"status": "in_progress", "iterations_used": 2, "confirmations_used": 1`
			case to == "in_progress" && from == "timeout": // the limit is raised
				record = `"status": "in_progress", "iterations_used": 2, "raised": true`
			}
			rules := reported(from, to, record, log)
			// A move over several statuses is legal if the log or the state records every gate on the way.
			isLegal := from == to || slices.Contains(legal, from+" "+to) || recorded(from, to)
			if from == "done" && to == "in_progress" {
				isLegal = false // legal only after a failed review, which this log lacks
			}
			if from == "blocked" && to == "pending" {
				isLegal = false // legal only before the first iteration
			}
			if isLegal && len(rules) > 0 {
				t.Errorf("%s → %s is legal: %q", from, to, rules)
			}
			if !isLegal && len(rules) == 0 {
				t.Errorf("%s → %s is not legal, and nothing is reported", from, to)
			}
			if wordless := reported(from, to, at[to].record, at[from].log); !isLegal && len(wordless) == 0 {
				t.Errorf("%s → %s is not legal, and nothing is reported without a word in the log", from, to)
			}
		}
	}
}

// recorded reports whether several legal moves lead from one status to another and the documents record all their
// gates.
func recorded(from, to string) bool {
	order := []string{"pending", "in_progress", "confirming", "verifying", "done"}
	i, j := slices.Index(order, from), slices.Index(order, to)
	switch to {
	case "timeout":
		return from == "pending"
	case "blocked":
		return from != "done"
	}
	return i >= 0 && j > i || from == "blocked" && j > 0 || from == "timeout" && to != "pending" && j > 0
}
