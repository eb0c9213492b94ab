package ocr

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
)

var evidenceLost = &sdk.Rule{
	Name: "evidence-lost", Severity: sdk.Error,
	Doc: "A document of the session was there in the base revision and is gone or empty.\n\n" +
		"What a phase wrote is the proof of its work, and later phases read it. Restore it. Moving a document is no loss, nor is starting the session afresh.",
	Check: onTransition(checkEvidenceLost),
}

func checkEvidenceLost(p *sdk.Pass, m *Model) {
	if !m.seesAll() {
		return
	}
	moved := m.arrivals()
	for _, was := range m.Base.Docs.All() {
		if !Filled(was) || !isEvidence(was.Path) || strings.HasPrefix(was.Path, "map/") && m.isFreshMap() {
			continue
		}
		fault := " is gone"
		is := m.Docs.Get(was.Path)
		switch {
		case is == nil && moved[content(was)] > 0:
			moved[content(was)]--
			continue
		case is != nil && Hollow(is):
			fault = " has no word any more"
		case is != nil && bare(is) && !bare(was):
			fault = " has nothing left but headings"
		case is != nil:
			continue
		}
		d := sdk.Diagnostic{Subject: m.subjectOf(was.Path), Range: sdk.At(was.Path), Message: was.Path + fault}
		tell(p, m, d, restore(was.Path))
	}
}

// seesAll reports whether every document that base has is here, hollow or known
// not to exist, and no place where it might have gone is out of sight.
func (m *Model) seesAll() bool {
	for _, d := range m.Base.Docs.All() {
		if m.Docs.Get(d.Path) == nil && !m.Known(d.Path) {
			return false
		}
	}
	return m.sees(&m.Rounds) && m.sees(&m.Runs)
}

// isEvidence reports whether a path is that of a document which proves work.
func isEvidence(path string) bool {
	switch path {
	case "discovered-standards.md", "context.md", "requirements.md":
		return true
	}
	return strings.HasPrefix(path, "rounds/") || strings.HasPrefix(path, "map/runs/")
}

// arrivals counts the documents that are not in base by what they say: a lost document may have
// moved there.
func (m *Model) arrivals() map[string]int {
	list := map[string]int{}
	for _, d := range m.Docs.All() {
		if !d.Dir && m.Base.Docs.Get(d.Path) == nil {
			list[content(d)]++
		}
	}
	return list
}

// content is what a document says, with its kind: the same for those that only are written in
// another way.
func content(d *sdk.Document) string {
	if !readable(d) {
		return path.Ext(d.Path) + d.Digest
	}
	return path.Ext(d.Path) + strings.Join(d.Outline().Document().Meaning(), "\n")
}

// bare reports whether a document has no words but in its headings.
func bare(d *sdk.Document) bool {
	if !readable(d) {
		return false
	}
	return !slices.ContainsFunc(d.Outline().Document().Meaning(), func(line string) bool { return !strings.HasPrefix(line, "#") })
}

// subjectOf is the subject whose directory a path lies in, "" if there is none
// such now or in base.
func (m *Model) subjectOf(path string) string {
	list := m.Subjects
	if m.Base != nil {
		list = slices.Concat(list, m.Base.Subjects)
	}
	for _, s := range list {
		if s.Dir != "" && strings.HasPrefix(path, s.Dir) {
			return s.Name()
		}
	}
	return ""
}

var finishedRoundRewritten = &sdk.Rule{
	Name: "finished-round-rewritten", Severity: sdk.Warning,
	Doc: "A document of a finished round says something else than in the base.\n\n" +
		"Finished rounds are history: what was presented, and what a later round answers, must stay as it was. Restore the text of the base revision and say new things in a new round.",
	Check: onTransition(checkFinishedRoundRewritten),
}

func checkFinishedRoundRewritten(p *sdk.Pass, m *Model) {
	for _, n := range m.Rounds.Set {
		was := m.Base.Subject(Review, n)
		why := ""
		switch {
		case was == nil || was.Flat || !was.FIN.Filled():
			continue
		case n < m.Rounds.Max:
			why = "round " + itoa(m.Rounds.Max) + " exists"
		case m.Base.IsC(was) && m.Base.State.Status == "closed":
			why = "the session was closed"
		default:
			continue
		}
		files := []File{was.FIN, was.DIS}
		for _, r := range was.Reviews {
			files = append(files, r.File)
		}
		for _, f := range files {
			tellRewritten(p, m, was, f, why)
		}
	}
}

func tellRewritten(p *sdk.Pass, m *Model, s *Subject, was File, why string) {
	is := m.Docs.Get(was.Path)
	if !was.Exists() || is == nil || Hollow(is) || bare(is) && !bare(was.Doc) || same(was.Doc, is) {
		return
	}
	d := on(s, was.Path, was.Path+" changed although "+why+difference(was.Doc, is))
	tell(p, m, d, restore(was.Path))
}

// difference says what a document no longer says, or says anew.
func difference(was, is *sdk.Document) string {
	if !readable(was) || !readable(is) {
		return ""
	}
	before, now := was.Outline().Document().Meaning(), is.Outline().Document().Meaning()
	for _, line := range before {
		if !slices.Contains(now, line) {
			return ": it no longer says " + shown(line) + " (" + was.Path + " of the base)"
		}
	}
	for _, line := range now {
		if !slices.Contains(before, line) {
			return ": it now says " + shown(line)
		}
	}
	return ": its lines are in another order"
}
