package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A status is what the position file says: a phase of the flight by its number,
// or one of two states that are none.
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
	Doc:  "One project: the phases of its flight plan are flown one after the other.",
	Phases: []*sdk.Phase{
		{Name: "ready-to-discuss", Number: 1, Title: "Ready to discuss", Doc: "the phase is defined, there is no briefing"},
		{Name: "ready-to-plan", Number: 2, Title: "Ready to plan", Doc: "there is a briefing and no route"},
		{Name: "ready-to-execute", Number: 3, Title: "Ready to execute", Doc: "there is a route, nothing is executed"},
		{Name: "in-progress", Number: 4, Title: "In progress", Doc: "tasks are done or under way"},
		{Name: "phase-complete", Number: 5, Title: "Phase complete", Doc: "all plans of the phase are done, its logbook is written"},
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
		{From: "phase-complete", To: "in-progress", Doc: "gaps are closed"},
		{From: "phase-complete", To: "project-complete"},
		{From: "project-complete", To: "ready-to-discuss", Doc: "a new flight plan"},
		{From: "project-complete", To: "ready-to-execute", Doc: "a new flight plan"},
	},
}

// phase is the phase of the lifecycle that a status means, nil for none.
//
//go:noinline
func (s status) phase() *sdk.Phase {
	if s == unknown || s > projectComplete {
		return nil
	}
	return flight.Phases[s-1]
}

// title is how the position file writes a status.
//
//go:noinline
func (s status) title() string {
	switch p := s.phase(); {
	case p != nil:
		return p.Title
	case s == blocked:
		return "Blocked"
	case s == abandoned:
		return "Abandoned"
	}
	return ""
}

// unfinished reports whether there is still something to do.
func (s status) unfinished() bool { return s != unknown && s != projectComplete && s != abandoned }

// closed reports whether alerts no longer matter.
func (s status) closed() bool { return s == projectComplete || s == abandoned }

// flying reports whether a session may be under way.
func (s status) flying() bool { return s == inProgress || s == blocked }

// statusTexts maps folded texts; = 9 means complete, of the phase or the project.
const completeText status = 9

var statusTexts = map[string]status{
	"readytodiscuss":    readyToDiscuss,
	"readytoplan":       readyToPlan,
	"readytoexecute":    readyToExecute,
	"planned":           readyToExecute,
	"inprogress":        inProgress,
	"executing":         inProgress,
	"active":            inProgress,
	"paused":            inProgress,
	"phasecomplete":     phaseComplete,
	"projectcomplete":   projectComplete,
	"allphasescomplete": projectComplete,
	"flightcomplete":    projectComplete,
	"complete":          completeText,
	"completed":         completeText,
	"blocked":           blocked,
	"abandoned":         abandoned,
	"cancelled":         abandoned,
	"canceled":          abandoned,
}

var reasonTexts = map[string]status{
	"taskcomplete":      inProgress,
	"taskgroupcomplete": inProgress,
	"contextthreshold":  inProgress,
	"userinterrupt":     inProgress,
	"costlimit":         inProgress,
	"error":             inProgress,
	"alertstop":         inProgress,
	"thresholdstop":     inProgress,
	"phasecomplete":     phaseComplete,
	"rollback":          phaseComplete,
}

// readStatus reads the text of a status and returns what follows it, too.
func readStatus(text string) (s status, rest string) {
	head := text
	for i, r := range text {
		if strings.ContainsRune("(:,;", r) || dash(text, i) {
			head, rest = text[:i], text[i:]
			break
		}
	}
	name := markdown.Name(strings.TrimFunc(head, markdown.Symbol))
	if s = statusTexts[name]; s == unknown {
		for _, prefix := range [...]string{"wave", "phase"} {
			number := strings.TrimSuffix(strings.TrimPrefix(name, prefix), "complete")
			if len(number)+len(prefix)+len("complete") == len(name) && digits(number) {
				s = inProgress
				if prefix == "phase" {
					s = phaseComplete
				}
			}
		}
	}
	return s, strings.TrimFunc(rest, markdown.Symbol)
}

// dash reports whether a dash between blanks begins at the blank at i.
func dash(s string, i int) bool {
	rest := s[i:]
	return strings.HasPrefix(rest, " - ") || strings.HasPrefix(rest, " – ") || strings.HasPrefix(rest, " — ")
}

// A command is one /autopilot: command of a text.
type command struct {
	verb     string
	planOnly bool
}

// commands lists the commands of a text.
func commands(text string) []command {
	const mark = "/autopilot:"
	var list []command
	for _, part := range strings.Split(text, mark)[1:] {
		end := 0
		for end < len(part) && (part[end] >= 'a' && part[end] <= 'z' || part[end] == '-') {
			end++
		}
		c := command{part[:end], strings.Contains(part, "--plan-only")}
		switch c.verb {
		case "resume":
			c.verb = "cockpit"
		case "build":
			c.verb = "takeoff"
		case "discuss":
			c.verb = "preflight"
		}
		list = append(list, c)
	}
	return list
}

// agrees reports whether a command may be the next one at a status.
func (c command) agrees(s status) bool {
	switch s {
	case readyToDiscuss:
		return c.verb == "preflight" || c.verb == "cockpit"
	case readyToPlan:
		return c.verb == "takeoff" && c.planOnly || c.verb == "flightplan" || c.verb == "cockpit"
	case readyToExecute, inProgress:
		return c.verb == "takeoff" && !c.planOnly || c.verb == "cockpit" || c.verb == "landing" || c.verb == "loop"
	case projectComplete:
		return c.verb != "takeoff" && c.verb != "cockpit" && c.verb != "preflight"
	}
	return true
}

// contradicts reports whether a text has commands and none of them fits.
func contradicts(text string, s status) bool {
	list := commands(text)
	for _, c := range list {
		if c.agrees(s) {
			return false
		}
	}
	return len(list) > 0
}
