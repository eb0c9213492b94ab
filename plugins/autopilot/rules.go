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
	find     func(*finder)
	doc      string
	hides    string // names of rules, joined by blanks: what they find only repeats the fault
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
	aBase                                // an earlier revision
	bothPlaces                           // a position that could be read in both
	levels                               // state/thresholds.json
	acks                                 // state/acknowledgments.json
	twoPositions = aPosition | aBase | bothPlaces
)

const (
	e = sdk.Error
	w = sdk.Warning
	i = sdk.Info
)

var groups = [...]group{
	{"position", "TRANSPONDER.md is read first in every session: what it says is believed.", []rule{
		{"transponder-missing", e, 0, transponderMissing, "There is no TRANSPONDER.md, and a flight has begun.", ""},
		{"transponder-without-position", e, aPosition, withoutPosition, "The position file has neither a phase nor a status that can be read.", ""},
		{"conflict-markers", e, 0, conflictMarkers, "A document holds an unresolved merge; nothing in it is read.", ""},
		{"conflicting-positions", e, aPosition, conflictingPositions, "Phase, Plan or Status is given twice with different meaning.", ""},
		{"unfilled-placeholder", w, aPosition, unfilledPlaceholder, "A value of the position file is still that of the template.", ""},
		{"position-unreadable", e, aPosition, positionUnreadable, "Phase, Plan, Progress or Resume file cannot be read. A warning, unless it could be read in the base.", ""},
		{"position-incomplete", e, aPosition, positionIncomplete, "The position has no Phase, or no Plan while a phase is in progress. A warning, unless the base had it.", ""},
		{"phase-out-of-range", e, aPosition, phaseOutOfRange, "The phase is beyond the total, or 0 while something is being flown.", "briefing-missing route-missing stale-holding-pattern"},
		{"plan-out-of-range", e, aPosition, planOutOfRange, "The plan is beyond the plans of the phase.", "stale-holding-pattern"},
		{"phase-total-disagrees", w, aPosition, phaseTotalDisagrees, "The total of phases is not that of flightplan.md, or phases/ has a higher number.", ""},
		{"unknown-status", e, aPosition, unknownStatus, "The status is not one of the seven, or not given. A warning, unless the base had one.", ""},
		{"progress-out-of-range", w, aPosition, progressOutOfRange, "The percentage is below 0 or above 100.", ""},
		{"progress-bar-mismatch", w, aPosition, progressBarMismatch, "The bar is not what the percentage makes.", ""},
		{"progress-contradicts-position", w, aPosition, progressContradicts, "The percentage is 0 or 100 and the phase says otherwise.", ""},
		{"completion-contradicted", e, aPosition, completionContradicted, "The status says complete, and phase, plan or percentage do not.", "complete-but-open"},
		{"complete-but-open", w, aPosition, completeButOpen, "A phase or the project is called complete, and the flight plan or a route, which is ticked elsewhere, has it open.", ""},
		{"updated-missing", e, aPosition, updatedMissing, "TRANSPONDER.md has no time of its update. A warning, unless the base had one.", ""},
		{"timestamp-malformed", e, 0, timestampMalformed, "A time cannot be read. A warning in Markdown, unless it could be read in the base.", ""},
		{"timestamp-in-future", w, 0, timestampInFuture, "A time is more than five minutes ahead.", ""},
		{"updated-before-activity", w, aPosition, updatedBeforeActivity, "The update is older than the activity, session or hand-off that it was to record.", ""},
	}},
	{"continuity", "The next session goes on from what the last one wrote down.", []rule{
		{"transponder-too-long", w, aPosition, tooLong, "TRANSPONDER.md has 100 lines or more.", ""},
		{"too-many-decisions", w, aPosition, tooManyDecisions, "More than five recent decisions are kept.", ""},
		{"vague-activity", i, aPosition, vagueActivity, "The last activity tells the next session nothing.", ""},
		{"next-action-missing", w, aPosition, nextActionMissing, "Nothing says what to do next.", ""},
		{"next-action-contradicts-status", w, aPosition, nextActionContradicts, "The command of the next action does not fit the status.", ""},
		{"resume-file-missing", e, aPosition, resumeFileMissing, "The file to resume from does not exist.", ""},
		{"quick-reference-stale", w, aPosition, quickReferenceStale, "Quick Reference names a directory of a phase that does not exist.", ""},
		{"stopped-at-elsewhere", w, aPosition, stoppedElsewhere, "Stopped at names a place ahead of the position.", ""},
		{"interrupted-without-holding-pattern", w, aPosition, interruptedBare, "Stopped within a plan, and no hand-off was written.", ""},
		{"blocked-without-blocker", w, aPosition, blockedWithoutBlocker, "The status is Blocked, and no blocker is listed.", ""},
		{"blocker-without-blocked-status", i, aPosition, blockerButFlying, "A blocker is listed and the status is not Blocked.", ""},
		{"blocker-after-completion", w, aPosition, blockerAfterCompletion, "A blocker is listed for what is complete.", ""},
		{"blocker-without-phase", i, aPosition, blockerWithoutPhase, "A blocker does not begin with the phase that it blocks.", ""},
		{"next-task-already-done", e, aPosition, nextTaskDone, "The next task is completed already.", ""},
		{"next-task-elsewhere", w, aPosition, nextTaskElsewhere, "The next task is not of the phase that the position names.", ""},
		{"waypoint-not-migrated", w, aPosition, notMigrated, "The position is kept in an old file that no current command reads.", ""},
		{"waypoint-left-behind", w, 0, waypointLeftBehind, "waypoint.md was migrated and not archived.", ""},
		{"mojibake-text", i, 0, mojibakeText, "Text was decoded with the wrong encoding.", ""},
	}},
	{"phases", "The status of a phase follows from its documents: discussed with a briefing, planned with a route.", []rule{
		{"briefing-already-written", e, aPosition, briefingAlreadyWritten, "The phase is ready to discuss and has a briefing.", ""},
		{"route-already-written", w, aPosition, routeAlreadyWritten, "The phase is ready to plan and has a route.", ""},
		{"briefing-missing", e, aPosition, briefingMissing, "The phase is ready to plan and has no briefing.", ""},
		{"route-missing", e, aPosition, routeMissing, "The phase is being executed, or complete, and has no route.", ""},
		{"phase-files-missing", w, aPosition, phaseFilesMissing, "Nothing under phases/ backs the status.", ""},
		{"empty-phase-document", w, 0, emptyPhaseDocument, "A document of a phase is empty.", ""},
		{"phase-directory-forked", w, 0, phaseForked, "Two directories or files have the number of one phase.", ""},
		{"logbook-missing", w, aPosition, logbookMissing, "A phase is called complete and has no logbook, where others have one.", ""},
		{"logbook-without-completion", w, aPosition, logbookEarly, "A phase has a logbook and is not called complete.", ""},
	}},
	{"hand-off", "A fresh agent goes on from the hand-off: what is wrong in it is done twice, or never.", []rule{
		{"holding-pattern-empty", e, 0, handIsEmpty, "An empty hand-off is read before everything else.", ""},
		{"holding-pattern-without-position", e, aHand, handWithoutPosition, "The hand-off does not say which task it is for. A warning, unless the base did.", ""},
		{"holding-pattern-out-of-range", e, aHand, handOutOfRange, "The hand-off is for a task, plan or phase that does not exist.", ""},
		{"holding-pattern-elsewhere", e, aPosition | aHand, handElsewhere, "The hand-off is ahead of the position.", ""},
		{"stale-holding-pattern", e, aHand, handStaleRule, "The hand-off is for what is over: a resume would do it again.", ""},
		{"status-denies-holding-pattern", e, aPosition | aHand, statusDeniesHand, "There is a hand-off, and the status says that nothing was begun.", ""},
		{"holding-pattern-unreferenced", w, aPosition | aHand, handUnreferenced, "Resume file does not name the hand-off.", ""},
		{"completed-task-mismatch", e, aHand, taskMismatch, "The current task is done, an earlier one is not, or one has two statuses.", ""},
		{"finished-task-remaining", e, aHand, finishedRemaining, "A task is done and remaining.", ""},
		{"task-unaccounted", e, aHand, taskUnaccounted, "A task is neither done nor remaining and would be forgotten. A warning, unless the base had it.", ""},
		{"completed-task-without-commit", i, aHand, taskWithoutCommit, "A done task has no commit to verify it by.", ""},
		{"holding-pattern-without-next-action", w, aHand, handWithoutNext, "The hand-off names no first step.", ""},
		{"holding-pattern-outlived-session", w, aHand, handOutlived, "A session has passed since the hand-off was written.", ""},
	}},
	{"thresholds", "A level decides whether a session pauses or may not start.", []rule{
		{"threshold-level-mismatch", w, levels, levelMismatch, "A recorded level is not that of its value.", ""},
		{"threshold-level-unfounded", e, levels, levelUnfounded, "A recorded level is unknown; a warning if it has no value.", ""},
		{"threshold-value-forked", w, levels, valueForked, "A value is recorded under two keys with different numbers.", ""},
		{"threshold-values-missing", w, levels, valuesMissing, "Levels are recorded without the values they follow from.", ""},
		{"stop-level-standing", i, levels, stopStanding, "A stop level stands: the next session cannot start.", ""},
		{"alert-unacknowledged", i, levels | acks, alertUnacknowledged, "An alert is not acknowledged: the next session will pause.", ""},
		{"threshold-row-contradiction", w, aPosition, rowContradiction, "A row of the thresholds contradicts itself.", ""},
		{"thresholds-table-mismatch", w, aPosition | levels, tableMismatch, "The table of thresholds differs from thresholds.json.", ""},
	}},
	{"acknowledgments", "An alert that counts as acknowledged does not fire.", []rule{
		{"acknowledgment-outlived-reset", w, acks, ackOutlived, "An acknowledgment is from before the last reset and no longer counts.", ""},
		{"reset-half-applied", e, acks, resetHalf, "An acknowledgment was reset and still counts.", ""},
		{"history-out-of-order", w, acks, historyOrder, "An acknowledgment was reset before it was made.", ""},
		{"ack-mark-without-acknowledgment", e, aPosition, markWithoutAck, "The position file calls a type acknowledged, and it is not. A warning if there never was an acknowledgments.json.", ""},
		{"acknowledgment-unmarked", i, aPosition | acks, ackUnmarked, "An acknowledged alert is not marked in the position file.", ""},
		{"acknowledged-alert-mismatch", w, aPosition | acks, ackMismatch, "An acknowledged alert is listed with another value or time.", ""},
		{"trigger-count-without-time", w, 0, triggerUndated, "A trigger was counted and not dated, or dated and not counted.", ""},
		{"trigger-acknowledged-without-acknowledgment", w, acks, triggerClaims, "A trigger says acknowledged, and its type is not.", ""},
	}},
	{"history", "A position only goes on, and what was recorded stays, unless the flight is planned anew or rolled back.", []rule{
		{"position-went-back", e, twoPositions, positionWentBack, "The position went back while the status stayed.", "status-went-back progress-went-back"},
		{"status-went-back", w, twoPositions, statusWentBack, "The status of a phase went back to before its discussion, or behind its completion.", ""},
		{"phase-document-gone", e, twoPositions, phaseDocumentGone, "A briefing, route or logbook of the phase that is flown was deleted.", "briefing-missing route-missing"},
		{"phase-left-unfinished", w, twoPositions, phaseLeft, "A phase was left, and what tells of finished phases does not have it: logbooks, flight plan, routes, completed plans.", ""},
		{"updated-went-back", w, twoPositions, updatedWentBack, "The time of the update went back.", ""},
		{"update-unstamped", w, twoPositions, unstamped, "The position changed and the time of the update did not.", ""},
		{"progress-went-back", w, twoPositions, progressWentBack, "Fewer plans are completed than before. An info if only the percentage fell.", ""},
		{"completion-reopened", w, twoPositions, completionReopened, "A completed project goes on without a new flight plan.", ""},
		{"holding-pattern-went-back", e, twoPositions | aHand, handWentBack, "The hand-off lost a task that was done.", ""},
		{"holding-pattern-dropped", e, twoPositions, handDropped, "The hand-off was deleted and no resume is recorded.", ""},
		{"waypoint-not-archived", w, aBase, waypointThrownAway, "waypoint.md was deleted instead of archived.", ""},
		{"state-gone", e, aBase, stateGone, "acknowledgments.json was deleted, with its history. A warning for thresholds.json, which the next check writes.", "ack-mark-without-acknowledgment"},
		{"history-rewritten", e, aBase | acks, historyRewritten, "The history of acknowledgments lost or changed an entry.", ""},
		{"reset-unrecorded", w, aBase | acks, resetUnrecorded, "Acknowledgments were reset without an entry in the history.", ""},
		{"reset-time-went-back", e, aBase | acks, resetWentBack, "The last reset went back: void acknowledgments count again.", ""},
		{"acknowledgment-vanished", w, aBase | acks, ackVanished, "An acknowledgment disappeared without a reset.", ""},
		{"acknowledgment-rewritten", w, aBase | acks, ackRewritten, "An acknowledgment was backdated or has another value.", ""},
		{"last-check-went-back", w, aBase | levels, checkWentBack, "The last check of the thresholds went back, or stayed while the values changed.", ""},
		{"trigger-count-decreased", w, aBase, triggerDecreased, "The count of a trigger fell within one session.", ""},
	}},
}

// declared makes the rules of the workflow.
func declared() []*sdk.Rule {
	var table []check.Rule[*finder]
	for i := range groups {
		for j := range groups[i].rules {
			r := &groups[i].rules[j]
			table = append(table, check.Rule[*finder]{
				Name: r.name, Group: groups[i].name, Severity: r.severity, Needs: r.needs, Doc: r.doc, Why: groups[i].why, Hides: strings.Fields(r.hides),
				Find: func(_ *check.Report, l *finder) { r.find(l) },
			})
		}
	}
	return check.Declare(table, view)
}

// view gives a rule the model, and says what there is to look at.
func view(r *check.Report) (*finder, check.Needs) {
	m := r.Model.(*model)
	has := check.Needs(0)
	for _, c := range [...]struct {
		holds bool
		need  check.Needs
	}{
		{m.pos != nil, aPosition},
		{m.verdict != handNone && m.verdict != handEmpty, aHand},
		{m.base != nil, aBase},
		{m.base != nil && m.base.pos != nil, bothPlaces},
		{m.th.doc != nil, levels},
		{m.ak.doc != nil, acks},
	} {
		if c.holds {
			has |= c.need
		}
	}
	return &finder{r, m}, has
}
