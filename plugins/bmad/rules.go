package bmad

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var rules = []check.Rule[*model]{
	{Name: "state-unreadable", Group: "tracker", Severity: sdk.Error, Find: trackerEmpty,
		Advice:   "Write a valid tracker",
		Replaces: []string{"tracker-empty"},
		Doc:      "A tracker is empty, or its development_status is not a mapping.",
		Why:      "The status of every story is unknown, and BMAD's tools refuse the tracker.",
		Fix:      "Restore the tracker, or regenerate it with sprint-planning and set the finished stories to done."},
	{Name: "status-unknown", Group: "tracker", Severity: sdk.Error, Find: statusUnknown, Advice: "Write a valid status",
		Replaces: []string{"status-unreadable"},
		Doc: "A status in the tracker is empty, or not one of BMAD's words.\n\nWithout a tracker, the rule checks " +
			"the status in each story's file.",
		Why: "BMAD's tools report it as illegal and skip the item.",
		SeverityIf: "Warning if the status is another word, or if a story without a tracker lost its status. Info " +
			"for an action item of a retrospective, and for a story without a tracker that has no status.",
		Fix: "Use backlog, ready-for-dev, in-progress, review or done; for a retrospective, optional or done."},
	{Name: "key-unmatched", Group: "tracker", Severity: sdk.Info, Find: keyUnmatched, Advice: "Correct the key",
		Doc: "A key in the tracker matches no story or epic.\n\nIt is a story that lacks a number or an epic, or " +
			"an epic in progress without stories.",
		Why: "`sprint_plan.py validate` reports the key: the story belongs to no epic, or the epic is never done.",
		Fix: "Write the key in BMAD's form (epic-1, 1-2-name), or add the epic or the stories."},
	{Name: "done-with-open-parts", Group: "tracker", Severity: sdk.Error, Find: epicDoneEarly,
		Replaces: []string{"epic-done-with-open-stories"},
		Doc:      "An epic is done, but one of its stories is not.",
		Why:      "The next session skips a finished epic's open stories.",
		SeverityIf: "Warning if all open stories are in review or blocked, if none of them ever began but another " +
			"story is done, or if the retrospective is done.",
		Fix: "Set the story to done if it is, defer it, or set the epic back to in-progress."},
	{Name: "epic-behind", Group: "tracker", Severity: sdk.Warning, Find: epicBehind,
		Doc: "An epic is in the backlog, but one of its stories has begun.",
		Why: "The next session skips the epic. BMAD sets an epic to in-progress with its first story.",
		Fix: "Set the epic to in-progress, or to done if all its stories are."},
	{Name: "open-with-done-parts", Group: "tracker", Severity: sdk.Info, Find: epicOpen,
		Replaces: []string{"epic-open-with-stories-done"},
		Doc: "An epic is in progress, but all its stories are done.\n\nThe rule also reports a story in progress " +
			"whose tasks and review follow-ups are all ticked.",
		Why: "The epic or story looks unfinished. In BMAD, a person closes an epic.",
		Fix: "Set the epic to done, or add the missing stories. Set a story to review, or add the missing tasks."},
	{Name: "retrospective-early", Group: "tracker", Severity: sdk.Warning, Find: retroEarly, Advice: "Finish the " +
		"epic or reopen its retrospective",
		Doc: "An epic's retrospective is done, but one of its stories is not.",
		Why: "A retrospective covers the whole epic.",
		Fix: "Set the story to done if it is, move it to another epic, or set the retrospective to optional."},
	{Name: "id-repeated", Group: "tracker", Severity: sdk.Warning, Find: numberRepeated,
		Advice:   "Remove or renumber one story",
		Replaces: []string{"story-number-repeated"},
		Doc:      "Two stories in a tracker have the same number, or a story has two files.",
		Why:      "\"Build story 2.1\" is ambiguous. Usually one of the two is left over from a renamed story.",
		Fix:      "Remove the replaced story, or give it another number."},

	{Name: "done-refuted", Group: "stories", Severity: sdk.Error, Find: doneRefuted, Hides: []string{"tasks-open"},
		Doc: "A story is done in the tracker, but its file and tasks show otherwise.\n\nSome of its tasks are " +
			"ticked, and others are not.",
		Why: "The next session skips the open tasks.",
		Fix: "Give the tracker the file's status, or finish the story and correct the file."},
	{Name: "story-behind", Group: "stories", Severity: sdk.Warning, Find: storyBehind,
		Doc: "A story's file has an earlier status than the tracker.\n\nIts tasks do not show remaining work: " +
			"either all are ticked, or none is.",
		Why: "Agents that read only the file do the work again.",
		Fix: "Correct the status in the file, or set the tracker back."},
	{Name: "tracker-behind", Group: "stories", Severity: sdk.Warning, Find: trackerBehind,
		Doc: "The tracker has an earlier status than the story's file.\n\nThe rule checks files in review or " +
			"done, and any file of a story in the backlog, which should not have one yet.",
		Why: "The story is picked up or written again although it already exists.",
		Fix: "Give the tracker the file's status, or correct the file."},
	{Name: "tasks-open", Group: "stories", Severity: sdk.Warning, Find: tasksOpen, Advice: "Tick or drop the open " +
		"tasks",
		Doc: "A story is done or in review, but some of its tasks are open.",
		Why: "Either the tasks were skipped, or their checkboxes are wrong.",
		SeverityIf: "Info if the story has ticks and was already in review, or if it was already finished without " +
			"a tick while nearly all others have ticks. Not reported if this change finishes a story without a " +
			"tick and no other finished story has one.",
		Fix: "Tick finished tasks. Remove abandoned ones, with the reason."},
	{Name: "follow-up-open", Group: "stories", Severity: sdk.Warning, Find: followUpOpen,
		Advice: "Finish or explain the follow-ups",
		Doc:    "A story is done, but follow-ups from its review are open.",
		Why:    "The review asked for changes that the story needs before it is done.",
		Fix:    "Make the changes and tick them, or write next to each why it is not needed."},
	{Name: "stories-unread", Group: "stories", Severity: sdk.Info, Find: storiesUnread, Advice: "Move the story files",
		Doc: "Stories in a tracker have begun or are done, but no story file was found.",
		Why: "stategate cannot verify the tracker's statuses.",
		Fix: "Keep story files in the tracker's directory or under it, named by their keys."},
	{Name: "story-file-missing", Group: "stories", Severity: sdk.Warning, Find: fileMissing, Advice: "Write the " +
		"story file",
		Doc: "A story is ready or begun but has no file, unlike most others.\n\nThe rule also reports a story whose " +
			"key changed, but whose file kept the old key.",
		Why: "No file says what the story delivers or when it is done.",
		Fix: "Write the file (create-story), rename it to the story's key, or set the story to backlog."},
	{Name: "story-untracked", Group: "stories", Severity: sdk.Warning, Find: untracked, Advice: "Add the story to " +
		"the tracker",
		Doc: "A story has a file, but no tracker lists it.",
		Why: "The story is never picked up or counted.",
		Fix: "Add the story's key to the tracker, rename the file to its key, or archive the file."},

	{Name: "document-cut-short", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: cutShort,
		Hides:    []string{"tick-lost", "item-lost"},
		Replaces: []string{"tracker-cut-short"},
		Doc:      "A tracker or a story file ends partway through a line of the base.",
		Why:      "The document was not fully written; the rest looks like a smaller sprint or story.",
		Fix:      "Restore the document, and repeat the change."},
	{Name: "box-unreadable", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: boxUnreadable,
		Advice: "Correct the checkbox",
		Doc:    "A story's task lost its readable checkbox since the base.",
		Why:    "No count includes the task, so finished work has no record.",
		SeverityIf: "Warning if the task was open, or if a word or another mark replaces the checkbox. Always an " +
			"error if an invisible character breaks the checkbox.",
		Fix: "Write [x] if the task is done, or [ ] if it is not."},
	{Name: "tick-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: tickLost,
		Replaces: []string{"status-went-back", "ticks-lost", "tracker-overwritten"},
		Hides:    []string{"open-with-done-parts"},
		Doc: "A done story, or a ticked task in a story, is open again.\n\nThe rule also reports a tracker that " +
			"lost most of its done stories.",
		Why: "The story was reopened, or an older document overwrote a newer one. If most are open or missing, the " +
			"tracker was regenerated.",
		SeverityIf: "Error for at least three, and at least half, of a tracker's done stories. Otherwise a warning.",
		Fix:        "Restore the status or the tick, or explain in the file why the story was reopened."},
	{Name: "item-lost", Group: "history", Severity: sdk.Warning,
		Needs: check.OnBase, Find: itemLost, Advice: "Restore the story or task",
		Replaces: []string{"story-lost", "done-item-lost"},
		Doc: "The tracker lost an active story, or a story file lost a task.\n\nA story is active if " +
			"it has begun or has a file. A lost story in the backlog counts if epics.md has not changed and no story " +
			"is new.",
		Why: "Built work has no record, or unfinished work is forgotten.",
		Fix: "Restore the line, with its status or tick."},
	{Name: "document-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: fileLost,
		Replaces: []string{"story-file-lost"},
		Doc: "A story's file was deleted or emptied.\n\nA file with the same name in another directory " +
			"replaces it if it has at least half of its lines.",
		Why: "The story's tasks and record are lost.",
		SeverityIf: "Warning if the story is back in the backlog, or is done and its file did not contradict that, " +
			"or if the file elsewhere was written again or has another name now.",
		Fix: "Restore the file. To archive it, move it to an archive and keep its name."},
	{Name: "state-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: trackerLost,
		Replaces: []string{"tracker-lost"},
		Doc:      "A tracker was deleted, but story files remain.",
		Why:      "The status of the stories is unknown.",
		Fix:      "Restore the tracker."},
}
