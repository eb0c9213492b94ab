package autopilot

import (
	"github.com/stategate/stategate/sdk"
)

// A rule is one line of the table: what it is called, what must be there for it,
// and the function that looks.
type rule struct {
	name     string
	severity sdk.Severity
	needs    need
	check    func(*look)
	doc      string
}

// A need is what a rule cannot look without.
type need uint8

const (
	aPosition    need = 1 << iota // a position file that could be read
	aHand                         // a hand-off that could be read and is not empty
	aBase                         // an earlier revision
	levels                        // state/thresholds.json
	acks                          // state/acknowledgments.json
	twoPositions = aPosition | aBase
)

const (
	e = sdk.Error
	w = sdk.Warning
	i = sdk.Info
)

var table = [...]rule{
	{"transponder-missing", e, 0, transponderMissing, "There is no TRANSPONDER.md, and a flight has begun."},
	{"transponder-without-position", e, aPosition, withoutPosition, "The position file names neither phase nor status."},
	{"conflict-markers", e, 0, conflictMarkers, "A document holds an unresolved merge; nothing in it is read."},
	{"conflicting-positions", e, aPosition, conflictingPositions, "Phase, Plan or Status is given twice with different meaning."},
	{"unfilled-placeholder", w, aPosition, unfilledPlaceholder, "A value of the position file is still that of the template."},
	{"position-unreadable", w, aPosition, positionUnreadable, "Phase or Plan is not of the form N of M."},
	{"phase-out-of-range", e, aPosition, phaseOutOfRange, "The phase is beyond the total, or 0 while something is being flown."},
	{"plan-out-of-range", e, aPosition, planOutOfRange, "The plan is beyond the plans of the phase."},
	{"phase-total-disagrees", w, aPosition, phaseTotalDisagrees, "The total of phases is not that of flightplan.md, or phases/ has a higher number."},
	{"unknown-status", w, aPosition, unknownStatus, "The status is none of the known ones, or not given."},
	{"progress-out-of-range", w, aPosition, progressOutOfRange, "The percentage is below 0 or above 100."},
	{"progress-bar-mismatch", w, aPosition, progressBarMismatch, "The bar is not what the percentage makes."},
	{"progress-contradicts-position", w, aPosition, progressContradicts, "The percentage is 0 or 100 and the phase says otherwise."},
	{"completion-contradicted", e, aPosition, completionContradicted, "The status says complete, and phase, plan or percentage do not."},
	{"transponder-too-long", w, aPosition, tooLong, "TRANSPONDER.md has 100 lines or more."},
	{"too-many-decisions", w, aPosition, tooManyDecisions, "More than five recent decisions are kept."},
	{"updated-missing", w, aPosition, updatedMissing, "TRANSPONDER.md has no time of its update."},
	{"updated-before-activity", w, aPosition, updatedBeforeActivity, "The update is before what the document tells of."},
	{"vague-activity", i, aPosition, vagueActivity, "The last activity tells the next session nothing."},
	{"next-action-missing", w, aPosition, nextActionMissing, "Nothing says what to do next."},
	{"next-action-contradicts-status", w, aPosition, nextActionContradicts, "The command of the next action does not fit the status."},
	{"resume-file-missing", e, aPosition, resumeFileMissing, "The file to resume from does not exist."},
	{"stopped-at-elsewhere", w, aPosition, stoppedElsewhere, "Stopped at names a place ahead of the position."},
	{"interrupted-without-holding-pattern", w, aPosition, interruptedBare, "Stopped within a plan, and no hand-off was written."},
	{"blocked-without-blocker", w, aPosition, blockedWithoutBlocker, "The status is Blocked, and by what is not said."},
	{"blocker-without-blocked-status", i, aPosition, blockerButFlying, "A blocker is listed and the status is not Blocked."},
	{"blocker-after-completion", w, aPosition, blockerAfterCompletion, "A blocker is listed for what is complete."},
	{"blocker-without-phase", i, aPosition, blockerWithoutPhase, "A blocker does not begin with the phase that it blocks."},
	{"briefing-already-written", e, aPosition, briefingAlreadyWritten, "The phase is ready to discuss and has a briefing."},
	{"route-already-written", w, aPosition, routeAlreadyWritten, "The phase is ready to plan and has a route."},
	{"briefing-missing", e, aPosition, briefingMissing, "The phase is ready to plan and has no briefing."},
	{"route-missing", e, aPosition, routeMissing, "The phase is being executed and has no route."},
	{"phase-files-missing", w, aPosition, phaseFilesMissing, "Nothing under phases/ backs the status."},
	{"empty-phase-document", w, 0, emptyPhaseDocument, "A document of a phase has no word."},
	{"phase-directory-forked", w, 0, phaseForked, "Two directories or files have the number of one phase."},
	{"logbook-missing", w, aPosition, logbookMissing, "A phase is called complete and has no logbook, where others have one."},
	{"logbook-without-completion", w, aPosition, logbookEarly, "A phase has a logbook and is not called complete."},
	{"next-task-already-done", e, aPosition, nextTaskDone, "The next task is completed already."},
	{"next-task-elsewhere", w, aPosition, nextTaskElsewhere, "The next task is not of the phase that the position names."},
	{"waypoint-not-migrated", w, aPosition, notMigrated, "The position is kept in an old file that no current command reads."},
	{"waypoint-left-behind", w, 0, waypointLeftBehind, "waypoint.md was migrated and not archived."},
	{"mojibake-text", i, 0, mojibakeText, "Text was decoded with the wrong encoding."},

	{"holding-pattern-empty", e, 0, handIsEmpty, "An empty hand-off is read before everything else."},
	{"holding-pattern-without-position", w, aHand, handWithoutPosition, "The hand-off does not say which task it is for."},
	{"holding-pattern-out-of-range", e, aHand, handOutOfRange, "The hand-off is for a task, plan or phase that there is not."},
	{"holding-pattern-elsewhere", e, aPosition | aHand, handElsewhere, "The hand-off is ahead of the position."},
	{"stale-holding-pattern", e, aHand, handStaleRule, "The hand-off is for what is over: a resume would do it again."},
	{"status-denies-holding-pattern", e, aPosition | aHand, statusDeniesHand, "There is a hand-off, and the status says that nothing was begun."},
	{"holding-pattern-unreferenced", w, aPosition | aHand, handUnreferenced, "Resume file does not name the hand-off."},
	{"completed-task-mismatch", e, aHand, taskMismatch, "The current task is done, an earlier one is not, or one has two statuses."},
	{"finished-task-remaining", e, aHand, finishedRemaining, "A task is done and remaining."},
	{"task-unaccounted", w, aHand, taskUnaccounted, "A task is neither done nor remaining and would be forgotten."},
	{"completed-task-without-commit", i, aHand, taskWithoutCommit, "A done task has no commit to verify it by."},
	{"holding-pattern-without-next-action", w, aHand, handWithoutNext, "The hand-off names no first step."},
	{"threshold-level-mismatch", w, levels, levelMismatch, "A recorded level is not that of its value."},
	{"threshold-level-unfounded", w, levels, levelUnfounded, "A recorded level is unknown or has no value."},
	{"threshold-value-forked", w, levels, valueForked, "A value is recorded under two keys with different numbers."},
	{"stop-level-standing", i, levels, stopStanding, "A stop level stands: the next session cannot start."},
	{"alert-unacknowledged", i, levels | acks, alertUnacknowledged, "An alert is not acknowledged: the next session will pause."},
	{"threshold-row-contradiction", w, aPosition, rowContradiction, "A row of the thresholds contradicts itself."},
	{"thresholds-table-mismatch", w, aPosition | levels, tableMismatch, "The table of thresholds differs from thresholds.json."},
	{"timestamp-malformed", w, 0, timestampMalformed, "A time in the state cannot be compared."},
	{"acknowledgment-outlived-reset", w, acks, ackOutlived, "An acknowledgment is from before the last reset and no longer counts."},
	{"reset-half-applied", e, acks, resetHalf, "An acknowledgment was reset and still counts."},
	{"history-out-of-order", w, acks, historyOrder, "An acknowledgment was reset before it was made."},
	{"ack-mark-without-acknowledgment", e, aPosition | acks, markWithoutAck, "The position file calls a type acknowledged, and it is not."},
	{"acknowledgment-unmarked", i, aPosition | acks, ackUnmarked, "An acknowledged alert is not marked in the position file."},
	{"acknowledged-alert-mismatch", w, aPosition | acks, ackMismatch, "An acknowledged alert is listed with another value or time."},
	{"trigger-count-without-time", w, 0, triggerUndated, "A trigger was counted and not dated, or dated and not counted."},
	{"trigger-acknowledged-without-acknowledgment", w, acks, triggerClaims, "A trigger says acknowledged, and its type is not."},

	{"position-went-back", e, twoPositions, positionWentBack, "The position went back while the status stayed."},
	{"phase-left-unfinished", w, twoPositions, phaseLeft, "A phase was left that has no logbook, where others have one."},
	{"updated-went-back", w, twoPositions, updatedWentBack, "The time of the update went back."},
	{"update-unstamped", i, twoPositions, unstamped, "The position changed and the time of the update did not."},
	{"progress-went-back", i, twoPositions, progressWentBack, "The progress fell."},
	{"completion-reopened", w, twoPositions, completionReopened, "A completed project goes on without a new flight plan."},
	{"holding-pattern-went-back", e, twoPositions | aHand, handWentBack, "The hand-off lost a task that was done."},
	{"holding-pattern-dropped", w, twoPositions, handDropped, "The hand-off was deleted and no resume is recorded."},
	{"holding-pattern-outlived-session", w, twoPositions | aHand, handOutlived, "A session has passed and the hand-off is unchanged."},
	{"waypoint-not-archived", w, aBase, waypointThrownAway, "waypoint.md was deleted instead of archived."},
	{"history-rewritten", e, aBase | acks, historyRewritten, "The history of acknowledgments lost or changed an entry."},
	{"reset-unrecorded", w, aBase | acks, resetUnrecorded, "Acknowledgments were reset without an entry in the history."},
	{"reset-time-went-back", e, aBase | acks, resetWentBack, "The last reset went back: void acknowledgments count again."},
	{"acknowledgment-vanished", w, aBase | acks, ackVanished, "An acknowledgment disappeared without a reset."},
	{"acknowledgment-rewritten", w, aBase | acks, ackRewritten, "An acknowledgment was backdated or has another value."},
	{"last-check-went-back", w, aBase | levels, checkWentBack, "The last check of the thresholds went back."},
	{"trigger-count-decreased", w, aBase, triggerDecreased, "The count of a trigger fell within one session."},
}

// hides pairs a rule with one that only repeats its fault: a position that cannot be right.
var hides = [...][2]string{
	{"phase-out-of-range", "briefing-missing"},
	{"phase-out-of-range", "route-missing"},
	{"phase-out-of-range", "stale-holding-pattern"},
	{"plan-out-of-range", "stale-holding-pattern"},
}

// declared lists the rules as the workflow declares them.
func declared() []*sdk.Rule {
	list := make([]*sdk.Rule, len(table))
	named := make(map[string]*sdk.Rule, len(table))
	for n := range table {
		r := &table[n]
		list[n] = &sdk.Rule{Name: r.name, Doc: r.doc, Severity: r.severity, Check: check}
		named[r.name] = list[n]
	}
	for _, h := range hides {
		named[h[0]].Hides = append(named[h[0]].Hides, named[h[1]])
	}
	return list
}

// check runs the rule of a pass.
func check(p *sdk.Pass) error {
	l := look{p: p, m: p.Model.(*model)}
	for n := range table {
		if table[n].name == p.Rule.Name {
			l.run(&table[n])
		}
	}
	return nil
}

// run looks with one rule, if what it needs is there.
func (l *look) run(r *rule) {
	m := l.m
	var lacking need
	if m.pos == nil || m.base != nil && m.base.pos == nil && r.needs&twoPositions == twoPositions {
		lacking |= aPosition
	}
	if m.verdict == handNone || m.verdict == handEmpty {
		lacking |= aHand
	}
	if m.base == nil {
		lacking |= aBase
	}
	if m.th.doc == nil {
		lacking |= levels
	}
	if m.ak.doc == nil {
		lacking |= acks
	}
	if r.needs&lacking != 0 {
		return
	}
	l.rule, l.told, l.names = r, 0, nil
	r.check(l)
	l.flush()
}
