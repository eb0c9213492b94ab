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
	Name     string   // as workflow_type has it
	Unit     string   // what it counts
	Tree     string   // the directory of all that it writes
	Parent   string   // the directory of all rounds or runs
	Files    []string // what phases write there, earliest first, reviews apart: the last one is the result
	Number   string   // the field that holds the number of the round or run
	Start    string   // the field that holds when it began
	Unproved string   // the last phase that may be claimed of a round or run before it has a file
	Life     *sdk.Lifecycle
	Phases   []string // by number: the first has number 1
	Rungs    []rung
}

// The kinds. None is that of a session whose state file does not tell.
var (
	None   = &Kind{Start: RoundStartedAt}
	Review = &Kind{
		Name: "review", Unit: "round", Tree: "rounds/", Parent: "rounds/", Files: []string{"discourse.md", "final.md"},
		Number: "current_round", Start: RoundStartedAt, Unproved: "reviews", Life: reviewLifecycle, Phases: ladder.Names(reviewLifecycle), Rungs: reviewRungs,
	}
	Map = &Kind{
		Name: "map", Unit: "run", Tree: "map/", Parent: "map/runs/",
		Files:  []string{"topology.md", "flow-analysis.md", "requirements-mapping.md", "map.md"},
		Number: "current_map_run", Start: MapStartedAt, Unproved: "topology", Life: mapLifecycle, Phases: ladder.Names(mapLifecycle), Rungs: mapRungs,
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

// Index returns the number of a phase (canonical spelling), 0 if the workflow has no such phase.
func (k *Kind) Index(phase string) int { return slices.Index(k.Phases, phase) + 1 }

// Result is the name of the file that ends a round or run.
func (k *Kind) Result() string { return k.Files[len(k.Files)-1] }

func (k *Kind) name(n int) string { return k.Unit + "-" + say.Int(n) }

func (k *Kind) directory(n int) string { return k.Parent + k.name(n) + "/" }

// normalPhase spells a phase canonically, aliases left alone.
func normalPhase(s string) string { return strings.Map(hyphen, normalWord(s)) }

func hyphen(r rune) rune {
	if r == '_' || unicode.IsSpace(r) {
		return '-'
	}
	return r
}

// normalWord is for statuses and types: trimmed and lower case.
func normalWord(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

var reviewLifecycle = &sdk.Lifecycle{
	Name: "review",
	Doc:  "One round of a code review: rounds/round-<n>.",
	Phases: []*sdk.Phase{
		{Name: "context", Number: 1, Title: "Context", Doc: "standards and requirements are being gathered (discovered-standards.md)"},
		{Name: "change-context", Number: 2, Title: "Change context", Doc: "the change is being summarised (context.md)"},
		{Name: "analysis", Number: 3, Title: "Analysis", Doc: "Tech Lead guidance is being added to context.md"},
		{Name: "reviews", Number: 4, Title: "Reviews", Doc: "reviewers write, one file each (reviews/{type}-{n}.md)"},
		{Name: "aggregation", Number: 5, Title: "Aggregation", Doc: "findings are merged; leaves no file"},
		{Name: "discourse", Number: 6, Title: "Discourse", Doc: "reviewers answer each other (discourse.md); left out in quick mode"},
		{Name: "synthesis", Number: 7, Title: "Synthesis", Doc: "the final review is being written or awaits presentation (final.md)"},
		{Name: "complete", Number: 8, Title: "Complete", Doc: "the review was presented; the session is closed"},
	},
	Transitions: []sdk.Transition{
		{From: "context", To: "change-context"},
		{From: "change-context", To: "analysis"},
		{From: "analysis", To: "reviews"},
		{From: "reviews", To: "reviews", Doc: "one reviewer after the other"},
		{From: "reviews", To: "aggregation"},
		{From: "reviews", To: "discourse", Doc: "aggregation unrecorded"},
		{From: "reviews", To: "synthesis", Doc: "quick mode, aggregation unrecorded"},
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
		{Name: "map-context", Number: 1, Title: "Map context", Doc: "standards are being gathered or reused (discovered-standards.md)"},
		{Name: "topology", Number: 2, Title: "Topology", Doc: "changed files are being grouped (topology.md)"},
		{Name: "flow-analysis", Number: 3, Title: "Flow analysis", Doc: "dependencies are being traced (flow-analysis.md)"},
		{Name: "requirements-mapping", Number: 4, Title: "Requirements mapping", Doc: "requirements are being mapped (requirements-mapping.md); left out without requirements.md"},
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
