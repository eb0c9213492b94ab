package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
)

// A Subject is one review round or one map run.
type Subject struct {
	Kind *Kind
	N    int
	Dir  string // "rounds/round-2/", "map/runs/run-1/"

	Docs          []*sdk.Document // everything in its directory
	Reviews       []File          // every *.md file in reviews/, by name
	Own           []File          // the files of its kind, existing or not
	DIS           File            // discourse.md; rounds only
	TOP, FLO, RQM File            // topology.md, flow-analysis.md and requirements-mapping.md; runs only
	Result        File            // the file that ends it: final.md (FIN) or map.md (MAP)

	Ladder Ladder // what the documents show

	final *Final // content of Result; read on demand
}

// Name returns the subject's name: "round-2" or "run-1".
func (s *Subject) Name() string { return s.Kind.name(s.N) }

// title returns the name that messages use: "round 2".
func (s *Subject) title() string { return s.Kind.Unit + " " + say.Int(s.N) }

// Written returns the names of the reviewer files that say something, such as "principal-1".
func (s *Subject) Written() []string { return s.stems(true) }

func (s *Subject) stems(filled bool) (names []string) {
	for _, r := range s.Reviews {
		if r.Filled() == filled {
			names = append(names, stem(r))
		}
	}
	return names
}

// stem returns the name of a reviewer file without .md.
func stem(f File) string {
	_, name := cutLast(f.Path, "/")
	return strings.TrimSuffix(name, ".md")
}

// Files returns all files that the phases of the subject write, existing or not, starting with the reviewer files.
func (s *Subject) Files() []File { return slices.Concat(s.Reviews, s.Own) }

// HasFilled reports whether the subject has a document with text.
func (s *Subject) HasFilled() bool { return slices.ContainsFunc(s.Docs, Filled) }

// ReviewsDir returns the directory of the reviewer files: "rounds/round-2/reviews/".
func (s *Subject) ReviewsDir() string { return s.Dir + "reviews/" }

func (m *Model) newSubject(k *Kind, n int) *Subject {
	s := &Subject{Kind: k, N: n, Dir: k.directory(n)}
	s.Docs = under(m.Docs, s.Dir)
	for _, name := range k.Files {
		s.Own = append(s.Own, m.file(s.Dir+name))
	}
	s.Result = s.Own[len(s.Own)-1]
	if k == Map {
		s.TOP, s.FLO, s.RQM = s.Own[0], s.Own[1], s.Own[2]
	} else {
		s.DIS = s.Own[0]
		for _, d := range under(m.Docs, s.ReviewsDir()) {
			if inReviews(s.ReviewsDir(), d.Path) {
				s.Reviews = append(s.Reviews, File{d.Path, d})
			}
		}
	}
	s.Ladder = m.climb(s)
	return s
}

func inReviews(dir, path string) bool {
	name, ok := strings.CutPrefix(path, dir)
	return ok && strings.HasSuffix(name, ".md") && !strings.Contains(name, "/") &&
		!slices.Contains(Review.Files, strings.ToLower(name))
}

// under returns the documents in a directory, whose name ends in a slash. They are adjacent, because documents are
// sorted by path.
func under(docs sdk.Docs, dir string) []*sdk.Document {
	all := docs.All()
	from, _ := slices.BinarySearchFunc(all, dir, func(d *sdk.Document,
		dir string) int {
		return strings.Compare(d.Path, dir)
	})
	to := from
	for to < len(all) && strings.HasPrefix(all[to].Path, dir) {
		to++
	}
	return all[from:to:to]
}

// listSubjects lists every subject and chooses C and the live subjects.
func (m *Model) listSubjects() {
	order := []*Series{&m.Rounds, &m.Runs}
	if m.T == Map {
		order = []*Series{&m.Runs, &m.Rounds}
	}
	for _, s := range order {
		set := slices.Clone(s.Set)
		empty := m.T == None && m.Rounds.Max+m.Runs.Max == 0
		if s.Kind == Review && empty || s.Kind == m.T && !slices.Contains(set, s.Working) {
			set = inserted(set, s.Working)
		}
		for _, n := range set {
			m.Subjects = append(m.Subjects, m.newSubject(s.Kind, n))
		}
		if s.Kind == m.T {
			m.C = m.Subject(s.Kind.name(s.Working))
			m.Live = append(m.Live, m.C)
		} else if len(set) > 0 {
			m.Live = append(m.Live, m.Subjects[len(m.Subjects)-1])
		}
	}
}

// cutLast splits text around the last separator. If there is none, the whole text is in after.
func cutLast(text, separator string) (before, after string) {
	at := strings.LastIndex(text, separator)
	return text[:max(at, 0)], text[at+1:]
}

// dateLength is the length of the date at the beginning of a session name.
const dateLength = len("2006-01-02")

// sessionDate returns the date at the beginning of a session name, such as "2026-03-10-feat-x".
func sessionDate(id string) (day instant.Time, ok bool) {
	if len(id) < dateLength+2 || id[dateLength] != '-' {
		return day, false
	}
	m, why := instant.Loose(id[:dateLength])
	return m.At, why == "" && m.Precision == instant.Date && id[4] == '-'
}
