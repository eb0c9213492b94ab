package ocr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

var documentRules = []check.Rule[*Model]{
	{Name: "empty-artifact", Severity: sdk.Warning,
		Doc: "A workflow document has no text, or no text under its headings.",
		Why: "Writing it was interrupted. An empty document proves nothing here, but `ocr progress` counts it as " +
			"done because the file exists. Remove it, and let its phase write it again.",
		Find: func(r *check.Report, m *Model) {
			compared := m.Base != nil && m.seesAll() && !m.isFreshMap() // document-lost reports what the base had
			hollow := func(subject string, files ...File) {
				for _, f := range files {
					if f.Doc == nil || !Hollow(f.Doc) && !bare(f.Doc) || compared && isEvidence(f.Path) &&
						m.Base.file(f.Path).Filled() {
						continue
					}
					found := r.Whole(sayable(f.Path),
						absence(f)+"; it proves nothing, but `ocr progress` counts it").About(subject)
					_, name := cutLast(f.Path, "/")
					if name == "discourse.md" && Hollow(f.Doc) && m.C != nil && m.C.DIS.Path == f.Path &&
						m.ClaimAtLeast("synthesis") { // without the file, nothing shows that there was a discourse
						found.Advise("Write the discourse", "Write "+f.Path+
							", or remove it if the review is in quick mode.")
					} else if m.C != nil && m.T == Review && m.ClaimAtLeast("aggregation") &&
						strings.HasPrefix(f.Path, m.C.ReviewsDir()) {
						found.Advise("Write the review", "Write "+f.Path+", then add it to the later documents; or "+
							"remove it if that reviewer is not needed.")
					} else if Hollow(f.Doc) {
						found.Offer(sdk.Review, "Remove "+f.Path, sdk.Remove(f.Path))
					} else {
						found.Advise("Write the document", "Write "+f.Path+", or restore it from an earlier revision.")
					}
				}
			}
			hollow("", m.STD, m.REQ, m.CTX)
			for _, s := range m.Live {
				hollow(s.Name(), s.Files()...)
			}
		}},
	{Name: "artifact-gap", Severity: sdk.Error, Doc: "A document that later documents build on is missing.",
		SeverityIf: "Warning unless the phases that write context.md were skipped since the base.",
		Why: "Every phase writes its file before the next begins: standards, then context, then reviews; topology, " +
			"then flow analysis, then the map. A gap means that a phase was skipped or its file was lost.",
		Find: func(r *check.Report, m *Model) {
			reviews, runs := "", ""
			for _, s := range m.Subjects {
				switch {
				case !s.HasFilled():
				case s.Kind == Review:
					reviews = s.title() + " has files"
				case m.IsLive(s):
					runs = s.title() + " has files"
				}
			}
			reason := cmp.Or(reviews, runs)
			if reason == "" && m.CTX.Filled() {
				reason = "context.md is written"
			}
			gap(r, m, m.STD, "", reason)
			jumped := m.jumped()
			if reviews != "" {
				reviews += jumped
			}
			if f := gap(r, m, m.CTX, "", reviews); f != nil && jumped != "" {
				f.As(sdk.Error)
			}
			for _, s := range m.Live {
				if s.Kind == Map {
					gap(r, m, s.TOP, s.Name(), firstOf(s.Result, s.RQM, s.FLO))
					gap(r, m, s.FLO, s.Name(), firstOf(s.Result, s.RQM))
				}
			}
		}},
	{Name: "guidance-missing", Severity: sdk.Warning, Doc: "Reviewers work without the Tech Lead's guidance.",
		Why: "The analysis phase adds it to context.md, under a heading that names the Tech Lead. Reviewers build " +
			"on it, so a review without it misses what matters in this change.",
		Find: eachLive(func(r *check.Report, m *Model, s *Subject) {
			inReviews := s.HasFilled() || s == m.C && m.ClaimAtLeast("reviews")
			if s.Kind == Review && inReviews && m.CTX.Legible() && !m.Guided && !m.isLost(m.CTX) {
				on(r, s, m.CTX.Path, "context.md has no Tech Lead guidance, which reviewers build on").
					Advise("Add the guidance", `Add a section "Tech Lead Guidance" to context.md.`)
			}
		})},
	{Name: "results-without-reviews", Severity: sdk.Warning,
		Doc: "A round has a discourse or a final review, but no reviewer file.",
		Why: "The reviews behind the result are missing. They were lost, or only results were committed on purpose.",
		Find: func(r *check.Report, m *Model) {
			for _, s := range m.Subjects {
				paths := filled(s.Result, s.DIS)
				if len(paths) > 0 && m.lacksReviews(s) {
					lack := " has no reviewer file"
					if len(s.Reviews) > 0 {
						lack += " with content"
					}
					on(r, s, paths[0], paths[0]+" exists, but "+s.title()+lack).
						Advise("Restore the reviews",
							"Restore the files in "+s.ReviewsDir()+" from an earlier revision.")
				}
			}
		}},
	{Name: "discourse-missing", Severity: sdk.Warning,
		Replaces: []string{"discourse-unexplained"},
		Doc:      "discourse.md is missing or empty, and final.md mentions it or does not say why.",
		Why: "In full mode, reviewers answer each other before the synthesis; a quick review skips that, and " +
			"final.md says so in its Mode. The file was lost, or final.md is wrong.",
		Find: eachFinal(func(r *check.Report, m *Model, s *Subject, f *Final) {
			if s.DIS.Filled() || !f.Full() && f.Quick() || !m.Known(s.DIS.Path) {
				return
			}
			d := on(r, s, f.Doc.Path, absence(s.DIS)+", and final.md does not say that the discourse was skipped "+
				"(quick mode)")
			switch {
			case f.Full():
				d.Message, d.Range = "Mode is "+say.Quote(f.Mode.Text)+", but "+absence(s.DIS), f.Mode.At
			case f.cited:
				d.Message = "final.md mentions the discourse, but " + absence(s.DIS)
			}
			d.Advise("Restore the discourse", "Restore or write "+s.DIS.Path+
				", or correct what final.md says about it.")
		})},
	{Name: "verdict-unknown", Severity: sdk.Warning,
		Replaces: []string{"verdict-unrecognised"},
		Doc: "The verdict is missing or is not exactly one of the known verdicts.\n\nIt is missing if the final " +
			"review of a complete round breaks off before it.",
		Why: "The template's line with all three verdicts was left unchanged, or the verdict is in other words. " +
			"Tools can read APPROVE, REQUEST CHANGES and NEEDS DISCUSSION.",
		Find: eachFinal(func(r *check.Report, m *Model, s *Subject, f *Final) {
			m.reportHalf(r, s)
			if !f.Verdict.OK() || f.Word != "" {
				return
			}
			d := r.At(f.Verdict.At, say.Wrong("verdict", say.Quote(f.Verdict.Text),
				"APPROVE, REQUEST CHANGES or NEEDS DISCUSSION")).About(s.Name())
			if strings.HasSuffix(s.Result.torn(), f.Verdict.Text) {
				d.Message += "; " + f.Doc.Path + " ends there, so it may be cut off"
			}
			if !f.Undecided() {
				d.As(sdk.Info)
				return
			}
			d.Advise("Write the verdict", "Write one of the three verdicts in "+f.Doc.Path+
				", or restore the document from an earlier revision.")
		})},
	{Name: "verdict-contradicts-blockers", Severity: sdk.Warning,
		Doc: "The verdict approves the change although blockers are listed.",
		Why: "A blocker must be fixed before the merge, so a review that lists one cannot approve. Change the " +
			"verdict, or move the items that do not block.",
		Find: eachFinal(func(r *check.Report, _ *Model, s *Subject, f *Final) {
			n := len(f.Blockers)
			if f.Word != Approve || n == 0 {
				return
			}
			d := r.At(f.Verdict.At, "verdict is APPROVE, but "+say.Count(n, "blocker")+
				" must be fixed first").About(s.Name())
			for _, b := range f.Blockers[:min(n, 5)] {
				d.See(b.At, "blocker: "+say.Clip(b.Text))
			}
			d.Advise("Resolve the contradiction", "Change the verdict to REQUEST CHANGES, or move items that do not "+
				"block out of the blockers.")
		})},
	{Name: "final-cites-missing-review", Severity: sdk.Warning,
		Doc: "The review table of final.md names a reviewer file that does not exist.",
		Why: "The file was lost or renamed, or the review was never made. Restore it, or correct the table.",
		Find: eachFinal(func(r *check.Report, m *Model, s *Subject, f *Final) {
			for _, c := range f.Cited {
				if c.Path != "" && m.Get(c.Path) == nil && m.Known(c.Path) {
					r.At(c.At, "final.md cites "+say.Clip(c.Cell)+
						", which does not exist").About(s.Name()).Keyed(say.Clip(c.Path)).
						Advise("Restore the review, or correct the table",
							"Restore "+say.Clip(c.Path)+" from an earlier revision, or correct its row in "+f.Doc.Path+
								".")
				}
			}
		})},
	// This checks the map that the state names. Requirements that were added after a map, for a review in the same
	// session, do not concern that map.
	{Name: "requirements-unmapped", Severity: sdk.Warning,
		Doc: "The session has requirements, but the map run did not map them.",
		Why: "The requirements-mapping phase is skipped only if the user gave no requirements. Write " +
			"requirements-mapping.md before the map.",
		Find: eachLive(func(r *check.Report, m *Model, s *Subject) {
			past := s.Result.Filled() && (m.T == None || s == m.C) || s == m.C && m.ClaimAtLeast("synthesis")
			if b := m.Base; b != nil && b.Subject(s.Name()) != nil && b.Subject(s.Name()).Result.Filled() &&
				b.REQ.Doc == nil {
				return
			}
			if s.Kind == Map && m.REQ.Filled() && !s.RQM.Filled() && past && m.Known(s.RQM.Path) {
				then := ", then the map."
				if s.Result.Filled() {
					then = ", then rewrite the map to include it."
				}
				on(r, s, s.Dir, "requirements.md exists, but "+s.title()+" has no requirements-mapping.md").
					Advise("Map the requirements", "Write "+s.RQM.Path+then)
			}
		})},
	{Name: "map-omits-file", Severity: sdk.Warning, Doc: "map.md omits files that topology.md lists.",
		Why: "The map must include every changed file. Add the files, or create the map again.",
		Find: eachLive(func(r *check.Report, m *Model, s *Subject) {
			if s.Kind != Map || !s.Result.Legible() || !s.TOP.Legible() {
				return
			}
			if missing := s.LeftOut(); len(missing) > 0 {
				on(r, s, s.Result.Path, "map.md omits "+say.Int(len(missing))+" of "+say.Int(len(s.ListedFiles()))+
					" files: "+say.Clip(say.List(missing))).
					Advise("Complete the map", "Add the files that "+s.TOP.Path+" lists to "+s.Result.Path+".")
			}
		})},
	// This finds a document with the same long text as another one in its round or run, or as its counterpart in the
	// previous round or run. Two people, or two reviews of a change, do not produce the same text.
	{Name: "copied-review", Severity: sdk.Warning, Doc: "Two review documents, or two maps, have the same text.",
		Why: "Two reviewers, rounds or runs do not produce the same words, so one file was copied over the other or " +
			"written in its place by mistake.",
		Find: eachLive(func(r *check.Report, m *Model, s *Subject) {
			overwritten := func(f File) bool {
				return m.Base != nil && m.Base.file(f.Path).Filled() && !same(m.Base.file(f.Path).Doc, f.Doc)
			}
			isCopy := func(f, other File) bool {
				return f.Filled() && other.Filled() &&
					(f.Doc.Summary.Words >= 20 || overwritten(f) || overwritten(other)) && same(f.Doc, other.Doc)
			}
			files := s.Files()
			for i, f := range files {
				others := slices.Clone(files[:i])
				if s.Kind == Review || f == s.Result {
					others = append(others, m.file(s.Kind.directory(s.N-1)+strings.TrimPrefix(f.Path, s.Dir)))
				}
				at := slices.IndexFunc(others, func(other File) bool { return isCopy(f, other) })
				if at < 0 {
					continue
				}
				other := others[at]
				d := on(r, s, f.Path, f.Path+" has the same text as "+other.Path)
				switch {
				case overwritten(f):
					m.restore(d, f.Path)
				case i < len(s.Reviews) && !overwritten(other):
					d.As(sdk.Info)
				default:
					d.Advise("Rewrite it for this "+s.Kind.Unit,
						"Rewrite "+f.Path+" for "+s.title()+", or restore it from an earlier revision.")
				}
			}
		})},
}

// lacksReviews reports whether a round is known to have no reviewer file with content.
func (m *Model) lacksReviews(s *Subject) bool {
	return s.Kind == Review && len(s.Written()) == 0 && m.CompleteBelow(s.ReviewsDir())
}

// firstOf returns "PATH exists" for the first filled file, or "" if none is filled.
func firstOf(files ...File) string {
	if paths := filled(files...); len(paths) > 0 {
		return paths[0] + " exists"
	}
	return ""
}

// gap reports a file that is not filled although, for the given reason, it should be. It returns nil if the reason is
// "".
func gap(r *check.Report, m *Model, f File, subject, reason string) (found *check.Finding) {
	if reason != "" && !f.Filled() && m.Known(f.Path) && !m.isLost(f) {
		found = r.Whole(f.Path, absence(f)+", although "+reason).About(subject).As(sdk.Warning).
			Advise("Write the missing document", "Write "+f.Path+", or restore it from an earlier revision.")
	}
	return found
}

// jumped describes how the phase skipped the phases that write context.md since the base, or returns "".
func (m *Model) jumped() string {
	if b := m.Base; m.onBase() && m.sameC() && m.T == Review && b.Series(m.T).Claim == m.Series(m.T).Claim &&
		b.Index() > 0 && b.Index() < Review.Index("change-context") && m.Index() >= Review.Index("reviews") {
		return ": the phase went from " + b.State.Phase + " to " + m.State.Phase + ", past change-context and analysis"
	}
	return ""
}
