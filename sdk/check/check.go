// Package check is the floor between documents and a rule: a table of rules over a
// workflow's model, the conditions under which each can tell something, and findings
// that are built step by step.
//
//	var rules = []check.Rule[*model]{
//		{Name: "plan-missing", Group: "documents", Severity: sdk.Error, Find: planMissing,
//			Doc: "A note is being written without a plan.",
//			Why: "The next session does not know which question the note answers.",
//			Fix: "Write plan.md, or set the phase back to draft."},
//	}
//
//	var Workflow = &sdk.Workflow{…, Rules: check.Declare(rules, modelOf)}
package check

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/stategate/stategate/sdk"
)

// Needs are conditions of a rule, as bits that the author gives a meaning: that a document could be read, that nothing
// of a kind is hidden.
type Needs uint32

// OnBase is the condition that there is a base. It needs no word of the author: a rule that names it does not check
// without a base, and its manifest says so.
const OnBase Needs = 1 << 31

// A Rule is one row of a table of rules.
type Rule[M any] struct {
	Name     string
	Group    string // of rules that explain lists together: "state", "plan"
	Severity sdk.Severity
	Needs    Needs  // all must hold, or else the rule finds nothing
	Doc      string // what is wrong
	Why      string // why it matters
	Fix      string // how to fix it
	Asks     bool   // it asks whether paths exist, see [sdk.Rule]
	// when a finding has a lower severity: "Warning if …; info if …."
	SeverityIf   string
	OffByDefault bool
	URL          string // of what explains the rule
	// the title of a manual remedy with Fix as its step, for findings that offer nothing else; "" for none
	Advice   string
	Hides    []string
	Replaces []string // former names, which configurations may still use
	Find     func(*Report, M)
}

// Group gives rows without a group or a reason those of the group that they are in.
func Group[M any](name, why string, rows []Rule[M]) []Rule[M] {
	for i := range rows {
		rows[i].Group = cmp.Or(rows[i].Group, name)
		rows[i].Why = cmp.Or(rows[i].Why, why)
	}
	return rows
}

// Declare makes a table the rules of a workflow. A view gives the model of a pass with the
// conditions that hold for it; what it sets in the Report holds for every finding.
func Declare[M any](table []Rule[M], view func(*Report) (M, Needs)) []*sdk.Rule {
	list := make([]*sdk.Rule, len(table))
	for i := range table {
		row := &table[i]
		list[i] = &sdk.Rule{Name: row.Name, Group: row.Group, Doc: row.Doc, Why: row.Why, Fix: row.Fix,
			Severity: row.Severity, SeverityIf: row.SeverityIf, NeedsBase: row.Needs&OnBase != 0,
			OffByDefault: row.OffByDefault, URL: row.URL, Asks: row.Asks, Replaces: row.Replaces}
		if row.Find == nil {
			continue // Workflow.Complete refuses it
		}
		list[i].Check = func(p *sdk.Pass) error {
			r := &Report{Pass: p}
			if model, hold := view(r); row.Needs&^(hold|OnBase) == 0 {
				row.Find(r, model)
			}
			return r.flush(row.Advice, row.Fix)
		}
	}
	for i := range table {
		for _, name := range table[i].Hides {
			hidden := slices.IndexFunc(list, func(r *sdk.Rule) bool { return r.Name == name })
			if hidden < 0 {
				panic("rule " + table[i].Name + " hides " + name + ", which is not a rule of the table")
			}
			list[i].Hides = append(list[i].Hides, list[hidden])
		}
	}
	return list
}

// A Report collects the findings of one rule.
type Report struct {
	*sdk.Pass
	// Finish completes the edits of every remedy, such as with the time of the change. It may be nil.
	Finish func([]sdk.Edit) []sdk.Edit

	list []*Finding
	over bool // the rule has returned
}

// A Finding is a diagnostic that is not yet reported. Rules have hundreds of calls of the methods that are not inlined:
// in each place they would make a guest larger by half a kilobyte.
type Finding struct {
	sdk.Diagnostic
	report *Report
}

// At begins a finding at a place. What is not said of it, its rule says.
//
//go:noinline
func (r *Report) At(at sdk.Range, message string) *Finding {
	if r.over {
		panic("a Report is used after its rule has returned; keep no Report, and start no goroutine")
	}
	f := &Finding{report: r}
	f.Range, f.Message = at, message
	r.list = append(r.list, f)
	return f
}

// Whole begins a finding about a document as a whole, present or not.
//
//go:noinline
func (r *Report) Whole(path, message string) *Finding { return r.At(sdk.At(path), message) }

// AtLine begins a finding at a line of a document.
//
//go:noinline
func (r *Report) AtLine(path string, line int, message string) *Finding {
	return r.At(sdk.AtLine(path, line), message)
}

// Of names the run that the finding belongs to, which is also its subject unless About names an item within the run. A
// run that is over may have no detection.
func (f *Finding) Of(run sdk.RunName) *Finding {
	if f.Subject == "" {
		f.Subject = run.Subject
	}
	f.Run = run
	return f
}

// Blocks names other runs whose next step the finding blocks, as an invalid spec blocks the archiving of each change to
// it.
func (f *Finding) Blocks(runs ...sdk.RunName) *Finding {
	f.Diagnostic.Blocks = append(f.Diagnostic.Blocks, runs...)
	return f
}

// About names the subject: the item within the run.
//
//go:noinline
func (f *Finding) About(subject string) *Finding {
	f.Subject = subject
	return f
}

// Keyed tells the finding from others of the subject, see [sdk.Diagnostic]. Findings that are
// the same in it are numbered.
//
//go:noinline
func (f *Finding) Keyed(key string) *Finding {
	f.Key = key
	return f
}

// As lowers the severity.
func (f *Finding) As(severity sdk.Severity) *Finding {
	f.Severity = severity
	return f
}

// See points at another place that the message mentions.
//
//go:noinline
func (f *Finding) See(at sdk.Range, message string) *Finding {
	f.Related = append(f.Related, sdk.Related{Range: at, Message: message})
	return f
}

// Offer adds a remedy that ends the finding. Without edits it adds nothing. The host vets it: a remedy that does not
// fix its finding, or makes a new error, becomes advice.
func (f *Finding) Offer(safety sdk.Safety, title string, edits ...sdk.Edit) *Finding {
	if len(edits) == 0 {
		return f
	}
	if finish := f.report.Finish; finish != nil {
		edits = finish(edits)
	}
	f.Remedies = append(f.Remedies, sdk.Remedy{Title: title, Safety: safety, Subject: f.Subject,
		Fixes: []string{f.report.Rule.Name}, Edits: edits})
	return f
}

// Advise adds a remedy for a person.
//
//go:noinline
func (f *Finding) Advise(title string, steps ...string) *Finding {
	f.Remedies = append(f.Remedies, sdk.Remedy{Title: title, Safety: sdk.Manual, Subject: f.Subject, Steps: steps})
	return f
}

// MaxFindings is how many findings a rule may have. A rule with more fails as a whole: a report that leaves some out
// would count wrong, and a baseline of it would hide others once the first are fixed.
const MaxFindings = 1000

func (r *Report) flush(advice, fix string) error {
	r.over = true
	if n := len(r.list); n > MaxFindings {
		return errors.New("found " + strconv.Itoa(n) + " findings, expected at most " + strconv.Itoa(MaxFindings) +
			" of one rule; report what has one cause once")
	}
	seen := map[string]int{}
	for _, f := range r.list {
		name := f.Range.Path + "\n" + f.Subject + "\n" + f.Key
		if seen[name]++; seen[name] > 1 {
			f.Key += "#" + strconv.Itoa(seen[name])
		}
		if advice != "" && f.Remedies == nil {
			f.Advise(advice, fix)
		}
		r.Pass.Report(f.Diagnostic)
	}
	return nil
}
