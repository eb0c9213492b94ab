package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// settle returns the next action when the state contradicts the files. The directories are authoritative for rounds
// and runs; a person decides which phase to trust.
func (b *briefing) settle(findings []sdk.Diagnostic) string {
	s := b.s
	if next := b.nextRound(); next > 0 {
		b.Left("write " + s.Kind.directory(next) + ": " + s.title() + " was presented")
		return "set " + s.Kind.Number + " to " + say.Int(next) + " in state.json, because " + s.title() + " was closed"
	}
	if b.BeyondFiles() || b.BehindFiles() {
		if b.at != "complete" || b.State.Status != "closed" {
			b.Left("continue with " + b.at + ": " + b.step())
		}
		return "set " + s.Kind.Number + " to " + say.Int(s.N) +
			" in state.json, because the directories are authoritative for " + s.Kind.Unit + "s"
	}
	if moves := b.toCollect(); len(moves) > 0 {
		return "move " + say.Clip(moves[0].Range.Path) + others(moves) + " to " + s.Dir + ": stategate recover"
	}
	const ask = "ask the user whether to trust state.json or the files"
	if b.State.Phase != "" && !b.State.isPhase() { // the recorded phase is unusable
		b.Left("continue with " + b.at + ": " + b.step())
		return "set the phase to " + s.Ladder.Canonical + ", as the files show: stategate recover"
	}
	b.Know(choices(findings))
	switch {
	case b.Fit == sdk.Behind && s.Result.Filled() && b.State.Status != "closed":
		return "ask the user whether " + s.Result.Path +
			" was presented, and present it if not; then: stategate recover"
	case s.Ladder.Canonical == "complete":
		return ask
	}
	b.Know("the files show " + s.Ladder.Canonical + ": " + b.step())
	if b.Fit == sdk.Behind { // the files were written after the claimed phase
		return "set the phase to " + s.Ladder.Canonical + ", as the files show: stategate recover"
	}
	return ask
}

// blocking lists the rules whose findings a person must resolve first.
var blocking = []string{
	"phase-ahead", "complete-without-result", "phase-behind", "closed-unfinished",
	"closed-phase-stale", "map-session-closed", "workflow-type-mismatch", "phase-unknown", wire.RuleSchema,
}

// choices lists the remedies of the blocking findings, each once.
func choices(findings []sdk.Diagnostic) string {
	var list []string
	for _, f := range findings {
		for _, r := range f.Remedies {
			if slices.Contains(blocking, f.Rule) && !slices.Contains(list, r.Title) {
				list = append(list, r.Title)
			}
		}
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return "the fix: " + list[0]
	}
	return "the options: " + strings.Join(list, "; or: ")
}
