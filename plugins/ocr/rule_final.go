package ocr

import (
	"github.com/stategate/stategate/sdk"
)

// onFinal is the Check of a rule about what the final.md of a live round says.
func onFinal(check func(*sdk.Pass, *Model, *Subject, *Final)) func(*sdk.Pass) error {
	return onDocuments(func(p *sdk.Pass, m *Model, s *Subject) {
		if s.Kind != Review || !legible(s.FIN) {
			return
		}
		if f := s.Final(); f != nil {
			check(p, m, s, f)
		}
	})
}

var discourseMissing = &sdk.Rule{
	Name: "discourse-missing", Severity: sdk.Warning,
	Doc: "The final review says that there was a discourse, but there is no discourse.md.\n\n" +
		"In full mode reviewers answer each other before the synthesis. The file was lost, or the review was quick and says otherwise.",
	Check: onFinal(checkDiscourseMissing),
}

func checkDiscourseMissing(p *sdk.Pass, m *Model, s *Subject, f *Final) {
	if s.DIS.Filled() || !f.Full() && (!f.cited || f.Quick()) || !m.Known(s.DIS.Path) {
		return
	}
	d := on(s, f.Doc.Path, "final.md tells of the discourse, but there is no "+s.DIS.Path)
	if f.Full() {
		d.Message, d.Range = "Mode is "+shown(f.Mode.Text)+", but there is no "+s.DIS.Path, f.Mode.At
	}
	tell(p, m, d, manually("Restore the discourse", "Restore or write "+s.DIS.Path+", or correct the field Mode."))
}

var discourseUnexplained = &sdk.Rule{
	Name: "discourse-unexplained", Severity: sdk.Warning,
	Doc: "There is neither a discourse nor a word on why not.\n\n" +
		"Quick mode leaves the discourse out and says so in the field Mode of final.md.",
	Check: onFinal(checkDiscourseUnexplained),
}

func checkDiscourseUnexplained(p *sdk.Pass, m *Model, s *Subject, f *Final) {
	if s.DIS.Filled() || f.Full() || f.Quick() || f.cited || !m.Known(s.DIS.Path) {
		return
	}
	tell(p, m, on(s, f.Doc.Path, "final.md exists without discourse.md, and does not say that discourse was skipped (quick mode)"))
}

var finalWithoutVerdict = &sdk.Rule{
	Name: "final-without-verdict", Severity: sdk.Warning,
	Doc: "The final review has no verdict.\n\n" +
		"final.md states one under a heading Verdict: approve, request changes, or needs discussion. Without it the review decides nothing.",
	Check: onFinal(checkFinalWithoutVerdict),
}

func checkFinalWithoutVerdict(p *sdk.Pass, m *Model, s *Subject, f *Final) {
	if f.HasVerdict {
		return
	}
	tell(p, m, on(s, f.Doc.Path, "final.md has no Verdict section"),
		manually("Add the verdict", "Add a heading Verdict to "+f.Doc.Path+" with APPROVE, REQUEST CHANGES or NEEDS DISCUSSION below it."))
}

var verdictUnrecognised = &sdk.Rule{
	Name: "verdict-unrecognised", Severity: sdk.Warning,
	Doc: "The verdict is not exactly one of the known ones.\n\n" +
		"Either the template's line with all three was left as it is, or the verdict is in other words. Tools can read APPROVE, REQUEST CHANGES and NEEDS DISCUSSION.",
	Check: onFinal(checkVerdictUnrecognised),
}

func checkVerdictUnrecognised(p *sdk.Pass, m *Model, s *Subject, f *Final) {
	if !f.HasVerdict || f.Word != "" {
		return
	}
	d := on(s, f.Doc.Path, "verdict "+shown(f.Verdict.Text)+" is none of APPROVE, REQUEST CHANGES, NEEDS DISCUSSION")
	d.Range = f.Verdict.At
	if !f.FromTemplate() {
		d.Severity = sdk.Info
	}
	tell(p, m, d)
}

var verdictContradictsBlockers = &sdk.Rule{
	Name: "verdict-contradicts-blockers", Severity: sdk.Warning,
	Doc: "The verdict approves although blockers are listed.\n\n" +
		"A blocker must be fixed before the merge, so a review that lists one cannot approve. Change the verdict, or move what does not block.",
	Check: onFinal(checkVerdictContradictsBlockers),
}

func checkVerdictContradictsBlockers(p *sdk.Pass, m *Model, s *Subject, f *Final) {
	n := len(f.Blockers)
	if f.Word != Approve || n == 0 {
		return
	}
	blockers := " blockers"
	if n == 1 {
		blockers = " blocker"
	}
	d := on(s, f.Doc.Path, "verdict APPROVE with "+itoa(n)+blockers)
	d.Range = f.Verdict.At
	for _, b := range f.Blockers[:min(n, 5)] {
		d.Related = append(d.Related, sdk.Related{Range: b.At, Message: "blocker: " + short(b.Text)})
	}
	tell(p, m, d, manually("Settle the contradiction", "Change the verdict to REQUEST CHANGES, or move what does not block out of the blockers."))
}

var finalCitesMissingReview = &sdk.Rule{
	Name: "final-cites-missing-review", Severity: sdk.Warning,
	Doc: "The review table of final.md names a reviewer file that does not exist.\n\n" +
		"The file was lost or renamed, or the review was never made. Restore it, or correct the table.",
	Check: onFinal(checkFinalCitesMissingReview),
}

func checkFinalCitesMissingReview(p *sdk.Pass, m *Model, s *Subject, f *Final) {
	for _, c := range f.Cited {
		if c.Path == "" || m.Docs.Get(c.Path) != nil || !m.Known(c.Path) {
			continue
		}
		d := on(s, f.Doc.Path, "final.md cites "+short(c.Cell)+", which does not exist")
		d.Key, d.Range = short(c.Path), c.At
		tell(p, m, d, manually("Restore the review, or correct the table", "Restore "+short(c.Path)+" from an earlier revision, or correct its row in "+f.Doc.Path+"."))
	}
}

var finalOmitsReview = &sdk.Rule{
	Name: "final-omits-review", Severity: sdk.Info,
	Doc: "A reviewer file is not mentioned in the final review.\n\n" +
		"The synthesis may have been written before that reviewer was done, or may have overlooked it.",
	Check: onFinal(checkFinalOmitsReview),
}

func checkFinalOmitsReview(p *sdk.Pass, m *Model, s *Subject, f *Final) {
	for _, r := range s.FilledReviews() {
		if f.Mentions(r.Stem) {
			continue
		}
		d := on(s, f.Doc.Path, short(r.Stem)+".md is not mentioned in final.md")
		d.Key = r.Stem
		tell(p, m, d)
	}
}
