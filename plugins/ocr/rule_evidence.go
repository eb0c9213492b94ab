package ocr

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
)

func evidenceLost(r *check.Report, m *Model) {
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
		restore(r.Whole(sayable(was.Path), was.Path+fault).Of(m.subjectOf(was.Path)), was.Path)
	}
}

// restore offers to give a document back.
func restore(f *check.Finding, path string) {
	if sayable(path) == path {
		f.Offer(sdk.Review, "Restore "+short(path), sdk.Restore(path))
	} else {
		f.Advise("Restore "+short(path), "Take the document from an earlier revision, for example with git restore.")
	}
}

// seesAll reports whether every document that base has is here, hollow or known
// not to exist, and no place where it might have gone is out of sight.
func (m *Model) seesAll() bool {
	gone := func(d *sdk.Document) bool { return m.Docs.Get(d.Path) == nil && !m.Known(d.Path) }
	return !slices.ContainsFunc(m.Base.Docs.All(), gone) && m.sees(&m.Rounds) && m.sees(&m.Runs)
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
	return readable(d) && !slices.ContainsFunc(d.Outline().Document().Meaning(), func(line string) bool { return !strings.HasPrefix(line, "#") })
}

// same reports whether two documents say the same, as far as they were read.
func same(a, b *sdk.Document) bool {
	switch {
	case a == nil || b == nil:
		return false
	case a.Digest == b.Digest && (a.Digest != "" || a.Size == b.Size):
		return true
	}
	return readable(a) && readable(b) && markdown.Same(a.Outline(), b.Outline())
}

// readable reports whether a document can be compared by what it says.
func readable(d *sdk.Document) bool {
	return d.Format == sdk.Markdown && d.Need == sdk.Content && d.Readable()
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

// finishedRoundRewritten holds a round to what it said when it was over: when the session was
// closed, or once a later round exists.
func finishedRoundRewritten(r *check.Report, m *Model) {
	for _, n := range m.Rounds.Set {
		was := m.Base.Subject(Review, n)
		why := "round " + itoa(m.Rounds.Max) + " exists"
		switch {
		case was == nil || was.Flat || !was.FIN.Filled():
			continue
		case n < m.Rounds.Max:
		case m.Base.IsC(was) && m.Base.State.Status == "closed":
			why = "the session was closed"
		default:
			continue
		}
		files := []File{was.FIN, was.DIS}
		for _, reviewer := range was.Reviews {
			files = append(files, reviewer.File)
		}
		for _, f := range files {
			is := m.Docs.Get(f.Path)
			if f.Exists() && is != nil && !Hollow(is) && (!bare(is) || bare(f.Doc)) && !same(f.Doc, is) {
				restore(on(r, was, f.Path, f.Path+" changed although "+why+difference(f.Doc, is)), f.Path)
			}
		}
	}
}

// difference says what a document no longer says, or says anew.
func difference(was, is *sdk.Document) string {
	if !readable(was) || !readable(is) {
		return ""
	}
	before, now := was.Outline().Document().Meaning(), is.Outline().Document().Meaning()
	for _, line := range before {
		if !slices.Contains(now, line) {
			return ": it no longer says " + shown(line)
		}
	}
	for _, line := range now {
		if !slices.Contains(before, line) {
			return ": it now says " + shown(line)
		}
	}
	return ": its lines are in another order"
}
