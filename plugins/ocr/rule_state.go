package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// stateRules check state.json as a whole: whether it exists, and which fields it has.
var stateRules = []check.Rule[*Model]{
	{Name: "state-missing", Severity: sdk.Warning, Doc: "The session has documents but no state.json.",
		Why: "`ocr progress` shows \"Waiting for session\" until the file exists, and a session that resumes must " +
			"guess the phase. Rebuild state.json from the files, which show the round and the phase, or restore it " +
			"from the base. This is a warning because later versions of the tool keep state elsewhere, and their " +
			"files show that only when a round ends.",
		Find: func(r *check.Report, m *Model) {
			if !m.lacksState() || m.stateRemoved() || !slices.ContainsFunc(m.All(), Filled) {
				return
			}
			var proved []string
			for _, s := range m.Live {
				proved = append(proved, s.title()+", phase "+s.Ladder.Canonical)
			}
			m.offerState(r.Whole(StatePath, "state.json is missing, but the files show "+
				strings.Join(proved, "; ")), r.Pass)
		}},
	{Name: "duplicate-key", Severity: sdk.Warning, Needs: ofState, Doc: "A key occurs more than once in state.json.",
		Why: "JSON parsers use the last value, but people read the first. Remove the earlier ones, which have no " +
			"effect.",
		Find: func(r *check.Report, m *Model) {
			for _, dup := range m.State.Root.Duplicates() {
				if dup.Object != m.State.Root || m.State.Rejected(dup.Key) {
					continue
				}
				second, times := dup.Members[1], "twice"
				if n := len(dup.Members); n > 2 {
					times = say.Int(n) + " times"
				}
				var values []string
				for _, member := range dup.Members {
					values = append(values, say.Clip(member.Value.Raw()))
				}
				if len(values) > 4 {
					values = append(values[:2], values[len(values)-1])
				}
				f := r.At(sdk.AtBytes(StatePath, second.KeyStart, second.KeyEnd),
					"key "+say.Quote(dup.Key)+" occurs "+times+": "+strings.Join(values, ", then ")+
						" (the last counts)").Keyed(say.Clip(dup.Key))
				if is := m.StateOf(m.C); is == sdk.Blocked || is == sdk.Abandoned { // the last one may be wrong
					f.Advise("Keep one "+say.Clip(dup.Key),
						"Keep the value that agrees with the files, and remove the others.")
				} else {
					f.Offer(sdk.Review, "Remove the earlier "+say.Clip(dup.Key), m.dropEarlier(dup)...)
				}
			}
		}},
	{Name: "field-missing", Severity: sdk.Warning, Needs: ofState,
		Replaces: []string{"state-field-missing"},
		Doc:      "state.json lacks fields that every session has.",
		Why: "Other readers guess missing values. Fields whose values the directory name or the files show can be " +
			"added safely; they do not show times, so a person must supply those.",
		Find: func(r *check.Report, m *Model) {
			var provable, times []string
			var edits []sdk.Edit
			for _, key := range []string{"session_id", "status", "phase_number", m.T.Number, StartedAt, UpdatedAt} {
				if edit, ok := m.proveField(key); m.State.Has(key) {
					continue
				} else if ok {
					edits, provable = append(edits, edit), append(provable, key)
				} else {
					times = append(times, key)
				}
			}
			lacks := func(keys []string) *check.Finding {
				return r.Whole(StatePath, "state.json lacks "+say.And(keys...)).Keyed(strings.Join(keys, " "))
			}
			if len(provable) > 0 {
				lacks(provable).Offer(sdk.Safe, "Add "+values(edits, " "), edits...)
			}
			if len(times) > 0 {
				from := ""
				if slices.Contains(times, StartedAt) {
					from += "; started_at is when the session began, as in its first commit, not now"
				}
				if slices.Contains(times, UpdatedAt) {
					from += "; take updated_at from a clock command"
				}
				lacks(times).Advise("Fill in the fields that no file shows",
					"Add "+say.And(times...)+" to state.json"+from+".")
			}
		}},
	{Name: "unfilled-placeholder", Severity: sdk.Error, Needs: ofState,
		Doc: "A field of state.json still contains the template's placeholder.",
		Why: "The sample was copied, but the value was never filled in. Write the real value: the session's own " +
			"name, or a time from a clock command.",
		Find: func(r *check.Report, m *Model) {
			for _, member := range m.State.Root.Members() {
				key, name := member.Key, say.Clip(member.Key)
				if m.State.Root.Get(key) != member.Value || !isPlaceholder(m.State.Text(key)) || m.State.Rejected(key) {
					continue // if a key occurs twice, the last one counts
				}
				f := m.field(r, key, name+" is still the placeholder "+say.Quote(m.State.Text(key))).Keyed(name)
				switch {
				case key == "session_id":
					f.Offer(sdk.Safe, "Set session_id to "+say.Clip(m.ID), setText(key, m.ID))
				case slices.Contains(TimeFields, key):
					m.mendTime(f, r.Pass, key)
				default:
					f.Offer(sdk.Review, "Set "+name+" to its value in the base", m.baseWord(key)...).
						Advise("Fill in "+name, "Write the session's actual "+name+".")
				}
			}
		}},
}

// stateRemoved reports whether the base has a state.json that contained a state, and it no longer exists.
func (m *Model) stateRemoved() bool {
	return m.lacksState() && m.Base != nil && m.Base.State.Exists() &&
		(m.Base.State.OK() || !m.Base.State.Doc.Readable())
}

// lacksState reports whether state.json is missing although the version that works on the session keeps one.
func (m *Model) lacksState() bool { return !m.State.Exists() && m.v14 && m.Known(StatePath) }

// dropEarlier returns edits that delete all members of a key except the last, back to front. Each edit reaches from
// the member's key to the next member's key.
func (m *Model) dropEarlier(dup jsondoc.Duplicate) []sdk.Edit {
	all := m.State.Root.Members()
	last := dup.Members[len(dup.Members)-1].KeyStart
	var edits []sdk.Edit
	for i := len(all) - 2; i >= 0; i-- {
		if all[i].Key == dup.Key && all[i].KeyStart != last {
			edits = append(edits, sdk.Replace(sdk.AtBytes(StatePath, all[i].KeyStart, all[i+1].KeyStart), ""))
		}
	}
	return edits
}

// proveField returns the edit that sets a missing field to the value that the directory's name and the files show.
func (m *Model) proveField(key string) (sdk.Edit, bool) {
	switch key {
	case "session_id":
		return setText(key, m.ID), true
	case "status":
		if m.T == Review && m.State.Phase == "complete" && m.C.Result.Filled() {
			return setText(key, "closed"), true
		}
		return setText(key, "active"), true
	case "phase_number":
		return setInt(key, m.Index()), m.phaseInType()
	case m.T.Number:
		return setInt(key, m.Series(m.T).Working), true
	}
	return sdk.Edit{}, false
}

// phaseInType reports whether the claimed phase belongs to the workflow T.
func (m *Model) phaseInType() bool {
	return m.Index() > 0 && (m.State.OnlyIn == None || m.State.OnlyIn == m.T)
}

// baseWord returns the edits that set a field to its value in the base, if the workflow knows that word.
func (m *Model) baseWord(key string) []sdk.Edit {
	if m.Base == nil || !m.Base.State.OK() {
		return nil
	}
	switch b := m.Base.State; {
	case key == "status" && isStatus(b.Status) && b.Has(key):
		return []sdk.Edit{setText(key, b.Status)}
	case key == "workflow_type" && b.Type != None:
		return []sdk.Edit{setText(key, b.Type.Name)}
	case key == "current_phase" && m.Base.phaseInType() && m.Base.T == m.T:
		return setPhase(m.T, b.Phase)
	}
	return nil
}
