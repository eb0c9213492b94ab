package ocr

import (
	"github.com/stategate/stategate/sdk"
)

// A Ladder is what the documents of a subject prove: the first row of the
// specification's evidence table that holds.
type Ladder struct {
	Kind      Kind
	Canonical string   // the phase that the documents prove
	Evidence  []string // paths: the row that held first, then lower rows

	// The claims, as numbers of phases. Below lagsFrom they are behind, below
	// fitsFrom they lag, up to fitsTo they fit, above it they are ahead.
	lagsFrom, fitsFrom, fitsTo int
	flat                       bool
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
	case n >= l.fitsFrom || l.flat:
		return sdk.Fits
	case n >= l.lagsFrom:
		return sdk.Lags
	}
	return sdk.Behind
}

// FirstFitting is the earliest phase that fits the documents.
func (l Ladder) FirstFitting() string {
	if l.flat {
		return l.Kind.Phases()[0]
	}
	return l.Kind.Phases()[l.fitsFrom-1]
}

// row makes a ladder whose fitting phases are from … to and whose lagging ones
// begin at lags; lags = from means that none lag and none are behind.
func (l *Ladder) row(canonical, lags, from, to string) {
	l.Canonical = canonical
	l.lagsFrom, l.fitsFrom, l.fitsTo = l.Kind.Index(lags), l.Kind.Index(from), l.Kind.Index(to)
}

// climb finds the row that holds for a subject.
func (m *Model) climb(s *Subject) Ladder {
	l := Ladder{Kind: s.Kind, flat: s.Flat, Evidence: m.evidence(s)}
	if s.Kind == Map {
		m.climbRun(s, &l)
	} else {
		m.climbRound(s, &l)
	}
	m.trustUnseen(s, &l)
	return l
}

func (m *Model) climbRound(s *Subject, l *Ladder) {
	switch {
	case s.FIN.Filled() && s.DIS.Filled():
		l.row("complete", "aggregation", "synthesis", "complete")
	case s.FIN.Filled(): // quick mode leaves out what is between the reviews and the synthesis
		l.row("complete", "reviews", "synthesis", "complete")
	case s.DIS.Filled():
		l.row("synthesis", "reviews", "discourse", "synthesis")
	case len(s.FilledReviews()) > 0:
		l.row("reviews", "analysis", "reviews", "synthesis")
	default:
		m.climbShared(l)
		if m.Rounds.HasBelow(s.N) {
			l.row(l.Canonical, "context", "context", "reviews")
		}
	}
}

// climbShared looks at the documents that all rounds share.
func (m *Model) climbShared(l *Ladder) {
	switch {
	case m.Guided:
		l.row("reviews", "change-context", "analysis", "reviews")
	case m.CTX.Filled():
		l.row("analysis", "context", "change-context", "reviews")
	case m.STD.Filled():
		l.row("change-context", "context", "context", "change-context")
	default:
		l.row("context", "context", "context", "context")
	}
}

func (m *Model) climbRun(s *Subject, l *Ladder) {
	switch {
	case s.MAP.Filled() && s.RQM.Filled():
		l.row("complete", "requirements-mapping", "synthesis", "complete")
	case s.MAP.Filled():
		l.row("complete", "flow-analysis", "synthesis", "complete")
	case s.RQM.Filled():
		l.row("synthesis", "flow-analysis", "requirements-mapping", "synthesis")
	case s.FLO.Filled():
		l.row("synthesis", "topology", "flow-analysis", "synthesis")
		if m.REQ.Filled() {
			l.Canonical = "requirements-mapping"
		}
	case s.TOP.Filled():
		l.row("flow-analysis", "map-context", "topology", "flow-analysis")
	case m.STD.Filled():
		l.row("topology", "map-context", "map-context", "topology")
	default:
		l.row("map-context", "map-context", "map-context", "map-context")
	}
}

// trustUnseen makes every claim fit that only the absence of a document which
// cannot be seen would refute: it proves nothing.
func (m *Model) trustUnseen(s *Subject, l *Ladder) {
	unseen := !m.Known(m.STD.Path)
	for _, f := range s.Artifacts() {
		unseen = unseen || !m.Known(f.Path)
	}
	if s.Kind == Review {
		unseen = unseen || !m.Known(m.CTX.Path) || !m.Docs.CompleteBelow(s.ReviewsDir())
		if len(m.Rounds.Set) == 0 {
			unseen = unseen || !m.Known("final.md") || !m.Known("discourse.md") || !m.Docs.CompleteBelow("reviews/")
		}
		if !m.Known(directory(Review, 1)+"final.md") && !s.HasFilled() {
			// There may be a lower round, after which every early phase fits.
			l.lagsFrom, l.fitsFrom = 1, 1
		}
	}
	if unseen {
		l.fitsTo = l.Kind.Last()
	}
}

// evidence lists the filled documents, those of the highest row first.
func (m *Model) evidence(s *Subject) []string {
	var list []string
	add := func(files ...File) {
		for _, f := range files {
			if f.Filled() {
				list = append(list, f.Path)
			}
		}
	}
	if s.Kind == Map {
		add(s.MAP, s.RQM, s.FLO, s.TOP, m.STD)
		return list
	}
	add(s.FIN, s.DIS)
	for _, r := range s.Reviews {
		add(r.File)
	}
	add(m.CTX, m.STD)
	return list
}

// fitOfClaim is Model.Fit.
func (m *Model) fitOfClaim() sdk.Fit {
	if m.C == nil || m.Index() == 0 {
		return sdk.FitUnknown
	}
	return m.C.Ladder.Fit(m.Phase())
}
