package legalmemo

// rules holds all rules, by group. They contain only data, because a table that is built when a guest starts would
// make the guest larger.
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
