package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

var roundBeyondFiles = beyondFiles("round-beyond-files", Review,
	"current_round names a review round that has no files.\n\n"+
		"The directories are the truth for rounds: the tool shows the highest one there is. Set current_round to the round that work is in, and the phase with it if it does not fit.")

var runBeyondFiles = beyondFiles("run-beyond-files", Map,
	"current_map_run names a map run that has no files.\n\n"+
		"The directories are the truth for runs: the tool shows the highest one there is. Set current_map_run to the run that work is in, and the phase with it if it does not fit.")

func beyondFiles(name string, k Kind, doc string) *sdk.Rule {
	return &sdk.Rule{Name: name, Severity: sdk.Error, Doc: doc, Check: onState(func(p *sdk.Pass, m *Model) {
		if m.T == k && m.BeyondFiles() {
			tellBeyond(p, m)
		}
	})}
}

func tellBeyond(p *sdk.Pass, m *Model) {
	s, field, canonical := m.Series(m.T), m.T.NumberField(), m.C.Ladder.Canonical
	unit, working := m.T.Unit(), itoa(s.Working)
	found := "the highest " + unit + " is " + itoa(s.Max)
	if s.Max == 0 {
		found = "no " + unit + " has files"
	}
	set := setInt(field, s.Working)
	title := "Set " + field + " to " + working
	var offers []sdk.Remedy
	if m.Fit == sdk.Fits || m.Fit == sdk.Lags {
		offers = append(offers, safely(title, set))
	}
	if m.Phase() != canonical {
		offers = append(offers, reviewed(title+" and the phase to "+canonical, append(m.phaseTo(canonical), set)...))
	}
	d := m.onC(field, field+" is "+itoa(s.Claim)+" but "+found)
	tell(p, m, d, offers...)
}

var roundBehindFiles = behindFiles("round-behind-files", Review,
	"A later review round than current_round has begun.\n\n"+
		"The state speaks of a round that is history, and a run that resumes would write into it. Set current_round to the last round; the phase is set as well if it does not fit that round.")

var runBehindFiles = behindFiles("run-behind-files", Map,
	"A later map run than current_map_run has begun.\n\n"+
		"The state speaks of a run that is history, and a session that resumes would write into it. Set current_map_run to the last run; the phase is set as well if it does not fit that run.")

func behindFiles(name string, k Kind, doc string) *sdk.Rule {
	return &sdk.Rule{Name: name, Severity: sdk.Error, Doc: doc, Check: onState(func(p *sdk.Pass, m *Model) {
		if m.T == k && m.BehindFiles() {
			tellBehind(p, m)
		}
	})}
}

func tellBehind(p *sdk.Pass, m *Model) {
	s, field := m.Series(m.T), m.T.NumberField()
	title := "Set " + field + " to " + itoa(s.Working)
	edits := []sdk.Edit{setInt(field, s.Working)}
	result := m.C.Result().Filled()
	switch {
	case m.Fit != sdk.Fits:
		canonical := m.C.Ladder.Canonical
		status := "active"
		if result && m.T == Review {
			status = "closed"
		}
		title += " and the phase to " + canonical
		edits = append(append(edits, phaseEdits(m.T, canonical)...), setText("status", status))
	case m.State.Status == "closed" && !result:
		title += " and status to active"
		edits = append(edits, statusEdits("active")...)
	}
	d := m.onC(field, field+" is "+itoa(s.Claim)+" but "+m.T.Unit()+" "+itoa(s.Working)+" has begun ("+firstFilled(m.C)+")")
	tell(p, m, d, reviewed(title, edits...))
}

// firstFilled names a document of the subject that has a word.
func firstFilled(s *Subject) string {
	for _, d := range s.Docs {
		if Filled(d) {
			name := baseName(d.Path)
			return short(name)
		}
	}
	return ""
}

var roundNameMalformed = &sdk.Rule{
	Name: "round-name-malformed", Severity: sdk.Warning,
	Doc: "A directory beside the rounds or map runs is not named like one.\n\n" +
		"Rounds are round-1, round-2 … and runs are run-1, run-2 …, without leading zeros. What lies in another directory is not read. Move it to the right name, or out of the way.",
	Check: onSession(checkRoundName),
}

func checkRoundName(p *sdk.Pass, m *Model) {
	for _, s := range []*Series{&m.Rounds, &m.Runs} {
		for _, dir := range s.Strange {
			tellRoundName(p, m, s.Kind, dir)
		}
	}
}

func tellRoundName(p *sdk.Pass, m *Model, k Kind, dir string) {
	name := strings.TrimSuffix(strings.TrimPrefix(dir, parent(k)), "/")
	to := k.mendedName(name)
	want, note := to, ""
	if to == "" {
		want = k.Unit() + "-<number>"
	}
	steps := "Move the files of " + short(dir) + " to the " + k.Unit() + " that they belong to, or out of " + parent(k) + "."
	offers := []sdk.Remedy{manually("Rename the directory", steps)}
	switch target := parent(k) + to + "/"; {
	case to == "":
	case len(under(m.Docs, target)) > 0:
		note = ", which exists"
	case m.isFree(parent(k), name, to):
		offers = []sdk.Remedy{reviewed("Move "+short(name)+" to "+to, sdk.Move(dir, target)), offers[0]}
	}
	d := sdk.Diagnostic{Range: sdk.At(dir), Message: shown(name) + " is not read: the name must be " + want + note}
	tell(p, m, d, offers...)
}

// mendedName is the canonical name that a directory was meant to have, "" if
// nobody can tell.
func (k Kind) mendedName(name string) string {
	rest, ok := strings.CutPrefix(normalPhase(name), k.Unit())
	digits := strings.TrimLeft(strings.TrimPrefix(rest, "-"), "0")
	if n, canonical := canonicalNumber(digits); ok && canonical {
		return k.Unit() + "-" + itoa(n)
	}
	return ""
}

var roundGap = &sdk.Rule{
	Name: "round-gap", Severity: sdk.Warning,
	Doc: "Review rounds or map runs are not numbered without gaps.\n\n" +
		"Rounds are counted by their directories, so a missing one was lost or a number was skipped. Restore it if it was lost.",
	Check: onSession(checkRoundGap),
}

func checkRoundGap(p *sdk.Pass, m *Model) {
	for _, s := range []*Series{&m.Rounds, &m.Runs} {
		last := 0
		for _, n := range s.Set {
			if n > last+1 && m.Known(directory(s.Kind, last+1)+resultName(s.Kind)) {
				tellGap(p, m, s.Kind, last, n)
			}
			last = n
		}
	}
}

func resultName(k Kind) string {
	if k == Map {
		return "map.md"
	}
	return "final.md"
}

func tellGap(p *sdk.Pass, m *Model, k Kind, last, next int) {
	unit := k.Unit()
	gone, verb := unit+" "+itoa(last+1), " is missing"
	if next > last+2 {
		gone, verb = unit+"s "+itoa(last+1)+" to "+itoa(next-1), " are missing"
	}
	where := " between " + itoa(last) + " and " + itoa(next)
	if last == 0 {
		where = " below " + itoa(next)
	}
	d := sdk.Diagnostic{Key: unit + "-" + itoa(last+1), Range: sdk.At(parent(k)), Message: gone + verb + where}
	tell(p, m, d, manually("Close the gap", "Restore what was lost in "+parent(k)+", or leave the gap if the number was never used."))
}

var unfinishedLeftBehind = &sdk.Rule{
	Name: "unfinished-left-behind", Severity: sdk.Info,
	Doc: "An earlier round or run never got its result.\n\n" +
		"Work went on to the next one before final.md or map.md was written. That may be on purpose; old rounds are not written any more.",
	Check: onSession(checkUnfinishedLeftBehind),
}

func checkUnfinishedLeftBehind(p *sdk.Pass, m *Model) {
	for _, series := range []*Series{&m.Rounds, &m.Runs} {
		for _, n := range series.Set {
			s := m.Subject(series.Kind, n)
			if n < series.Max && !m.IsC(s) && !s.Result().Filled() && m.Known(s.Result().Path) {
				tell(p, m, on(s, s.Dir, s.title()+" was left without "+resultName(s.Kind)))
			}
		}
	}
}

var legacyFlatLayout = &sdk.Rule{
	Name: "legacy-flat-layout", Severity: sdk.Info,
	Doc: "The session keeps its review in the layout of v1.0 and v1.1.\n\n" +
		"Reviewer files, discourse.md and final.md lie in the session's root, where later versions see no round. Move them to rounds/round-1 to go on with a later version.",
	Check: onSession(checkLegacyFlatLayout),
}

func checkLegacyFlatLayout(p *sdk.Pass, m *Model) {
	if !m.Flat {
		return
	}
	var edits []sdk.Edit
	at := ""
	for _, path := range []string{"reviews/", "discourse.md", "final.md"} {
		if m.Docs.Get(path) == nil && len(under(m.Docs, path)) == 0 {
			continue
		}
		edits = append(edits, sdk.Move(path, directory(Review, 1)+path))
		if at == "" {
			at = path
		}
	}
	title := "Move the review's files to rounds/round-1"
	if phase := m.phaseAfterMove(); phase != "" {
		title += " and set the phase to " + phase
		edits = append(edits, phaseEdits(Review, phase)...)
	}
	d := sdk.Diagnostic{Range: sdk.At(at), Message: "layout of v1.0 or v1.1: later versions see no rounds"}
	tell(p, m, d, reviewed(title, edits...))
}

// phaseAfterMove is the phase to claim once the flat files lie in a round: in
// the flat layout any earlier claim fits, in a round it does not. It is "" if
// the claim may stay.
func (m *Model) phaseAfterMove() string {
	if m.T != Review || m.C == nil || m.State.Status == "closed" {
		return ""
	}
	ladder := m.C.Ladder
	ladder.flat = false
	if fit := ladder.Fit(m.Phase()); fit == sdk.Lags || fit == sdk.Behind {
		return ladder.FirstFitting()
	}
	return ""
}

var strayFlatArtifact = &sdk.Rule{
	Name: "stray-flat-artifact", Severity: sdk.Warning,
	Doc: "A review file lies in the session's root although the session has rounds.\n\n" +
		"It belongs to no round, so nobody reads it. Move it to the round that it belongs to.",
	Check: onSession(checkStrayFlatArtifact),
}

func checkStrayFlatArtifact(p *sdk.Pass, m *Model) {
	if len(m.Rounds.Set) == 0 {
		return
	}
	for _, doc := range flatDocs(m.Docs) {
		if !Filled(doc) {
			continue
		}
		d := sdk.Diagnostic{Range: sdk.At(doc.Path), Message: doc.Path + " in the session root belongs to no round"}
		tell(p, m, d, manually("Move it to its round", "Find out which round it belongs to, then move it to rounds/round-<number>/."))
	}
}
