package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// A rule is one row of a table of rules. It contains only data, because a table that is built at start-up would make
// the guest larger.
type rule struct {
	name     string
	severity sdk.Severity
	needs    check.Needs
	from     int // the first observed phase in which the rule checks reviews

	review func(*look)
	source func(*look, *source)
	paper  func(*look, *paper)
	entry  func(*look, *entry)
	row    func(*look, *row)
	index  func(*look)

	severityIf      string // when a finding has a lower severity
	doc, why, fix   string // fix is the title of the manual remedy, a colon and its step
	also            bool   // fix is offered in addition to remedies with edits
	hides, replaces string // names of rules, separated by spaces
}

// A group contains the rules that are listed together.
type group struct {
	name  string
	rules []rule
}

var groups = [...]group{
	{"state file", stateRules},
	{"phase", phaseRules},
	{"form", formRules},
	{"header", headerRules},
	{"search", searchRules},
	{"papers", papersRules},
	{"text", textRules},
	{"index", indexRules},
	{"history", historyRules},
}

// rows returns the rules as package check expects them.
func rows() []check.Rule[*model] {
	var list []check.Rule[*model]
	for i := range groups {
		for j := range groups[i].rules {
			r := &groups[i].rules[j]
			_, step, _ := strings.Cut(r.fix, ": ")
			var needs check.Needs // find checks the other conditions for each review
			if r.needs&onBase != 0 {
				needs = check.OnBase
			}
			list = append(list, check.Rule[*model]{Name: r.name, Group: groups[i].name, Severity: r.severity,
				Needs: needs, Doc: r.doc, Why: r.why, SeverityIf: r.severityIf, Fix: capital(step) + ".",
				Hides: strings.Fields(r.hides), Replaces: strings.Fields(r.replaces), Find: r.find})
		}
	}
	return list
}

func view(r *check.Report) (*model, check.Needs) { return modelOf(r.Pass), 0 }
