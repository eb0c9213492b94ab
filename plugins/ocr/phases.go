package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/ladder"
)

// A Kind is one of the two workflows that share a session.
type Kind string

// The kinds. None is the type of a session whose state file does not tell.
const (
	None   Kind = ""
	Review Kind = "review"
	Map    Kind = "map"
)

// Other returns the other workflow, None for None.
func (k Kind) Other() Kind {
	switch k {
	case Review:
		return Map
	case Map:
		return Review
	}
	return None
}

// Unit is what the workflow counts: "round" or "run".
func (k Kind) Unit() string {
	if k == Map {
		return "run"
	}
	return "round"
}

var reviewPhases, mapPhases = ladder.Names(reviewLifecycle), ladder.Names(mapLifecycle)

// Phases lists the workflow's phases by number: the first has number 1.
func (k Kind) Phases() []string {
	switch k {
	case Review:
		return reviewPhases
	case Map:
		return mapPhases
	}
	return nil
}

// Index returns the number of a phase (canonical spelling), 0 if the workflow
// has no such phase.
func (k Kind) Index(phase string) int {
	return slices.Index(k.Phases(), phase) + 1
}

// Last is the number of the phase "complete": 8 or 6.
func (k Kind) Last() int { return len(k.Phases()) }

// normalPhase spells a phase canonically, aliases left alone.
func normalPhase(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == ' ' || r == '\t' {
			return '-'
		}
		return r
	}, normalWord(s))
}

// normalWord is for statuses and types: trimmed and lower case.
func normalWord(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
