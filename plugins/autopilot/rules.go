package autopilot

import (
	"slices"

	"github.com/stategate/stategate/sdk/check"
)

// rules are the rules, group by group.
var rules = slices.Concat(
	check.Group("position",
		"TRANSPONDER.md is read first in every session: what it says is believed.", positionRules),
	check.Group("continuity", "The next session goes on from what the last one wrote down.", continuityRules),
	check.Group("phases",
		"The status of a phase follows from its documents: discussed with a briefing, planned with a route.",
		phasesRules),
	check.Group("hand-off",
		"A fresh agent goes on from the hand-off: what is wrong in it is done twice, or never.", handOffRules),
	check.Group("thresholds", "A level decides whether a session pauses or may not start.", thresholdsRules),
	check.Group("acknowledgments", "An alert that counts as acknowledged does not fire.", acknowledgmentsRules),
	check.Group("history", "A position only goes on, and what was recorded stays, unless the flight is planned anew "+
		"or rolled back.", historyRules),
)

// What a rule needs.
const (
	aPosition    check.Needs = 1 << iota // a position file that could be read
	aHand                                // a hand-off that could be read and is not empty
	bothPlaces                           // a position that could be read in both
	levels                               // state/thresholds.json
	acks                                 // state/acknowledgments.json
	aBase        = check.OnBase
	twoPositions = aPosition | aBase | bothPlaces
)

// view gives a rule the model, and says what there is to check.
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
