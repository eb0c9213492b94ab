package ocr

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

var evidenceRules = []check.Rule[*Model]{
	{Name: "document-lost", Severity: sdk.Error, Needs: onBase,
		Replaces: []string{"evidence-lost"},
		Doc:      "A document that the base has is missing, empty or almost empty.",
		Why: "The document shows the work of its phase, and later phases read it. Restore it. Moving a document or " +
			"starting the session afresh is not reported.",
		Find: func(r *check.Report, m *Model) {
			if !m.seesAll() {
				return
			}
			moved := m.arrivals()
			for _, was := range m.Base.All() {
				is := m.Get(was.Path)
				fault := m.loss(was, is)
				if fault == "" || is == nil && m.arrived(was, &moved) {
					continue
				}
				f := r.Whole(sayable(was.Path), was.Path+fault).About(m.subjectOf(was.Path))
				if Filled(is) && breaksOff(was, is) != "" {
					f.As(sdk.Warning)
				}
				m.restore(f, was.Path)
			}
		}},
	// A round or run must keep its text once the session is closed or a later round or run exists. People keep writing
	// in maps, so a changed map is reported only if text was lost.
	{Name: "finished-round-rewritten", Severity: sdk.Warning, Needs: onBase,
		Doc: "A finished round differs from the base, or a review is newer than final.md.",
		Why: "Finished rounds are history: text that was presented, or that a later round answers, must not change. " +
			"Restore the text from the base, and write new text in a new round. A review that is written after " +
			"final.md has no effect unless final.md is rewritten.",
		Find: func(r *check.Report, m *Model) {
			for _, is := range m.Subjects {
				series, was := m.Series(is.Kind), m.Base.Subject(is.Name())
				last := series.Max // or the claimed one, whose text may have been written into this round or run
				if is.Kind == m.T && series.Claim == last+1 {
					last = series.Claim
				}
				why := ", although " + is.Kind.Unit + " " + say.Int(last) + " has begun"
				if was == nil || !was.Result.Filled() {
					continue
				}
				if is.N >= last {
					if is.Kind == Map || was != m.Base.C {
						continue
					}
					if m.Base.State.Status != "closed" {
						m.reportLate(r)
						continue
					}
					why = ", although the session was closed"
				}
				for _, f := range was.Files() {
					now := m.Get(f.Path)
					if !f.Filled() || !Filled(now) || m.loss(f.Doc, now) != "" || same(f.Doc, now) {
						continue
					}
					change := difference(f.Doc, now)
					if is.Kind == Map && f == was.Result {
						if change = unsaid(f.Doc, now); change == "" {
							continue // files were ticked off, or a note was added
						}
					}
					found := on(r, was, f.Path, f.Path+" changed"+why+change)
					to := is.Kind.directory(last) + strings.TrimPrefix(f.Path, is.Dir)
					starting := last > series.Max
					switch isNew := starting || replaced(f.Doc, now) && !m.Base.has(now); {
					case isNew && m.free(to) && m.Index() >= is.Kind.phaseOf(f.Path) &&
						(starting || is.Kind == m.T && last == m.C.N):
						found.Offer(sdk.Review, "Move the new text to "+to+" and restore "+f.Path, sdk.Move(f.Path, to),
							sdk.Restore(f.Path))
					case isNew && slices.Contains(was.Own, f):
						found.Offer(sdk.Review, "Restore "+f.Path+" and keep the new text beside it",
							sdk.Aside(f.Path, "new"), sdk.Restore(f.Path))
					case isNew:
						found.Advise("Keep the new text", "Copy the new text of "+f.Path+
							" to the round that it belongs to, then restore the document from the base.")
					}
					m.restore(found, f.Path)
				}
				for _, reviewer := range is.Reviews {
					if len(was.Reviews) > 0 && was.lacks(reviewer) {
						on(r, was, reviewer.Path, reviewer.Path+" is new"+why).
							Advise("Review in a new round",
								"Move "+reviewer.Path+" to the round it belongs to, or start a new round.")
					}
				}
			}
		}},
}

// phaseOf returns the number of the phase that writes a file of a round or run.
func (k *Kind) phaseOf(path string) int {
	_, name := cutLast(path, "/")
	switch stem, _ := strings.CutSuffix(name, ".md"); {
	case name == k.Result():
		return k.Index("synthesis")
	case slices.Contains(k.Files, name):
		return k.Index(stem)
	}
	return k.Index("reviews")
}

// reportHalf reports a final.md that breaks off before its verdict, although its round is complete.
func (m *Model) reportHalf(r *check.Report, s *Subject) {
	if last := s.halfFinal(); last != "" && s == m.C && m.State.Phase == "complete" {
		on(r, s, s.Result.Path, s.Result.Path+" has no verdict and ends with "+say.Quote(last)+", although "+s.title()+
			" is complete").Advise("Finish the final review", "Finish "+s.Result.Path+
			", with a verdict, or restore the document from an earlier revision.")
	}
}

// loss describes what happened to a document that shows work in the base, or returns "" if it is not lost.
func (m *Model) loss(was, is *sdk.Document) string {
	switch {
	case !Filled(was), !isEvidence(was.Path), strings.HasPrefix(was.Path, Map.Tree) && m.isFreshMap():
		return ""
	case is == nil:
		return " was deleted"
	case Hollow(is):
		return " no longer contains any words"
	case bare(is):
		return " now contains only " + said(is)
	}
	if end := breaksOff(was, is); end != "" {
		return " is cut off: it no longer contains " + say.Quote(end)
	}
	if strings.HasPrefix(was.Path, Map.Tree) {
		return "" // the list of a small change has few words
	}
	return check.Emptied(is, was)
}

// isLost reports whether document-lost reports a file.
func (m *Model) isLost(f File) bool {
	if !m.onBase() || !m.seesAll() {
		return false
	}
	was, moved := m.Base.Get(f.Path), m.arrivals()
	return m.loss(was, f.Doc) != "" && (f.Doc != nil || !m.arrived(was, &moved))
}

// arrivals returns the documents that the base does not have.
func (m *Model) arrivals() []*sdk.Document {
	return slices.DeleteFunc(slices.Clone(m.All()),
		func(d *sdk.Document) bool { return d.Dir || m.Base.Get(d.Path) != nil })
}

// restore offers to restore a document. If its current text is that of another document in the base, and is no longer
// at that document's path, restore offers to restore both, so that no text is lost.
func (m *Model) restore(f *check.Finding, path string) {
	is := m.Get(path)
	var others []sdk.Edit
	lost := false
	for _, other := range m.Base.Docs.All() {
		if is == nil || other.Path == path || !Filled(is) || !same(other, is) || same(other, m.Get(other.Path)) {
			continue
		}
		there := m.Get(other.Path)
		lost = lost || there != nil && !same(there, m.Base.Docs.Get(path))
		others = append(others, sdk.Restore(other.Path))
	}
	switch {
	case sayable(path) != path || lost || len(others) > 1:
		f.Advise("Restore "+say.Clip(path), "Save the current file, then restore the document from an earlier "+
			"revision, for example with git restore.")
	case len(others) == 1:
		f.Offer(sdk.Review, "Restore "+say.Clip(path)+" and "+say.Clip(others[0].Range.Path)+
			", whose text is now in "+say.Clip(path),
			append(others, sdk.Restore(path))...)
	default:
		f.Offer(sdk.Review, "Restore "+say.Clip(path), sdk.Restore(path))
	}
}

// breaksOff returns the first heading that a document lacks because it ends earlier than in the base, or else the
// base's version of a last line that ends within a sentence. It returns "" if the document does not break off.
func breaksOff(was, is *sdk.Document) string {
	before, now := meaning(was, is)
	// including list marks
	isStart := len(now) > 0 && strings.HasPrefix(was.Text, strings.TrimRight(is.Text, " \r\n"))
	for i, line := range now {
		isCut := i == len(now)-1 && i < len(before) && (isStart || strings.HasPrefix(before[i], line))
		if !isCut && (i >= len(before) || line != before[i]) {
			return ""
		}
	}
	for _, line := range before[min(len(now), len(before)):] {
		if strings.HasPrefix(line, "#") {
			return strings.TrimLeft(line, "# ")
		}
	}
	if last := len(now) - 1; last >= 0 && last < len(before) && now[last] != before[last] &&
		(File{is.Path, is}).torn() != "" {
		return before[last]
	}
	return ""
}

// meaning returns the text of two documents, line by line, or nothing unless both can be read.
func meaning(was, is *sdk.Document) (before, now []string) {
	if !readable(was) || !readable(is) {
		return nil, nil
	}
	return was.Outline().Document().Meaning(), is.Outline().Document().Meaning()
}

// seesAll reports whether every document in the base exists or is known not to exist, and every location that it could
// have moved to is visible.
func (m *Model) seesAll() bool {
	gone := func(d *sdk.Document) bool { return m.Get(d.Path) == nil && !m.Known(d.Path) }
	return !slices.ContainsFunc(m.Base.Docs.All(), gone) && m.sees(&m.Rounds) && m.sees(&m.Runs)
}

// isEvidence reports whether a document at this path shows work.
func isEvidence(path string) bool {
	return slices.Contains([]string{"discovered-standards.md", "context.md", "requirements.md"}, path) ||
		strings.HasPrefix(path, Review.Parent) || strings.HasPrefix(path, Map.Parent)
}

// arrived reports whether a lost document moved to another path in the same round or run, and removes it from the list
// of new documents. It moves to another round only together with all its neighbors.
func (m *Model) arrived(was *sdk.Document, list *[]*sdk.Document) bool {
	from := home(was.Path)
	at := slices.IndexFunc(*list, func(d *sdk.Document) bool {
		return path.Ext(d.Path) == path.Ext(was.Path) && same(was, d) &&
			(from == "" || home(d.Path) == from || len(under(m.Docs, from)) == 0)
	})
	if at >= 0 {
		*list = slices.Delete(*list, at, at+1)
	}
	return at >= 0
}

// home returns the directory of the round or run that contains a path, or "".
func home(path string) string {
	for _, k := range kinds {
		if name, _, ok := strings.Cut(strings.TrimPrefix(path, k.Parent), "/"); ok &&
			strings.HasPrefix(path, k.Parent) {
			return k.Parent + name + "/"
		}
	}
	return ""
}

// same reports whether two documents have the same text, as far as they were read.
func same(a, b *sdk.Document) bool {
	switch {
	case a == nil || b == nil:
		return false
	case a.Digest == b.Digest && (a.Digest != "" || a.Size == b.Size):
		return true
	}
	return readable(a) && readable(b) && markdown.Same(a.Outline(), b.Outline())
}

// readable reports whether a document's text can be compared.
func readable(d *sdk.Document) bool { return d.Readable() && d.Format == sdk.Markdown }

// subjectOf returns the name of the subject whose directory contains a path, now or in the base, or "".
func (m *Model) subjectOf(path string) string {
	for _, s := range slices.Concat(m.Subjects, m.Base.Subjects) {
		if s.Dir != "" && strings.HasPrefix(path, s.Dir) {
			return s.Name()
		}
	}
	return ""
}

// lacks reports whether a reviewer file is filled and its text is nowhere in the earlier round s.
func (s *Subject) lacks(r File) bool {
	return r.Filled() && !slices.ContainsFunc(s.Docs,
		func(d *sdk.Document) bool { return d.Path == r.Path || same(d, r.Doc) })
}
