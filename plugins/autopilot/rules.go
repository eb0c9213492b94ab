package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// A rule is one line of the table. It is data alone: a table that is made when a guest starts would
// make the guest larger.
type rule struct {
	name     string
	severity sdk.Severity
	needs    check.Needs
	find     func(*check.Report, *model)
	doc      string
	advice   string // the title of what a person is to do where no remedy is offered
	fix      string
	hides    string // names of rules, joined by blanks: what they find only repeats the fault
	replaces string // former names, likewise
}

// A group is a number of rules with why they matter.
type group struct {
	name, why string
	rules     []rule
}

// What a rule needs.
const (
	aPosition    check.Needs = 1 << iota // a position file that could be read
	aHand                                // a hand-off that could be read and is not empty
	bothPlaces                           // a position that could be read in both
	levels                               // state/thresholds.json
	acks                                 // state/acknowledgments.json
	aBase        = check.OnBase
	twoPositions = aPosition | aBase | bothPlaces
)

const (
	e = sdk.Error
	w = sdk.Warning
	i = sdk.Info
)

var groups = [...]group{
	{"position", "TRANSPONDER.md is read first in every session: what it says is believed.", []rule{
		{"state-missing", e, 0, transponderMissing, "There is no TRANSPONDER.md, and a flight has begun.", "",
			"Restore TRANSPONDER.md from git, or rebuild it with stategate recover.",
			"waypoint-not-migrated position-went-back phase-ahead", "transponder-missing"},
		{"state-unreadable", e, aPosition, withoutPosition,
			"The position file has neither a phase nor a status that can be read.", "",
			`Write rows such as "Phase | 3 of 6" and "Status | In progress", or rebuild the file with stategate ` +
				`recover.`, "", "transponder-without-position"},
		{"state-contradicts", e, aPosition, conflictingPositions,
			"Phase, Plan or Status is given twice with different meaning, in one file or in two whose names differ " +
				"in case. A warning if it is Stopped at, Resume file or Next action, in one section.",
			"Keep one of them", "Keep the newer value and delete the other.", "", "conflicting-positions"},
		{"unfilled-placeholder", w, 0, unfilledPlaceholder,
			"A value of the position file or the hand-off is still that of the template.", "Fill it in",
			"Replace what stands in braces by what is so.", "", ""},
		{"position-unreadable", e, aPosition, positionUnreadable,
			"Phase, Plan, Progress or Resume file cannot be read. A warning, unless it could be read in the base.",
			"Write it in the expected form",
			"Find out what is so and write the value in the form that the message names.", "", ""},
		{"position-incomplete", e, aPosition, positionIncomplete,
			"The position has no Phase, no Updated, no Session Continuity, or no Plan while a phase is in progress. " +
				"A warning, unless the base had it.", "Add it", "Add the row that is missing, as the message names it.",
			"", "updated-missing"},
		{"position-out-of-range", e, aPosition, positionOutOfRange,
			"The phase is beyond the total, or 0 while something is being flown; or the plan is beyond the plans of " +
				"the phase. A warning if it is the percentage.", "Correct the position",
			"Count the phases in flightplan.md, the plans in the route and the tasks that are done, and correct the " +
				"row.", "phase-ahead stale-holding-pattern",
			"phase-out-of-range plan-out-of-range progress-out-of-range"},
		{"phase-total-disagrees", w, aPosition, phaseTotalDisagrees,
			"The total of phases is not that of flightplan.md, or phases/ has a higher number.", "Settle the total",
			"Count the phases, and correct the position or flightplan.md.", "", ""},
		{"status-unknown", e, aPosition, unknownStatus,
			"The status is not one of the seven, or not given. A warning, unless the base had one.", "Set the status",
			"Find out where the flight is and write one of the seven.", "", "unknown-status"},
		{"progress-bar-mismatch", w, aPosition, progressBarMismatch, "The bar is not what the percentage makes.",
			"Draw the bar again", "Fill one of ten cells for each full 10 %.", "", ""},
		{"progress-contradicts-position", w, aPosition, progressContradicts,
			"The percentage is 0 or 100 and the phase says otherwise, or fewer plans are completed than lie before " +
				"the position in its phase.", "Compute it again",
			"Divide the done tasks by all tasks of all plans, and count the plans that are completed.", "", ""},
		{"completion-contradicted", e, aPosition, completionContradicted,
			"The status says complete, and phase, plan or percentage do not.", "Find out what is done",
			"Check the phases and plans, and correct the status or the position.", "complete-but-open", ""},
		{"complete-but-open", w, aPosition, completeButOpen,
			"A phase or the project is called complete, and the flight plan or a route, which is ticked elsewhere, " +
				"has it open; or one of them has open what the position has passed, or done what it has not reached.",
			"Find out what is done", "Tick what is done, or set the status back to In progress.", "", ""},
		{"timestamp-malformed", e, 0, timestampMalformed,
			"A time cannot be read. A warning in Markdown, unless it could be read in the base.", "Write a time",
			"Find out from git log when it was and write it such as 2026-01-29T14:30:00Z.", "", ""},
		{"timestamp-in-future", w, 0, timestampInFuture, "A time is more than five minutes ahead.", "Correct the time",
			"Correct the time, or the clock of the machine that wrote it.", "", ""},
		{"updated-before-activity", w, aPosition, updatedBeforeActivity,
			"The update is older than the activity, session or hand-off that it was to record.", "Bring it up to date",
			"The file was not written last: read the log again, correct the position and stamp it.", "", ""},
	}},
	{"continuity", "The next session goes on from what the last one wrote down.", []rule{
		{"transponder-too-long", w, aPosition, tooLong, "TRANSPONDER.md has 100 lines or more.", "Prune it",
			"Take out old decisions, done todos and old metrics.", "", ""},
		{"too-many-decisions", w, aPosition, tooManyDecisions, "More than five recent decisions are kept.",
			"Keep the newest", "Move the oldest decisions to learnings.md.", "", ""},
		{"vague-activity", i, aPosition, vagueActivity, "The last activity tells the next session nothing.",
			"Say what was done", `Write what is different now, such as "Completed auth API".`, "", ""},
		{"next-action-mismatch", w, aPosition, nextActionMismatch,
			"Nothing says what to do next, or the next action does not fit the status or is of another phase.",
			"Name the next action", "Write into the row Next action the command that goes on.", "",
			"next-action-missing next-action-contradicts-status"},
		{"resume-file-missing", e, aPosition, resumeFileMissing, "The file to resume from does not exist.",
			"Name the file", "Name the file that exists, or write None.", "", ""},
		{"quick-reference-stale", w, aPosition, quickReferenceStale,
			"Quick Reference names a directory of a phase that does not exist, or another phase than the position " +
				"as the current one. An info if it names a document that does not exist.", "Correct the path",
			"Write the directory of the phase that is flown, or a path that exists, under Quick Reference.", "", ""},
		{"stopped-at-elsewhere", w, aPosition, stoppedElsewhere, "Stopped at names a place ahead of the position.",
			"Find out where it stopped", "Correct Stopped at or the position.", "interrupted-without-holding-pattern",
			""},
		{"interrupted-without-holding-pattern", w, aPosition, interruptedBare,
			"Stopped within a plan, and no hand-off was written.", "Write the hand-off",
			"Write holding-pattern.md from git log and the route, or update Stopped at.", "", ""},
		{"blocker-contradicts-status", w, aPosition, blockerContradicts,
			"The status is Blocked and no blocker is listed, or a blocker is listed for what is complete. An info " +
				"if one is listed while work goes on.",
			"Settle it",
			`List what blocks, such as "Phase 3: waiting for API keys", and set the status to Blocked; take out a ` +
				`blocker that is resolved.`, "",
			"blocked-without-blocker blocker-after-completion blocker-without-blocked-status"},
		{"blocker-without-phase", i, aPosition, blockerWithoutPhase,
			"A blocker does not begin with the phase that it blocks.", "Name the phase",
			`Begin the item with its phase, such as "Phase 3: ".`, "", ""},
		{"next-task-mismatch", e, aPosition, nextTaskMismatch,
			"The next task is completed already. A warning if it is not of the phase that the position names, or " +
				"the commands name another.", "Find the next task",
			"Look up in the route which task is open, and name it in Next Task and in the commands.", "",
			"next-task-already-done next-task-elsewhere"},
		{"waypoint-not-migrated", w, aPosition, notMigrated,
			"The position is kept in an old file that no current command reads.", "Write TRANSPONDER.md",
			"Find out where the flight is, write TRANSPONDER.md and move the old file to archive/.", "", ""},
		{"waypoint-not-archived", w, 0, waypointNotArchived, "waypoint.md was migrated and not archived.", "",
			"Move waypoint.md to archive/.", "", "waypoint-left-behind"},
		{"mojibake-text", i, 0, mojibakeText, "Text was decoded with the wrong encoding.", "",
			"Write the characters that are meant, in UTF-8.", "", ""},
	}},
	{"phases", "The status of a phase follows from its documents: discussed with a briefing, planned with a route.",
		[]rule{
			{"phase-behind", w, aPosition, statusBehind,
				"The phase is ready to discuss and has a briefing, or ready to plan and has a route, or ready to " +
					"execute and has tasks done, or has a logbook and is not called complete.", "Find out what is done",
				"Set the status that the documents prove, or move the document away.", "",
				"briefing-already-written route-already-written logbook-without-completion status-behind-documents"},
			{"phase-ahead", e, aPosition, statusAhead,
				"The phase is ready to plan without a briefing, or executed or complete without a route. A warning " +
					"if phases/ has nothing at all, nor had in the base, if only the logbook is missing, or if it " +
					"is a phase between others.", "Find the document",
				"Restore what is missing from git, write it, or set the status back.", "",
				"briefing-missing route-missing phase-files-missing logbook-missing status-ahead-of-documents"},
			{"empty-phase-document", w, 0, emptyPhaseDocument,
				"A document of a phase is empty: a briefing, a route, a logbook or PHASE.md.", "Write it or remove it",
				"Write what belongs into the document, or remove it.", "", ""},
			{"phase-directory-repeated", w, 0, phaseForked, "Two directories or files have the number of one phase.",
				"Merge them", "Keep one of them and move what the other holds into it.", "", "phase-directory-forked"},
		}},
	{"hand-off", "A fresh agent goes on from the hand-off: what is wrong in it is done twice, or never.", []rule{
		{"holding-pattern-empty", e, 0, handIsEmpty, "An empty hand-off is read before everything else.", "",
			"Restore the hand-off from git, or remove it.", "", ""},
		{"holding-pattern-incomplete", e, aHand, handIncomplete,
			"The hand-off does not say which task it is for, or says two. A warning if it says none or no time, " +
				"unless the base did, or if it names no first step.", "Complete it",
			"Write phase, plan, task and total_tasks as numbers and the time as created into the front matter, " +
				"begin each item of Remaining Work with its task, and write under Next Action the very first thing " +
				"to do.", "", "holding-pattern-without-position holding-pattern-without-next-action"},
		{"holding-pattern-elsewhere", e, aHand, handElsewhere,
			"The hand-off is ahead of the position, or for a task, plan or phase that does not exist.",
			"Decide which holds",
			"Look at git log, the route and the phase documents, and correct the position or the hand-off.", "",
			"holding-pattern-out-of-range"},
		{"stale-holding-pattern", e, aHand, handStaleRule,
			"The hand-off is for what is over: a resume would do it again. A warning if a session has passed since " +
				"it was written.", "", "Move the hand-off to the archive, or bring it up to date.", "",
			"holding-pattern-outlived-session"},
		{"status-denies-holding-pattern", e, aPosition | aHand, statusDeniesHand,
			"There is a hand-off, and the status says that nothing was begun.", "",
			"Set the status to In progress, or move the hand-off to the archive.", "", ""},
		{"holding-pattern-unreferenced", w, aPosition | aHand, handUnreferenced,
			"Resume file does not name the hand-off.", "Name the hand-off",
			"Add a row Resume file with " + handName + ".", "", ""},
		{"completed-task-mismatch", e, aHand, taskMismatch,
			"The current task is done, an earlier one is not, or one has two statuses.",
			"Find out which tasks are done", "Look at git log and correct the rows or the front matter.", "", ""},
		{"remaining-work-mismatch", e, aHand, remainingMismatch,
			"A task is done and remaining, or neither, and would be forgotten; or no task before the current one is " +
				"listed. A warning, unless the base had it.", "Account for it",
			"List each task once: under Remaining Work, or as done with its commit.", "",
			"finished-task-remaining task-unaccounted"},
		{"completed-task-without-commit", w, aHand, taskWithoutCommit,
			"A done task has no commit to verify it by. An info if none has.",
			"Name the commit", "Find the commit of the task in git log.", "", ""},
	}},
	{"thresholds", "A level decides whether a session pauses or may not start.", []rule{
		{"threshold-level-mismatch", e, levels, levelMismatch,
			"A recorded level is not a level. A warning if the level is not that of its value, or has none, or if " +
				"no last_check dates them.", "Check again",
			"Run the threshold check again: it writes values and levels together.", "",
			"threshold-level-unfounded threshold-values-missing"},
		{"threshold-value-forked", w, levels, valueForked, "A value is recorded under two keys with different numbers.",
			"Keep one of them", "Keep the number that was written last and remove the other key.", "", ""},
		{"level-standing", i, levels, levelStanding,
			"A stop level stands, so that the next session cannot start; or an alert is not acknowledged, so that " +
				"it will pause.", "Make room",
			"Raise the limit or shrink the remaining work, then run /autopilot:cockpit --reset-alerts; an alert may " +
				"also be acknowledged.", "", "stop-level-standing alert-unacknowledged"},
		{"threshold-row-contradiction", w, aPosition, rowContradiction, "A row of the thresholds contradicts itself.",
			"Compute it again",
			"Write warning, alert and stop in ascending order, and the status and the rest that follow from the value.",
			"", ""},
		{"thresholds-table-mismatch", w, aPosition | levels, tableMismatch,
			"The table of thresholds differs from thresholds.json.", "", "Take value and level from thresholds.json.",
			"", ""},
	}},
	{"acknowledgments", "An alert that counts as acknowledged does not fire.", []rule{
		{"acknowledgment-outlived-reset", e, acks, ackOutlived,
			"An acknowledgment was reset and still counts. A warning if it is from before the last reset and no " +
				"longer counts.", "", "Move the acknowledgment to the history.", "", "reset-half-applied"},
		{"acknowledgment-malformed", e, acks, ackMalformed,
			"An acknowledgment has a value or a level that cannot be one. A warning if it has no value, unless the " +
				"base had it, or if the history has it twice.", "Complete it",
			"Look into git log at which value the alert was acknowledged, and write it with the level alert.", "", ""},
		{"history-out-of-order", w, acks, historyOrder, "An acknowledgment was reset before it was made.",
			"Correct the entry", "Find out from git log when it was acknowledged and reset.", "", ""},
		{"acknowledged-alert-mismatch", e, 0, ackMismatch,
			"The position file calls a type acknowledged, and acknowledgments.json does not. A warning if a trigger " +
				"does, if value or time differ, or if there never was an acknowledgments.json; an info if the mark " +
				"is missing.", "Mark it", "Write Alert (ack) into the row and list it under Acknowledged Alerts.", "",
			"ack-mark-without-acknowledgment acknowledgment-unmarked trigger-acknowledged-without-acknowledgment"},
		{"trigger-count-without-time", w, 0, triggerUndated,
			"A trigger was counted and not dated, or dated and not counted.", "Complete the trigger",
			"Write both count and last_triggered, or neither.", "", ""},
	}},
	{"history", "A position only goes on, and what was recorded stays, unless the flight is planned anew or rolled " +
		"back.", []rule{
		{"position-went-back", e, twoPositions, positionWentBack,
			"Phase or plan went back while the status stayed. A warning if it is the status, the ticked tasks of a " +
				"route, the completed plans or a complete project; an info if only the percentage fell.", "Say why",
			"Note the rollback in Last Activity, run /autopilot:flightplan for new work, or put the position back.", "",
			"status-went-back progress-went-back completion-reopened"},
		{"document-lost", e, twoPositions, phaseDocumentGone,
			"A briefing, route or logbook of the phase that is flown was deleted. A warning if it is one of an " +
				"earlier phase, or was cut short.", "", "Restore the document from git.", "", "phase-document-gone"},
		{"document-cut-short", e, twoPositions, positionCutShort,
			"The position file ends within a line that the base has, and the base goes on behind it.", "",
			"Put back what the base has behind it.", "next-action-mismatch", ""},
		{"phase-left-unfinished", w, twoPositions, phaseLeft,
			"A phase was left, and what tells of finished phases does not have it: logbooks, flight plan, routes, " +
				"completed plans.", "Finish the phase", "Finish the phase and record it, or go back to it.", "", ""},
		{"updated-not-advanced", w, aBase, notAdvanced,
			"The time of the update or of the last check went back, or stayed while what it is about changed.",
			"Take the newer copy",
			"If an older copy overwrote a newer one, compare both in git and keep what is so; then write the time.", "",
			"updated-went-back update-unstamped last-check-went-back"},
		{"context-lost", w, twoPositions, contextLost, "All recent decisions are gone that the base had.",
			"Take them over", "Take the decisions and open todos over from the base: three to five decisions are kept.",
			"", ""},
		{"holding-pattern-went-back", e, twoPositions | aHand, handWentBack, "The hand-off lost a task that was done.",
			"Find out what is done", "Look at git log and write the rows that are so.", "", ""},
		{"holding-pattern-dropped", e, twoPositions, handDropped, "The hand-off was deleted and no resume is recorded.",
			"", "Restore the hand-off from git, or record in TRANSPONDER.md what was done since, and when.",
			"interrupted-without-holding-pattern", ""},
		{"state-lost", e, aBase, stateGone, "acknowledgments.json was deleted, with its history. A warning for " +
			"thresholds.json or all its values, which the next check writes, and for flightplan.md and PROJECT.md " +
			"before the project is complete.", "", "Restore the document from git.", "acknowledged-alert-mismatch",
			"state-gone"},
		{"history-rewritten", e, aBase | acks, historyRewritten,
			"The history of acknowledgments lost or changed an entry. A warning if acknowledgments were reset " +
				"without an entry in it, or its order is another.", "",
			"Put the entries of the earlier revision back, and add one for each acknowledgment that was reset.", "",
			"reset-unrecorded"},
		{"reset-time-went-back", e, aBase | acks, resetWentBack,
			"The last reset went back: void acknowledgments count again.", "", "Put the time of the last reset back.",
			"", ""},
		{"acknowledgment-rewritten", w, aBase | acks, ackRewritten,
			"An acknowledgment disappeared without a reset, was backdated or has another value.",
			"Find out what was acknowledged", "Look at git log and keep what the user acknowledged.", "",
			"acknowledgment-vanished"},
		{"trigger-count-decreased", w, aBase, triggerDecreased,
			"The count of a trigger fell within one session, its time went back, or the trigger is gone.",
			"Take the newer copy", "An older copy overwrote a newer one: compare both in git.", "", ""},
	}},
}

// declared makes the rules of the workflow.
func declared() []*sdk.Rule {
	var table []check.Rule[*model]
	for i := range groups {
		for j := range groups[i].rules {
			r := &groups[i].rules[j]
			table = append(table, check.Rule[*model]{
				Name: r.name, Group: groups[i].name, Severity: r.severity, Needs: r.needs, Doc: r.doc,
				Why:    groups[i].why,
				Advice: r.advice, Fix: r.fix, Hides: strings.Fields(r.hides), Replaces: strings.Fields(r.replaces),
				Find: r.find,
			})
		}
	}
	return check.Declare(table, view)
}

// view gives a rule the model, and says what there is to check.
func view(r *check.Report) (*model, check.Needs) {
	m := r.Model.(*model)
	has := check.Needs(0)
	for i, holds := range [...]bool{m.pos.there(), m.verdict > handEmpty, m.base.pos.there(), m.th.OK, m.ak.OK} {
		if holds {
			has |= 1 << i
		}
	}
	return m, has
}
