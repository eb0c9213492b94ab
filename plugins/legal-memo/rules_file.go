package legalmemo

import "github.com/stategate/stategate/sdk"

// fileRules are about the files: which agent, section and session they are of.
var fileRules = []rule{
	{group: "files", name: "agent-of-another-file", severity: sdk.Error, each: agentOfAnotherFile,
		doc: "A file says that it is of another agent than its name.",
		fix: "Find the right file: Restore the state that belongs here, and move this one to where its agent looks.",
		why: "agent or agent_type is the name of another kind's agent. Most often one state was copied over " +
			"another, whose progress is lost then."},
	{name: "duplicate-state-file", severity: sdk.Error, all: duplicateStateFile,
		doc: "A subject has two state files.",
		fix: "Keep one of the files: Compare the two, and remove the outdated one.",
		why: "Two files are for one section, or share a name. Two runs would continue from different states."},
	{name: "section-id-mismatch", severity: sdk.Error, each: sectionIDMismatch, of: 1 << writer,
		replaces: "section-id-beside-name",
		doc:      "section_id names another section than the file's name.",
		fix:      "Decide which section it is: Read the file, and correct section_id or the name.",
		why:      "One of the two sections is recorded twice or not at all. The same goes for output_file."},
	{name: "id-unlike-name", severity: sdk.Warning, each: stateOfAnotherSession,
		orch:     orchestratorOfAnotherSession,
		replaces: "state-of-another-session",
		doc:      "The session field names another directory.",
		fix:      "Find the right file: Restore the state of this session, or correct the field.",
		why: "The last element of session_directory, session_id or session is not the name of this directory. " +
			"Copied sessions are like this; paths of another machine do not matter."},
	{name: "unfilled-placeholder", severity: sdk.Warning, each: unfilledPlaceholder,
		doc: "A field still holds text of a template.",
		fix: "Fill in the field: Replace the template text with the real value.",
		why: "A name in braces or brackets, a time such as [ISO timestamp], or a list of alternatives was copied " +
			"from the documentation. The next session takes it for a value."},
	{name: "misplaced-state-file", severity: sdk.Error, each: misplacedStateFile, of: unreadToo,
		replaces: "dotted-file-name",
		doc:      "A state file has another place or name than its agent expects.",
		fix:      "Keep one of the files: Compare the file with the one at its place, and keep the one that is right.",
		why: "Every kind has its place: the root, review-outputs/ or qa-outputs/. An early spelling names " +
			"sections with a dot. After a loss of context the agent would find no state and start over.",
		severityIf: "Warning if the file is done, unless it is at its place in the base revision."},
	{name: "section-name-not-a-letter", severity: sdk.Warning, each: sectionNameNotALetter, of: 1<<writer | unreadToo,
		doc: "A section's state file is not named for one capital letter.",
		fix: "Rename the file: Use the letter of the section, as in section-writer-state-IV-A.json.",
		why: "Sections are IV.A, IV.B and so on. A report or a heading of the memorandum cannot be matched with " +
			"another name."},
	{name: "section-id-not-a-letter", severity: sdk.Warning, each: sectionIDNotALetter, of: 1 << writer,
		doc: "section_id is not one capital letter.",
		fix: "Name the section by its letter: Correct it in the file, in its name and in its report.",
		why: "section_id names the right section, but is spelt in another way, such as IV.A. Readers compare it " +
			"with the letter."},
	{name: "newer-format-version", severity: sdk.Warning, each: newerFormatVersion,
		doc: "The format is newer than those that are known.",
		fix: "Update the plugin: Look for a version of this plugin that knows the format.",
		why: "The major number of the version is above the last one that is known. What is found in the file may be " +
			"wrong."},
	{name: "missing-compaction-summary", severity: sdk.Error, each: missingCompactionSummary,
		doc: "compaction_summary or a part of it is missing.",
		fix: "Write the summary: Add the missing parts, so that the agent can continue after a loss of context.",
		why: "It needs task, progress, next_action and critical_context. Without them an agent that lost its " +
			"context cannot continue.",
		severityIf: "Warning if only a part is missing, info once the file is finished; assembly has none."},
	{name: "missing-repeat-guard", severity: sdk.Warning, each: missingRepeatGuard, replaces: "empty-repeat-guard",
		doc: "do_not_repeat is missing, or empty in a finished file.",
		fix: "Write the list: Add do_not_repeat with the finished items.",
		why: "recovery_instructions.do_not_repeat keeps an agent that lost its context from doing things twice. " +
			"Assembly has none."},
	{name: "field-missing", severity: sdk.Info, each: missingField,
		replaces: "missing-common-field missing-environment-checks missing-field",
		doc:      "A field that the kind has is missing.",
		fix:      "Add the fields: Write what is missing, as the documentation of the kind shows it.",
		why: "The documentation of the kind shows it, such as agent, session_directory, last_updated, and " +
			"environment_checks of the citation validator and the synthesis. Fields with a rule of their own are " +
			"not named."},
	{name: "unhealthy-environment", severity: sdk.Warning, each: unhealthyEnvironment,
		doc: "The agent found its environment unhealthy.",
		fix: "Run the checks: Carry out environment_checks.on_resume, and repair what fails.",
		why: "environment_healthy is false: what the agent needs may be missing. Run what on_resume lists before " +
			"going on."},
	{name: "status-unknown", severity: sdk.Error, each: unknownStatus, orch: unknownStageStatus,
		replaces: "unknown-phase-status unknown-item-status unknown-script-status unknown-status",
		doc:      "A status is not one of the known words.",
		fix:      "Set a known status: Check the output, and write the correct word.",
		why: "Expected are initialized, in_progress, complete and blocked, in any letter case, and their usual " +
			"synonyms. A phase, item or script with another word counts neither as open nor as done, so that it may " +
			"be left out or done again."},
	{name: "value-unreadable", severity: sdk.Error, each: unreadableValue,
		replaces: "unreadable-value",
		doc:      "A value does not fit its field.",
		fix:      "Write the value: Find the correct value, and write it in the expected form.",
		why: "A field for a truth, a number or the name of an agent holds another text, so that the rules about it " +
			"find nothing."},
	{name: "noncanonical-value", severity: sdk.Info, each: noncanonicalValue,
		doc: "A status is understood, but not written as the workflow writes it.",
		fix: "Write the workflow's word: Write the status as the workflow does, in lower case with underscores.",
		why: "The word has another letter case, or blanks, or is another one, such as finished. Tools that compare " +
			"exactly do not understand it."},
	{name: "timestamps-out-of-order", severity: sdk.Warning, each: timestampsOutOfOrder, orch: orchestratorTimes,
		doc: "Times of one file run backwards.", fix: "Correct the time: Write the time as it was.",
		why: "A checkpoint is before started_at, completed_at falls along the phases, or the orchestrator's phases " +
			"end in another order than they have: one of them was made up or copied. Clocks of different agents are " +
			"never compared."},
	{name: "timestamp-in-future", severity: sdk.Warning, each: timestampInFuture, orch: orchestratorFuture,
		doc: "A time is more than a day after the present.", fix: "Correct the time: Write the time as it was.",
		why: "It was made up."},
	{name: "timestamp-malformed", severity: sdk.Warning, each: timestampMalformed, orch: orchestratorMalformed,
		doc: "A time cannot be read.", fix: "Correct the time: Write it with its date and zone, or null.",
		why: "A field for a time holds something else, or a date that does not exist, so that the order of what " +
			"happened is not known."},
}
