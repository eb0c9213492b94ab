package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries proposes recovery options for a state.json that is unreadable or has fields that the schema rejects. The
// rule state-missing covers a missing file.
func recoveries(p *sdk.Pass) (list []sdk.Remedy, err error) {
	m := model(p)
	switch d := m.State.Doc; {
	case m.State.Broken() && d.Need == sdk.Content && !unread(d, wire.RuleNotAFile) && !unread(d, wire.RuleTooLarge):
		list = m.replacements(p)
	case m.State.OK() && !m.IsSQLite && unread(d, wire.RuleSchema):
		list = m.corrections()
	}
	for i := range list {
		for _, name := range []string{wire.RuleUnreadable, wire.RuleSchema} {
			if unread(m.State.Doc, name) {
				list[i].Fixes = append(list[i].Fixes, name)
			}
		}
	}
	return list, nil
}

var (
	restoreState = sdk.Remedy{Title: "Restore state.json from the base", Safety: sdk.Review,
		Edits: []sdk.Edit{sdk.Restore(StatePath)}}
	removeState = sdk.Remedy{Title: "Remove state.json", Safety: sdk.Review, Edits: []sdk.Edit{sdk.Remove(StatePath)}}
)

// replacements returns remedies that replace a broken state.json, or remove it.
func (m *Model) replacements(p *sdk.Pass) (list []sdk.Remedy) {
	if m.IsSQLite {
		return []sdk.Remedy{removeState}
	}
	readings := m.salvage()
	list = m.repair(p, readings)
	if m.baseStateFits() {
		at := len(list)
		if !slices.ContainsFunc(readings, m.outdates) {
			at = 0
		}
		list = slices.Insert(list, at, restoreState)
	}
	list = append(list, m.rebuilds(p, readings)...)
	if m.Base == nil || !m.Base.State.Exists() {
		list = append(list, removeState)
	}
	return list
}

// outdates reports whether the readable part of a broken state differs from the base, so that restoring the base would
// lose it.
func (m *Model) outdates(left *State) bool {
	was := m.Base.State
	return left.Phase != "" && left.Phase != was.Phase || left.Status != "" && left.Status != was.Status ||
		slices.ContainsFunc([]string{Review.Number, Map.Number}, func(key string) bool {
			now, ok := left.Int(key)
			then, _ := was.Int(key)
			return ok && now != then
		})
}

// offerState offers recovery options for a missing state.json: the one from the base if it still agrees with the
// files, or else one built from what the files show.
func (m *Model) offerState(f *check.Finding, p *sdk.Pass) {
	list := []sdk.Remedy{restoreState}
	if !m.baseStateFits() {
		list = m.rebuilds(p, nil)
	}
	for _, remedy := range list {
		f.Offer(remedy.Safety, remedy.Title, remedy.Edits...)
	}
}

// baseStateFits reports whether the base has a complete state whose claim fits the current documents, or lags by one
// step.
func (m *Model) baseStateFits() bool {
	return m.Base != nil && m.Base.State.OK() && len(m.Base.State.Doc.Faults) == 0 &&
		newModel(m.ID, m.Docs, m.Base.State).agrees()
}

// agrees reports whether the claimed round and phase fit the files or lag by one step.
func (m *Model) agrees() bool {
	return (m.Fit == sdk.Consistent || m.Fit == sdk.JustBehind) && !m.BeyondFiles() && !m.BehindFiles()
}

// repair returns remedies that keep the readable values of a broken state.json, if its claim agrees with the files.
// For an unresolved merge, the side that fits comes first.
func (m *Model) repair(p *sdk.Pass, readings []*State) []sdk.Remedy {
	var fits, lags []sdk.Remedy
	for _, s := range readings {
		kept := newModel(m.ID, m.Docs, s)
		if s.Phase == "" || !kept.agrees() {
			continue
		}
		status := s.Status
		if status != "closed" || !kept.C.Result.Filled() {
			status = "active"
		}
		remedy := m.rebuilt(p, "Repair state.json, keeping readable values: ", kept.C, s.Phase, status,
			append([]*State{s}, readings...))
		switch {
		case slices.ContainsFunc(slices.Concat(fits, lags), func(r sdk.Remedy) bool { return r.Title == remedy.Title }):
		case kept.Fit == sdk.Consistent:
			fits = append(fits, remedy)
		default:
			lags = append(lags, remedy)
		}
	}
	return append(fits, lags...)
}

// rebuilds returns remedies that rebuild state.json from the files: one per lifecycle, starting with an unfinished
// one. A review with final.md may be finished or not, so it gets two.
func (m *Model) rebuilds(p *sdk.Pass, readings []*State) []sdk.Remedy {
	var open, done []sdk.Remedy
	for _, s := range m.Live {
		as := func(title, phase, status string) sdk.Remedy { return m.rebuilt(p, title, s, phase, status, readings) }
		switch {
		case !s.Result.Filled():
			open = append(open, as("Rebuild state.json from the files: ", s.Ladder.Canonical, "active"))
		case s.Kind == Map:
			done = append(done, as("Rebuild state.json from the files: ", "complete", "active"))
		default:
			// no file shows whether it was presented
			done = append(done, as("Rebuild state.json as awaiting presentation: ", "synthesis", "active"),
				as("Rebuild state.json as finished: ", "complete", "closed"))
		}
	}
	return append(open, done...)
}

// rebuilt returns a remedy that writes a new state.json, with its keys in the order of the tool's own samples, and
// keeps the replaced file next to it. It takes the times from readings of that file, or else from the base, and omits
// unknown times.
func (m *Model) rebuilt(p *sdk.Pass, title string, s *Subject, phase, status string, readings []*State) sdk.Remedy {
	if m.Base != nil {
		readings = append(slices.Clip(readings), m.Base.State)
	}
	started := known(p, readings, StartedAt, Stamp{})
	begun := known(p, readings, s.Kind.Start, started)
	title += s.title() + ", " + phase + ", " + status
	switch {
	case !started.OK:
		title += " (start time unknown)"
		begun.Text = ""
	case begun.Text == "" && s.Kind == Review && s.N > 1:
		title += " (start of " + s.title() + " unknown)"
	}
	b := jsondoc.NewObject().String("session_id", m.ID).String("workflow_type", s.Kind.Name).String("status", status).
		String("current_phase", phase).Int("phase_number", int64(s.Kind.Index(phase))).Int(s.Kind.Number,
		int64(s.N))
	if started.Text != "" {
		b.String(StartedAt, started.Text)
	}
	if begun.Text != "" {
		b.String(s.Kind.Start, begun.Text)
	}
	edits := []sdk.Edit{sdk.Create(StatePath, b.String(UpdatedAt, sdk.NowInEdit).Text())}
	if m.State.Exists() {
		edits = append([]sdk.Edit{sdk.Aside(StatePath, "corrupt")}, edits...)
	}
	return sdk.Remedy{Title: title, Safety: sdk.Review, Edits: edits}
}

// known returns the first reading of a time field that is valid, not before from, and not in the future.
func known(p *sdk.Pass, sources []*State, field string, from Stamp) Stamp {
	for _, s := range sources {
		if st := s.Stamp(field); st.OK && !st.At.Before(from.At) && !p.Before(st.At) {
			return st
		}
	}
	return Stamp{}
}

// corrections returns one remedy that sets every field that the schema rejects to the value that the files, the
// directory's name or the base show. If they do not show a field's value, the remedy is manual.
func (m *Model) corrections() []sdk.Remedy {
	keys := m.refusedFields()
	var edits []sdk.Edit
	var unknown []string
	for _, key := range keys {
		if keys[0] == "current_phase" && (key == "phase_number" || key == UpdatedAt) {
			continue // set together with the phase
		}
		more := m.correction(key)
		if more == nil {
			unknown = append(unknown, key)
		}
		edits = append(edits, more...)
	}
	if len(unknown) > 0 {
		return []sdk.Remedy{{Title: "Find out " + say.And(unknown...), Safety: sdk.Manual,
			Steps: []string{"Search the file history for " + say.And(unknown...) +
				", and write the earlier value; write a time as YYYY-MM-DDTHH:MM:SSZ."}}}
	}
	return []sdk.Remedy{{Title: "Set " + values(edits, " to "), Safety: sdk.Review, Edits: edits}}
}

// values names the fields that edits set, each with its new value.
func values(edits []sdk.Edit, between string) string {
	var list []string
	for _, e := range edits {
		value := strings.Trim(e.New, `"`)
		if e.New == setNow("").New {
			value = "the current time"
		}
		if text := e.Range.Pointer[1:] + between + say.Clip(value); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return say.And(list...)
}

// refusedFields lists the fields that the schema rejects, starting with current_phase, which is required.
func (m *Model) refusedFields() (keys []string) {
	for _, f := range m.State.Doc.Faults {
		key := "current_phase"
		if tokens, err := jsondoc.Tokens(f.Pointer); err == nil && len(tokens) > 0 {
			key = tokens[0]
		}
		switch {
		case f.Rule != wire.RuleSchema, slices.Contains(keys, key):
		case key == "current_phase":
			keys = append([]string{key}, keys...)
		default:
			keys = append(keys, key)
		}
	}
	return keys
}

// correction returns the edits that set one field to a value known from other sources, or nil if there is none.
func (m *Model) correction(key string) []sdk.Edit {
	known := map[string][]sdk.Edit{
		"current_phase": m.phaseTo(m.C.Ladder.Canonical), // an unfinished session is active
		"status":        setStatus("active"),
		"workflow_type": {setText(key, m.T.Name), setNow(UpdatedAt)},
		UpdatedAt:       {setNow(key)},
		Review.Number:   {setInt(key, m.Rounds.Working)},
		Map.Number:      {setInt(key, m.Runs.Working)},
	}
	if known[key] != nil {
		return known[key]
	}
	if m.Base != nil && m.Base.State.Stamp(key).OK {
		return []sdk.Edit{setText(key, m.Base.State.Stamp(key).Text)}
	}
	if edit, ok := m.proveField(key); ok {
		return []sdk.Edit{edit}
	}
	return nil
}

// salvage reads the fields that can still be found in an unparsable state.json. For an unresolved merge it reads each
// side of the first conflict. The result is a guess.
func (m *Model) salvage() (list []*State) {
	text := m.State.Doc.Text
	sides := []string{text}
	if ours, theirs, ok := strings.Cut(text, "\n======="); ok && strings.Contains(ours, "<<<<<<< ") {
		ours, _, _ = strings.Cut(ours, "\n||||||| ") // the common ancestor
		sides = []string{ours, theirs}
	}
	keys := append([]string{"session_id", "workflow_type", "status", "current_phase", "phase_number", Review.Number,
		Map.Number}, TimeFields...)
	for _, side := range sides {
		var members []string
		for _, key := range keys {
			v, ok := jsondoc.Salvage(side, key)
			if !ok {
				v, ok = jsondoc.Salvage(text, key)
			}
			if ok {
				members = append(members, say.Quote(key)+":"+v.Raw())
			}
		}
		list = append(list, readState(&sdk.Document{Path: StatePath, Format: sdk.JSON, Need: sdk.Content,
			Text: "{" + strings.Join(members, ",") + "}"}))
	}
	return list
}
