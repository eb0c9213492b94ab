// Package check connects documents and rules: a table of rules over a workflow's model, the conditions under which
// each rule can decide anything, and findings that are built step by step.
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

// Needs is a set of conditions for a rule. The author defines what each bit means, for example, that a document
// is readable, or that no file of a kind is hidden.
type Needs uint32

// OnBase is the condition that there is a base. Declare sets it, so the view does not have to. A rule that needs it
// does not check without a base, and the manifest says so.
const OnBase Needs = 1 << 31

// A Rule is one row in a table of rules.
type Rule[M any] struct {
	Name     string
	Group    string // explain lists rules of one group together: "state", "plan"
	Severity sdk.Severity
	Needs    Needs  // conditions that must all hold for the rule to run
	Doc      string // what is wrong
	Why      string // why it matters
	Fix      string // how to fix it
	Asks     bool   // it asks whether paths exist; see [sdk.Rule]
	// explains when a finding has a lower severity: "Warning if …; info if …."
	SeverityIf   string
	OffByDefault bool
	URL          string // an explanation of the rule
	// title of a manual remedy, with Fix as its step, for findings without another remedy; "" for none
	Advice   string
	Hides    []string
	Replaces []string // former names, which configurations may still use
	Find     func(*Report, M)
}

// Group sets the group and reason of rows that have none.
func Group[M any](name, why string, rows []Rule[M]) []Rule[M] {
	for i := range rows {
		rows[i].Group = cmp.Or(rows[i].Group, name)
		rows[i].Why = cmp.Or(rows[i].Why, why)
	}
	return rows
}

// Declare converts a table to a workflow's rules. The view returns a pass's model and the conditions that hold for
// it. Anything that the view sets in the Report applies to every finding.
func Declare[M any](table []Rule[M], view func(*Report) (M, Needs)) []*sdk.Rule {
	list := make([]*sdk.Rule, len(table))
	for i := range table {
		row := &table[i]
		list[i] = &sdk.Rule{Name: row.Name, Group: row.Group, Doc: row.Doc, Why: row.Why, Fix: row.Fix,
			Severity: row.Severity, SeverityIf: row.SeverityIf, NeedsBase: row.Needs&OnBase != 0,
			OffByDefault: row.OffByDefault, URL: row.URL, Asks: row.Asks, Replaces: row.Replaces}
		if row.Find == nil {
			continue // Workflow.Complete reports it
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

// A Report collects one rule's findings.
type Report struct {
	*sdk.Pass
	// Finish completes the edits of every remedy, for example with the time of the change. It may be nil.
	Finish func([]sdk.Edit) []sdk.Edit

	list []*Finding
	over bool // the rule has returned
}

// A Finding is a diagnostic under construction. Its methods are not inlined, because rules call them hundreds of
// times and each inlined call would add half a kilobyte to a guest.
type Finding struct {
	sdk.Diagnostic
	report *Report
}

// At begins a finding at a location. Properties that the finding does not set come from the rule.
//
//go:noinline
func (r *Report) At(at sdk.Range, message string) *Finding {
	if r.over {
		panic("a Report was used after its rule returned; do not keep a Report or start goroutines")
	}
	f := &Finding{report: r}
	f.Range, f.Message = at, message
	r.list = append(r.list, f)
	return f
}

// Whole begins a finding about a whole document, whether or not it exists.
//
//go:noinline
func (r *Report) Whole(path, message string) *Finding { return r.At(sdk.At(path), message) }

// Missing begins a finding about a document that was deleted since the base, and offers to restore it. The text rest
// ends the message; it may say what the document contains in the base.
//
//go:noinline
func (r *Report) Missing(path, rest string) *Finding {
	return r.Whole(path, path+" is missing; the base has it"+rest).Offer(sdk.Review, "Restore "+path, sdk.Restore(path))
}

// AtLine begins a finding at a line in a document.
//
//go:noinline
func (r *Report) AtLine(path string, line int, message string) *Finding {
	return r.At(sdk.AtLine(path, line), message)
}

// Of sets the run that the finding belongs to. The run is also the subject, unless About names an item within the
// run. A finished run may have no detection.
func (f *Finding) Of(run sdk.RunName) *Finding {
	if f.Subject == "" {
		f.Subject = run.Subject
	}
	f.Run = run
	return f
}

// Blocks adds other runs whose next step the finding blocks. For example, an invalid spec blocks the archiving of
// each change to it.
func (f *Finding) Blocks(runs ...sdk.RunName) *Finding {
	f.Diagnostic.Blocks = append(f.Diagnostic.Blocks, runs...)
	return f
}

// About sets the subject: the item within the run.
//
//go:noinline
func (f *Finding) About(subject string) *Finding {
	f.Subject = subject
	return f
}

// Keyed sets the key that distinguishes findings on one subject; see [sdk.Diagnostic]. Findings with the same key
// are numbered.
//
//go:noinline
func (f *Finding) Keyed(key string) *Finding {
	f.Key = key
	return f
}

// As lowers the severity. It panics for sdk.Off: a rule that reports nothing returns.
//
//go:noinline
func (f *Finding) As(severity sdk.Severity) *Finding {
	if severity == sdk.Off {
		panic("As(sdk.Off) hides a finding; return before reporting it")
	}
	f.Severity = severity
	return f
}

// See adds another location that the message mentions.
//
//go:noinline
func (f *Finding) See(at sdk.Range, message string) *Finding {
	f.Related = append(f.Related, sdk.Related{Range: at, Message: message})
	return f
}

// Offer adds a remedy that fixes the finding. It adds nothing if there are no edits. The host vets the remedy: if
// it does not fix its finding or causes a new error, it becomes advice.
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

// Advise adds a manual remedy.
//
//go:noinline
func (f *Finding) Advise(title string, steps ...string) *Finding {
	f.Remedies = append(f.Remedies, sdk.Remedy{Title: title, Safety: sdk.Manual, Subject: f.Subject, Steps: steps})
	return f
}

// MaxFindings is the maximum number of findings for one rule. If a rule reports more, the rule fails: a truncated
// report would have wrong counts, and its baseline would lack the findings that appear once the first ones are
// fixed.
const MaxFindings = 1000

func (r *Report) flush(advice, fix string) error {
	r.over = true
	if n := len(r.list); n > MaxFindings {
		return errors.New("found " + strconv.Itoa(n) + " findings, expected at most " + strconv.Itoa(MaxFindings) +
			" for one rule; report findings with the same cause only once")
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
