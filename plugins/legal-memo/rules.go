package legalmemo

// rules are all rules, by group. They are data alone: a table that is made when a guest starts would make the
// guest larger.
var rules = [...][]rule{
	fileRules,
	phaseRules,
	figureRules,
	memorandumRules,
	qualityRules,
	outputRules,
	orchestratorRules,
	historyRules,
}
