package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

var stateMissing = &sdk.Rule{
	Name: "state-missing", Severity: sdk.Warning,
	Doc: "The session has documents but no state.json.\n\n" +
		"`ocr progress` shows \"Waiting for session\" until the file is there, and an agent that resumes has to guess the phase. " +
		"The round and the phase follow from the files: rebuild state.json from them, or restore the text of the base revision. " +
		"It is a warning because later versions of the tool keep state elsewhere and prove it only when a round ends.",
	Check: onSession(checkStateMissing),
}

func checkStateMissing(p *sdk.Pass, m *Model) {
	if m.State.Exists() || !m.v14 || !m.Known(StatePath) || m.stateRemoved() || !m.anyFilled() {
		return
	}
	d := sdk.Diagnostic{Range: sdk.At(StatePath), Message: "no state.json, but files prove " + m.proved()}
	tell(p, m, d, m.missingStateRemedies(p)...)
}

// stateRemoved reports whether state.json was there in base and is gone.
func (m *Model) stateRemoved() bool {
	return m.Base != nil && m.Base.State.Exists() && !m.State.Exists() && m.v14 && m.Known(StatePath)
}

func (m *Model) anyFilled() bool {
	return slices.ContainsFunc(m.Docs.All(), Filled)
}

// proved says what the files show of the live subjects: "round 2, phase reviews".
func (m *Model) proved() string {
	var list []string
	for _, s := range m.Live {
		list = append(list, s.title()+", phase "+s.Ladder.Canonical)
	}
	return strings.Join(list, "; ")
}

var stateKeptElsewhere = &sdk.Rule{
	Name: "state-kept-elsewhere", Severity: sdk.Info,
	Doc: "The session belongs to a version that keeps state in a database.\n\n" +
		"Since v1.5 there is no state.json: the phase shown here is read from the files alone. Ask the tool itself for the recorded state.",
	Check: onSession(checkStateKeptElsewhere),
}

func checkStateKeptElsewhere(p *sdk.Pass, m *Model) {
	if m.State.Exists() || !m.SQLite() {
		return
	}
	d := sdk.Diagnostic{Range: sdk.At(""), Message: "state is kept in .ocr/data/ocr.db since v1.5; the phase is read from files"}
	tell(p, m, d, manually("Ask the tool for the recorded state", "Run `ocr state show`."))
}

var stateSuperseded = &sdk.Rule{
	Name: "state-superseded", Severity: sdk.Info,
	Doc: "A state.json is left over from before the upgrade to v1.5.\n\n" +
		"The files show that a later version works on the session and keeps its state in a database, so nobody updates state.json any more. " +
		"Remove it: readers that still find it are misled.",
	Check: onSession(checkStateSuperseded),
}

func checkStateSuperseded(p *sdk.Pass, m *Model) {
	if !m.State.Exists() || !m.SQLite() {
		return
	}
	says := "state.json"
	if m.State.Has("current_phase") {
		says += " says " + shown(m.claimed())
	}
	d := sdk.Diagnostic{Range: sdk.At(StatePath),
		Message: says + " but " + m.metaFile() + " shows that a later version keeps state elsewhere"}
	tell(p, m, d, reviewed("Remove state.json", sdk.Remove(StatePath)))
}

// metaFile is the path of a file that only v1.5 and later write.
func (m *Model) metaFile() string {
	for _, glob := range []string{"rounds/*/round-meta.json", "rounds/*/final-human.md", "map/runs/*/map-meta.json"} {
		for _, d := range m.Docs.Match(glob) {
			return d.Path
		}
	}
	return "a file"
}

var stateHasByteOrderMark = &sdk.Rule{
	Name: "state-has-byte-order-mark", Severity: sdk.Warning,
	Doc: "state.json begins with a byte-order mark.\n\n" +
		"The mark is no JSON: `ocr progress` cannot parse the file and waits for a session that is there. Remove the mark.",
	Check: onSession(checkByteOrderMark),
}

func checkByteOrderMark(p *sdk.Pass, m *Model) {
	if !m.State.Exists() || !m.State.Doc.BOM {
		return
	}
	d := sdk.Diagnostic{Range: sdk.AtLine(StatePath, 1),
		Message: "state.json starts with a byte-order mark, which `ocr progress` cannot parse"}
	tell(p, m, d, safely("Remove the byte-order mark", sdk.Unmark(StatePath)))
}

var duplicateKey = &sdk.Rule{
	Name: "duplicate-key", Severity: sdk.Warning,
	Doc: "A key occurs more than once in state.json.\n\n" +
		"Readers of JSON take the last one, people read the first one. Drop the earlier ones, which count for nothing.",
	Check: onState(checkDuplicateKey),
}

func checkDuplicateKey(p *sdk.Pass, m *Model) {
	for _, dup := range m.State.Root.Duplicates() {
		if dup.Object != m.State.Root || m.State.Rejected(dup.Key) {
			continue
		}
		second := dup.Members[1]
		d := sdk.Diagnostic{Key: short(dup.Key), Range: sdk.AtBytes(StatePath, second.KeyStart, second.KeyEnd),
			Message: "key " + shown(dup.Key) + " occurs " + times(len(dup.Members)) + ": " + inTurn(dup.Members) + " (the last counts)"}
		tell(p, m, d, reviewed("Drop the earlier "+short(dup.Key), m.dropEarlier(dup)...))
	}
}

func times(n int) string {
	if n == 2 {
		return "twice"
	}
	return itoa(n) + " times"
}

func inTurn(members []jsondoc.Member) string {
	var values []string
	for _, member := range members {
		values = append(values, short(member.Value.Raw()))
	}
	if len(values) > 4 {
		values = append(values[:2], values[len(values)-1])
	}
	return strings.Join(values, ", then ")
}

// dropEarlier cuts out all members of a key but the last, back to front: each
// from its key to the key of the member behind it.
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

var derivedDataStored = &sdk.Rule{
	Name: "derived-data-stored", Severity: sdk.Info,
	Doc: "state.json stores what follows from the files.\n\n" +
		"The file is minimal by design: rounds, reviewers and results are read from the directories. A stored copy goes stale and nothing reads it. " +
		"Versions before v1.2 wrote such fields; drop them when you touch the file.",
	Check: onState(checkDerivedData),
}

var derivedKeys = []string{"completed_phases", "reviewers", "rounds", "round_count", "map_runs", "findings", "verdict"}

func checkDerivedData(p *sdk.Pass, m *Model) {
	var found []string
	for _, key := range derivedKeys {
		if m.State.Has(key) {
			found = append(found, key)
		}
	}
	if len(found) == 0 {
		return
	}
	verb := " is"
	if len(found) > 1 {
		verb = " are"
	}
	d := m.onField(found[0], `"`+strings.Join(found, `", "`)+`"`+verb+" derived from files and not meant to be stored")
	d.Key = strings.Join(found, " ")
	tell(p, m, d, manually("Drop what is derived", "Remove "+strings.Join(found, ", ")+" from state.json, unless a version before v1.2 still works on the session."))
}
