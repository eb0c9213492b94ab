// The build constraint keeps this package out of guests: importing it there fails to compile.

//go:build !wasip1

// Package vet tries remedies before they are offered: it applies their edits in memory, runs the plugin on the
// result, and grants the remedies that keep their promise.
//
// A remedy is withdrawn if
//
//   - it cannot be applied;
//   - it does not fix its finding and the findings of the rules in Fixes;
//   - it causes an error (except in a document that was unreadable before);
//   - it duplicates a list entry that the base has once;
//   - it is a recovery option and is proposed again afterward.
//
// It becomes advice for a person if it changes a file that is not a document of the workflow, or if it was not tried.
//
// It needs review, even if the plugin calls it safe, if
//
//   - its rule has so many remedies that it was tried together with others;
//   - it drops an entry of the base, or would write a document without an entry of the base;
//   - it replaces, moves or removes content that was not read;
//   - it would lose text that neither the base nor another document of the remedy has;
//   - it writes a program.
package vet

import (
	"fmt"
	"slices"
	"time"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// The budget for trying the remedies of one report. The first two limits have the same effect on every machine; the
// time limit does not. A remedy that is skipped for lack of time says so. The report is then valid only for the current
// second, so that no later check reuses it.
const (
	MaxTries = 64              // distinct remedies
	MaxBytes = 16 << 20        // of documents, for all tries together
	MaxTime  = 2 * time.Second // unless someone waits for the remedies
)

// A Vetter tries a plugin's remedies.
type Vetter struct {
	Manifest *wire.Manifest
	Builder  *snapshot.Builder
	Limits   snapshot.Limits
	Ask      func(*wire.Request) (*wire.Report, error)
	// Took is the time that the plugin took for the report. A try does not begin if it might exceed Budget. Zero
	// means that time does not count, as in tests.
	Took, Budget time.Duration
	// Lowered is called for each remedy that the plugin calls safe and that is granted only for review. It may be nil.
	Lowered func(Withdrawn)
}

// A Withdrawn remedy does not keep its promise and is not offered.
type Withdrawn struct {
	Rule, Subject string // of the finding; "" for a recovery option
	Title         string
	Why           string
}

// Report returns an admitted report without the withdrawn remedies, and a list of those remedies. It does not change
// its arguments. If there are no remedies to try, it takes no time.
func (v *Vetter) Report(in snapshot.Input, request *wire.Request, report *wire.Report) (*wire.Report, []Withdrawn) {
	t := &trial{Vetter: v, in: in, request: request, outcomes: map[string]*outcome{},
		together: map[string]*outcome{}, began: time.Now()}
	out := *report
	t.report = &out
	if out.Declined != "" {
		return t.report, nil
	}
	out.Diagnostics, out.Recoveries = slices.Clone(report.Diagnostics), nil
	crowds, options := t.crowds(report), t.bySeverity(report.Recoveries)
	// The budget goes to the worst findings first.
	for _, severity := range []wire.Severity{wire.Error, wire.Warning, wire.Info} {
		t.tryTogether(crowds[severity])
		out.Recoveries = append(out.Recoveries, t.granted(nil, options[severity])...)
		for i := range out.Diagnostics {
			if d := &out.Diagnostics[i]; len(d.Remedies) > 0 && snapshot.SeverityOf(v.Manifest, d) == severity {
				d.Remedies = t.granted(&finding.Finding{Diagnostic: *d}, d.Remedies)
			}
		}
	}
	place := func(r wire.Remedy) int {
		return slices.IndexFunc(report.Recoveries, func(o wire.Remedy) bool {
			return o.Title == r.Title && o.Subject == r.Subject
		})
	}
	slices.SortStableFunc(out.Recoveries, func(a, b wire.Remedy) int { return place(a) - place(b) })
	return t.report, t.withdrawn
}

// bySeverity groups recovery options by the worst finding that they fix. An option that fixes none counts as an info.
func (t *trial) bySeverity(options []wire.Remedy) map[wire.Severity][]wire.Remedy {
	groups := map[wire.Severity][]wire.Remedy{}
	for i := range options {
		worst := wire.Info
		for _, f := range finding.Unhealed(nil, &options[i], t.findings()) {
			worst = max(worst, f.Severity)
		}
		groups[worst] = append(groups[worst], options[i])
	}
	return groups
}

// findings returns the report's findings before any remedy.
func (t *trial) findings() []finding.Finding {
	if t.before == nil {
		t.before = append([]finding.Finding{}, snapshot.Verdict(t.Manifest, t.request, t.report)...)
	}
	return t.before
}

// A trial is the state of vetting one report.
type trial struct {
	*Vetter
	in        snapshot.Input
	request   *wire.Request
	report    *wire.Report // with the remedies granted so far, and with its validity limited to that of the tries
	before    []finding.Finding
	outcomes  map[string]*outcome // by edits
	together  map[string]*outcome // of edits tried together with others, by edits
	tries     int
	bytes     int
	began     time.Time
	withdrawn []Withdrawn
}

// granted returns the granted remedies of a finding, or recovery options if the finding is nil. If no remedy of the
// finding is left, granted turns the first one that was withdrawn because it causes a new error into advice.
func (t *trial) granted(f *finding.Finding, list []wire.Remedy) []wire.Remedy {
	verdicts, restored := make([]verdict, len(list)), map[string]bool{}
	for i := range list {
		if list[i].Safety != wire.Manual {
			verdicts[i] = t.judge(f, &list[i])
		}
		for _, e := range list[i].Edits {
			restored[e.Range.Path] = restored[e.Range.Path] || e.Op == wire.Restore && verdicts[i].granted()
		}
	}
	var kept, fallback []wire.Remedy
	for i, v := range verdicts {
		r := list[i]
		if restored[v.instead] {
			v.withdrawn = "it would not have " + v.entry + " of the base, which can be restored"
		}
		switch {
		case v.withdrawn != "":
			t.withdrawn = append(t.withdrawn, refusal(f, &r, v.withdrawn))
			if v.made && fallback == nil {
				fallback = []wire.Remedy{t.advice(&r, "on its own, "+v.withdrawn)}
			}
			continue
		case v.advice != "":
			r = t.advice(&r, v.advice)
		case v.review != "":
			if t.Lowered != nil && r.Safety == wire.Safe {
				t.Lowered(refusal(f, &r, v.review))
			}
			r.Safety = wire.Review
		}
		kept = append(kept, r)
	}
	if len(kept) == 0 && f != nil {
		return fallback
	}
	return kept
}

func refusal(f *finding.Finding, r *wire.Remedy, why string) Withdrawn {
	w := Withdrawn{Subject: r.Subject, Title: r.Title, Why: why}
	if f != nil {
		w.Rule = f.Rule
	}
	return w
}

// A verdict says what happens to a remedy; the zero verdict grants it.
type verdict struct {
	withdrawn, advice string // the reasons
	made              bool   // it is withdrawn because it causes an error
	review            string // why it needs review
	loss
}

func (v *verdict) granted() bool { return v.withdrawn+v.advice == "" }

func (t *trial) judge(f *finding.Finding, r *wire.Remedy) verdict {
	if why := Outside(t.Manifest, t.in.Root, r.Edits); why != "" {
		return verdict{advice: why}
	}
	if o := t.together[fmt.Sprint(r.Edits)]; o != nil {
		lost := lossOf(&t.request.Base, t.request.Documents, o.documents)
		if v := t.broken(f, r, o); v.withdrawn == "" && lost == (loss{}) {
			return verdict{review: "it was tried together with others"}
		}
	}
	o, why := t.try(r.Edits)
	if why != "" {
		return verdict{advice: why}
	}
	if o.why != "" {
		return verdict{withdrawn: o.why}
	}
	if v := t.broken(f, r, o); v.withdrawn != "" {
		return v
	}
	l := lossOf(&t.request.Base, t.request.Documents, o.documents)
	if l.doubled != "" {
		return verdict{withdrawn: "the base has " + l.doubled + " once, but it would be there twice"}
	}
	review := ""
	switch {
	case l.gone:
		review = "it drops an entry of the base"
	case l.instead != "":
		review = l.instead + " would not have " + l.entry + " of the base"
	case r.Safety == wire.Safe:
		review = t.needsReview(r.Edits, o)
	}
	return verdict{review: review, loss: l}
}

// broken withdraws a remedy that does not keep its promise.
func (t *trial) broken(f *finding.Finding, r *wire.Remedy, o *outcome) verdict {
	for _, still := range finding.Unhealed(f, r, o.findings) {
		return verdict{withdrawn: "it does not fix: " + still.Message + " [" + still.Rule + "]"}
	}
	for _, made := range finding.Made(f, t.findings(), o.findings) {
		return verdict{withdrawn: "it makes a new error: " + made.Message + " [" + made.Rule + "]", made: true}
	}
	again := func(other wire.Remedy) bool { return other.Title == r.Title && other.Subject == r.Subject }
	if f == nil && slices.ContainsFunc(o.recoveries, again) {
		return verdict{withdrawn: "it is proposed again after it was applied"}
	}
	return verdict{}
}

// An outcome is the result of edits.
type outcome struct {
	why        string // why the edits have no result
	files      []snapshot.File
	documents  []wire.Document
	findings   []finding.Finding // folded
	recoveries []wire.Remedy
}

// try applies edits and runs the plugin, unless it has done so before. If the budget does not allow that, it says why.
func (t *trial) try(edits []wire.Edit) (o *outcome, why string) {
	key := fmt.Sprint(edits)
	if o := t.outcomes[key]; o != nil {
		return o, ""
	}
	t.bytes += size(&t.in)
	switch {
	case t.tries == MaxTries:
		return nil, fmt.Sprintf("this remedy was not tried, because one check tries at most %d", MaxTries)
	case t.bytes > MaxBytes && t.tries > 0:
		return nil, fmt.Sprintf("this remedy was not tried, because one check reads at most %d MiB of documents to "+
			"try remedies", MaxBytes>>20)
	case t.Took > 0 && time.Since(t.began)+t.Took > t.Budget:
		t.holdNow()
		return nil, fmt.Sprintf("this remedy was not tried, because one check tries remedies for at most %v", t.Budget)
	}
	t.tries++
	o = t.examine(edits)
	t.outcomes[key] = o
	return o, ""
}

func size(in *snapshot.Input) int {
	n := 0
	for _, list := range [][]snapshot.File{in.Files, in.Base.Files} {
		for i := range list {
			n += len(list[i].Data)
		}
	}
	return n
}

// examine applies edits and runs the plugin on the result.
func (t *trial) examine(edits []wire.Edit) *outcome {
	in, err := after(t.Manifest, t.in, edits)
	if err != nil {
		return &outcome{why: "it cannot be applied: " + err.Error()}
	}
	request, err := t.Builder.Rebuild(t.in, t.request, in)
	if err != nil {
		return &outcome{why: "it cannot be applied: " + err.Error()}
	}
	request.NoResume = true
	report, err := t.Ask(request)
	// the plugin asks for these paths only because of the edits, so the answers are unknown
	if err == nil && len(report.Ask) > 0 && len(request.Answers) == 0 {
		request.Answers, request.Base.Answers = snapshot.Unknown(report.Ask), snapshot.Unknown(report.Ask)
		report, err = t.Ask(request)
	}
	if err == nil {
		err = t.sound(request, report)
	}
	if err != nil {
		return &outcome{why: "afterwards " + err.Error()}
	}
	t.hold(report)
	if timed(edits) && !past(&t.in) {
		t.holdNow()
	}
	return &outcome{files: in.Files, documents: request.Documents,
		findings: snapshot.Verdict(t.Manifest, request, report), recoveries: report.Recoveries}
}

// sound returns an error for a report that is invalid, declines the instance or contains a failure.
func (t *trial) sound(request *wire.Request, report *wire.Report) error {
	refused, err := snapshot.Sift(t.Manifest, request, report, t.Limits)
	switch {
	case err != nil:
		return fmt.Errorf("the report would be refused: %w", err)
	case len(refused) > 0:
		return fmt.Errorf("the report would be refused: %w", refused[0])
	case report.Declined != "":
		return fmt.Errorf("the instance is declined: %s", report.Declined)
	case report.Failure != "":
		return fmt.Errorf("it could not be checked: %s", report.Failure)
	case len(report.RuleFailures) > 0:
		return fmt.Errorf("%s could not be checked: %s", report.RuleFailures[0].Rule, report.RuleFailures[0].Message)
	}
	return nil
}

// hold limits the report's validity to the time in which another report is also valid.
func (t *trial) hold(other *wire.Report) {
	if t.report.ValidFrom.Before(other.ValidFrom) {
		t.report.ValidFrom = other.ValidFrom
	}
	if until := other.ValidUntil; !until.IsZero() &&
		(t.report.ValidUntil.IsZero() || until.Before(t.report.ValidUntil)) {
		t.report.ValidUntil = until
	}
}

// holdNow limits the report's validity to the current second.
func (t *trial) holdNow() {
	second := t.request.Now.Seconds()
	t.hold(&wire.Report{ValidFrom: second, ValidUntil: second.Add(instant.Second)})
}
