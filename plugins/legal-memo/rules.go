package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

// rules are the rules in the order of the workflow's specification, but that a
// rule stands before the one that hides it. What breaks them is found in one go,
// see speak.
var rules = makeRules()

func makeRules() []*sdk.Rule {
	list := make([]*sdk.Rule, len(ruleTable))
	for i := range ruleTable {
		t := &ruleTable[i]
		list[i] = &sdk.Rule{Name: t.name, Severity: t.severity, Doc: t.doc, Check: speak}
	}
	for i := range ruleTable {
		if ruleTable[i].hides == "" {
			continue
		}
		for _, name := range strings.Split(ruleTable[i].hides, " ") {
			for _, r := range list {
				if r.Name == name {
					list[i].Hides = append(list[i].Hides, r)
				}
			}
		}
	}
	return list
}

var ruleTable = [...]struct {
	name     string
	severity sdk.Severity
	hides    string // names of rules, separated by blanks
	doc      string
}{
	{"agent-of-another-file", sdk.Error, "", "A file says that it is of another agent than its name."},
	{"duplicate-state-file", sdk.Error, "", "A subject has two state files."},
	{"section-id-beside-name", sdk.Error, "", "section_id names another section than the file's name."},
	{"state-of-another-session", sdk.Warning, "", "The session field names another directory."},
	{"unfilled-placeholder", sdk.Warning, "", "A field still holds template text."},
	{"dotted-file-name", sdk.Warning, "", "A section's state file is named with a dot."},
	{"section-name-not-a-letter", sdk.Warning, "", "A section's state file is not named for one capital letter."},
	{"section-id-not-a-letter", sdk.Warning, "", "section_id is not one capital letter."},
	{"misplaced-state-file", sdk.Warning, "", "A state file lies where its agent does not look for it."},
	{"newer-format-version", sdk.Warning, "", "The format is newer than what is known."},
	{"missing-compaction-summary", sdk.Warning, "", "compaction_summary or a part of it is missing: context cannot be restored."},
	{"missing-repeat-guard", sdk.Warning, "", "do_not_repeat is missing: nothing says what to skip."},
	{"unknown-status", sdk.Warning, "", "A status is none of the known words."},
	{"unhealthy-environment", sdk.Warning, "", "The agent found its environment unhealthy."},
	{"missing-environment-checks", sdk.Info, "", "A complex agent has no environment_checks."},
	{"missing-common-field", sdk.Info, "", "A field that every file of the kind has is missing."},
	{"noncanonical-value", sdk.Info, "", "A status is known only when letter case and blanks are folded."},
	{"return-phase-open", sdk.Warning, "", "A finished file has its return phase open."},
	{"all-phases-done-but-open", sdk.Error, "", "No phase is open, but the status is not complete."},
	{"phase-done-before-its-turn", sdk.Error, "current-phase-ahead current-phase-behind", "A phase is done while an earlier one is open."},
	{"finished-with-open-phase", sdk.Error, "phase-done-before-its-turn current-phase-ahead finished-below-total", "A file claims to be done with open phases."},
	{"current-phase-ahead", sdk.Error, "", "A phase before current_phase is open."},
	{"current-phase-behind", sdk.Error, "", "A phase after current_phase is done or in progress."},
	{"initialized-with-progress", sdk.Warning, "", "The status is initialized although a phase is done."},
	{"several-phases-in-progress", sdk.Warning, "", "More than one phase is in progress."},
	{"unknown-phase", sdk.Warning, "", "A key names no phase."},
	{"missing-phase", sdk.Warning, "", "A phase has no flag."},
	{"unknown-phase-status", sdk.Warning, "", "The status of a phase is none of the known words."},
	{"unknown-current-phase", sdk.Warning, "", "current_phase names no phase, or several."},
	{"finished-with-open-item", sdk.Error, "phase-done-with-open-item finished-below-total", "A file claims to be done with open items."},
	{"phase-done-with-open-item", sdk.Error, "", "The phase that works through the items is done, and an item is open."},
	{"items-done-phase-open", sdk.Warning, "", "All subsections are complete, and the phase is still open."},
	{"repeat-guard-on-open-item", sdk.Error, "", "do_not_repeat names what is not done."},
	{"done-item-unguarded", sdk.Warning, "", "A done item is not in do_not_repeat."},
	{"guard-names-nothing", sdk.Info, "", "A guard names no item, phase or document."},
	{"empty-repeat-guard", sdk.Info, "", "A finished file guards nothing."},
	{"counter-beyond-total", sdk.Error, "counter-beside-items", "A counter is above its total."},
	{"finished-below-total", sdk.Error, "", "A finished file counts less than its total."},
	{"counter-beside-items", sdk.Error, "", "A counter differs from the number of complete items."},
	{"footnotes-do-not-add-up", sdk.Error, "counter-beside-phase footnote-guard-off-count footnote-file-off-count global-number-off-running-total", "The footnotes of the sections do not make up the total."},
	{"counter-beside-phase", sdk.Error, "", "A metric differs from the figure of its phase."},
	{"global-number-off-running-total", sdk.Error, "", "The last number of a section is not the running total."},
	{"footnote-guard-off-count", sdk.Error, "", "do_not_repeat_footnotes does not end at the number of footnotes."},
	{"footnote-file-off-count", sdk.Error, "", "The file of footnotes holds another number than is recorded."},
	{"duplicate-footnote-number", sdk.Error, "", "A footnote number stands twice."},
	{"elided-footnotes", sdk.Warning, "", "Lines stand for footnotes that are not written out."},
	{"parts-beside-whole", sdk.Warning, "", "Parts do not make up their whole."},
	{"list-beside-counter", sdk.Warning, "", "A list has another length than its counter says."},
	{"weighted-beyond-gross", sdk.Warning, "", "A weighted exposure is above the gross one."},
	{"finished-with-placeholders", sdk.Warning, "", "Citations are finished, and placeholders are left."},
	{"footnote-totals-differ", sdk.Warning, "", "The memorandum counts other footnotes than the validator."},
	{"footnotes-counted-differently", sdk.Info, "", "Writer and validator count a section's footnotes differently."},
	{"facts-do-not-add-up", sdk.Info, "", "The facts of the categories do not make up the total."},
	{"check-passed-against-figures", sdk.Error, "", "A check says passed, its figures say no."},
	{"check-failed-against-figures", sdk.Warning, "", "A check says not passed, its figures say yes."},
	{"all-passed-beside-failed-check", sdk.Error, "", "All checks are said to have passed, and one has not."},
	{"finished-with-failed-check", sdk.Warning, "", "A finished file has a failed check."},
	{"word-figures-differ", sdk.Warning, "", "The figures of words differ."},
	{"memorandum-size-differs", sdk.Warning, "", "The memorandum has another size than is recorded."},
	{"verified-input-missing", sdk.Error, "", "An input was verified and is not there."},
	{"input-marked-absent", sdk.Warning, "", "An input is marked absent and is there."},
	{"section-not-in-memorandum", sdk.Error, "section-count-off-reports", "A section is recorded as appended and is not in the memorandum."},
	{"section-count-off-reports", sdk.Error, "", "The number of sections is not that of the reports."},
	{"memorandum-under-another-name", sdk.Warning, "", "A fuller memorandum lies under another name."},
	{"assembly-complete-with-exit-code", sdk.Error, "", "The assembly is called complete although its command failed."},
	{"pending-section-file", sdk.Warning, "", "A section lies in a file of its own instead of in the memorandum."},
	{"finished-with-blocker", sdk.Error, "", "A file claims to be done with an unresolved blocker."},
	{"unresolved-blocker", sdk.Warning, "", "A blocker stands in the way."},
	{"blocked-without-reason", sdk.Warning, "", "A file is blocked, and nothing says why."},
	{"blocked-after-resolution", sdk.Warning, "", "A blocker is resolved, and the file is still blocked."},
	{"blocked-but-passed", sdk.Warning, "", "A file is blocked, and a later agent is finished."},
	{"cycle-beyond-max", sdk.Error, "cycle-history-gap", "There are more cycles than allowed."},
	{"cycle-behind-history", sdk.Error, "", "current_cycle is below what cycle_history holds: it was reset."},
	{"cycle-history-disordered", sdk.Warning, "", "The cycles of the history do not rise."},
	{"cycle-history-gap", sdk.Warning, "", "The history lacks a cycle."},
	{"cycles-exhausted", sdk.Warning, "", "The last cycle ended without a certificate."},
	{"cycle-file-number-differs", sdk.Warning, "", "The file is named for another cycle than it holds."},
	{"attempts-beyond-max", sdk.Error, "", "There were more attempts at a gate than allowed."},
	{"attempts-exhausted", sdk.Warning, "", "No attempt at a gate is left."},
	{"issue-count-off-list", sdk.Info, "", "The counts of issues differ from the list."},
	{"score-beyond-max", sdk.Warning, "", "A score is above its maximum."},
	{"scored-without-score", sdk.Warning, "", "A dimension is complete without a score."},
	{"score-on-pending-dimension", sdk.Warning, "", "A pending dimension has a score."},
	{"unknown-script-status", sdk.Warning, "", "The status of a script is none of the five."},
	{"script-flags-disagree", sdk.Error, "", "executed and status of a script disagree."},
	{"exit-code-off-status", sdk.Error, "", "The exit code of a script belongs to another status."},
	{"dependency-not-met", sdk.Error, "", "A script was run before the one that it depends on."},
	{"older-than-dependency", sdk.Warning, "", "A script ran before its dependency ran again."},
	{"script-interrupted", sdk.Warning, "", "A script was interrupted."},
	{"runaway-script", sdk.Warning, "", "A script ran three times or more."},
	{"cached-result-missing", sdk.Warning, "", "The result of a script is not there."},
	{"output-missing", sdk.Error, "", "A file claims to be done, and its output is not there."},
	{"output-lost-text", sdk.Error, "output-below-minimum", "An output has less than half of the recorded words."},
	{"output-overwritten", sdk.Error, "output-lost-text output-below-minimum", "An output lost more than half of its words."},
	{"output-below-minimum", sdk.Error, "", "An output is shorter than it has to be."},
	{"truncated-output", sdk.Error, "", "An output breaks off."},
	{"output-shorter-than-recorded", sdk.Warning, "", "An output is clearly shorter than recorded."},
	{"section-footer-unseen", sdk.Info, "", "A section report does not end as they do."},
	{"several-reports-for-section", sdk.Warning, "", "A section has two reports."},
	{"section-without-state", sdk.Warning, "", "A section has a report and no state file."},
	{"listed-file-missing", sdk.Warning, "", "A file that a state names is found nowhere."},
	{"report-not-in-inventory", sdk.Warning, "", "A specialist report is not in the review's inventory."},
	{"specialist-count-off-reports", sdk.Info, "", "specialist_count is not the number of specialist reports."},
	{"outputs-not-tracked", sdk.Info, "", "Outputs are not among the documents."},
	{"stale-in-progress", sdk.Error, "", "An agent is open although a later one is finished."},
	{"rerun-behind-later-stage", sdk.Info, "", "An agent is done again although a later one is finished."},
	{"section-without-citations", sdk.Error, "", "Citations are finished without a section that has a report."},
	{"citations-of-missing-section", sdk.Error, "", "Citations are taken from a section without a report."},
	{"summary-misses-section", sdk.Error, "", "The summary is finished without a section that has a report."},
	{"expected-sections-differ", sdk.Warning, "", "The expected sections are not those with reports."},
	{"unreadable-orchestrator-block", sdk.Error, "", "A block of the orchestrator is not JSON."},
	{"orchestrator-blocks-differ", sdk.Warning, "", "Two blocks of the orchestrator disagree."},
	{"orchestrator-ahead-of-agent", sdk.Error, "", "The orchestrator calls a phase complete whose agent is not finished."},
	{"orchestrator-behind-agents", sdk.Error, "", "The orchestrator is at an earlier phase than its agents."},
	{"validators-missing", sdk.Warning, "", "Validation is complete with fewer than four validators."},
	{"cycle-counters-differ", sdk.Warning, "", "The orchestrator counts other cycles than the diagnostic."},
	{"wave-before-its-dependency", sdk.Warning, "", "A wave began before the one that it depends on was complete."},
	{"wave-done-with-open-task", sdk.Warning, "", "A wave is complete with an open task."},
	{"timestamps-out-of-order", sdk.Warning, "", "Times of one file run backwards."},
	{"timestamp-in-future", sdk.Warning, "", "A time is more than a day to come."},
	{"timestamp-malformed", sdk.Info, "", "A time cannot be read."},
	{"idle-session", sdk.Info, "", "Nothing has happened for a week."},
	{"run-restarted", sdk.Warning, "", "A run was started again from the beginning."},
	{"error-log-shrunk", sdk.Warning, "", "Entries of the error log are gone."},
	{"counter-went-back", sdk.Error, "", "A counter went down."},
	{"repeat-guard-shrunk", sdk.Error, "", "Entries of do_not_repeat are gone."},
	{"item-reopened", sdk.Error, "counter-went-back repeat-guard-shrunk", "A complete item is open again, or gone."},
	{"phase-reopened", sdk.Error, "item-reopened counter-went-back repeat-guard-shrunk", "A done phase is open again."},
	{"status-went-back", sdk.Error, "phase-reopened item-reopened counter-went-back repeat-guard-shrunk", "The status went back."},
	{"footnote-numbers-rewritten", sdk.Error, "", "The footnotes of a complete section were numbered again."},
	{"dimension-rescored", sdk.Error, "", "A complete dimension was scored again."},
	{"cycle-history-rewritten", sdk.Error, "", "The history of cycles was changed."},
	{"cycle-went-back", sdk.Error, "cycle-history-rewritten", "The cycle went back."},
	{"cycle-jumped", sdk.Warning, "", "A cycle was left out."},
	{"limit-raised", sdk.Warning, "", "A limit was raised."},
	{"attempts-went-back", sdk.Error, "", "The attempts at a gate went down."},
	{"iteration-went-back", sdk.Error, "", "The runs of a script went down."},
	{"script-rerun-uncounted", sdk.Warning, "", "A script was run again without counting."},
	{"cached-result-outdated", sdk.Warning, "", "The memorandum changed after a script ran."},
	{"blocker-vanished", sdk.Warning, "", "An unresolved blocker is gone."},
	{"state-file-removed", sdk.Error, "", "A state file is gone."},
	{"output-shrank", sdk.Warning, "", "An output lost some of its words."},
	{"output-removed", sdk.Error, "", "An output is gone."},
	{"output-ahead-of-state", sdk.Warning, "", "An output grew, and its state was not written."},
	{"time-went-back", sdk.Info, "", "The newest time is earlier than before."},
}
