package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

var emptyArtifact = &sdk.Rule{
	Name: "empty-artifact", Severity: sdk.Warning,
	Doc: "A document of the workflow exists without a word in it.\n\n" +
		"Writing it was interrupted. It proves nothing here, yet `ocr progress` counts it as done because the file exists. Remove it, and let its phase write it again.",
	Check: onSession(checkEmptyArtifact),
}

func checkEmptyArtifact(p *sdk.Pass, m *Model) {
	for _, f := range []File{m.STD, m.REQ, m.CTX} {
		tellHollow(p, m, f, "")
	}
	for _, s := range m.Live {
		for _, f := range s.Artifacts() {
			tellHollow(p, m, f, s.Name())
		}
		for _, r := range s.Reviews {
			tellHollow(p, m, r.File, s.Name())
		}
	}
}

func tellHollow(p *sdk.Pass, m *Model, f File, subject string) {
	if !f.Hollow() {
		return
	}
	d := sdk.Diagnostic{Subject: subject, Range: sdk.At(f.Path),
		Message: f.Path + " has no word: it proves nothing, yet `ocr progress` counts it"}
	tell(p, m, d, reviewed("Remove "+f.Path, sdk.Remove(f.Path)))
}

var artifactGap = &sdk.Rule{
	Name: "artifact-gap", Severity: sdk.Warning,
	Doc: "A document that later ones build on is missing.\n\n" +
		"Every phase writes its file before the next begins: standards, then context, then reviews; topology, then flow analysis, then the map. A gap means that a phase was skipped or its file lost.",
	Check: onSession(checkArtifactGap),
}

func checkArtifactGap(p *sdk.Pass, m *Model) {
	reviews, runs := "", ""
	for _, s := range m.Live {
		switch with := m.lastFilled(s); {
		case with != nil && s.Kind == Review:
			reviews = with.title() + " has files"
		case with == s:
			runs = s.title() + " has files"
		}
	}
	reason := firstText(reviews, runs)
	if reason == "" && m.CTX.Filled() {
		reason = "context.md is written"
	}
	tellGapFile(p, m, m.STD, "", reason)
	tellGapFile(p, m, m.CTX, "", reviews)
	for _, s := range m.Live {
		if s.Kind == Map {
			tellGapFile(p, m, s.TOP, s.Name(), firstFile(s.MAP, s.RQM, s.FLO))
			tellGapFile(p, m, s.FLO, s.Name(), firstFile(s.MAP, s.RQM))
		}
	}
}

// lastFilled is the last subject up to s that has a filled document, nil if none
// has.
func (m *Model) lastFilled(s *Subject) *Subject {
	var last *Subject
	for _, other := range m.Subjects {
		if other.Kind == s.Kind && other.N <= s.N && other.HasFilled() {
			last = other
		}
	}
	return last
}

func firstText(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// firstFile says that the first filled of some files exists, "" if none is.
func firstFile(files ...File) string {
	for _, f := range files {
		if f.Filled() {
			return f.Path + " exists"
		}
	}
	return ""
}

// tellGapFile reports a file that is not filled although, for a reason, it
// should be.
func tellGapFile(p *sdk.Pass, m *Model, f File, subject, reason string) {
	if reason == "" || f.Filled() || !m.Known(f.Path) {
		return
	}
	d := sdk.Diagnostic{Subject: subject, Range: sdk.At(f.Path), Message: absence(f) + " although " + reason}
	tell(p, m, d, manually("Write what is missing", "Write "+f.Path+", or restore it from an earlier revision."))
}

var guidanceMissing = &sdk.Rule{
	Name: "guidance-missing", Severity: sdk.Warning,
	Doc: "Reviewers work without the Tech Lead's guidance.\n\n" +
		"The analysis phase adds it to context.md, under a heading that names the Tech Lead. Reviewers build on it, so a review without it looks at the wrong things.",
	Check: onSession(checkGuidanceMissing),
}

func checkGuidanceMissing(p *sdk.Pass, m *Model) {
	if m.Era == EraLegacy || !m.CTX.Filled() || m.Guided || !legible(m.CTX) {
		return
	}
	for _, s := range m.Live {
		if s.Kind == Review && (s.HasFilled() || m.IsC(s) && m.ClaimAtLeast("reviews")) {
			tell(p, m, on(s, m.CTX.Path, "context.md has no Tech Lead guidance, which reviewers build on"),
				manually("Add the guidance", "Add a section \"Tech Lead Guidance\" to context.md."))
		}
	}
}

// legible reports whether the host could read a document, so that what is not
// found in it is not there.
func legible(f File) bool {
	if !f.Exists() || unread(f.Doc, wire.RuleUnreadable) || unread(f.Doc, wire.RuleTooLarge) {
		return false
	}
	start, _ := words.Conflict(f.Doc.Text)
	return start < 0
}

var tooFewReviewers = &sdk.Rule{
	Name: "too-few-reviewers", Severity: sdk.Warning,
	Doc: "A round went past reviews with a single reviewer file.\n\n" +
		"A review compares the views of at least two reviewers. With one file the others were lost or never written.",
	Check: onDocuments(checkTooFewReviewers),
}

func checkTooFewReviewers(p *sdk.Pass, m *Model, s *Subject) {
	past := s.DIS.Filled() || s.FIN.Filled() || m.IsC(s) && m.ClaimAtLeast("aggregation")
	if s.Kind != Review || len(s.FilledReviews()) != 1 || !past || !m.Docs.CompleteBelow(s.ReviewsDir()) {
		return
	}
	tell(p, m, on(s, s.ReviewsDir(), s.title()+" went on with 1 reviewer file; at least 2 are expected"),
		manually("Add a reviewer", "Let another reviewer write its file in "+s.ReviewsDir()+", or restore the one that was lost."))
}

var resultsWithoutReviews = &sdk.Rule{
	Name: "results-without-reviews", Severity: sdk.Warning,
	Doc: "A round has a discourse or a final review but no reviewer file.\n\n" +
		"What the result rests on is not there. It was lost, or only results were committed on purpose.",
	Check: onDocuments(checkResultsWithoutReviews),
}

func checkResultsWithoutReviews(p *sdk.Pass, m *Model, s *Subject) {
	result := s.FIN
	if !result.Filled() {
		result = s.DIS
	}
	if s.Kind != Review || !result.Filled() || len(s.FilledReviews()) > 0 || !m.Docs.CompleteBelow(s.ReviewsDir()) {
		return
	}
	d := on(s, result.Path, result.Path+" exists but "+s.title()+" has no reviewer file")
	tell(p, m, d, manually("Restore the reviews", "Restore the files of "+s.ReviewsDir()+" from an earlier revision."))
}

var reviewerNameMalformed = &sdk.Rule{
	Name: "reviewer-name-malformed", Severity: sdk.Warning,
	Doc: "A reviewer file is not named {type}-{n}.md.\n\n" +
		"The name says who reviewed: a type in lower case, a hyphen, a number from 1 without leading zeros. Any type is welcome, in any language. Rename the file.",
	Check: onDocuments(checkReviewerName),
}

func checkReviewerName(p *sdk.Pass, m *Model, s *Subject) {
	for _, r := range s.Reviews {
		if r.Named() {
			continue
		}
		name := r.Stem + ".md"
		offers := []sdk.Remedy{manually("Rename the file", "Rename "+short(name)+" in "+s.ReviewsDir()+" to {type}-{n}.md.")}
		if to := mendedStem(r.Stem); to != "" && m.isFree(s.ReviewsDir(), name, to+".md") {
			offers = []sdk.Remedy{reviewed("Rename "+short(name)+" to "+short(to)+".md", sdk.Move(r.Path, s.ReviewsDir()+to+".md")), offers[0]}
		}
		tell(p, m, on(s, r.Path, shown(name)+" is not lower-case {type}-{n}.md"), offers...)
	}
}

var reviewerNumberGap = &sdk.Rule{
	Name: "reviewer-number-gap", Severity: sdk.Info,
	Doc: "The reviewers of one type are not numbered from 1 without gaps.\n\n" +
		"A missing number may be a reviewer file that was lost.",
	Check: onDocuments(checkReviewerNumberGap),
}

func checkReviewerNumberGap(p *sdk.Pass, m *Model, s *Subject) {
	numbers := map[string][]int{}
	var types []string
	for _, r := range s.Reviews {
		if !r.Named() {
			continue
		}
		if numbers[r.Type] == nil {
			types = append(types, r.Type)
		}
		numbers[r.Type] = append(numbers[r.Type], r.Number)
	}
	for _, t := range types {
		sortInts(numbers[t])
		for i, n := range numbers[t] {
			if n == i+1 || !m.Docs.CompleteBelow(s.ReviewsDir()) {
				continue
			}
			d := on(s, s.ReviewsDir(), short(t)+"-"+itoa(n)+" without "+short(t)+"-"+itoa(i+1))
			d.Key = short(t)
			tell(p, m, d)
			break
		}
	}
}

var requirementsUnmapped = &sdk.Rule{
	Name: "requirements-unmapped", Severity: sdk.Warning,
	Doc: "The session has requirements but the map run did not map them.\n\n" +
		"The phase requirements-mapping is left out only where the user gave no requirements. Write requirements-mapping.md before the map.",
	Check: onDocuments(checkRequirementsUnmapped),
}

func checkRequirementsUnmapped(p *sdk.Pass, m *Model, s *Subject) {
	past := s.MAP.Filled() && (m.T == None || m.IsC(s)) || m.IsC(s) && m.ClaimAtLeast("synthesis")
	if b := m.Base; b != nil && b.Subject(s.Kind, s.N) != nil && b.Subject(s.Kind, s.N).MAP.Filled() && !b.REQ.Exists() {
		return // the requirements came after the map
	}
	if s.Kind != Map || !m.REQ.Filled() || s.RQM.Filled() || !past || !m.Known(s.RQM.Path) {
		return
	}
	tell(p, m, on(s, s.Dir, "requirements.md exists but "+s.title()+" has no requirements-mapping.md"),
		manually("Map the requirements", "Write "+s.RQM.Path+", then write the map again with it."))
}

var mapOmitsFile = &sdk.Rule{
	Name: "map-omits-file", Severity: sdk.Warning,
	Doc: "map.md leaves out files that topology.md lists.\n\n" +
		"The map's promise is that every changed file is in it. Add the files, or make the map again.",
	Check: onDocuments(checkMapOmitsFile),
}

func checkMapOmitsFile(p *sdk.Pass, m *Model, s *Subject) {
	if s.Kind != Map || !legible(s.MAP) || !legible(s.TOP) {
		return
	}
	missing := s.LeftOut()
	if len(missing) == 0 {
		return
	}
	message := "map.md leaves out " + itoa(len(missing)) + " of " + itoa(len(s.ListedFiles())) + " files: " + fewOf(missing)
	tell(p, m, on(s, s.MAP.Path, message), manually("Complete the map", "Add the files that "+s.TOP.Path+" lists to "+s.MAP.Path+"."))
}

var artifactOfOtherSession = &sdk.Rule{
	Name: "artifact-of-other-session", Severity: sdk.Warning,
	Doc: "A document names another session than the one it lies in.\n\n" +
		"It was copied from there, or the session's directory was renamed. Check that what it says is about this session.",
	Check: onSession(checkArtifactOfOtherSession),
}

func checkArtifactOfOtherSession(p *sdk.Pass, m *Model) {
	tellForeign(p, m, m.CTX, "")
	for _, s := range m.Live {
		if s.Kind == Map {
			tellForeign(p, m, s.MAP, s.Name())
		}
	}
}

func tellForeign(p *sdk.Pass, m *Model, f File, subject string) {
	if !legible(f) {
		return
	}
	session := SessionOf(f)
	text := strings.TrimSpace(session.Text)
	if text == "" || isPlaceholder(text) || text == m.ID {
		return
	}
	d := sdk.Diagnostic{Subject: subject, Range: session.At, Message: f.Path + " belongs to session " + shown(text)}
	tell(p, m, d, manually("Check where it comes from", "If "+f.Path+" is about this session, correct its field Session; else write it anew."))
}

var conflictMarkers = &sdk.Rule{
	Name: "conflict-markers", Severity: sdk.Error,
	Doc: "A document holds an unresolved merge.\n\n" +
		"It says two things at once, and whoever reads it takes one of them. Keep one side of each conflict, or combine them, and take the markers out.",
	Check: onSession(checkConflictMarkers),
}

func checkConflictMarkers(p *sdk.Pass, m *Model) {
	for _, d := range m.Docs.All() {
		if d.Format != sdk.Markdown || d.Need != sdk.Content {
			continue
		}
		if start, end := words.Conflict(d.Text); start >= 0 {
			f := sdk.Diagnostic{Subject: m.subjectOf(d.Path), Range: sdk.AtBytes(d.Path, start, end), Message: d.Path + " holds an unresolved merge"}
			tell(p, m, f, manually("Resolve the merge", "Keep one side of each conflict in "+d.Path+", or combine them, and take the markers out."))
		}
	}
}
