package ocr

import (
	"strconv"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries proposes ways back from a state.json that is there and cannot be
// read, or has fields that the schema refuses. What to do about a missing one,
// the rule state-missing says.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := model(p)
	switch {
	case m.State.Broken() && m.replaceable():
		return m.replacements(p, m.brokenRules()), nil
	case m.State.OK() && !m.SQLite() && unread(m.State.Doc, wire.RuleSchema):
		return m.mendings([]string{wire.RuleSchema}), nil
	}
	return nil, nil
}

// replacements put another state.json in the place of a broken one, or none.
func (m *Model) replacements(p *sdk.Pass, heals []string) []sdk.Remedy {
	if m.SQLite() {
		return []sdk.Remedy{removeState(heals)}
	}
	var list []sdk.Remedy
	if m.baseStateFits() {
		list = append(list, restoreState(heals))
	}
	list = append(list, m.repair(p, heals)...)
	list = append(list, m.rebuilds(p, heals)...)
	if m.Base == nil || !m.Base.State.Exists() {
		list = append(list, removeState(heals))
	}
	return list
}

// replaceable reports whether state.json is a file whose text was looked at:
// nobody can say what one that was too large, or no file at all, holds.
func (m *Model) replaceable() bool {
	d := m.State.Doc
	return d.Need == sdk.Content && !unread(d, wire.RuleNotAFile) && !unread(d, wire.RuleTooLarge)
}

// brokenRules lists the host's rules that speak about state.json.
func (m *Model) brokenRules() []string {
	var rules []string
	for _, name := range []string{wire.RuleUnreadable, wire.RuleSchema} {
		if unread(m.State.Doc, name) {
			rules = append(rules, name)
		}
	}
	return rules
}

// missingStateRemedies are the ways back when there is no state.json: the text
// of base if it still agrees with the files, else what the files prove.
func (m *Model) missingStateRemedies(p *sdk.Pass, heals ...string) []sdk.Remedy {
	if m.baseStateFits() {
		return []sdk.Remedy{restoreState(heals)}
	}
	return m.rebuilds(p, heals)
}

func restoreState(heals []string) sdk.Remedy {
	return sdk.Remedy{Title: "Restore state.json from base", Safety: sdk.Review, Heals: heals, Edits: []sdk.Edit{sdk.Restore(StatePath)}}
}

func removeState(heals []string) sdk.Remedy {
	return sdk.Remedy{Title: "Remove state.json", Safety: sdk.Review, Heals: heals, Edits: []sdk.Edit{sdk.Remove(StatePath)}}
}

// baseStateFits reports whether the state of base is whole and its claim fits
// the documents of now, or is one record behind.
func (m *Model) baseStateFits() bool {
	if m.Base == nil || !m.Base.State.OK() || len(m.Base.State.Doc.Faults) > 0 {
		return false
	}
	return m.under(m.Base.State).agrees()
}

// under is the same session with another state.
func (m *Model) under(s *State) *Model {
	other := &Model{ID: m.ID, Docs: m.Docs, State: s}
	other.read()
	return other
}

// agrees reports whether the claim fits the files or lags, in round and phase.
func (m *Model) agrees() bool {
	return (m.Fit == sdk.Fits || m.Fit == sdk.Lags) && !m.BeyondFiles() && !m.BehindFiles()
}

// repair keeps what can be read of a broken state.json, if its claim agrees
// with the files.
func (m *Model) repair(p *sdk.Pass, heals []string) []sdk.Remedy {
	salvaged := m.salvage()
	if salvaged == nil || salvaged.Phase == "" {
		return nil
	}
	kept := m.under(salvaged)
	if !kept.agrees() || kept.C == nil {
		return nil
	}
	status := salvaged.Status
	if status != "closed" || !kept.C.Result().Filled() {
		status = "active"
	}
	r := rebuild{kind: kept.T, n: kept.C.N, phase: kept.Phase(), status: status}
	return []sdk.Remedy{m.remedy(p, "Repair state.json, keeping what can be read: ", r, heals)}
}

// rebuilds writes state.json anew from the files: one remedy per lifecycle, the
// unfinished one first; a review with final.md may be finished or not.
func (m *Model) rebuilds(p *sdk.Pass, heals []string) []sdk.Remedy {
	var open, done []sdk.Remedy
	for _, s := range m.Live {
		result := s.Result().Filled()
		switch {
		case s.Kind == Review && result:
			done = append(done,
				m.remedy(p, "Rebuild state.json as finished: ", rebuild{Review, s.N, "complete", "closed"}, heals),
				m.remedy(p, "Rebuild state.json as awaiting presentation: ", rebuild{Review, s.N, "synthesis", "active"}, heals))
		case result:
			done = append(done, m.remedy(p, rebuildTitle, rebuild{Map, s.N, "complete", "active"}, heals))
		default:
			open = append(open, m.remedy(p, rebuildTitle, rebuild{s.Kind, s.N, s.Ladder.Canonical, "active"}, heals))
		}
	}
	return append(open, done...)
}

const rebuildTitle = "Rebuild state.json from the files: "

// A rebuild is what a new state.json says.
type rebuild struct {
	kind   Kind
	n      int
	phase  string
	status string
}

func (m *Model) remedy(p *sdk.Pass, title string, r rebuild, heals []string) sdk.Remedy {
	times := m.keptTimes(p, r.kind)
	title += r.kind.Unit() + " " + strconv.Itoa(r.n) + ", " + r.phase + ", " + r.status
	if times.startUnknown {
		title += " (start time unknown)"
	}
	return sdk.Remedy{
		Title: title, Safety: sdk.Review, Heals: heals,
		Edits: []sdk.Edit{sdk.Create(StatePath, m.stateText(r, times))},
	}
}

// stateText is a whole state.json, keys in the order of the tool's own samples.
func (m *Model) stateText(r rebuild, t keptTimes) string {
	text := "{"
	for i, member := range [][2]string{
		{"session_id", quote(m.ID)},
		{"workflow_type", quote(string(r.kind))},
		{"status", quote(r.status)},
		{"current_phase", quote(r.phase)},
		{"phase_number", strconv.Itoa(r.kind.Index(r.phase))},
		{r.kind.NumberField(), strconv.Itoa(r.n)},
		{StartedAt, quote(t.started)},
		{r.kind.StartField(), quote(t.begun)},
		{UpdatedAt, quote(sdk.NowInEdit)},
	} {
		if member[1] == `""` {
			continue
		}
		if i > 0 {
			text += ","
		}
		text += "\n  " + quote(member[0]) + ": " + member[1]
	}
	return text + "\n}\n"
}
