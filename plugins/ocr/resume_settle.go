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
		if shown := b.shown(); s.Kind.Index(shown) > s.Kind.Index(b.at) { // by its number, or in the base
			b.at = shown
		}
		b.Left("continue with " + b.at + ": " + b.step())
		return "set the phase to " + b.shown() + ", which fits the files: stategate recover"
	}
	b.Know(choices(findings))
	switch {
	case b.Fit == sdk.Behind && s.Result.Filled() && b.State.Status != "closed":
		return "ask the user whether " + s.Result.Path +
			" was presented, and present it if not; then: stategate recover"
	case s.Ladder.Canonical == "complete":
		return ask
	}
	b.Know("the files show " + b.shown() + ": " + b.step())
	if b.Fit == sdk.Behind { // the files were written after the claimed phase
		return "set the phase to " + b.shown() + ", as the files show: stategate recover"
	}
	return ask
}

// include sets the next action when reviews are newer than the final review.
func (b *briefing) include(blocked bool) {
	late, first := b.late(), ""
	if blocked {
		first = "set the phase to synthesis: stategate recover; then "
	}
	b.Do(first + "rewrite " + b.s.Result.Path + " to include " + stem(File{Path: late[0]}) + others(late))
	b.Know("if these reviews belong to round " + say.Int(b.s.N+1) + ", move them there instead: " + say.List(late))
	b.Left("present " + b.s.Result.Path)
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

// lostIn returns the documents of a subject that the base has but that are missing or empty. C has those of subjects
// without a brief, too.
func (m *Model) lostIn(s *Subject, findings []sdk.Diagnostic) (paths []string) {
	for _, f := range findings {
		if f.Rule == "document-lost" && f.Severity == sdk.Error && (f.Subject == "" || f.Subject == s.Name() ||
			s == m.C && !m.IsLive(m.Subject(f.Subject))) {
			paths = append(paths, f.Range.Path)
		}
	}
	return paths
}

// rewrittenBefore returns the documents of finished rounds (runs) that may contain the text of C: C has no directory,
// or the text can move there.
func (m *Model) rewrittenBefore(s *Subject, findings []sdk.Diagnostic) (paths []string) {
	for _, f := range findings {
		if f.Rule == "finished-round-rewritten" && s == m.C && (s.N > m.Series(s.Kind).Max ||
			strings.HasPrefix(f.Remedies[0].Title, "Move ")) {
			paths = append(paths, f.Range.Path)
		}
	}
	return paths
}

// others returns " and N more" for the paths after the first, or "".
func others[T any](paths []T) string {
	if len(paths) < 2 {
		return ""
	}
	return " and " + say.Int(len(paths)-1) + " more"
}
