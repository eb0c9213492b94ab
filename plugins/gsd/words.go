package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// phaseWords are the words for the status of a phase, plan or requirement.
var phaseWords = status.Vocabulary{Own: map[string]status.Status{
	"executed": status.Done, "not_planned": status.Open, "planning": status.InProgress, "executing": status.InProgress,
	"ready_to_plan": status.Ready, "ready_to_execute": status.Ready,
}}

// stateWords are the words in STATE.md's front matter that mark the milestone complete. Other words describe the phase.
var stateWords = status.Vocabulary{Only: true, Own: map[string]status.Status{
	"completed": status.Done, "complete": status.Done, "milestone_complete": status.Done, "shipped": status.Done,
}}

// verdictWords are the statuses of verifications and UAT files.
var verdictWords = status.Vocabulary{Only: true, Own: map[string]status.Status{
	"passed": status.Done, "verified": status.Done, "complete": status.Done, "approved": status.Done,
	"resolved":     status.Done,
	"human_needed": status.Review, "testing": status.Review, "gaps_found": status.Open, "partial": status.InProgress,
	"diagnosed": status.InProgress,
}}

// parked reports whether a phase or plan will not be executed in this project: its number belongs to the backlog, its
// line is struck out, or a word such as "deferred" is set apart. The word may be the whole name, follow the first dash,
// or be in brackets at the end: "Phase 2: Parse (deferred)", "— merged into 4". Within a name, such a word is the
// topic: "Recover dropped frames".
func parked(number, line string) bool {
	if backlog(number) || strings.Contains(line[:min(12, len(line))], "~~") ||
		strings.Contains(line, ": ~~") { // the line or its name is struck out
		return true
	}
	name, behind := line, ""
	for _, dash := range [...]string{" - ", " — ", " – "} {
		if before, after, ok := strings.Cut(line, dash); ok && len(before) < len(name) {
			name, behind = before, after
		}
	}
	return status.GivenUp(name) || givenUp(behind) || givenUp(bracket(line)) || givenUp(bracket(name)) ||
		words.Alike(bracket(name), "backlog")
}

// backlog reports whether a number belongs to the backlog: 999, 999.1.
func backlog(number string) bool { return number == "999" || strings.HasPrefix(number, "999.") }

// bracket returns the text in the brackets at the end of a line, or "".
func bracket(line string) string {
	if line = strings.TrimRight(line, " *_\r"); !strings.HasSuffix(line, ")") {
		return ""
	}
	return line[strings.LastIndexByte(line, '(')+1 : len(line)-1]
}

// givenUp reports whether a status cancels its phase or plan.
func givenUp(text string) bool { return phaseWords.Of(text) == status.Cancelled }

// claims classifies a status: complete means complete without reservations, and open means in progress or not begun.
// Both are false for other statuses.
func claims(text string) (complete, open bool) {
	switch phaseWords.Of(text) {
	case status.Done: // built but unverified work is not complete
		return !words.Mentions(text, "gap", "owed", "wait", "verif", "uat", "code", "not "), false
	case status.Open, status.Ready, status.InProgress:
		return false, true
	}
	return false, false
}
