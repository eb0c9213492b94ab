package legalmemo

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
)

// A seen is what a fixture shows of one subject.
type seen struct{ subject, claimed, observed, state, progress string }

// cases are the fixtures of the workflow's specification, with every error and
// warning that is left once hidden ones are hidden, and what is seen of the
// subject that the fixture is about.
var cases = []struct {
	name  string
	rules string // sorted, a rule as often as it speaks
	seen  []seen
}{
	{"valid-mid-session", "", []seen{{"section-writer/C", "in_progress", "phase_4_analysis", "active", "3/6"}}},
	{"valid-finished-session", "", []seen{{"qa-diagnostic", "complete", "phase_6_return_status", "finished", "6/6"}}},
	{"valid-seed-section-writer", "", []seen{{"section-writer/A", "in_progress", "phase_4_analysis", "active", "3/6"}}},
	{"valid-seed-qa", "", []seen{{"qa-diagnostic", "in_progress", "phase_2_dimension_scoring", "active", "7/12"}}},
	{"valid-seed-citation-validator", "", []seen{{"citation-validator", "PHASE_2_FOOTNOTE_EXTRACTION", "PHASE_2_FOOTNOTE_EXTRACTION", "active", "3/10"}}},
	{"valid-seed-synthesis", "", []seen{{"synthesis", "PHASE_4_ASSEMBLY", "PHASE_4_ASSEMBLY", "active", "3/10"}}},
	{"valid-upper-case-status", "", []seen{{"section-writer/A", "COMPLETE", "phase_6_finalize", "finished", "6/6"}, {"qa-diagnostic", "COMPLETE", "phase_6_return_status", "finished", "6/6"}, {"synthesis", "PHASE_6_FINAL", "PHASE_6_FINAL", "finished", "3/3"}}},
	{"valid-crlf-bom", "", []seen{{"section-writer/A", "complete", "phase_6_finalize", "finished", "6/6"}}},
	{"valid-letter-l-unicode", "", []seen{{"section-writer/L", "complete", "phase_6_finalize", "finished", "6/6"}}},
	{"valid-condensed-footnotes", "", []seen{{"citation-validator", "PHASE_6_RETURN_STATUS", "PHASE_6_RETURN_STATUS", "finished", "3/3"}}},
	{"valid-outputs-untracked", "", []seen{{"section-writer/A", "complete", "phase_6_finalize", "finished", "6/6"}, {"synthesis", "PHASE_6_FINAL", "PHASE_6_FINAL", "finished", "3/3"}}},
	{"valid-qa-blocked-early-exit", "", []seen{{"qa-diagnostic", "BLOCKED", "phase_2_dimension_scoring", "blocked", "0/12"}}},
	{"valid-phase-2-is-not-2.5", "", []seen{{"research-review", "PHASE_2.5_OBJECTIVITY", "PHASE_2.5_OBJECTIVITY", "active", "3/12"}}},
	{"valid-dim-10-is-not-dim-1", "", []seen{{"qa-diagnostic", "in_progress", "phase_2_dimension_scoring", "active", "11/12"}}},
	{"valid-only-orchestrator-and-reports", "", []seen{{"section-writer/A", "", "phase_6_finalize", "finished", "0/0"}, {"section-writer/C", "", "phase_5_quality", "active", "0/0"}}},
	{"valid-assembly-interrupted", "", []seen{{"assembly", "PHASE_3_BASH_ASSEMBLY", "PHASE_3_BASH_ASSEMBLY", "active", "2/3"}}},
	{"valid-orchestrator-json", "", []seen{{"orchestrator", "A2.DIAGNOSTIC", "A2", "finished", "5/6"}}},
	{"valid-orchestrator-between-phases", "", []seen{{"orchestrator", "V", "G", "active", "3/6"}}},
	{"valid-orchestrator-markdown", "", []seen{{"orchestrator", "section-generation", "G", "active", "0/6"}}},
	{"valid-synthesis-midway", "", []seen{{"synthesis", "PHASE_4_ASSEMBLY", "PHASE_4_ASSEMBLY", "active", "2/3"}}},
	{"valid-rerun-in-remediation", "", []seen{{"section-writer/C", "in_progress", "phase_1_inputs", "active", "0/6"}}},
	{"valid-base-forward-step", "", []seen{{"section-writer/C", "in_progress", "phase_4_analysis", "active", "4/6"}}},
	{"valid-base-identical", "", []seen{{"section-writer/C", "in_progress", "phase_4_analysis", "active", "3/6"}}},
	{"valid-base-next-qa-cycle", "", []seen{{"qa-diagnostic", "in_progress", "phase_2_dimension_scoring", "active", "2/12"}}},
	{"valid-base-renamed-dot-to-hyphen", "", []seen{{"section-writer/B", "complete", "phase_6_finalize", "finished", "6/6"}}},
	{"valid-base-script-rerun-counted", "", []seen{{"qa-diagnostic", "complete", "phase_6_return_status", "finished", "6/6"}}},
	{"valid-decline-subfolder", "declined", []seen{}},
	{"valid-decline-foreign-synthesis", "declined", []seen{}},
	{"broken-complete-half-done", "finished-with-open-phase", []seen{{"section-writer/C", "complete", "phase_4_analysis", "active", "3/6"}}},
	{"broken-all-done-in-progress", "all-phases-done-but-open", []seen{{"section-writer/A", "in_progress", "phase_6_finalize", "finished", "6/6"}}},
	{"broken-guard-on-pending", "repeat-guard-on-open-item", []seen{{"section-writer/C", "in_progress", "phase_4_analysis", "active", "3/6"}}},
	{"broken-done-unguarded", "done-item-unguarded", []seen{{"section-writer/C", "in_progress", "phase_4_analysis", "active", "3/6"}}},
	{"broken-dotted", "dotted-file-name section-id-not-a-letter", []seen{{"section-writer/B", "complete", "phase_6_finalize", "finished", "6/6"}}},
	{"broken-dotted-and-hyphen", "dotted-file-name duplicate-state-file", []seen{{"section-writer/B", "complete", "phase_6_finalize", "finished", "6/6"}}},
	{"broken-section-id-other", "section-id-beside-name", []seen{{"section-writer/B", "complete", "phase_6_finalize", "finished", "6/6"}}},
	{"broken-report-gone", "output-missing", []seen{{"section-writer/B", "complete", "phase_6_finalize", "active", "6/6"}}},
	{"broken-report-short", "output-lost-text", []seen{{"section-writer/B", "complete", "phase_6_finalize", "active", "6/6"}}},
	{"broken-report-2800", "output-below-minimum", []seen{{"section-writer/B", "complete", "phase_6_finalize", "active", "6/6"}}},
	{"broken-report-truncated", "truncated-output", []seen{{"section-writer/B", "complete", "phase_6_finalize", "active", "6/6"}}},
	{"broken-cut-off-json", "unreadable-document", []seen{{"section-writer/B", "", "phase_6_finalize", "active", "0/0"}}},
	{"broken-empty-file", "unreadable-document", []seen{{"section-writer/B", "", "phase_6_finalize", "active", "0/0"}}},
	{"broken-duplicate-key", "unreadable-document", []seen{{"section-writer/B", "", "phase_6_finalize", "active", "0/0"}}},
	{"broken-array-root", "schema", []seen{{"section-writer/C", "", "phase_5_quality", "active", "0/0"}}},
	{"broken-array-closed-by-brace", "unreadable-document", []seen{{"section-writer/C", "", "phase_5_quality", "active", "0/0"}}},
	{"broken-state-missing", "section-without-state", []seen{{"section-writer/B", "", "phase_6_finalize", "finished", "0/0"}}},
	{"broken-running-total-off", "global-number-off-running-total", []seen{{"citation-validator", "PHASE_6_RETURN_STATUS", "PHASE_6_RETURN_STATUS", "finished", "3/3"}}},
	{"broken-footnote-sum-off", "footnote-totals-differ footnotes-do-not-add-up", []seen{{"citation-validator", "PHASE_6_RETURN_STATUS", "PHASE_6_RETURN_STATUS", "finished", "3/3"}}},
	{"broken-file-ahead-of-state", "footnote-file-off-count", []seen{}},
	{"broken-duplicate-footnotes", "duplicate-footnote-number", []seen{}},
	{"broken-read-beyond-total", "counter-beyond-total", []seen{}},
	{"broken-huge-number", "counter-beyond-total", []seen{}},
	{"broken-check-lies", "check-passed-against-figures", []seen{}},
	{"broken-all-passed-lie", "all-passed-beside-failed-check finished-with-failed-check", []seen{}},
	{"broken-memo-lacks-section", "section-not-in-memorandum", []seen{{"synthesis", "PHASE_6_FINAL", "PHASE_4_ASSEMBLY", "active", "2/3"}}},
	{"broken-guarded-not-appended", "section-not-in-memorandum", []seen{{"synthesis", "PHASE_4_ASSEMBLY", "PHASE_4_ASSEMBLY", "active", "1/3"}}},
	{"broken-synthesis-memo-lost", "section-not-in-memorandum", []seen{{"synthesis", "PHASE_4_ASSEMBLY", "PHASE_4_ASSEMBLY", "active", "0/3"}}},
	{"broken-memo-short", "output-lost-text", []seen{{"synthesis", "PHASE_6_FINAL", "PHASE_4_ASSEMBLY", "active", "3/3"}}},
	{"broken-stale-in-progress", "stale-in-progress", []seen{{"section-writer/C", "in_progress", "phase_6_finalize", "finished", "0/6"}}},
	{"broken-late-section", "section-not-in-memorandum section-without-citations summary-misses-section", []seen{{"synthesis", "PHASE_6_FINAL", "PHASE_4_ASSEMBLY", "active", "3/4"}}},
	{"broken-finished-blocked", "finished-with-blocker", []seen{{"synthesis", "PHASE_6_FINAL", "PHASE_6_FINAL", "blocked", "3/3"}}},
	{"broken-blocked-midway", "unresolved-blocker", []seen{{"section-writer/C", "blocked", "phase_4_analysis", "blocked", "3/6"}}},
	{"broken-cycle-4-of-3", "cycle-beyond-max", []seen{}},
	{"broken-cycle-reset", "cycle-behind-history", []seen{}},
	{"broken-gate-4-of-3", "attempts-beyond-max", []seen{}},
	{"broken-orchestrator-cycles", "attempts-beyond-max", []seen{}},
	{"broken-scan-before-extract", "dependency-not-met", []seen{}},
	{"broken-exit-2-complete", "exit-code-off-status", []seen{}},
	{"broken-script-running", "runaway-script script-interrupted", []seen{}},
	{"broken-cached-gone", "cached-result-missing", []seen{}},
	{"broken-current-phase-behind", "current-phase-behind", []seen{{"citation-validator", "PHASE_2_FOOTNOTE_EXTRACTION", "PHASE_6_RETURN_STATUS", "finished", "3/3"}}},
	{"broken-review-hole", "finished-with-open-phase repeat-guard-on-open-item", []seen{{"research-review", "PHASE_10_RETURN", "PHASE_4_FINANCIAL_AGGREGATION", "active", "10/12"}}},
	{"broken-return-open", "return-phase-open", []seen{{"risk-aggregator", "complete", "phase_8_return_status", "finished", "7/8"}}},
	{"broken-assembly-lies", "assembly-complete-with-exit-code output-missing", []seen{{"assembly", "PHASE_3_BASH_ASSEMBLY", "PHASE_3_BASH_ASSEMBLY", "active", "3/3"}}},
	{"broken-copied-over", "agent-of-another-file", []seen{}},
	{"broken-other-session", "state-of-another-session", []seen{}},
	{"broken-no-next-action", "missing-compaction-summary", []seen{}},
	{"broken-unhealthy", "unhealthy-environment", []seen{}},
	{"broken-wave-before-dependency", "wave-before-its-dependency", []seen{}},
	{"broken-pending-file", "pending-section-file", []seen{}},
	{"broken-orchestrator-ahead", "orchestrator-ahead-of-agent", []seen{{"orchestrator", "A1", "G", "active", "4/6"}}},
	{"broken-orchestrator-behind", "orchestrator-behind-agents", []seen{{"orchestrator", "V", "A2", "finished", "2/6"}}},
	{"broken-orchestrator-current-behind", "current-phase-behind orchestrator-behind-agents", []seen{{"orchestrator", "V", "G", "active", "3/6"}}},
	{"broken-base-restart", "item-reopened", []seen{{"section-writer/C", "in_progress", "phase_4_analysis", "active", "1/6"}}},
	{"broken-base-uncomplete", "status-went-back", []seen{{"section-writer/A", "in_progress", "phase_5_quality", "active", "6/6"}}},
	{"broken-base-overwrite", "output-overwritten", []seen{}},
	{"broken-base-state-removed", "section-without-state state-file-removed", []seen{}},
	{"broken-base-cycle-reset", "cycle-went-back", []seen{}},
	{"broken-base-attempts-back", "attempts-went-back", []seen{}},
	{"broken-base-iteration-back", "iteration-went-back", []seen{}},
	{"broken-base-renumbered", "footnote-numbers-rewritten", []seen{}},
	{"broken-base-rescored", "dimension-rescored", []seen{}},
	{"broken-base-script-rerun-uncounted", "script-rerun-uncounted", []seen{}},
	{"broken-base-memo-changed", "cached-result-outdated", []seen{}},
	{"broken-base-no-checkpoint", "output-ahead-of-state", []seen{}},
	{"broken-base-blocker-vanished", "blocker-vanished", []seen{}},
	{"broken-base-run-restarted", "run-restarted", []seen{}},
	{"broken-summary-unread-section", "phase-done-with-open-item", []seen{{"executive-summary", "in_progress", "phase_2_section_synthesis", "active", "2/3"}}},
	{"broken-finished-open-item", "finished-with-open-item", []seen{}},
	{"broken-finished-3-of-4", "finished-below-total", []seen{}},
	{"broken-counter-11-of-12", "counter-beside-items", []seen{}},
	{"broken-phase-figure-off", "counter-beside-phase", []seen{}},
	{"broken-footnote-guard-29", "footnote-guard-off-count", []seen{}},
	{"broken-citations-of-ghost", "citations-of-missing-section", []seen{}},
	{"broken-quality-before-analysis", "phase-done-before-its-turn", []seen{{"section-writer/C", "in_progress", "phase_4_analysis", "active", "3/6"}}},
	{"broken-phase-ahead", "current-phase-ahead", []seen{{"research-review", "PHASE_4_FINANCIAL_AGGREGATION", "PHASE_3_HIGH_SEVERITY", "active", "0/2"}}},
	{"broken-executed-not-run", "script-flags-disagree", []seen{}},
	{"broken-section-count-4", "section-count-off-reports", []seen{}},
	{"broken-verified-but-missing", "verified-input-missing", []seen{}},
	{"broken-orchestrator-cut", "unreadable-orchestrator-block", []seen{}},
	{"broken-base-words-back", "counter-went-back", []seen{}},
	{"broken-base-phase-reopened", "phase-reopened", []seen{}},
	{"broken-base-guard-shrunk", "done-item-unguarded repeat-guard-shrunk", []seen{}},
	{"broken-base-history-rewritten", "cycle-history-rewritten", []seen{}},
	{"broken-base-report-removed", "output-missing output-removed", []seen{}},
	{"valid-ladder-00", "", []seen{}},
	{"valid-ladder-01", "", []seen{}},
	{"valid-ladder-02", "", []seen{}},
	{"valid-ladder-03", "", []seen{}},
	{"valid-ladder-04", "", []seen{}},
	{"valid-ladder-05", "", []seen{}},
	{"valid-ladder-06", "", []seen{}},
	{"valid-ladder-07", "", []seen{}},
	{"valid-ladder-08", "", []seen{}},
	{"valid-ladder-09", "", []seen{}},
	{"valid-ladder-10", "", []seen{}},
	{"valid-ladder-11", "", []seen{}},
	{"valid-orchestrator-planning", "", []seen{{"orchestrator", "P1: research-plan", "P1", "active", "0/6"}}},
	{"valid-orchestrator-research", "", []seen{{"orchestrator", "P2", "P2", "active", "0/6"}}},
	{"valid-orchestrator-validating", "", []seen{{"orchestrator", "V1.1", "V", "active", "0/6"}}},
	{"valid-orchestrator-assembling", "", []seen{{"orchestrator", "assembly", "A1", "active", "0/6"}}},
	{"valid-synthesis-appended", "", []seen{}},
	{"broken-template-session", "unfilled-placeholder", []seen{}},
	{"broken-template-times", "unfilled-placeholder", []seen{}},
	{"broken-section-named-summary", "section-id-not-a-letter section-name-not-a-letter", []seen{}},
	{"broken-misplaced", "misplaced-state-file", []seen{}},
	{"broken-newer-format", "newer-format-version", []seen{}},
	{"broken-no-guard-list", "done-item-unguarded missing-repeat-guard", []seen{}},
	{"broken-strange-status", "unknown-status", []seen{}},
	{"broken-strange-id-status", "unknown-status", []seen{}},
	{"valid-no-environment-checks", "", []seen{}},
	{"valid-no-agent", "", []seen{}},
	{"broken-initialized-with-phases", "initialized-with-progress", []seen{}},
	{"broken-two-phases-running", "current-phase-behind several-phases-in-progress", []seen{}},
	{"broken-foreign-phase", "unknown-phase", []seen{}},
	{"broken-phase-left-out", "missing-phase", []seen{}},
	{"broken-strange-phase-status", "unknown-phase-status", []seen{}},
	{"broken-strange-current-phase", "unknown-current-phase", []seen{}},
	{"broken-items-done", "items-done-phase-open", []seen{}},
	{"valid-guards-emptied", "", []seen{}},
	{"valid-guard-of-nothing", "", []seen{}},
	{"broken-elided-notes", "elided-footnotes footnote-file-off-count", []seen{}},
	{"broken-parts-of-review", "parts-beside-whole", []seen{}},
	{"broken-reviewed-parts", "parts-beside-whole", []seen{}},
	{"broken-issue-parts", "parts-beside-whole", []seen{}},
	{"broken-citation-details", "parts-beside-whole parts-beside-whole", []seen{}},
	{"broken-sections-left", "parts-beside-whole", []seen{}},
	{"broken-conflict-list", "list-beside-counter", []seen{}},
	{"broken-weighted-above-gross", "weighted-beyond-gross", []seen{}},
	{"broken-placeholders-left", "finished-with-placeholders", []seen{}},
	{"valid-footnotes-differ", "", []seen{}},
	{"valid-facts-in-two-categories", "", []seen{}},
	{"broken-high-findings", "counter-beside-phase", []seen{}},
	{"broken-check-too-strict", "check-failed-against-figures finished-with-failed-check", []seen{}},
	{"broken-words-differ", "word-figures-differ", []seen{}},
	{"broken-size-differs", "memorandum-size-differs", []seen{}},
	{"broken-input-denied", "input-marked-absent", []seen{}},
	{"broken-adopt-other-memo", "memorandum-under-another-name section-not-in-memorandum", []seen{}},
	{"broken-blocked-unexplained", "blocked-without-reason", []seen{{"section-writer/C", "blocked", "phase_4_analysis", "blocked", "3/6"}}},
	{"broken-blocked-resolved", "blocked-after-resolution", []seen{}},
	{"broken-blocked-passed", "blocked-but-passed", []seen{}},
	{"broken-history-disordered", "cycle-history-disordered", []seen{}},
	{"broken-history-gap", "cycle-history-gap", []seen{}},
	{"broken-last-cycle-failed", "cycles-exhausted", []seen{{"qa-diagnostic", "in_progress", "phase_6_return_status", "blocked", "5/6"}}},
	{"broken-cycle-file-3", "cycle-file-number-differs", []seen{}},
	{"broken-last-attempt-failed", "attempts-exhausted", []seen{}},
	{"valid-issues-off-list", "", []seen{}},
	{"broken-score-above-max", "score-beyond-max", []seen{}},
	{"broken-no-score", "scored-without-score", []seen{}},
	{"broken-early-score", "score-on-pending-dimension", []seen{}},
	{"broken-strange-script-status", "unknown-script-status", []seen{}},
	{"broken-older-scan", "older-than-dependency", []seen{}},
	{"broken-report-shrunk", "output-shorter-than-recorded", []seen{}},
	{"valid-no-footer", "", []seen{}},
	{"broken-two-reports", "several-reports-for-section", []seen{}},
	{"broken-listed-gone", "listed-file-missing", []seen{}},
	{"broken-unlisted-report", "report-not-in-inventory", []seen{}},
	{"valid-specialists-miscounted", "", []seen{}},
	{"broken-summary-short", "output-below-minimum", []seen{}},
	{"broken-memo-unowned", "output-below-minimum", []seen{}},
	{"broken-expected-four", "expected-sections-differ", []seen{}},
	{"broken-blocks-differ", "orchestrator-blocks-differ", []seen{}},
	{"broken-three-validators", "validators-missing", []seen{}},
	{"broken-cycles-differ", "cycle-counters-differ", []seen{}},
	{"broken-orchestrator-turns", "phase-done-before-its-turn", []seen{}},
	{"broken-prose-behind", "orchestrator-behind-agents", []seen{}},
	{"broken-wave-task-open", "wave-done-with-open-task", []seen{}},
	{"broken-updated-before-started", "timestamps-out-of-order", []seen{}},
	{"broken-tomorrow", "timestamp-in-future", []seen{}},
	{"valid-odd-time", "", []seen{}},
	{"valid-idle", "", []seen{}},
	{"valid-abandoned", "", []seen{{"section-writer/C", "in_progress", "phase_4_analysis", "abandoned", "3/6"}}},
	{"broken-base-errors-gone", "error-log-shrunk", []seen{}},
	{"broken-base-cycle-3", "cycle-jumped", []seen{}},
	{"broken-base-limit-raised", "limit-raised", []seen{}},
	{"broken-base-shrank", "output-shrank", []seen{}},
	{"valid-base-time-back", "", []seen{}},
	{"broken-base-orchestrator-back", "phase-reopened", []seen{}},
	{"valid-option-tracked", "", []seen{}},
	{"broken-option-section-4000", "output-below-minimum output-below-minimum", []seen{}},
	{"broken-unreadable-summary", "unreadable-document", []seen{}},
	{"broken-unreadable-citations", "unreadable-document", []seen{}},
	{"broken-unreadable-synthesis", "unreadable-document", []seen{}},
	{"broken-unreadable-qa", "unreadable-document", []seen{}},
	{"broken-unreadable-review", "unreadable-document", []seen{}},
	{"broken-unreadable-facts", "unreadable-document", []seen{}},
	{"broken-unreadable-risk", "unreadable-document", []seen{}},
	{"broken-unreadable-coverage", "unreadable-document", []seen{}},
	{"broken-unreadable-assembly", "unreadable-document", []seen{}},
	{"broken-base-unreadable", "unreadable-document", []seen{}},
	{"valid-decline-foreign-orchestrator", "declined", []seen{}},
	{"broken-template-phase-time", "unfilled-placeholder", []seen{}},
	{"broken-memo-gone", "output-missing section-not-in-memorandum", []seen{{"synthesis", "PHASE_6_FINAL", "PHASE_4_ASSEMBLY", "active", "0/3"}}},
	{"broken-report-gone-at-the-end", "citations-of-missing-section output-missing section-count-off-reports", []seen{}},
}

func TestCases(t *testing.T) {
	for _, want := range cases {
		t.Run(want.name, func(t *testing.T) {
			l := lookAt(t, want.name)
			if want.rules == "declined" {
				if l.declined == nil {
					t.Error("accepted, want it declined")
				}
				return
			}
			if l.declined != nil {
				t.Fatal(l.declined)
			}
			if got := strings.Join(l.rulesAt(sdk.Error, sdk.Warning), " "); got != want.rules {
				t.Errorf("rules:\n got %s\nwant %s", got, want.rules)
				for _, d := range l.findings {
					t.Logf("%v %s [%s] %s: %s", d.Severity, d.Rule, d.Subject, d.Range.Path, d.Message)
				}
			}
			for _, s := range want.seen {
				if got := l.seen(s.subject); got != s {
					t.Errorf("got %v, want %v", got, s)
				}
			}
		})
	}
}

func (l look) seen(subject string) seen {
	for i := range l.detections {
		if d := &l.detections[i]; d.Subject == subject {
			return seen{subject, d.Claimed, d.Observed.Name, d.State.String(), itoa(d.Progress.Done) + "/" + itoa(d.Progress.Total)}
		}
	}
	return seen{subject: subject, claimed: "not detected"}
}
