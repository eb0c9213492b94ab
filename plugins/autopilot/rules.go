package autopilot

import (
	"slices"

	"github.com/stategate/stategate/sdk/check"
)

// rules holds all rules, group by group.
var rules = slices.Concat(
	check.Group("position",
		"Every session reads TRANSPONDER.md first and relies on it.", positionRules),
	check.Group("continuity", "The next session continues from the notes of the last one.", continuityRules),
	check.Group("phases",
		"The status of a phase must match its documents: a briefing if discussed, a route if planned.",
		phasesRules),
	check.Group("hand-off",
		"A fresh agent continues from the hand-off. A wrong hand-off makes it repeat or skip work.", handOffRules),
	check.Group("thresholds", "A threshold level can pause a session or keep the next one from starting.",
		thresholdsRules),
	check.Group("acknowledgments", "An acknowledged alert does not fire.", acknowledgmentsRules),
	check.Group("history",
		"The position only moves forward and no record is lost, unless the flight is replanned or "+
			"rolled back.", historyRules),
)

// Conditions that a rule can require.
const (
	aPosition    check.Needs = 1 << iota // a readable position file
	aHand                                // a readable, non-empty hand-off
	bothPlaces                           // a position that is also readable in the base
	levels                               // state/thresholds.json
	acks                                 // state/acknowledgments.json
	aBase        = check.OnBase
	twoPositions = aPosition | aBase | bothPlaces
)

// view returns the model and the conditions that it meets.
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
