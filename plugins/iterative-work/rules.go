package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
)

// A rule is one line of the table. It is data alone: a table that is made when a guest starts would
// make the guest 60 kB larger.
type rule struct {
	name     string
	severity sdk.Severity
	needs    check.Needs
	find     any // checks the whole task, each phase that meets the needs, or each entry of the log
	doc      string
	hides    string // names of rules, joined by blanks
	replaces string // former names, likewise
	advice   string // the title of a manual remedy with the fix as its step, for findings that offer nothing else
	fix      string
}

// A group is a number of rules with why they matter.
type group struct {
	name, why string
	rules     []rule
}

var groups = [...]group{
	{"state", "The main session resumes from state.json: it believes what is written there.", []rule{
		{"state-missing", sdk.Error, 0, stateMissing, "A task has no state.json. While there is neither a plan nor a log, a warning: brief.md is written first.", "", "", "", ""},
		{"unknown-task-phase", sdk.Error, ofState, unknownTaskPhase, "The phase of the task is not discover, plan, execute, verify, deliver or complete.", "", "", "", ""},
		{"unknown-phase-status", sdk.Error, ofState, unknownPhaseStatus, "The status of a phase is not one of the seven; other rules then read none.", "", "", "", ""},
		{"noncanonical-value", sdk.Warning, ofState, func(r *check.Report, m *model) { m.state.Noncanonical(r) }, "A phase or status is clear and written in another way than the workflow has it.", "", "", "", ""},
		{"missing-field", sdk.Warning, live | ofState, missingField, "The state has no task, slug, created or updated, or a phase in it no status, max_iterations or count of its iterations. Early forms have no phases and need none of them.", "", "", "Set a limit", "Set max_iterations of the phase in state.json, and in the plan."},
		{"slug-mismatch", sdk.Warning, ofState, slugMismatch, "The slug is not the name of the directory. In the archive a date may stand before it.", "", "", "", ""},
		{"unknown-domain", sdk.Warning, ofState, unknownDomain, "The domain is not research, writing, analysis or planning.", "", "", "Name the domain", "Set domain to what the task is: research, writing, analysis or planning."},
		{"domain-mismatch", sdk.Warning, live | ofState, domainMismatch, "The state names another domain than brief or plan.", "", "", "Make them agree", "Ask the user which domain is right."},
		{"timestamp-malformed", sdk.Error, ofState, func(r *check.Report, m *model) { m.state.Malformed(r) }, "A time cannot be read.", "", "", "", ""},
		{"timestamp-in-future", sdk.Warning, ofState, func(r *check.Report, m *model) { m.state.InFuture(r, 5*instant.Minute) }, "A time is more than five minutes ahead.", "", "", "", ""},
		{"updated-before-created", sdk.Error, ofState, func(r *check.Report, m *model) { m.state.OutOfOrder(r, "/updated") }, "The state was updated before it was created.", "", "", "", ""},
		{"early-form-outgrown", sdk.Error, ofState, earlyFormOutgrown, "state.json has no phases although the base has them. A warning where the log alone has work on several; an info while it is the early form, which has no slug either.", "", "", "", ""},
		{"current-missing", sdk.Warning, ofState | ofPhases | executing, currentMissing, "A task is executed and no phase is the current one.", "", "", "", ""},
		{"unknown-current-phase", sdk.Error, ofState | surePlan, unknownCurrentPhase, "The current phase is neither in the state nor in the plan.", "", "", "", ""},
		{"current-phase-mismatch", sdk.Warning, ofState | executing, currentMismatch, "The current phase is done, or has not begun, while another one is being worked on.", "", "current-phase-done", "", ""},
	}},
	{"plan", "Each iteration takes its phase, criteria and limit from the plan.", []rule{
		{"plan-missing", sdk.Error, live | ofState | surePlan | executed, planMissing, "A task is executed without a plan.", "", "", "Write the plan", "Write plan.md, or set the phase of the task back."},
		{"empty-plan", sdk.Error, live | ofState | surePlan | executed, emptyPlan, "A task is executed and the plan lists no phase.", "", "", "List the phases", "Add an item like - [ ] **R1**: title for every phase."},
		{"unreadable-plan", sdk.Error, live, unreadablePlan, "The plan has a text in which no phase can be read. A warning, unless the base had phases in it.", "", "", "Write the phases in this form", "Write an item like - [ ] **R1**: title for every phase."},
		{"phase-not-planned", sdk.Warning, live | ofState | surePlan | withPlan, phaseNotPlanned, "The state has a phase that the plan lacks.", "", "", "Plan it or drop it", "Add the phase to the plan, or remove it from state.json."},
		{"planned-phase-untracked", sdk.Error, live | ofState | ofPhases | ofPlan, plannedPhaseUntracked, "The state lost a phase that the plan has. A warning where the base has it not either.", "", "", "", ""},
		{"duplicate-plan-item", sdk.Error, live, duplicatePlanItem, "A document of the plan lists an id twice.", "", "", "Give it another id", "Renumber this item, or merge it with the first."},
		{"total-mismatch", sdk.Error, live | surePlan, totalMismatch, "The total of the plan is not the number of its phases. A warning unless state.json, or the log and the base, have the missing ones: then the plan was cut short.", "", "", "Settle which phases there are", "Bring back the items that are missing, or make Total and state.json agree with the plan."},
		{"unknown-dependency", sdk.Error, live | surePlan | sureState | withPlan, unknownDependency, "A phase depends on one, or precedes one, that is neither in the plan nor in the state.", "", "", "Correct the dependency", "Name a phase of the plan, or add the one that is meant."},
		{"dependency-cycle", sdk.Error, live | surePlan, dependencyCycle, "Phases need each other.", "", "", "Break the circle", "Take one of these dependencies out of the plan."},
		{"started-before-dependency", sdk.Error, live | ofState | surePlan | sureLog, startedBeforeDependency, "A phase has begun before one that it needs is done. A warning if the plan does not say in which order its phases are done.", "", "", "Settle the order", "Finish what the phase needs first, or take the dependency out of the plan."},
		{"two-phases-in-progress", sdk.Warning, live | ofState, twoPhasesInProgress, "Two phases are being worked on of which one needs the other.", "", "", "Work on one of them", "Finish the phase first that the other one needs."},
		{"max-iterations-mismatch", sdk.Warning, live | ofState | ofPlan | tracked, maxIterationsMismatch, "The state allows fewer iterations than the plan.", "", "", "", ""},
		{"box-not-ticked", sdk.Warning, live | ofState | ofPlan | claimsDone, boxNotTicked, "A phase is done and its box in the plan is empty.", "", "", "", ""},
		{"box-ticked-early", sdk.Error, live | ofState | sureLog | ofPlan, boxTickedEarly, "A box in the plan is ticked and the phase is not done. A warning while it is verified.", "", "", "", ""},
		{"weak-plan-item", sdk.Warning, live | ofPlan, weakPlanItem, "The maximum of iterations of a phase is not a number, or its output is outside of the repository. An info if it has no criteria, no output or no maximum.", "", "", "Say what it takes", "Write criteria, an output below the directory of the task such as outputs/report.md, and a number of Max iterations below the item."},
		{"too-many-phases-in-one-plan", sdk.Info, live, tooManyPhases, "A plan has more than six phases or forty iterations and is not split into parts.", "", "", "Split the plan", "Move later phases into plan-part2.md."},
	}},
	{"gates", "A phase is done when its work was declared done, confirmed once more with a fresh context, and verified.", []rule{
		{"iterations-over-max", sdk.Error, live | ofState | sureLog, iterationsOverMax, "A phase used more iterations than it may.", "iteration-count-mismatch", "", "", ""},
		{"timeout-below-max", sdk.Warning, live | ofState, timeoutBelowMax, "A phase timed out before its maximum of iterations.", "", "", "", ""},
		{"timeout-not-logged", sdk.Warning, live | ofState | withLog, timeoutNotLogged, "A phase timed out, and progress.md does not say what was attempted.", "", "", "Log the timeout", "Append an entry like ## R1 - Timeout - 2026-01-16T10:00:00Z to progress.md, with what was attempted."},
		{"max-reached-still-working", sdk.Warning, live | ofState | withLog, maxReached, "A phase has used all its iterations, is not done and still in progress.", "", "", "", ""},
		{"done-without-confirmation", sdk.Error, live | ofState | sureLog, doneWithoutConfirmation, "A phase is verifying or done without its N+1 confirmation. A warning if the log has it and the state counts none.", "", "", "", ""},
		{"done-without-verification", sdk.Error, live | ofState | sureLog | claimsDone, doneWithoutVerification, "A phase is done and its verification did not pass. A warning after three cycles, when known gaps may be accepted, and if the log says that it passed.", "", "", "", ""},
		{"gate-unrecorded", sdk.Warning, live | ofState | sureLog, gateUnrecorded, "A phase is past a gate and nothing records it.", "", "", "Record the gates", "Set confirmations_used and verification_passed of the phase to what happened."},
		{"done-without-signal", sdk.Warning, live | ofState | withLog | claimsDone, doneWithoutSignal, "A phase is done and none of its entries signals DONE.", "", "", "Write what happened", "Append the missing entry to progress.md, or set the status back."},
		{"gate-recorded-early", sdk.Error, live | ofState | sureLog, gateEarly, "A phase is recorded as confirmed or verified before it can be. A warning unless its last verification found gaps.", "", "verification-before-confirmation", "", ""},
		{"completed-at-missing", sdk.Warning, live | ofState | claimsDone, completedAtMissing, "A phase is done at an unknown time.", "", "", "", ""},
		{"completed-at-without-done", sdk.Warning, live | ofState, completedAtWithoutDone, "A phase has a time of completion and is not done.", "", "", "", ""},
		{"completed-out-of-order", sdk.Warning, live | ofState, completedOutOfOrder, "A phase was completed before one that it needs, before its work was declared done, or outside the time of the state.", "", "", "Correct the time", "Correct completed_at of the phase."},
		{"iteration-count-mismatch", sdk.Warning, live | ofState | withLog, iterationCount, "The iterations or confirmations that the state counts are not those of the log.", "", "", "", ""},
		{"current-iteration-mismatch", sdk.Warning, live | ofState | executing, currentIteration, "The current iteration is neither that of the counter nor that of the log.", "", "", "", ""},
		{"verification-cycles-exceeded", sdk.Warning, live, verificationCycles, "A phase failed its verification more than three times: the user is to be asked.", "", "", "Ask the user", "Ask whether to go on, to simplify the criteria, or to accept the phase with known gaps."},
	}},
	{"progress", "progress.md is the truth for what was done; what contradicts it is not.", []rule{
		{"progress-missing", sdk.Error, live | ofState | sureLog, progressMissing, "A phase has begun and there is no progress.md.", "", "", "", ""},
		{"unreadable-progress", sdk.Warning, live, unreadableProgress, "progress.md has a text that seems to be an entry and cannot be read as one.", "", "", "Write it in this form", "Append an entry with such a heading; the log is append-only."},
		{"phase-behind-progress", sdk.Error, live | ofState | withLog | surePlan, phaseBehind, "The log proves more than the state says of a phase. A warning if it has one entry of a pending one.", "box-ticked-early", "", "", ""},
		{"phase-ahead-of-progress", sdk.Error, live | ofState | withLog | surePlan, phaseAhead, "The state says more of a phase than the log proves. A warning if only the last entry of a done phase leaves work.", "done-without-confirmation done-without-verification gate-unrecorded completed-at-missing box-not-ticked missing-output", "", "", ""},
		{"task-behind-evidence", sdk.Warning, live | ofState, taskBehind, "The task is two or more steps further than its state says, or its phases have begun while it is being planned.", "", "", "", ""},
		{"task-ahead-of-evidence", sdk.Error, live | ofState | sureLog, taskAhead, "The task is being reviewed or delivered while a phase is not done.", "", "", "Review it again", "Mend what the review found and append another Review entry, or set the phase back to verify."},
		{"malformed-progress-entry", sdk.Warning, live, malformedEntry, "The heading of an entry lacks its iteration or its time.", "", "", "Complete the heading", "Add what is missing to the heading."},
		{"iteration-number-gap", sdk.Warning, live, numberGap, "The iterations of a phase are not numbered one after the other.", "", "", "", ""},
		{"duplicate-iteration", sdk.Warning, live, duplicateIteration, "Two entries have the same phase, number and time.", "", "", "Number the iterations", "If it is another iteration, append it again with its own number and time."},
		{"progress-out-of-order", sdk.Warning, live, outOfOrder, "An entry is older than the one before it or than the task, or in the future.", "", "", "Correct the time", "Check the clock of the machine that wrote it, correct created in state.json, or append an entry with the right time."},
		{"entry-of-unplanned-phase", sdk.Warning, live | surePlan | sureState | withPlan, unplannedEntry, "An entry is of a phase that is neither in the plan nor in the state.", "", "", "Plan it", "Name a phase of the plan, or add this one to the plan and to state.json."},
		{"entry-field-missing", sdk.Warning, live, entryFieldMissing, "An iteration does not say what it did or what remains. Of empty fields only those of the last iteration count.", "", "", "Add what is missing", "Write it in the next entry; the log is append-only."},
		{"done-with-remaining", sdk.Warning, live, doneWithRemaining, "An iteration signals DONE and has work remaining.", "", "", "Settle it", "Append an entry that says whether the work is done."},
		{"wrong-signal", sdk.Warning, live, wrongSignal, "An entry signals for another phase.", "", "", "Signal for the right phase", "Append an entry of the phase that is meant."},
		{"unknown-signal", sdk.Info, live, unknownSignal, "An entry has a signal that the workflow does not know.", "", "", "", ""},
		{"blocker-not-tracked", sdk.Warning, live | ofState | withLog, blockerNotTracked, "The log says that a phase is blocked and the state does not.", "", "", "", ""},
		{"blocked-without-reason", sdk.Warning, live | ofState | sureLog, blockedWithoutReason, "A phase is blocked and nothing says why.", "", "", "Say what blocks it", "Append an entry with the blocker to progress.md, and to guardrails.md if it is a pattern."},
	}},
	{"documents", "An iteration has a fresh context: it knows what the documents tell it.", []rule{
		{"context-missing", sdk.Warning, live | ofState | executed, contextMissing, "A task is executed and context.md is missing, is empty or does not name the goal.", "", "", "Write context.md", "Write the goal, and what an iteration must know, in less than 200 words."},
		{"context-too-long", sdk.Warning, live, contextTooLong, "context.md has 200 words or more; it is read in every iteration.", "", "", "Shorten it", "Keep what every iteration needs; move the rest to plan.md or guardrails.md."},
		{"guardrails-missing", sdk.Warning, live | ofState | executing | ofPhases, guardrailsMissing, "A task is executed without guardrails.md although an iteration met a problem.", "", "", "", ""},
		{"brief-incomplete", sdk.Warning, live | ofState, briefIncomplete, "The brief lacks its outcome or its criteria.", "", "", "Complete the brief", "Write into brief.md what the user wants (Outcome) and when it is done (Done When)."},
		{"malformed-guardrail", sdk.Warning, live, malformedGuardrail, "A lesson says nothing, or lacks a field that its form has.", "", "", "Complete the lesson", "Write when it applies (Context), what went wrong (Problem), how to avoid it (Solution) and in which iteration of which phase it was learned (Learned)."},
		{"missing-output", sdk.Error, live | ofState | ofPlan | claimsDone, missingOutput, "A phase is done and an output of it does not exist. A warning where no output exists at all, nor did in the base.", "", "", "Restore the output", "Restore it, name in the plan the path under which it is, or append a Revise entry to progress.md and set the phase to in_progress."},
		{"empty-output", sdk.Warning, live | ofState | ofPlan | claimsDone, emptyOutput, "A phase is done and an output of it is empty.", "", "", "Write the output", "Write the output, or set the phase back."},
		{"archived-not-complete", sdk.Error, ofState, archivedNotComplete, "A task in the archive is not complete. A warning if it was delivered.", "", "", "", ""},
		{"complete-not-archived", sdk.Warning, live | ofState, completeNotArchived, "A task is complete and not in the archive.", "", "", "Archive the task", "Move the directory to .iterative-work/archive."},
		{"unfilled-placeholder", sdk.Warning, live | ofState | executed, unfilledPlaceholder, "A document still has a placeholder of its template.", "", "", "Fill it in", "Write what it stands for."},
	}},
	{"history", "What was written down is not changed afterwards, and no gate is skipped between two commits.", []rule{
		{"progress-rewritten", sdk.Error, onBase, progressRewritten, "The log is append-only, and an earlier entry of it changed or is gone.", "unreadable-progress", "", "Restore the log", "Put the text of the earlier revision back and append what is new."},
		{"guardrail-removed", sdk.Error, onBase, guardrailRemoved, "A lesson is gone. A warning if it was changed.", "", "", "Put the lesson back", "Add the lesson to guardrails.md again."},
		{"confirmation-skipped", sdk.Error, onBase | ofState | sureLog | trackedBefore, confirmationSkipped, "A phase moved past its N+1 confirmation.", "phase-ahead-of-progress done-without-confirmation gate-unrecorded", "", "", ""},
		{"verification-skipped", sdk.Error, onBase | ofState | sureLog | trackedBefore | claimsDone, verificationSkipped, "A phase moved past its verification.", "gate-unrecorded done-without-verification", "", "", ""},
		{"review-skipped", sdk.Warning, onBase | ofState | withLog, reviewSkipped, "A task went from execute to deliver without the review of the whole.", "", "", "", ""},
		{"done-phase-reopened", sdk.Error, onBase | ofState | sureLog | trackedBefore, donePhaseReopened, "A done phase goes on without a failed review, a revision or gaps.", "phase-behind-progress two-phases-in-progress box-ticked-early gate-recorded-early", "", "", ""},
		{"iterations-decreased", sdk.Error, onBase | ofState | surePlan, iterationsDecreased, "A counter went down.", "", "", "", ""},
		{"created-changed", sdk.Error, onBase | ofState, createdChanged, "The time of creation changed.", "", "", "", ""},
		{"completed-at-changed", sdk.Error, onBase | ofState | sureLog, completedAtChanged, "The time of completion of a done phase changed.", "", "", "", ""},
		{"domain-changed", sdk.Warning, onBase | ofState, domainChanged, "The domain of the task changed.", "", "", "", ""},
		{"updated-not-advanced", sdk.Warning, onBase | ofState, func(r *check.Report, m *model) { m.state.NotAdvanced(r, m.base.state) }, "The state changed and its time of update did not move on.", "", "", "", ""},
		{"illegal-status-move", sdk.Warning, onBase | ofState | withLog | trackedBefore, illegalMove, "A phase with entries in the log is pending again, or went where its status cannot go without an entry.", "", "", "", ""},
		{"task-left-complete", sdk.Error, onBase | ofState, taskLeftComplete, "A complete task goes on; a new task is a new directory.", "", "", "", ""},
		{"max-lowered-below-used", sdk.Warning, onBase | ofState | trackedBefore, maxLowered, "The maximum of iterations was lowered below those used.", "", "", "", ""},
		{"planned-phase-dropped", sdk.Warning, onBase | surePlan, phaseDropped, "A phase with entries in the log is gone from the plan.", "", "", "", ""},
		{"done-box-unticked", sdk.Warning, onBase | ofState | ofPlan | claimsDone, boxUnticked, "The box of a done phase was unticked.", "", "", "", ""},
	}},
}

// rows makes the table of the sdk.
func rows() []check.Rule[*model] {
	var list []check.Rule[*model]
	for i := range groups {
		for j := range groups[i].rules {
			r := &groups[i].rules[j]
			list = append(list, check.Rule[*model]{
				Name: r.name, Group: groups[i].name, Severity: r.severity, Needs: r.needs & onTask, Doc: r.doc, Why: groups[i].why,
				Hides: strings.Fields(r.hides), Replaces: strings.Fields(r.replaces), Advice: r.advice, Fix: r.fix, Find: r.run,
			})
		}
	}
	return list
}

func (r *rule) run(report *check.Report, m *model) {
	switch find := r.find.(type) {
	case func(*check.Report, *model):
		find(report, m)
	case func(*check.Report, *model, *phase):
		for _, ph := range m.phases {
			if r.needs&^m.holdsFor(ph) == 0 {
				find(report, m, ph)
			}
		}
	case func(*check.Report, *model, *entry):
		for _, e := range m.log.entries {
			find(report, m, e)
		}
	}
}
