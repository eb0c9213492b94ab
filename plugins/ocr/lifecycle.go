package ocr

import (
	"github.com/stategate/stategate/sdk"
)

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
