package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// A Ladder is what the documents of a subject prove.
type Ladder struct {
	Kind      *Kind
	Canonical string   // the phase that the documents prove
	Evidence  []string // paths: the row that held first, then lower rows

	// The claims, as numbers of phases. Below lagsFrom they are behind, below
	// fitsFrom they lag, up to fitsTo they fit, above it they are ahead.
	lagsFrom, fitsFrom, fitsTo int
}

// Fit says how a claimed phase (canonical spelling) relates to the documents.
// It is FitUnknown for a phase that the lifecycle does not have.
func (l Ladder) Fit(phase string) sdk.Fit {
	n := l.Kind.Index(phase)
	switch {
	case n == 0:
		return sdk.FitUnknown
	case n > l.fitsTo:
		return sdk.Ahead
	case n >= l.fitsFrom:
		return sdk.Fits
	case n >= l.lagsFrom:
		return sdk.Lags
	}
	return sdk.Behind
}

// FirstFitting is the earliest phase that fits the documents.
func (l Ladder) FirstFitting() string { return l.Kind.Phases[l.fitsFrom-1] }

// A rung is a row of the specification's evidence table: what must be filled, the phase that it proves, the first phase that
// lags behind it, and the first and last one that fit it.
type rung struct{ proof, canonical, lags, from, to string }

// The rows, highest first. Quick mode leaves out what is between the reviews and the synthesis.
var (
	reviewRungs = []rung{
		{"final.md discourse.md", "complete", "aggregation", "synthesis", "complete"},
		{"final.md", "complete", "reviews", "synthesis", "complete"},
		{"discourse.md", "synthesis", "reviews", "discourse", "synthesis"},
		{"reviews", "reviews", "analysis", "reviews", "synthesis"},
		{"guidance", "reviews", "change-context", "analysis", "reviews"},
		{"context.md", "analysis", "context", "change-context", "reviews"},
		{"discovered-standards.md", "change-context", "context", "context", "change-context"},
		{"", "context", "context", "context", "context"},
	}
	mapRungs = []rung{
		{"map.md requirements-mapping.md", "complete", "requirements-mapping", "synthesis", "complete"},
		{"map.md", "complete", "flow-analysis", "synthesis", "complete"},
		{"requirements-mapping.md", "synthesis", "flow-analysis", "requirements-mapping", "synthesis"},
		{"flow-analysis.md requirements.md", "requirements-mapping", "topology", "flow-analysis", "synthesis"},
		{"flow-analysis.md", "synthesis", "topology", "flow-analysis", "synthesis"},
		{"topology.md", "flow-analysis", "map-context", "topology", "flow-analysis"},
		{"discovered-standards.md", "topology", "map-context", "map-context", "topology"},
		{"", "map-context", "map-context", "map-context", "map-context"},
	}
)

// climb finds the row that holds for a subject.
func (m *Model) climb(s *Subject) Ladder {
	row := s.Kind.Rungs[slices.IndexFunc(s.Kind.Rungs, func(r rung) bool {
		return !slices.ContainsFunc(strings.Fields(r.proof), func(proof string) bool { return !m.proved(s, proof) })
	})]
	own := len(s.Written()) > 0 || s.DIS.Filled() || s.Result.Filled()
	if s.Kind == Review && !own && len(m.Rounds.Set) > 0 && m.Rounds.Set[0] < s.N {
		row.lags, row.from, row.to = "context", "context", "reviews" // a later round begins with what the earlier one wrote
	}
	l := Ladder{s.Kind, row.canonical, m.evidence(s), s.Kind.Index(row.lags), s.Kind.Index(row.from), s.Kind.Index(row.to)}
	if s.Flat {
		l.lagsFrom, l.fitsFrom = 1, 1
	}
	m.trustUnseen(s, &l)
	return l
}

// proved reports whether a proof of the table is there: a file, guidance in context.md, or reviewer files.
func (m *Model) proved(s *Subject, proof string) bool {
	switch proof {
	case "guidance":
		return m.Guided
	case "reviews":
		return len(s.Written()) > 0
	case m.STD.Path, m.REQ.Path, m.CTX.Path:
		return m.file(proof).Filled()
	}
	return m.file(s.Dir + proof).Filled()
}

// trustUnseen makes every claim fit that only the absence of a document which cannot be seen would refute: it proves nothing.
func (m *Model) trustUnseen(s *Subject, l *Ladder) {
	unseen := slices.ContainsFunc(append([]File{m.STD}, s.Own...), func(f File) bool { return !m.Known(f.Path) })
	if s.Kind == Review {
		unseen = unseen || !m.Known(m.CTX.Path) || !m.CompleteBelow(s.ReviewsDir())
		if len(m.Rounds.Set) == 0 {
			unseen = unseen || !m.Known("final.md") || !m.Known("discourse.md") || !m.CompleteBelow("reviews/")
		}
		if !m.Known(Review.directory(1)+"final.md") && !s.HasFilled() {
			l.lagsFrom, l.fitsFrom = 1, 1 // there may be a lower round, after which every early phase fits
		}
	}
	if unseen {
		l.fitsTo = len(l.Kind.Phases)
	}
}

// evidence lists the filled documents, those of the highest row first.
func (m *Model) evidence(s *Subject) []string {
	files := slices.Clone(s.Own)
	slices.Reverse(files)
	files = append(files, s.Reviews...)
	if s.Kind == Review {
		files = append(files, m.CTX)
	}
	return filled(append(files, m.STD)...)
}
