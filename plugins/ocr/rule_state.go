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
			m.offerState(r.Whole(StatePath, "state.json is missing, but files prove "+
				strings.Join(proved, "; ")), r.Pass)
		}},
	{Name: "state-kept-elsewhere", Severity: sdk.Info,
		Doc: "The session belongs to a version that keeps state in a database.",
		Why: "Open Code Review 1.5 and later have no state.json, so the phase shown here comes from the files " +
			"alone. Ask the tool itself for the recorded state.",
		Find: func(r *check.Report, m *Model) {
			if !m.State.Exists() && m.Era == EraSQLite {
				r.Whole("", "state has been kept in .ocr/data/ocr.db since v1.5; the phase is read from the files").
					Advise("Ask the tool for the recorded state", "Run `ocr state show`.")
			}
		}},
	{Name: "state-superseded", Severity: sdk.Info, Doc: "A state.json is left over from before the upgrade to v1.5.",
		Why: "The files show that a later version works on the session and keeps its state in a database, so " +
			"nothing updates state.json. Remove it, because it misleads anything that still reads it.",
		Find: func(r *check.Report, m *Model) {
			if !m.State.Exists() || m.Era != EraSQLite {
				return
			}
			says := "state.json exists"
			if m.State.Has("current_phase") {
				says = "current_phase is " + say.Quote(m.claimed())
			}
			r.Whole(StatePath, says+", but "+m.metaFile()+" shows that a later version keeps state elsewhere").
				Offer(sdk.Review, "Remove state.json", sdk.Remove(StatePath))
		}},
	{Name: "state-has-byte-order-mark", Severity: sdk.Warning, Doc: "state.json begins with a byte-order mark.",
		Why: "JSON does not allow the mark, so `ocr progress` cannot parse the file and waits for a session that " +
			"exists. Remove the mark.",
		Find: func(r *check.Report, m *Model) {
			if m.State.Exists() && m.State.Doc.BOM {
				r.At(sdk.AtLine(StatePath, 1), "state.json starts with a byte-order mark, which `ocr progress` "+
					"cannot parse").
					Offer(sdk.Safe, "Remove the byte-order mark", sdk.Unmark(StatePath))
			}
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
				r.At(sdk.AtBytes(StatePath, second.KeyStart, second.KeyEnd),
					"key "+say.Quote(dup.Key)+" occurs "+times+": "+strings.Join(values, ", then ")+
						" (the last counts)").
					Keyed(say.Clip(dup.Key)).Offer(sdk.Review, "Remove the earlier "+say.Clip(dup.Key),
					m.dropEarlier(dup)...)
			}
		}},
	{Name: "field-missing", Severity: sdk.Warning, Needs: ofState,
		Replaces: []string{"state-field-missing"},
		Doc:      "state.json lacks fields that every session has.",
		Why: "Other readers guess missing values. Fields that the directory name and the files prove can be added " +
			"safely; times cannot be proved, so a person must supply them.",
		Find: func(r *check.Report, m *Model) {
			var provable, times []string
			var edits []sdk.Edit
			for _, key := range []string{"session_id", "status", "phase_number", m.T.Number, StartedAt, UpdatedAt} {
				legacy := m.Era == EraLegacy && (key == "status" || key == Review.Number)
				if edit, ok := m.proveField(key); m.State.Has(key) || legacy {
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
				lacks(provable).Offer(sdk.Safe, "Add "+strings.Join(provable, ", "), edits...)
			}
			if len(times) > 0 {
				lacks(times).Advise("Fill in the fields that no file proves",
					"Add "+say.And(times...)+" to state.json; take times from a clock command.")
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
	{Name: "derived-data-stored", Severity: sdk.Info, Needs: ofState,
		Doc: "state.json stores data that follows from the files.",
		Why: "The file is minimal by design: rounds, reviewers and results are read from the directories. A stored " +
			"copy goes stale, and nothing reads it. Versions before v1.2 wrote such fields; remove them when you " +
			"edit the file.",
		Find: func(r *check.Report, m *Model) {
			keys := []string{"completed_phases", "reviewers", "rounds", "round_count", "map_runs", "findings",
				"verdict"}
			found := slices.DeleteFunc(keys, func(key string) bool { return !m.State.Has(key) })
			if len(found) > 0 {
				m.field(r, found[0], "state.json stores "+say.And(found...)+
					"; the tool reads this from the files instead").Keyed(strings.Join(found, " ")).
					Advise("Remove the derived fields",
						"Remove "+say.And(found...)+
							" from state.json, unless a version before v1.2 still works on the session.")
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

// proveField returns the edit that sets a missing field to the value that the name and files prove.
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
