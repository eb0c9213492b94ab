package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// A rule is one row of the table. It is data alone: a table that is made when a guest starts would
// make the guest larger.
type rule struct {
	name     string
	severity sdk.Severity
	needs    check.Needs
	from     int // the observed phase from which on it looks at reviews

	review func(*look)
	source func(*look, *source)
	paper  func(*look, *paper)
	entry  func(*look, *entry)
	row    func(*look, *row)
	index  func(*look)

	severityIf      string // when a finding has a lower severity
	doc, why, fix   string // fix is the title of the remedy by hand, a colon and its step
	also            bool   // fix is another way beside remedies with edits
	hides, replaces string // names of rules, joined by blanks
}

// A group is a set of rules that are listed together.
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

// rows makes the table of the sdk.
func rows() []check.Rule[*model] {
	var list []check.Rule[*model]
	for i := range groups {
		for j := range groups[i].rules {
			r := &groups[i].rules[j]
			_, step, _ := strings.Cut(r.fix, ": ")
			var needs check.Needs // the others are those of one review
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
