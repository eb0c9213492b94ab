package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

var finalRules = []check.Rule[*Model]{
	{Name: "discourse-missing", Severity: sdk.Warning, Doc: "The final review says that there was a discourse, but there is no discourse.md.",
		Why: "In full mode reviewers answer each other before the synthesis. The file was lost, or the review was quick and says otherwise.",
		Find: eachFinal(func(r *check.Report, m *Model, s *Subject, f *Final) {
			if s.DIS.Filled() || !f.Full() && (!f.cited || f.Quick()) || !m.Known(s.DIS.Path) {
				return
			}
			d := on(r, s, f.Doc.Path, "final.md tells of the discourse, but there is no "+s.DIS.Path)
			if f.Full() {
				d.Message, d.Range = "Mode is "+say.Quote(f.Mode.Text)+", but there is no "+s.DIS.Path, f.Mode.At
			}
			d.Advise("Restore the discourse", "Restore or write "+s.DIS.Path+", or correct what final.md says of it.")
		})},
	{Name: "discourse-unexplained", Severity: sdk.Warning, Doc: "There is neither a discourse nor a word on why not.",
		Why: "Quick mode leaves the discourse out and says so in the field Mode of final.md.",
		Find: eachFinal(func(r *check.Report, m *Model, s *Subject, f *Final) {
			if !s.DIS.Filled() && !f.Full() && !f.Quick() && !f.cited && m.Known(s.DIS.Path) {
				on(r, s, f.Doc.Path, "final.md exists without discourse.md, and does not say that discourse was skipped (quick mode)")
			}
		})},
	{Name: "final-without-verdict", Severity: sdk.Info, Doc: "The final review has no verdict.",
		Why: "final.md states one under a heading Verdict: approve, request changes, or needs discussion. Without it the review decides nothing.",
		Find: eachFinal(func(r *check.Report, _ *Model, s *Subject, f *Final) {
			if !f.Verdict.OK() {
				on(r, s, f.Doc.Path, "final.md has no verdict").
					Advise("Add the verdict", "Add a heading Verdict to "+f.Doc.Path+" with APPROVE, REQUEST CHANGES or NEEDS DISCUSSION below it.")
			}
		})},
	{Name: "verdict-unrecognised", Severity: sdk.Warning, Doc: "The verdict is not exactly one of the known ones.",
		Why: "Either the template's line with all three was left as it is, or the verdict is in other words. Tools can read APPROVE, REQUEST CHANGES and NEEDS DISCUSSION.",
		Find: eachFinal(func(r *check.Report, _ *Model, s *Subject, f *Final) {
			if f.Second.Text != "" {
				r.At(f.Second.At, "the verdict is "+f.Word+", but here it is "+f.Second.Text).Of(s.Name()).See(f.Verdict.At, "the verdict").
					Advise("Decide on one verdict", "Write the verdict that holds in both places of "+f.Doc.Path+".")
			}
			if !f.Verdict.OK() || f.Word != "" {
				return
			}
			d := r.At(f.Verdict.At, say.Wrong("verdict", say.Quote(f.Verdict.Text), "APPROVE, REQUEST CHANGES or NEEDS DISCUSSION")).Of(s.Name())
			if !f.Undecided() {
				d.As(sdk.Info)
				return
			}
			d.Advise("Write the verdict", "Write one of the three in "+f.Doc.Path+", or restore the document from an earlier revision.")
		})},
	{Name: "verdict-contradicts-blockers", Severity: sdk.Warning, Doc: "The verdict approves although blockers are listed.",
		Why: "A blocker must be fixed before the merge, so a review that lists one cannot approve. Change the verdict, or move what does not block.",
		Find: eachFinal(func(r *check.Report, _ *Model, s *Subject, f *Final) {
			n := len(f.Blockers)
			if f.Word != Approve || n == 0 {
				return
			}
			d := r.At(f.Verdict.At, "verdict is APPROVE, but "+say.Count(n, "blocker")+" must be fixed first").Of(s.Name())
			for _, b := range f.Blockers[:min(n, 5)] {
				d.See(b.At, "blocker: "+say.Clip(b.Text))
			}
			d.Advise("Settle the contradiction", "Change the verdict to REQUEST CHANGES, or move what does not block out of the blockers.")
		})},
	{Name: "final-cites-missing-review", Severity: sdk.Warning, Doc: "The review table of final.md names a reviewer file that does not exist.",
		Why: "The file was lost or renamed, or the review was never made. Restore it, or correct the table.",
		Find: eachFinal(func(r *check.Report, m *Model, s *Subject, f *Final) {
			for _, c := range f.Cited {
				if c.Path != "" && m.Get(c.Path) == nil && m.Known(c.Path) {
					r.At(c.At, "final.md cites "+say.Clip(c.Cell)+", which does not exist").Of(s.Name()).Keyed(say.Clip(c.Path)).
						Advise("Restore the review, or correct the table", "Restore "+say.Clip(c.Path)+" from an earlier revision, or correct its row in "+f.Doc.Path+".")
				}
			}
		})},
	{Name: "final-omits-review", Severity: sdk.Info, Doc: "A reviewer file is not mentioned in the final review.",
		Why: "The synthesis may have been written before that reviewer was done, or may have overlooked it.",
		Find: eachFinal(func(r *check.Report, _ *Model, s *Subject, f *Final) {
			for _, stem := range s.Written() {
				if !strings.Contains(strings.ToLower(f.Doc.Text), strings.ToLower(stem)) {
					on(r, s, f.Doc.Path, say.Clip(stem)+".md is not mentioned in final.md").Keyed(stem)
				}
			}
		})},
}
