package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

var stateRules = []check.Rule[*Model]{
	{Name: "state-missing", Severity: sdk.Warning, Doc: "The session has documents but no state.json.",
		Why: "`ocr progress` shows \"Waiting for session\" until the file is there, and an agent that resumes has " +
			"to guess the phase. The round and the phase follow from the files: rebuild state.json from them, or " +
			"restore the text of the base revision. It is a warning because later versions of the tool keep state " +
			"elsewhere and prove it only when a round ends.",
		Find: func(r *check.Report, m *Model) {
			if !m.lacksState() || m.stateRemoved() || !slices.ContainsFunc(m.All(), Filled) {
				return
			}
			var proved []string
			for _, s := range m.Live {
				proved = append(proved, s.title()+", phase "+s.Ladder.Canonical)
			}
			m.offerState(r.Whole(StatePath, "no state.json, but files prove "+strings.Join(proved, "; ")), r.Pass)
		}},
	{Name: "state-kept-elsewhere", Severity: sdk.Info,
		Doc: "The session belongs to a version that keeps state in a database.",
		Why: "Since v1.5 there is no state.json: the phase shown here is read from the files alone. Ask the tool " +
			"itself for the recorded state.",
		Find: func(r *check.Report, m *Model) {
			if !m.State.Exists() && m.Era == EraSQLite {
				r.Whole("", "state is kept in .ocr/data/ocr.db since v1.5; the phase is read from files").
					Advise("Ask the tool for the recorded state", "Run `ocr state show`.")
			}
		}},
	{Name: "state-superseded", Severity: sdk.Info, Doc: "A state.json is left over from before the upgrade to v1.5.",
		Why: "The files show that a later version works on the session and keeps its state in a database, so " +
			"state.json is no longer updated. Remove it: readers that still find it are misled.",
		Find: func(r *check.Report, m *Model) {
			if !m.State.Exists() || m.Era != EraSQLite {
				return
			}
			says := "state.json"
			if m.State.Has("current_phase") {
				says += " says " + say.Quote(m.claimed())
			}
			r.Whole(StatePath, says+" but "+m.metaFile()+" shows that a later version keeps state elsewhere").
				Offer(sdk.Review, "Remove state.json", sdk.Remove(StatePath))
		}},
	{Name: "state-has-byte-order-mark", Severity: sdk.Warning, Doc: "state.json begins with a byte-order mark.",
		Why: "The mark is no JSON: `ocr progress` cannot parse the file and waits for a session that is there. " +
			"Remove the mark.",
		Find: func(r *check.Report, m *Model) {
			if m.State.Exists() && m.State.Doc.BOM {
				r.At(sdk.AtLine(StatePath, 1), "state.json starts with a byte-order mark, which `ocr progress` "+
					"cannot parse").
					Offer(sdk.Safe, "Remove the byte-order mark", sdk.Unmark(StatePath))
			}
		}},
	{Name: "duplicate-key", Severity: sdk.Warning, Needs: ofState, Doc: "A key occurs more than once in state.json.",
		Why: "Readers of JSON take the last one, people read the first one. Drop the earlier ones, which count for " +
			"nothing.",
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
					Keyed(say.Clip(dup.Key)).Offer(sdk.Review, "Drop the earlier "+say.Clip(dup.Key),
					m.dropEarlier(dup)...)
			}
		}},
	{Name: "state-field-missing", Severity: sdk.Warning, Needs: ofState,
		Doc: "state.json lacks fields that every session has.",
		Why: "Other readers fall back to guesses for them. Those that the directory's name and the files prove can " +
			"be added as they are; times cannot be proved and must come from a person.",
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
				lacks(times).Advise("Fill in what nothing proves",
					"Add "+say.And(times...)+" to state.json; take times from a clock command.")
			}
		}},
	{Name: "unfilled-placeholder", Severity: sdk.Error, Needs: ofState,
		Doc: "A field of state.json still holds the template's placeholder.",
		Why: "The sample was copied and the value never filled in, so the field says nothing. Write the real value: " +
			"the session's own name, or a time from a clock command.",
		Find: func(r *check.Report, m *Model) {
			for _, member := range m.State.Root.Members() {
				key, name := member.Key, say.Clip(member.Key)
				if m.State.Root.Get(key) != member.Value || !isPlaceholder(m.State.Text(key)) || m.State.Rejected(key) {
					continue // of a key that occurs twice, the last one counts
				}
				f := m.field(r, key, name+" is still the placeholder "+say.Quote(m.State.Text(key))).Keyed(name)
				switch {
				case key == "session_id":
					f.Offer(sdk.Safe, "Set session_id to "+say.Clip(m.ID), setText(key, m.ID))
				case slices.Contains(TimeFields, key):
					m.mendTime(f, r.Pass, key)
				default:
					f.Offer(sdk.Review, "Set "+name+" to that of base", m.baseWord(key)...).
						Advise("Fill in "+name, "Write the value of "+name+" that the session has.")
				}
			}
		}},
	{Name: "derived-data-stored", Severity: sdk.Info, Needs: ofState,
		Doc: "state.json stores what follows from the files.",
		Why: "The file is minimal by design: rounds, reviewers and results are read from the directories. A stored " +
			"copy goes stale and nothing reads it. Versions before v1.2 wrote such fields; drop them when you touch " +
			"the file.",
		Find: func(r *check.Report, m *Model) {
			keys := []string{"completed_phases", "reviewers", "rounds", "round_count", "map_runs", "findings",
				"verdict"}
			found := slices.DeleteFunc(keys, func(key string) bool { return !m.State.Has(key) })
			if len(found) > 0 {
				m.field(r, found[0], "state.json holds "+say.And(found...)+
					", which the files show and nothing reads").Keyed(strings.Join(found, " ")).
					Advise("Drop what is derived",
						"Remove "+say.And(found...)+
							" from state.json, unless a version before v1.2 still works on the session.")
			}
		}},
	{Name: "noncanonical-value", Severity: sdk.Warning, Needs: ofState,
		Doc: "A word in state.json is known only after normalising its spelling.",
		Why: "`ocr progress` compares verbatim: \"Reviews\" is no phase for it, \"Closed\" does not hide a session. " +
			"Write the word in lower case with hyphens.",
		Find: func(r *check.Report, m *Model) {
			s := m.State
			for _, word := range []struct {
				key, canonical string
				known          bool
			}{{"current_phase", s.Phase, s.Alias == "" && s.isPhase()}, {"status", s.Status, isStatus(s.Status)},
				{"workflow_type", s.Type.Name, s.Type != None}} {
				if word.known && s.Has(word.key) && s.Verbatim(word.key) != word.canonical {
					m.wrong(r, word.key, say.Quote(word.canonical)+
						": `ocr progress` compares words as they are written").
						Offer(sdk.Safe, "Set "+word.key+" to "+word.canonical, setText(word.key, word.canonical))
				}
			}
		}},
	{Name: "phase-alias", Severity: sdk.Info, Needs: ofState,
		Doc: "current_phase holds an older or alternative name of a phase.",
		Why: "The tool's own texts write both \"map-complete\" and \"complete\", and v1.0 wrote \"requirements\" " +
			"for \"change-context\". `ocr progress` knows one of each.",
		Find: func(r *check.Report, m *Model) {
			if m.State.Alias != "" {
				m.field(r, "current_phase", "current_phase is "+say.Quote(m.State.Verbatim("current_phase"))+
					", which is read as "+say.Quote(m.State.Phase)).
					Offer(sdk.Review, "Set current_phase to "+m.State.Phase, setText("current_phase", m.State.Phase))
			}
		}},
	{Name: "unknown-phase", Severity: sdk.Error, Needs: ofState,
		Doc: "current_phase names no phase of either workflow.",
		Why: "Nobody can resume from it. The files show which phase the work is in: set that, or correct the slip " +
			"of the pen.",
		Find: func(r *check.Report, m *Model) {
			if canonical := m.C.Ladder.Canonical; m.State.Judged("current_phase") && !m.State.isPhase() {
				m.wrong(r, "current_phase", "a phase of a "+m.T.Name+"; the files show "+canonical).
					Offer(sdk.Review, "Set the phase to "+canonical, m.phaseTo(canonical)...)
			}
		}},
	{Name: "unknown-status", Severity: sdk.Error, Needs: ofState, Doc: "status is neither active nor closed.",
		Why: "The two words decide whether a session is shown and may be resumed; any other leaves that open. Set " +
			"the one that is meant.",
		Find: func(r *check.Report, m *Model) {
			if !m.State.Judged("status") || isStatus(m.State.Status) {
				return
			}
			f := m.wrong(r, "status", "active or closed")
			if m.T == Review && m.C.Result.Filled() {
				f.Offer(sdk.Review, "Set status to closed", setStatus("closed")...)
			}
			f.Offer(sdk.Review, "Set status to active", setStatus("active")...)
		}},
	{Name: "unknown-workflow-type", Severity: sdk.Error, Needs: ofState,
		Doc: "workflow_type is neither review nor map.",
		Why: "The field tells `ocr progress` which of the two workflows to follow. Set the one that phase and files " +
			"speak for.",
		Find: func(r *check.Report, m *Model) {
			if m.State.Judged("workflow_type") && m.State.Type == None {
				setType(m.wrong(r, "workflow_type", "review or map"), m.T, sdk.Review, setNow(UpdatedAt))
			}
		}},
	{Name: "workflow-type-mismatch", Severity: sdk.Error, Needs: ofState,
		Doc: "workflow_type names one workflow, current_phase a phase of the other.",
		Why: "One of the two was forgotten when work went from review to map or back. Decide which is true: change " +
			"the type, or the phase.",
		Find: func(r *check.Report, m *Model) {
			s, canonical := m.State, m.C.Ladder.Canonical
			if s.Type == None || s.OnlyIn == None || s.OnlyIn == s.Type {
				return
			}
			phase := say.Quote(s.Verbatim("current_phase"))
			f := m.field(r, "workflow_type", "workflow_type is "+s.Type.Name+" but "+phase+" is a "+s.OnlyIn.Name+
				" phase").
				See(s.At("current_phase"), "current_phase is "+phase)
			setType(f, s.OnlyIn, sdk.Review, setNow(UpdatedAt))
			f.Offer(sdk.Review, "Set the phase to "+canonical, m.phaseTo(canonical)...)
		}},
	{Name: "workflow-type-missing", Severity: sdk.Warning, Needs: ofState,
		Doc: "A map, or what may be one, has no workflow_type.",
		Why: "`ocr progress` shows a map only where workflow_type says map; without it the view waits for ever. A " +
			"review may leave the field out.",
		Find: func(r *check.Report, m *Model) {
			s, reason := m.State, ""
			switch {
			case s.OnlyIn == Map:
				reason = "map phase " + say.Quote(s.Verbatim("current_phase")) +
					" without workflow_type: `ocr progress` waits for ever"
			case m.onlyTree() == Map && m.sees(&m.Rounds):
				reason = "a session with only a map and no workflow_type: `ocr progress` waits for ever"
			case m.HasTree(Review) && m.HasTree(Map) && s.OnlyIn == None && s.isPhase():
				reason = "phase " + say.Quote(s.Phase) +
					" without workflow_type: both review and map have it, and files of both are here"
			}
			switch {
			case s.Has("workflow_type") || reason == "":
			case m.TypeRule == 2 || m.TypeRule == 4:
				setType(r.Whole(StatePath, reason), m.T, sdk.Safe)
			default:
				f := r.Whole(StatePath, reason)
				setType(f, m.T, sdk.Review, setNow(UpdatedAt))
				setType(f, m.T.Other(), sdk.Review, setNow(UpdatedAt))
			}
		}},
	{Name: "phase-number-mismatch", Severity: sdk.Error, Needs: ofState,
		Doc: "phase_number is not the number of current_phase.",
		Why: "Name and number are written together; where they disagree one of them is stale, and `ocr progress` " +
			"draws its check marks from the number.",
		Find: wrongNumber(false)},
	{Name: "phase-number-off-by-one", Severity: sdk.Warning, Needs: ofState,
		Doc: "phase_number counts without the phase aggregation.",
		Why: "The tool's phase table leaves aggregation out, yet its numbers only work with it as phase 5: " +
			"discourse is 6, synthesis 7, complete 8.",
		Find: wrongNumber(true)},
	{Name: "session-id-mismatch", Severity: sdk.Warning, Needs: ofState,
		Doc: "session_id is not the name of the session's directory.",
		Why: "The directory is the session: whoever looks it up by session_id ends up elsewhere. It happens when a " +
			"directory is copied or renamed. Set session_id to the directory's name.",
		Find: func(r *check.Report, m *Model) {
			const key = "session_id"
			if m.State.Judged(key) && m.State.Text(key) != m.ID {
				m.wrong(r, key, say.Quote(m.ID)+", the name of the directory").
					Offer(sdk.Review, "Set session_id to "+say.Clip(m.ID), setText(key, m.ID))
			}
		}},
	{Name: "session-name-nonstandard", Severity: sdk.Info, Doc: "The session's directory is not named date-branch.",
		Why: "`ocr progress` picks the session whose name sorts last, which is the newest only if names begin with " +
			"the date.",
		Find: func(r *check.Report, m *Model) {
			if _, ok := sessionDate(m.ID); !ok {
				r.Whole("", say.Quote(m.ID)+" does not start with a date and a hyphen, so `ocr progress` cannot "+
					"order it")
			}
		}},
}

// stateRemoved reports whether state.json was there in base, as more than a text without a state, and is gone.
func (m *Model) stateRemoved() bool {
	return m.lacksState() && m.Base != nil && m.Base.State.Exists() &&
		(m.Base.State.OK() || !m.Base.State.Doc.Readable())
}

// lacksState reports whether there is no state.json although the version that works on the session keeps one.
func (m *Model) lacksState() bool { return !m.State.Exists() && m.v14 && m.Known(StatePath) }

// dropEarlier cuts out all members of a key but the last, back to front: each from its key to the key of the member
// behind it.
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

// proveField sets a missing field to what name and files prove.
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

// phaseInType reports whether the claimed phase is one of the workflow's own.
func (m *Model) phaseInType() bool {
	return m.Index() > 0 && (m.State.OnlyIn == None || m.State.OnlyIn == m.T)
}

// baseWord sets a field to what base has, if that is a word the workflow knows.
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

func isStatus(word string) bool { return word == "active" || word == "closed" }

func setType(f *check.Finding, k *Kind, safety sdk.Safety, more ...sdk.Edit) {
	f.Offer(safety, "Set workflow_type to "+k.Name, append([]sdk.Edit{setText("workflow_type", k.Name)}, more...)...)
}

// wrongNumber finds a phase_number that is not that of the phase: one that is explained by another
// way of counting, or one that is not.
func wrongNumber(explained bool) func(*check.Report, *Model) {
	return func(r *check.Report, m *Model) {
		n, ok := m.State.Int("phase_number")
		if !ok || !m.State.Judged("phase_number") || !m.phaseInType() || n == m.Index() || m.offByOne(n) != explained {
			return
		}
		safety, why := sdk.Review, ""
		if m.Fit == sdk.Fits || m.Fit == sdk.Lags || explained {
			safety = sdk.Safe
		}
		if explained && m.T == Review {
			why = " (aggregation is 5)"
		}
		want := say.Int(m.Index())
		m.field(r, "phase_number", say.Wrong("phase_number", say.Int(n),
			want+", the number of "+m.State.Phase+" in a "+m.T.Name+why)).
			See(m.State.At("current_phase"), "current_phase is "+m.State.Phase).
			Offer(safety, "Set phase_number to "+want, setInt("phase_number", m.Index()))
	}
}

// offByOne reports whether n counts a review's phases without aggregation, a map's without requirements-mapping, or as
// if it had one phase more or the 8 of a review: the tool's own text gives no numbers for them.
func (m *Model) offByOne(n int) bool {
	index := m.Index()
	if m.T == Review {
		return index > Review.Index("aggregation") && n == index-1
	}
	return index > 1 && n == index+1 || index > Map.Index("requirements-mapping") && n == index-1 ||
		m.State.Phase == "complete" && n == len(Review.Phases)
}
