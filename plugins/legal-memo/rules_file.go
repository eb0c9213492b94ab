package legalmemo

import "github.com/stategate/stategate/sdk"

// fileRules check which agent, section and session a file belongs to.
var fileRules = []rule{
	{group: "files", name: "agent-of-another-file", severity: sdk.Error, each: agentOfAnotherFile,
		doc: "A file's content names a different agent than its file name.",
		fix: "Restore the right state: Restore the state that belongs here, and move this file to its agent's path.",
		why: "agent or agent_type names another kind of agent. Usually one state was copied over another, whose " +
			"progress is lost."},
	{name: "duplicate-state-file", severity: sdk.Error, all: duplicateStateFile,
		doc: "An agent or a section has two state files.",
		fix: "Keep one file: Compare the two files, and remove the outdated one.",
		why: "Two files belong to one section or share a name. Two sessions would continue from different states."},
	{name: "section-id-mismatch", severity: sdk.Error, each: sectionIDMismatch, of: 1 << writer,
		replaces: "section-id-beside-name",
		doc:      "section_id names a different section than the file name.",
		fix:      "Decide which section is right: Read the file, and correct section_id or the file name.",
		why:      "One of the two sections is recorded twice or not at all. This also applies to output_file."},
	{name: "id-unlike-name", severity: sdk.Warning, each: stateOfAnotherSession,
		orch:     orchestratorOfAnotherSession,
		replaces: "state-of-another-session",
		doc:      "The session field names another directory.",
		fix:      "Restore the right state: Restore this session's state, or correct the field.",
		why: "The last element of session_directory, session_id or session is not this directory's name, " +
			"which happens in copied sessions. Paths on another machine do not matter."},
	{name: "misplaced-state-file", severity: sdk.Error, each: misplacedStateFile, of: unreadToo,
		replaces: "dotted-file-name",
		doc:      "A state file's path is not the one that its agent expects.",
		fix:      "Keep one file: Compare the file with the one at the expected path, and keep the right one.",
		why: "Each kind of state file belongs in the root, review-outputs/ or qa-outputs/. Early versions " +
			"named sections with a dot. After context loss the agent would not find its state and would start over.",
		severityIf: "Warning if the file is finished, unless the base has it at the expected path."},
	{name: "section-id-not-a-letter", severity: sdk.Warning, each: sectionIDNotALetter, of: 1<<writer | unreadToo,
		replaces: "section-name-not-a-letter",
		doc:      "A section is not named with one capital letter.",
		fix:      "Use the section's letter: Correct the letter in the file, in its name and in its report.",
		why: "section_id has another form, such as IV.A, or the file is named differently. Agents compare the " +
			"letter with the names of reports and headings."},
	{name: "missing-compaction-summary", severity: sdk.Error, each: missingCompactionSummary,
		doc: "compaction_summary or one of its parts is missing.",
		fix: "Write the summary: Add the missing parts, so the agent can continue after context loss.",
		why: "Without task, progress, next_action and critical_context, an agent cannot continue after " +
			"context loss.",
		severityIf: "Warning if only a part is missing; info if the file is finished. Assembly files have no summary."},
	{name: "missing-repeat-guard", severity: sdk.Warning, each: missingRepeatGuard, replaces: "empty-repeat-guard",
		doc: "do_not_repeat is missing, or is empty in a finished file.",
		fix: "Write the list: Add do_not_repeat with the finished items.",
		why: "recovery_instructions.do_not_repeat keeps an agent from repeating work after context loss. Assembly " +
			"files have no such list."},
	{name: "field-missing", severity: sdk.Info, each: missingField,
		replaces: "missing-common-field missing-environment-checks missing-field",
		doc:      "A field that this kind of file has is missing.",
		fix:      "Add the fields: Add the missing fields, following the documentation for this kind.",
		why: "The documentation lists fields such as agent, session_directory and last_updated, and " +
			"environment_checks for the citation validator and the synthesis. Fields with their own rule are not " +
			"reported here."},
	{name: "status-unknown", severity: sdk.Error, each: unknownStatus, orch: unknownStageStatus,
		replaces: "unknown-phase-status unknown-item-status unknown-script-status unknown-status",
		doc:      "A status is not a known word.",
		fix:      "Set a known status: Check the output, and write the correct status.",
		why: "Known statuses are initialized, in_progress, complete and blocked, in any letter case, and " +
			"common synonyms. With another word, a phase, item or script counts as neither open nor done, so an " +
			"agent may skip or repeat it."},
	{name: "value-unreadable", severity: sdk.Error, each: unreadableValue,
		replaces: "unreadable-value timestamp-malformed", severityIf: "Warning for a time.",
		doc: "A value does not fit its field.",
		fix: "Correct the value: Find the correct value, and write it in the expected form.",
		why: "A field for a boolean, a number, a time or a name contains something else, so the rules that read it " +
			"find nothing."},
	{name: "noncanonical-value", severity: sdk.Info, each: noncanonicalValue,
		doc: "A status is understood, but not written in the workflow's form.",
		fix: "Use the workflow's word: Write the workflow's status in lowercase, with underscores.",
		why: "The status differs in letter case, contains spaces or is a synonym, such as finished. Tools that " +
			"compare exactly do not recognize it."},
	{name: "timestamps-out-of-order", severity: sdk.Warning, each: timestampsOutOfOrder,
		doc: "Times in one file are out of order.", fix: "Correct the time: Write the actual time.",
		why: "A checkpoint is before started_at, a completed_at is before that of an earlier phase, or the " +
			"orchestrator's phases end out of order. One of the times was invented or copied. Times from different " +
			"agents are never compared."},
}
