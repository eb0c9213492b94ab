package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A status is the value in the position file: a phase of the lifecycle by its number, or one of two states that are
// not phases.
type status uint8

const (
	unknown status = iota
	readyToDiscuss
	readyToPlan
	readyToExecute
	inProgress
	phaseComplete
	projectComplete
	blocked
	abandoned
)

var flight = &sdk.Lifecycle{
	Name: "flight",
	Doc:  "One project, which flies the phases of its flight plan one after another.",
	Phases: []*sdk.Phase{
		{Name: "ready-to-discuss", Number: 1, Title: "Ready to discuss",
			Doc: "the phase is defined but has no briefing"},
		{Name: "ready-to-plan", Number: 2, Title: "Ready to plan", Doc: "the phase has a briefing but no route"},
		{Name: "ready-to-execute", Number: 3, Title: "Ready to execute",
			Doc: "the phase has a route, but no task is done"},
		{Name: "in-progress", Number: 4, Title: "In progress", Doc: "tasks are done or under way"},
		{Name: "phase-complete", Number: 5, Title: "Phase complete",
			Doc: "all of the phase's plans are done, and its logbook is written"},
		{Name: "project-complete", Number: 6, Title: "Project complete", Doc: "every phase is done"},
	},
	Transitions: []sdk.Transition{
		{From: "ready-to-discuss", To: "ready-to-plan"},
		{From: "ready-to-discuss", To: "ready-to-execute", Doc: "without a briefing"},
		{From: "ready-to-plan", To: "ready-to-execute"},
		{From: "ready-to-execute", To: "in-progress"},
		{From: "in-progress", To: "phase-complete"},
		{From: "in-progress", To: "ready-to-execute", Doc: "the next plan"},
		{From: "in-progress", To: "ready-to-plan", Doc: "planned again"},
		{From: "in-progress", To: "project-complete"},
		{From: "phase-complete", To: "ready-to-discuss", Doc: "the next phase"},
		{From: "phase-complete", To: "ready-to-plan", Doc: "the next phase"},
		{From: "phase-complete", To: "ready-to-execute", Doc: "the next phase"},
		{From: "phase-complete", To: "in-progress", Doc: "to close gaps"},
		{From: "phase-complete", To: "project-complete"},
		{From: "project-complete", To: "ready-to-discuss", Doc: "a new flight plan"},
		{From: "project-complete", To: "ready-to-execute", Doc: "a new flight plan"},
	},
}

// phase returns the lifecycle phase that a status stands for, or nil if there is none.
func (s status) phase() *sdk.Phase {
	if s == unknown || s > projectComplete {
		return nil
	}
	return flight.Phases[s-1]
}

// title returns the status as it is written in the position file.
func (s status) title() string {
	if p := s.phase(); p != nil {
		return p.Title
	}
	return ""
}

// unfinished reports whether work remains.
func (s status) unfinished() bool { return s != unknown && !s.closed() }

// closed reports whether alerts no longer matter, because the project is complete or abandoned.
func (s status) closed() bool { return s == projectComplete || s == abandoned }

// flying reports whether a session may be under way.
func (s status) flying() bool { return s == inProgress || s == blocked }

// complete reports whether the status marks a phase or the project as complete.
func (s status) complete() bool { return s == phaseComplete || s == projectComplete }

// completeText is the status "complete" without a noun, which may mean the phase or the project.
const completeText status = 9

// statusTexts holds the names of each status, as markdown.Name returns them.
var statusTexts = [...]string{
	readyToDiscuss:  " readytodiscuss ",
	readyToPlan:     " readytoplan ",
	readyToExecute:  " readytoexecute planned ",
	inProgress:      " inprogress executing active paused ",
	phaseComplete:   " phasecomplete ",
	projectComplete: " projectcomplete allphasescomplete flightcomplete ",
	blocked:         " blocked ",
	abandoned:       " abandoned cancelled canceled ",
	completeText:    " complete completed ",
}

// reasonTexts holds the names of each status in layout B's Reason field.
var reasonTexts = [...]string{
	inProgress: " taskcomplete taskgroupcomplete contextthreshold userinterrupt costlimit error alertstop " +
		"thresholdstop ",
	phaseComplete: " phasecomplete rollback ",
}

// statusNamed returns the status with a name in the list, or unknown.
func statusNamed(name string, list []string) status {
	for s, texts := range list {
		if name != "" && strings.Contains(texts, " "+name+" ") {
			return status(s)
		}
	}
	return unknown
}

// readStatus reads a status and returns the text that follows it.
func readStatus(text string) (s status, rest string) {
	head := text
	for i, r := range text {
		if strings.ContainsRune("([:,;", r) || dash(text[i:]) {
			head, rest = text[:i], text[i:]
			break
		}
	}
	name := markdown.Name(strings.TrimFunc(head, markdown.Symbol))
	if part, ok := strings.CutSuffix(name, "completed"); ok && part != "" { // Project completed
		name = part + "complete"
	}
	s = statusNamed(name, statusTexts[:])
	if part, ok := strings.CutSuffix(name, "complete"); ok && s == unknown { // "Wave 2 complete", "Phase 2 complete"
		if number, of := strings.CutPrefix(part, "wave"); of && integer(number) >= 0 {
			s = inProgress
		} else if number, of := strings.CutPrefix(part, "phase"); of && integer(number) >= 0 {
			s = phaseComplete
		}
	}
	return s, strings.TrimFunc(rest, markdown.Symbol)
}

// dash reports whether s starts with a dash between spaces.
func dash(s string) bool {
	return strings.HasPrefix(s, " - ") || strings.HasPrefix(s, " – ") || strings.HasPrefix(s, " — ")
}

// fitting holds the commands that fit each status, including their names before 1.0. For a complete project it holds
// the commands that do not fit. takeoff --plan-only appears here as plan-only.
var fitting = [...]string{
	readyToDiscuss:  " preflight discuss cockpit resume ",
	readyToPlan:     " plan-only flightplan cockpit resume ",
	readyToExecute:  " takeoff build cockpit resume landing loop ",
	inProgress:      " takeoff build cockpit resume landing loop ",
	projectComplete: " takeoff build plan-only cockpit resume preflight discuss ",
	abandoned:       "",
}

// contradicts reports whether a text contains commands but none that fits the status.
func contradicts(text string, s status) bool {
	commands := strings.Split(text, "/autopilot:")[1:]
	for _, c := range commands {
		verb := c[:len(c)-len(strings.TrimLeft(c, "abcdefghijklmnopqrstuvwxyz-"))]
		if (verb == "takeoff" || verb == "build") && strings.Contains(c, "--plan-only") {
			verb = "plan-only"
		}
		if fitting[s] == "" || strings.Contains(fitting[s], " "+verb+" ") == (s != projectComplete) {
			return false
		}
	}
	return len(commands) > 0
}

// firstPhase returns the first phase that a text names, in a command or as the next step, or 0 if there is none.
func firstPhase(text string) int {
	rest := after(after(pickUp(text), "phase "), "plan ")
	if _, command, ok := strings.Cut(text, "/autopilot:"); ok {
		verb, arguments, _ := strings.Cut(command, " ")
		_, option, found := strings.Cut(arguments, "--phase")
		if rest = strings.TrimLeft(option, "= "); !found &&
			strings.Contains(" preflight discuss takeoff build ", " "+verb+" ") {
			rest = after(arguments, "phase ")
		}
	} else if id, _, ok := readTask(rest); rest == pickUp(text) || ok && id.phase == 0 &&
		after(pickUp(text), "phase ") == pickUp(text) {
		return 0 // "plan 2" may belong to any phase
	}
	n, _ := words.Leading(rest)
	return max(n, 0)
}

// pickUp removes the words that introduce the next step, such as "Continue with".
func pickUp(text string) string {
	text = strings.TrimLeft(text, "*_`-> ")
	for word, rest, ok := strings.Cut(text, " "); ok &&
		strings.Contains(" continue resume start begin execute go pick up do on with at from ",
			" "+strings.ToLower(word)+" "); word, rest, ok = strings.Cut(text, " ") {
		text = rest
	}
	return text
}
