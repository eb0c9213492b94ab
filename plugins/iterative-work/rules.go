package iterativework

import (
	"github.com/stategate/stategate/sdk"
)

// A rule is one line of the table: what it is called, when it runs, and the
// function that looks at the whole task, or at each of its phases.
type rule struct {
	name     string
	severity sdk.Severity
	flags    uint8
	all      func(*look)
	each     func(*look, *phase)
	doc      string
}

// When a rule runs.
const (
	archive  uint8 = 1 << iota // in the archive, too
	onBase                     // with an earlier revision, also in the archive
	ofState                    // with a state that could be read
	sureLog                    // if all that progress.md holds is known
	withLog                    // with a progress.md that could be read
	surePlan                   // if all that the plan holds is known
	fixed                      // no remedy changes what it finds
)

const (
	isError   = sdk.Error
	isWarning = sdk.Warning
	isInfo    = sdk.Info
)

// rules is the table; it is filled later since its functions try them all.
var rules []rule

func init() { rules = table[:] }

var table = [...]rule{
	{"state-missing", isError, archive, stateMissing, nil, "A task has no state.json. While there is neither a plan nor a log, a warning: brief.md is written first."},
	{"unknown-task-phase", isError, archive | ofState, unknownTaskPhase, nil, "The phase of the task is none of discover, plan, execute, verify, deliver, complete."},
	{"noncanonical-value", isWarning, archive | ofState, noncanonicalValue, nil, "A phase or status is known only without regard to case and hyphens."},
	{"unknown-phase-status", isError, archive | ofState, nil, unknownPhaseStatus, "The status of a phase is none of the seven; other rules then read none."},
	{"slug-mismatch", isWarning, archive | ofState, slugMismatch, nil, "The slug is not the name of the directory."},
	{"updated-before-created", isError, archive | ofState, updatedBeforeCreated, nil, "The state was updated before it was created."},
	{"timestamp-malformed", isWarning, archive | ofState, timestampMalformed, nil, "A time cannot be read."},
	{"timestamp-in-future", isWarning, archive | ofState, timestampInFuture, nil, "A time lies more than five minutes ahead."},
	{"early-form-outgrown", isInfo, archive | ofState | withLog, earlyFormOutgrown, nil, "state.json is still the early form although the log has work on several phases."},
	{"current-missing", isWarning, archive | ofState, currentMissing, nil, "A task is executed and no phase is the current one."},
	{"unknown-current-phase", isError, archive | ofState | surePlan, unknownCurrentPhase, nil, "The current phase is neither in the state nor in the plan."},
	{"current-phase-done", isWarning, archive | ofState, currentPhaseDone, nil, "The current phase is done while another one is being worked on."},

	{"plan-missing", isError, ofState | surePlan, planMissing, nil, "A task is executed without a plan."},
	{"empty-plan", isError, ofState | surePlan, emptyPlan, nil, "A task is executed and the plan lists no phase."},
	{"phase-not-planned", isWarning, ofState | surePlan, phaseNotPlanned, nil, "The state has a phase that the plan lacks."},
	{"planned-phase-untracked", isWarning, ofState, nil, plannedPhaseUntracked, "The plan has a phase that the state lacks."},
	{"duplicate-plan-item", isError, 0, duplicatePlanItem, nil, "A document of the plan lists an id twice."},
	{"total-mismatch", isWarning, surePlan, totalMismatch, nil, "The total of the plan is not the number of its phases."},
	{"unknown-dependency", isError, surePlan, nil, unknownDependency, "A phase depends on one that is neither in the plan nor in the state."},
	{"dependency-cycle", isError, surePlan, dependencyCycle, nil, "Phases need each other."},
	{"started-before-dependency", isError, ofState | surePlan | sureLog, nil, startedBeforeDependency, "A phase has begun before one that it needs is done. A warning if that one is blocked."},
	{"two-phases-in-progress", isWarning, ofState, nil, twoPhasesInProgress, "Two phases are being worked on of which one needs the other."},
	{"max-iterations-mismatch", isWarning, ofState, nil, maxIterationsMismatch, "The state allows fewer iterations than the plan."},
	{"box-not-ticked", isWarning, ofState, nil, boxNotTicked, "A phase is done and its box in the plan is empty."},
	{"box-ticked-early", isError, ofState | sureLog, nil, boxTickedEarly, "A box in the plan is ticked and the phase is not done. A warning while it is verified."},
	{"weak-plan-item", isInfo, 0, nil, weakPlanItem, "A phase of the plan has no criteria, no output or no maximum of iterations."},
	{"too-many-phases-in-one-plan", isInfo, 0, tooManyPhases, nil, "A plan has more than six phases or forty iterations and is not split into parts."},

	{"iterations-over-max", isError, ofState | sureLog, nil, iterationsOverMax, "A phase used more iterations than it may."},
	{"timeout-below-max", isWarning, ofState, nil, timeoutBelowMax, "A phase timed out before its maximum of iterations."},
	{"max-reached-still-working", isWarning, ofState | withLog, nil, maxReached, "A phase has used all its iterations, is not done and still in progress."},
	{"done-without-confirmation", isError, ofState | sureLog, nil, doneWithoutConfirmation, "A phase is done without its N+1 confirmation."},
	{"done-without-verification", isError, ofState | sureLog, nil, doneWithoutVerification, "A phase is done and its verification did not pass. A warning after three cycles: known gaps may be accepted."},
	{"gate-unrecorded", isWarning, ofState | sureLog, nil, gateUnrecorded, "A phase is done and nothing records its confirmation or its verification."},
	{"done-without-signal", isWarning, ofState | withLog, nil, doneWithoutSignal, "A phase is done and none of its entries signals DONE."},
	{"verification-before-confirmation", isWarning, ofState | sureLog, nil, verificationFirst, "A phase is verified and was not confirmed."},
	{"completed-at-missing", isWarning, ofState, nil, completedAtMissing, "A phase is done at an unknown time."},
	{"completed-at-without-done", isWarning, ofState, nil, completedAtWithoutDone, "A phase has a time of completion and is not done."},
	{"completed-out-of-order", isWarning, ofState, nil, completedOutOfOrder, "A phase was completed before one that it needs, or outside the time of the state."},
	{"iteration-count-mismatch", isWarning, ofState | withLog, nil, iterationCount, "The iterations that the state counts are not those of the log."},
	{"current-iteration-mismatch", isWarning, ofState, currentIteration, nil, "The current iteration is neither that of the counter nor that of the log."},
	{"verification-cycles-exceeded", isWarning, 0, nil, verificationCycles, "A phase failed its verification more than three times: the user is to be asked."},

	{"progress-missing", isError, ofState | sureLog, progressMissing, nil, "A phase has begun and there is no progress.md."},
	{"phase-behind-progress", isError, ofState | withLog | surePlan, nil, phaseBehind, "The log proves more than the state says of a phase."},
	{"phase-ahead-of-progress", isError, ofState | withLog | surePlan, nil, phaseAhead, "The state says more of a phase than the log proves."},
	{"task-behind-evidence", isWarning, ofState, taskBehind, nil, "The task is two or more steps further than its state says."},
	{"task-ahead-of-evidence", isError, ofState | sureLog, taskAhead, nil, "The task is being reviewed or delivered while a phase is not done."},
	{"malformed-progress-entry", isWarning, 0, malformedEntry, nil, "The heading of an entry lacks its iteration or its time."},
	{"iteration-number-gap", isWarning, 0, numberGap, nil, "The iterations of a phase are not numbered one after the other."},
	{"duplicate-iteration", isWarning, 0, duplicateIteration, nil, "Two entries have the same phase, number and time."},
	{"progress-out-of-order", isWarning, 0, outOfOrder, nil, "An entry is older than the one before it."},
	{"entry-of-unplanned-phase", isWarning, surePlan, unplannedEntry, nil, "An entry speaks of a phase that is neither in the plan nor in the state."},
	{"entry-field-missing", isWarning, 0, entryFieldMissing, nil, "An iteration does not say what it did or what remains."},
	{"done-with-remaining", isWarning, 0, doneWithRemaining, nil, "An iteration signals DONE and has work remaining."},
	{"wrong-signal", isWarning, 0, wrongSignal, nil, "An entry signals for another phase."},
	{"unknown-signal", isInfo, 0, unknownSignal, nil, "An entry has a signal that the workflow does not know."},
	{"blocker-not-tracked", isWarning, ofState | withLog, nil, blockerNotTracked, "The log says that a phase is blocked and the state does not."},
	{"blocked-without-reason", isWarning, ofState | sureLog, nil, blockedWithoutReason, "A phase is blocked and nothing says why."},
	{"context-missing", isWarning, ofState, contextMissing, nil, "A task is executed without context.md."},
	{"context-too-long", isWarning, 0, contextTooLong, nil, "context.md has 200 words or more; it is read in every iteration."},
	{"brief-incomplete", isWarning, ofState, briefIncomplete, nil, "The brief lacks its outcome or its criteria."},
	{"malformed-guardrail", isWarning, 0, malformedGuardrail, nil, "A lesson has neither a problem nor a solution."},
	{"missing-output", isError, ofState, nil, missingOutput, "A phase is done and an output of it does not exist. A warning where no output exists at all."},
	{"empty-output", isWarning, ofState, nil, emptyOutput, "A phase is done and an output of it is empty."},
	{"archived-not-complete", isError, archive | ofState, archivedNotComplete, nil, "A task in the archive is not complete. A warning if it was delivered."},
	{"complete-not-archived", isWarning, ofState, completeNotArchived, nil, "A task is complete and not in the archive."},
	{"unfilled-placeholder", isWarning, ofState, unfilledPlaceholder, nil, "A document still has a placeholder of its template."},

	{"progress-rewritten", isError, onBase | fixed | sureLog, progressRewritten, nil, "The log is append-only, and earlier text of it changed."},
	{"guardrail-removed", isError, onBase | fixed, guardrailRemoved, nil, "A lesson is gone. A warning if it was shortened."},
	{"confirmation-skipped", isError, onBase | ofState | sureLog, nil, confirmationSkipped, "A phase moved past its N+1 confirmation."},
	{"verification-skipped", isError, onBase | ofState | sureLog, nil, verificationSkipped, "A phase moved past its verification."},
	{"done-phase-reopened", isError, onBase | ofState | sureLog, nil, donePhaseReopened, "A done phase goes on without a failed review, a revision or gaps."},
	{"iterations-decreased", isError, onBase | ofState | surePlan, nil, iterationsDecreased, "A counter went down."},
	{"created-changed", isError, onBase | ofState, createdChanged, nil, "The time of creation changed."},
	{"updated-not-advanced", isWarning, onBase | ofState, updatedNotAdvanced, nil, "The state changed and its time of update did not move on."},
	{"illegal-status-move", isWarning, onBase | ofState | withLog, nil, illegalMove, "A phase with entries in the log is pending again."},
	{"task-left-complete", isError, onBase | ofState, taskLeftComplete, nil, "A complete task goes on; a new task is a new directory."},
	{"max-lowered-below-used", isWarning, onBase | ofState, nil, maxLowered, "The maximum of iterations was lowered below those used."},
	{"planned-phase-dropped", isWarning, onBase | surePlan, phaseDropped, nil, "A phase with entries in the log is gone from the plan."},
	{"done-box-unticked", isWarning, onBase | ofState, nil, boxUnticked, "The box of a done phase was unticked."},
}

// declared lists the rules as the workflow declares them.
func declared() []*sdk.Rule {
	list := make([]*sdk.Rule, len(table))
	for n := range table {
		r := &table[n]
		list[n] = &sdk.Rule{Name: r.name, Doc: r.doc, Severity: r.severity, Check: check}
	}
	return list
}

// check runs the rule of a pass.
func check(p *sdk.Pass) error {
	l := look{p: p, m: modelOf(p)}
	for n := range rules {
		if rules[n].name == p.Rule.Name {
			l.run(&rules[n])
		}
	}
	return nil
}

// run looks with one rule, if its conditions hold.
func (l *look) run(r *rule) {
	m := l.m
	var lacking uint8
	if !m.state.ok {
		lacking |= ofState
	}
	if !m.logSeen {
		lacking |= sureLog
	}
	if !m.log.seen {
		lacking |= withLog
	}
	if !m.planSeen {
		lacking |= surePlan
	}
	if m.base == nil {
		lacking |= onBase
	}
	if r.flags&lacking != 0 || m.archived && r.flags&(archive|onBase) == 0 {
		return
	}
	l.rule, l.told = r, 0
	if r.all != nil {
		r.all(l)
	} else {
		for _, ph := range m.phases {
			r.each(l, ph)
		}
	}
	l.flush()
}
