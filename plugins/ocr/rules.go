package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// rules lists all rules, group by group.
var rules = slices.Concat(
	check.Group("state", "", stateRules),
	check.Group("state", "", wordRules),
	check.Group("phase", "", phaseRules),
	check.Group("phase", "", roundRules),
	check.Group("documents", "", documentRules),
	check.Group("times", "", timeRules),
	check.Group("history", "", historyRules),
	check.Group("history", "", evidenceRules),
)

// Conditions that rules can require.
const (
	ofState check.Needs              = 1 << iota // state.json is an object and in use
	ofClaim                                      // it claims a phase of its workflow, in the current round or run
	onBase  = 1<<iota | check.OnBase             // the base has the session, and it was not restarted since
)

// view returns the model for a rule and the conditions that hold.
func view(r *check.Report) (*Model, check.Needs) {
	m := model(r.Pass)
	var hold check.Needs
	if m.v14 && m.State.OK() {
		hold = ofState
		if m.Fit != sdk.FitUnknown && !m.BehindFiles() && m.sees(m.Series(m.T)) {
			hold |= ofClaim
		}
	}
	if m.onBase() {
		hold |= onBase
	}
	return m, hold
}

// onBase reports whether the base has the session and the session was not restarted since.
func (m *Model) onBase() bool {
	return m.v14 && m.Base != nil && (m.State.Exists() || m.Known(StatePath)) && !m.isFresh()
}

// eachLive returns the Find function of a rule that checks the documents of each live subject.
func eachLive(find func(*check.Report, *Model, *Subject)) func(*check.Report, *Model) {
	return func(r *check.Report, m *Model) {
		for _, s := range m.Live {
			find(r, m, s)
		}
	}
}

// eachFinal returns the Find function of a rule that checks the final.md of each live round.
func eachFinal(find func(*check.Report, *Model, *Subject, *Final)) func(*check.Report, *Model) {
	return eachLive(func(r *check.Report, m *Model, s *Subject) {
		if s.Kind == Review && s.Result.Legible() {
			find(r, m, s, s.readFinal())
		}
	})
}

// field begins a finding about a field of state.json: its value, or its absence.
func (m *Model) field(r *check.Report, key, message string) *check.Finding {
	at := sdk.At(StatePath)
	if m.State.Root.Get(key).Exists() {
		at = m.State.At(key)
	}
	return r.At(at, message).Keyed(key)
}

// wrong begins a finding about a field whose text differs from the expected one.
func (m *Model) wrong(r *check.Report, key, expected string) *check.Finding {
	return m.field(r, key, say.Wrong(key, say.Quote(m.State.Verbatim(key)), expected))
}

// claim begins a finding about the claim about C, located at a field.
func (m *Model) claim(r *check.Report, key, message string) *check.Finding {
	return m.field(r, key, message).Keyed("").About(m.C.Name())
}

// on begins a finding about a path in a subject.
func on(r *check.Report, s *Subject, path, message string) *check.Finding {
	return r.Whole(sayable(path), message).About(s.Name())
}

// sayable returns the path, or its nearest directory that a report may name. The host rejects names that some systems
// read as several path elements.
func sayable(path string) string {
	for strings.Contains(path, `\`) {
		path = path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
	}
	return path
}

// setPhase returns the edits that set the claimed phase to p, with its number in workflow k and the current time,
// followed by more edits.
func setPhase(k *Kind, p string, more ...sdk.Edit) []sdk.Edit {
	return append([]sdk.Edit{setText("current_phase", p), setInt("phase_number", k.Index(p)), setNow(UpdatedAt)},
		more...)
}

// setStatus returns the edits that set the status and, as for every status change, the time.
func setStatus(status string) []sdk.Edit {
	return []sdk.Edit{setText("status", status), setNow(UpdatedAt)}
}

func setText(key, value string) sdk.Edit { return sdk.SetText(StatePath, jsondoc.Pointer(key), value) }

func setInt(key string, value int) sdk.Edit {
	return sdk.SetInt(StatePath, jsondoc.Pointer(key), int64(value))
}

func setNow(key string) sdk.Edit { return sdk.SetNow(StatePath, jsondoc.Pointer(key)) }

// phaseTo returns the edits that set the claimed phase of C to p. They also reopen a closed session that is
// unfinished.
func (m *Model) phaseTo(p string, more ...sdk.Edit) []sdk.Edit {
	if m.State.Status == "closed" && p != "complete" && !m.C.Result.Filled() {
		more = append(more, setText("status", "active"))
	}
	return setPhase(m.T, p, more...)
}
