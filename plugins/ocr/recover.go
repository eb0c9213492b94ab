package ocr

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries proposes ways back from a state.json that is there and cannot be
// read, or has fields that the schema refuses. What to do about a missing one,
// the rule state-missing says.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := model(p)
	var list []sdk.Remedy
	switch {
	case m.State.Broken() && m.replaceable():
		m.salvaged = m.salvage()
		list = m.replacements(p)
	case m.State.OK() && !m.SQLite() && unread(m.State.Doc, wire.RuleSchema):
		list = m.mendings()
	}
	for i := range list {
		if len(list[i].Edits) > 0 {
			list[i].Safety = sdk.Review
		}
		for _, name := range []string{wire.RuleUnreadable, wire.RuleSchema} {
			if unread(m.State.Doc, name) {
				list[i].Heals = append(list[i].Heals, name)
			}
		}
	}
	return list, nil
}

// replacements put another state.json in the place of a broken one, or none.
func (m *Model) replacements(p *sdk.Pass) []sdk.Remedy {
	if m.SQLite() {
		return []sdk.Remedy{removeState}
	}
	var list []sdk.Remedy
	if m.baseStateFits() {
		list = append(list, restoreState)
	}
	list = append(list, m.repair(p)...)
	list = append(list, m.rebuilds(p)...)
	if m.Base == nil || !m.Base.State.Exists() {
		list = append(list, removeState)
	}
	return list
}

// replaceable reports whether state.json is a file whose text was looked at:
// nobody can say what one that was too large, or no file at all, holds.
func (m *Model) replaceable() bool {
	d := m.State.Doc
	return d.Need == sdk.Content && !unread(d, wire.RuleNotAFile) && !unread(d, wire.RuleTooLarge)
}

// missingStateRemedies are the ways back when there is no state.json: the text
// of base if it still agrees with the files, else what the files prove.
func (m *Model) missingStateRemedies(p *sdk.Pass) []sdk.Remedy {
	if m.baseStateFits() {
		return []sdk.Remedy{restoreState}
	}
	return m.rebuilds(p)
}

var (
	restoreState = sdk.Remedy{Title: "Restore state.json from base", Safety: sdk.Review, Edits: []sdk.Edit{sdk.Restore(StatePath)}}
	removeState  = sdk.Remedy{Title: "Remove state.json", Safety: sdk.Review, Edits: []sdk.Edit{sdk.Remove(StatePath)}}
)

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
// with the files: of an unresolved merge the side that fits them comes first.
func (m *Model) repair(p *sdk.Pass) []sdk.Remedy {
	var fits, lags []sdk.Remedy
	for _, s := range m.salvaged {
		kept := m.under(s)
		if s.Phase == "" || !kept.agrees() || kept.C == nil {
			continue
		}
		status := s.Status
		if status != "closed" || !kept.C.Result().Filled() {
			status = "active"
		}
		remedy := m.remedyFrom(p, "Repair state.json, keeping what can be read: ", rebuild{kind: kept.T, n: kept.C.N, phase: kept.Phase(), status: status}, s)
		switch {
		case slices.ContainsFunc(slices.Concat(fits, lags), func(r sdk.Remedy) bool { return r.Title == remedy.Title }):
		case kept.Fit == sdk.Fits:
			fits = append(fits, remedy)
		default:
			lags = append(lags, remedy)
		}
	}
	return append(fits, lags...)
}

// rebuilds writes state.json anew from the files: one remedy per lifecycle, the
// unfinished one first; a review with final.md may be finished or not.
func (m *Model) rebuilds(p *sdk.Pass) []sdk.Remedy {
	var open, done []sdk.Remedy
	for _, s := range m.Live {
		result := s.Result().Filled()
		switch {
		case s.Kind == Review && result:
			done = append(done,
				m.remedy(p, "Rebuild state.json as finished: ", rebuild{Review, s.N, "complete", "closed"}),
				m.remedy(p, "Rebuild state.json as awaiting presentation: ", rebuild{Review, s.N, "synthesis", "active"}))
		case result:
			done = append(done, m.remedy(p, rebuildTitle, rebuild{Map, s.N, "complete", "active"}))
		default:
			open = append(open, m.remedy(p, rebuildTitle, rebuild{s.Kind, s.N, s.Ladder.Canonical, "active"}))
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

// remedy writes a state.json, and keeps the one that it replaces beside it.
func (m *Model) remedy(p *sdk.Pass, title string, r rebuild) sdk.Remedy {
	return m.remedyFrom(p, title, r, m.salvaged...)
}

// remedyFrom takes the times from some readings of the one that is replaced.
func (m *Model) remedyFrom(p *sdk.Pass, title string, r rebuild, readings ...*State) sdk.Remedy {
	times := m.keptTimes(p, r.kind, readings)
	title += r.kind.Unit() + " " + say.Int(r.n) + ", " + r.phase + ", " + r.status
	switch {
	case times.startUnknown:
		title += " (start time unknown)"
	case times.begun == "" && r.n > 1:
		title += " (start of " + r.kind.Unit() + " " + say.Int(r.n) + " unknown)"
	}
	edits := []sdk.Edit{sdk.Create(StatePath, m.stateText(r, times))}
	if m.State.Exists() {
		edits = append([]sdk.Edit{sdk.Aside(StatePath, "corrupt")}, edits...)
	}
	return sdk.Remedy{Title: title, Safety: sdk.Review, Edits: edits}
}

// stateText is a whole state.json, keys in the order of the tool's own samples.
func (m *Model) stateText(r rebuild, t keptTimes) string {
	b := jsondoc.NewObject().String("session_id", m.ID).String("workflow_type", string(r.kind)).String("status", r.status).
		String("current_phase", r.phase).Int("phase_number", int64(r.kind.Index(r.phase))).Int(r.kind.NumberField(), int64(r.n))
	for _, time := range [...][2]string{{StartedAt, t.started}, {r.kind.StartField(), t.begun}} {
		if time[1] != "" {
			b.String(time[0], time[1])
		}
	}
	return b.String(UpdatedAt, sdk.NowInEdit).Text()
}
