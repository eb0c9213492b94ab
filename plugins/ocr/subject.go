package ocr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// A Subject is one review round or one map run.
type Subject struct {
	Kind Kind
	N    int
	Dir  string // "rounds/round-2/", "map/runs/run-1/", "" in the flat layout
	Flat bool   // the virtual round 1

	Docs    []*sdk.Document // everything that lies in its directory
	Reviews []*Reviewer     // every *.md in reviews/, by name
	DIS     File            // discourse.md; these two only in rounds
	FIN     File            // final.md
	TOP     File            // topology.md; these four only in runs
	FLO     File            // flow-analysis.md
	RQM     File            // requirements-mapping.md
	MAP     File            // map.md

	Ladder Ladder // what the documents prove

	final     *Final // what Final read
	finalRead bool
}

// A Reviewer is one *.md in the reviews directory of a round.
type Reviewer struct {
	File
	Stem   string // file name without .md: "principal-1"
	Type   string // "principal"; "" if the name is not {type}-{n}
	Number int    // 1; 0 if the name is not {type}-{n}
}

// Named reports whether the file's name is {type}-{n}.md.
func (r *Reviewer) Named() bool { return r.Number > 0 }

// Name is the subject's name: "round-2" or "run-1".
func (s *Subject) Name() string { return s.Kind.Unit() + "-" + strconv.Itoa(s.N) }

// Result is the file that ends the subject: FIN or MAP.
func (s *Subject) Result() File {
	if s.Kind == Map {
		return s.MAP
	}
	return s.FIN
}

// FilledReviews returns the reviewer files that have a word.
func (s *Subject) FilledReviews() []*Reviewer { return s.reviews(true) }

func (s *Subject) reviews(filled bool) (list []*Reviewer) {
	for _, r := range s.Reviews {
		if r.Filled() == filled {
			list = append(list, r)
		}
	}
	return list
}

// Stems returns the names of the written reviewer files, "principal-1".
func (s *Subject) Stems() []string { return stems(s.FilledReviews()) }

func stems(list []*Reviewer) (names []string) {
	for _, r := range list {
		names = append(names, r.Stem)
	}
	return names
}

// Artifacts returns the subject's own files that have a short name, present or
// not, earliest first; reviewer files are not among them.
func (s *Subject) Artifacts() []File {
	if s.Kind == Map {
		return []File{s.TOP, s.FLO, s.RQM, s.MAP}
	}
	return []File{s.DIS, s.FIN}
}

// Files returns all that phases of the subject write, present or not: the reviewer files first.
func (s *Subject) Files() []File {
	var list []File
	for _, r := range s.Reviews {
		list = append(list, r.File)
	}
	return append(list, s.Artifacts()...)
}

// HasFilled reports whether the subject owns a document with a word. It may be
// asked of a nil subject, which owns none.
func (s *Subject) HasFilled() bool {
	if s == nil {
		return false
	}
	return slices.ContainsFunc(s.Docs, Filled)
}

// ReviewsDir is the directory of the reviewer files, "rounds/round-2/reviews/".
func (s *Subject) ReviewsDir() string { return s.Dir + "reviews/" }

func (m *Model) newSubject(k Kind, n int) *Subject {
	s := &Subject{Kind: k, N: n, Dir: directory(k, n)}
	if k == Review && m.Flat && n == 1 {
		s.Flat, s.Dir, s.Docs = true, "", flatDocs(m.Docs)
	} else {
		s.Docs = under(m.Docs, s.Dir)
	}
	if k == Map {
		s.TOP, s.FLO = m.file(s.Dir+"topology.md"), m.file(s.Dir+"flow-analysis.md")
		s.RQM, s.MAP = m.file(s.Dir+"requirements-mapping.md"), m.file(s.Dir+"map.md")
	} else {
		s.DIS, s.FIN = m.file(s.Dir+"discourse.md"), m.file(s.Dir+"final.md")
		s.Reviews = readReviewers(m.Docs, s.ReviewsDir())
	}
	s.Ladder = m.climb(s)
	return s
}

func directory(k Kind, n int) string {
	return parent(k) + k.Unit() + "-" + strconv.Itoa(n) + "/"
}

// parent is the directory of all rounds or runs.
func parent(k Kind) string {
	if k == Map {
		return "map/runs/"
	}
	return "rounds/"
}

// under returns the documents below a directory, whose name ends in a slash.
// They lie next to each other, since documents are ordered by path.
func under(docs sdk.Docs, dir string) []*sdk.Document {
	all := docs.All()
	from, to := 0, len(all)
	for from < to {
		if middle := (from + to) / 2; all[middle].Path > dir {
			to = middle
		} else {
			from = middle + 1
		}
	}
	for to < len(all) && strings.HasPrefix(all[to].Path, dir) {
		to++
	}
	return all[from:to:to]
}

// flatDocs returns the artifacts of the v1.0 layout.
func flatDocs(docs sdk.Docs) []*sdk.Document {
	var found []*sdk.Document
	for _, d := range docs.All() {
		if d.Path == "final.md" || d.Path == "discourse.md" || inReviews("reviews/", d.Path) {
			found = append(found, d)
		}
	}
	return found
}

func inReviews(dir, path string) bool {
	name, ok := strings.CutPrefix(path, dir)
	return ok && strings.HasSuffix(name, ".md") && !strings.Contains(name, "/")
}

func readReviewers(docs sdk.Docs, dir string) []*Reviewer {
	var found []*Reviewer
	for _, d := range under(docs, dir) {
		if !inReviews(dir, d.Path) {
			continue
		}
		r := &Reviewer{File: File{d.Path, d}, Stem: strings.TrimSuffix(d.Path[len(dir):], ".md")}
		r.Type, r.Number = splitReviewer(r.Stem)
		found = append(found, r)
	}
	return found
}

// listSubjects names every subject and chooses C and the live ones.
func (m *Model) listSubjects() {
	rounds, runs := m.subjectsOf(&m.Rounds), m.subjectsOf(&m.Runs)
	if len(rounds)+len(runs) == 0 {
		rounds = []*Subject{m.newSubject(Review, 1)}
	}
	m.Subjects = append(append(m.Subjects, rounds...), runs...)
	if m.T == Map {
		m.Subjects = append(append(m.Subjects[:0], runs...), rounds...)
	}
	if m.T != None {
		m.C = m.Subject(m.T, m.Series(m.T).Working)
		m.Live = append(m.Live, m.C)
	}
	for _, list := range [][]*Subject{rounds, runs} {
		if n := len(list); n > 0 && list[n-1].Kind != m.T {
			m.Live = append(m.Live, list[n-1])
		}
	}
}

func (m *Model) subjectsOf(s *Series) []*Subject {
	var list []*Subject
	for _, n := range s.Set {
		list = append(list, m.newSubject(s.Kind, n))
	}
	switch {
	case s.Kind == Review && m.Flat:
		list = append(list, m.newSubject(Review, 1))
	case s.Kind == m.T && !s.Has(s.Working):
		list = inserted(list, m.newSubject(s.Kind, s.Working))
	}
	return list
}

// inserted adds a subject at its place in the order of numbers.
func inserted(list []*Subject, s *Subject) []*Subject {
	list = append(list, s)
	for i := len(list) - 1; i > 0 && list[i-1].N > s.N; i-- {
		list[i-1], list[i] = s, list[i-1]
	}
	return list
}
