package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// phaseWords are the words for how far a phase, a plan or a requirement is.
var phaseWords = status.Vocabulary{Own: map[string]status.Status{
	"executed": status.Done, "not_planned": status.Open, "planning": status.InProgress, "executing": status.InProgress,
	"ready_to_plan": status.Ready, "ready_to_execute": status.Ready,
}}

// stateWords end the milestone in the front matter of STATE.md. Other words are of the phase.
var stateWords = status.Vocabulary{Only: true, Own: map[string]status.Status{
	"completed": status.Done, "complete": status.Done, "milestone_complete": status.Done, "shipped": status.Done,
}}

// verdictWords are those of verifications and of the tests of a person.
var verdictWords = status.Vocabulary{Only: true, Own: map[string]status.Status{
	"passed": status.Done, "verified": status.Done, "complete": status.Done, "approved": status.Done,
	"human_needed": status.Review, "testing": status.Review, "gaps_found": status.Open, "partial": status.InProgress,
	"diagnosed": status.InProgress,
}}

// parked reports whether a phase or plan will not be executed here. Its number is the backlog's, or its line is struck
// out, or the word for it is set apart: as the name, after the first dash, or in brackets at the end, such as "Phase 2:
// Parse (deferred)" or "— merged into 4". Within a name the word is the phase's topic: "Recover dropped frames".
func parked(number, line string) bool {
	if number == "999" || strings.HasPrefix(number, "999.") || strings.Contains(line[:min(12, len(line))], "~~") ||
		strings.Contains(line, ": ~~") { // the line, or its name
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

// bracket returns the text of the brackets at the end of a line, or "".
func bracket(line string) string {
	if line = strings.TrimRight(line, " *_\r"); !strings.HasSuffix(line, ")") {
		return ""
	}
	return line[strings.LastIndexByte(line, '(')+1 : len(line)-1]
}

// givenUp reports whether a status cancels its phase or plan.
func givenUp(text string) bool { return phaseWords.Of(text) == status.Cancelled }

// claims reports whether a status calls something complete without reserve, or calls it in progress or not begun. A
// status in other words does neither.
func claims(text string) (complete, open bool) {
	switch phaseWords.Of(text) {
	case status.Done: // built but unverified work is not complete
		return !words.Mentions(text, "gap", "owed", "wait", "verif", "uat", "code", "not "), false
	case status.Open, status.Ready, status.InProgress:
		return false, true
	}
	return false, false
}
