package ocr

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/ladder"
	"github.com/stategate/stategate/sdk/say"
)

// A Kind is one of the two workflows that share a session.
type Kind struct {
	Name     string   // its name in workflow_type
	Unit     string   // the unit that it counts
	Tree     string   // the directory that it writes to
	Parent   string   // the directory of all rounds or runs
	Files    []string // files that phases write in a round or run, in order, without reviews; the last is the result
	Number   string   // the field that holds the number of the round or run
	Start    string   // the field that holds when it began
	Unproved string   // the last phase that a round or run may claim before it has a file
	Life     *sdk.Lifecycle
	Phases   []string // by number: the first has number 1
	Rungs    []rung
}

// The kinds. None stands for a session whose state file does not name its kind.
var (
	None   = &Kind{Start: RoundStartedAt}
	Review = &Kind{
		Name: "review", Unit: "round", Tree: "rounds/", Parent: "rounds/", Files: []string{"discourse.md", "final.md"},
		Number: "current_round", Start: RoundStartedAt, Unproved: "reviews", Life: reviewLifecycle,
		Phases: ladder.Names(reviewLifecycle), Rungs: reviewRungs,
	}
	Map = &Kind{
		Name: "map", Unit: "run", Tree: "map/", Parent: "map/runs/",
		Files:  []string{"topology.md", "flow-analysis.md", "requirements-mapping.md", "map.md"},
		Number: "current_map_run", Start: MapStartedAt, Unproved: "topology", Life: mapLifecycle,
		Phases: ladder.Names(mapLifecycle), Rungs: mapRungs,
	}
	kinds = []*Kind{Review, Map}
)

// Other returns the other workflow.
func (k *Kind) Other() *Kind {
	if k == Map {
		return Review
	}
	return Map
}

// Index returns the number of a phase in canonical spelling, or 0 if the workflow has no such phase.
func (k *Kind) Index(phase string) int { return slices.Index(k.Phases, phase) + 1 }

// Result returns the name of the file that ends a round or run.
func (k *Kind) Result() string { return k.Files[len(k.Files)-1] }

func (k *Kind) name(n int) string { return k.Unit + "-" + say.Int(n) }

func (k *Kind) directory(n int) string { return k.Parent + k.name(n) + "/" }

func hyphen(r rune) rune {
	if r == '_' || unicode.IsSpace(r) {
		return '-'
	}
	return r
}

var reviewLifecycle = &sdk.Lifecycle{
	Name: "review",
	Doc:  "One round of a code review: rounds/round-<n>.",
	Phases: []*sdk.Phase{
		{Name: "context", Number: 1, Title: "Context",
			Doc: "standards and requirements are being gathered (discovered-standards.md)"},
		{Name: "change-context", Number: 2, Title: "Change context",
			Doc: "the change is being summarized (context.md)"},
		{Name: "analysis", Number: 3, Title: "Analysis", Doc: "Tech Lead guidance is being added to context.md"},
		{Name: "reviews", Number: 4, Title: "Reviews", Doc: "reviewers write, one file each (reviews/{type}-{n}.md)"},
		{Name: "aggregation", Number: 5, Title: "Aggregation", Doc: "findings are merged; no file is written"},
		{Name: "discourse", Number: 6, Title: "Discourse",
			Doc: "reviewers answer each other (discourse.md); skipped in quick mode"},
		{Name: "synthesis", Number: 7, Title: "Synthesis",
			Doc: "the final review is being written or awaits presentation (final.md)"},
		{Name: "complete", Number: 8, Title: "Complete", Doc: "the review was presented; the session is closed"},
	},
	Transitions: []sdk.Transition{
		{From: "context", To: "change-context"},
		{From: "change-context", To: "analysis"},
		{From: "analysis", To: "reviews"},
		{From: "reviews", To: "reviews", Doc: "the next reviewer writes"},
		{From: "reviews", To: "aggregation"},
		{From: "reviews", To: "discourse", Doc: "aggregation is not recorded"},
		{From: "reviews", To: "synthesis", Doc: "quick mode; aggregation is not recorded"},
		{From: "aggregation", To: "discourse"},
		{From: "aggregation", To: "synthesis", Doc: "quick mode"},
		{From: "discourse", To: "synthesis"},
		{From: "synthesis", To: "complete"},
	},
}

var mapLifecycle = &sdk.Lifecycle{
	Name: "map",
	Doc:  "One run of a code-review map: map/runs/run-<n>.",
	Phases: []*sdk.Phase{
		{Name: "map-context", Number: 1, Title: "Map context",
			Doc: "standards are being gathered or reused (discovered-standards.md)"},
		{Name: "topology", Number: 2, Title: "Topology", Doc: "changed files are being grouped (topology.md)"},
		{Name: "flow-analysis", Number: 3, Title: "Flow analysis",
			Doc: "dependencies are being traced (flow-analysis.md)"},
		{Name: "requirements-mapping", Number: 4, Title: "Requirements mapping",
			Doc: "requirements are being mapped (requirements-mapping.md); skipped without requirements.md"},
		{Name: "synthesis", Number: 5, Title: "Synthesis", Doc: "the map is being written (map.md)"},
		{Name: "complete", Number: 6, Title: "Complete", Doc: "the map was presented; the session stays active"},
	},
	Transitions: []sdk.Transition{
		{From: "map-context", To: "topology"},
		{From: "topology", To: "flow-analysis"},
		{From: "flow-analysis", To: "requirements-mapping"},
		{From: "flow-analysis", To: "synthesis", Doc: "no requirements"},
		{From: "requirements-mapping", To: "synthesis"},
		{From: "synthesis", To: "complete"},
	},
}

// A Ladder describes what the documents of a subject show.
type Ladder struct {
	Kind      *Kind
	Canonical string   // the phase that the documents show
	Evidence  []string // paths of documents: those of the row that holds, then those of lower rows

	// Limits for claims, as phase numbers: claims below lagsFrom are behind, those below fitsFrom lag, those up to
	// fitsTo fit, and those above it are ahead.
	lagsFrom, fitsFrom, fitsTo int
}

// Fit returns how a claimed phase, in canonical spelling, relates to the documents. It returns FitUnknown for a phase
// that the lifecycle does not have.
func (l Ladder) Fit(phase string) sdk.Fit {
	n := l.Kind.Index(phase)
	switch {
	case n == 0:
		return sdk.FitUnknown
	case n > l.fitsTo:
		return sdk.Ahead
	case n >= l.fitsFrom:
		return sdk.Consistent
	case n >= l.lagsFrom:
		return sdk.JustBehind
	}
	return sdk.Behind
}

// FirstFitting returns the earliest phase that fits the documents.
func (l Ladder) FirstFitting() string { return l.Kind.Phases[l.fitsFrom-1] }

// A rung is a row of the specification's evidence table: the files that must be filled, the phase that they show, the
// first phase that lags, and the first and last phases that fit.
type rung struct{ proof, canonical, lags, from, to string }

// The rows, highest first. Quick mode skips the rows between the reviews and the synthesis.
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

// climb returns the ladder for the highest row that holds for a subject.
func (m *Model) climb(s *Subject) Ladder {
	row := s.Kind.Rungs[slices.IndexFunc(s.Kind.Rungs, func(r rung) bool {
		return !slices.ContainsFunc(strings.Fields(r.proof), func(proof string) bool { return !m.proved(s, proof) })
	})]
	own := len(s.Written()) > 0 || s.DIS.Filled() || s.Result.Filled()
	if s.Kind == Review && !own && len(m.Rounds.Set) > 0 && m.Rounds.Set[0] < s.N {
		// a later round starts with the files of the earlier round
		row.lags, row.from, row.to = "context", "context", "reviews"
	}
	l := Ladder{s.Kind, row.canonical, m.evidence(s), s.Kind.Index(row.lags), s.Kind.Index(row.from),
		s.Kind.Index(row.to)}
	m.trustUnseen(s, &l)
	return l
}

// proved reports whether a proof from the table exists: a file, guidance in context.md, or reviewer files.
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

// trustUnseen makes a claim fit if it may rely on a document that was not seen, because such a document may exist.
func (m *Model) trustUnseen(s *Subject, l *Ladder) {
	unseen := slices.ContainsFunc(append([]File{m.STD}, s.Own...), func(f File) bool { return !m.Known(f.Path) })
	if s.Kind == Review {
		unseen = unseen || !m.Known(m.CTX.Path) || !m.CompleteBelow(s.ReviewsDir())
		if !m.Known(Review.directory(1)+"final.md") && !s.HasFilled() {
			l.lagsFrom, l.fitsFrom = 1, 1 // a lower round may exist, after which every early phase fits
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
