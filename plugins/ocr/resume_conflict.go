package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// settle is the next action where the state contradicts the files. The directories are the truth
// for rounds and runs; what to believe of a phase, a person decides.
func (b *briefing) settle(findings []sdk.Diagnostic) string {
	m, s := b.m, b.s
	if m.BeyondFiles() || m.BehindFiles() {
		set := "set " + s.Kind.NumberField() + " to " + say.Int(s.N) + " in state.json, since the directories are the truth for " + s.Kind.Unit() + "s; "
		if b.at == "complete" && m.State.Status == "closed" {
			return set + "nothing else remains"
		}
		return set + "then go on at " + b.at + ": " + b.step()
	}
	ask := "ask the user, and decide which to trust" + choices(findings)
	if m.Fit == sdk.Behind && s.Result().Filled() && m.State.Status != "closed" {
		return s.title() + " is complete: present and close it. Then " + ask
	}
	if s.Ladder.Canonical == "complete" {
		return ask
	}
	return ask + "; the files show " + s.Ladder.Canonical + ": " + b.step()
}

// blocking are the findings that a person must settle before anything else.
const blocking = " phase-ahead-of-files complete-without-result phase-behind-files closed-unfinished" +
	" closed-phase-stale map-session-closed workflow-type-mismatch unknown-phase " + wire.RuleSchema + " "

// choices lists the remedies of the findings that block.
func choices(findings []sdk.Diagnostic) string {
	var list []string
	for _, f := range findings {
		if strings.Contains(blocking, " "+f.Rule+" ") {
			for _, r := range f.Remedies {
				list = append(list, r.Title)
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, "; or: ")
}
