package ocr

import (
	"path"
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
	here := contents(m.Docs)
	for _, was := range m.Base.Docs.All() {
		if !Filled(was) || !isEvidence(was.Path) || strings.HasPrefix(was.Path, "map/") && m.isFreshMap() {
			continue
		}
		fault := " is gone"
		is := m.Docs.Get(was.Path)
		switch {
		case here[was.Digest+path.Ext(was.Path)]:
			continue
		case is != nil && !Hollow(is):
			continue
		case is != nil:
			fault = " has no word any more"
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
	for _, list := range [][]*Subject{m.Subjects, m.Base.Subjects} {
		for _, s := range list {
			if !m.seesRound(s.Kind, s.N) {
				return false
			}
		}
	}
	return true
}

// isEvidence reports whether a path is that of a document which proves work.
func isEvidence(path string) bool {
	switch path {
	case "discovered-standards.md", "context.md", "requirements.md":
		return true
	}
	return strings.HasPrefix(path, "rounds/") || strings.HasPrefix(path, "map/runs/")
}

// contents indexes what documents hold, with their kind: a lost document that
// is there was moved.
func contents(docs sdk.Docs) map[string]bool {
	index := map[string]bool{}
	for _, d := range docs.All() {
		if !d.Dir && d.Digest != "" {
			index[d.Digest+path.Ext(d.Path)] = true
		}
	}
	return index
}

// subjectOf is the subject whose directory a path lies in, "" if there is none
// such now or in base.
func (m *Model) subjectOf(path string) string {
	for _, list := range [][]*Subject{m.Subjects, m.Base.Subjects} {
		for _, s := range list {
			if s.Dir != "" && strings.HasPrefix(path, s.Dir) {
				return s.Name()
			}
		}
	}
	return ""
}

var finishedRoundRewritten = &sdk.Rule{
	Name: "finished-round-rewritten", Severity: sdk.Warning,
	Doc: "A document of a finished round changed after a later round began.\n\n" +
		"Finished rounds are history: what a later round answers must stay as it was. Restore the text of the base revision and say new things in the present round.",
	Check: onTransition(checkFinishedRoundRewritten),
}

func checkFinishedRoundRewritten(p *sdk.Pass, m *Model) {
	for _, n := range m.Rounds.Set {
		was := m.Base.Subject(Review, n)
		if n >= m.Rounds.Max || was == nil || was.Flat || !was.FIN.Filled() {
			continue
		}
		files := []File{was.FIN, was.DIS}
		for _, r := range was.Reviews {
			files = append(files, r.File)
		}
		for _, f := range files {
			tellRewritten(p, m, was, f)
		}
	}
}

func tellRewritten(p *sdk.Pass, m *Model, s *Subject, was File) {
	is := m.Docs.Get(was.Path)
	if !was.Exists() || is == nil || Hollow(is) || same(was.Doc, is) {
		return
	}
	name := baseName(was.Path)
	d := on(s, was.Path, short(name)+" of "+s.title()+" changed although round "+itoa(m.Rounds.Max)+" exists")
	tell(p, m, d, restore(was.Path))
}
