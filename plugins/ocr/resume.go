package ocr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// resume writes the brief of C and of every other live subject that continues.
func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	m := model(p)
	s := m.Subject(d.Subject)
	switch {
	case s == nil, m.IsLive(s) && s != m.C && d.State == sdk.Abandoned:
		return
	case !m.IsLive(s):
		if d.State == sdk.Active {
			d.Resume.Next = "nothing yet: " + s.title() + " contains no text; the next " + s.Kind.Name +
				" begins there"
		}
		return
	}
	about := slices.Clone(findings)
	for i := range about {
		if about[i].Subject == "" && s == m.C { // about the session as a whole
			about[i].Subject = s.Name()
		}
	}
	b := &briefing{Brief: brief.Of(p, d, about), Model: m, s: s, at: m.goesOn(s)}
	b.undiscussed = slices.ContainsFunc(about, func(f sdk.Diagnostic) bool {
		return f.Rule == "discourse-missing" && f.Subject == s.Name()
	})
	b.read()
	for _, f := range findings {
		switch {
		case f.Rule == "stray-flat-artifact":
			b.Verify(f.Message + "; move it before writing anything there")
		case f.Rule == "finished-round-rewritten" && s == m.C:
			b.Verify(f.Message)
		}
	}
	lost, rewritten := m.lostIn(s, about), m.rewrittenBefore(s, findings)
	switch {
	case d.State == sdk.Finished:
		b.Do(b.finished())
	case d.State == sdk.Abandoned:
		b.First = "the session is closed but not finished, so it cannot be resumed as it is"
		b.Do("ask the user whether to reopen the session")
		b.Know(choices(findings))
	case len(lost) > 0:
		b.Do("restore " + say.List(lost[:1]) + others(lost) + " from the base: stategate recover")
		if from := home(lost[0]); from != "" && from != s.Dir {
			b.Left("continue with " + b.at + ": " + b.step())
		}
	case len(rewritten) > 0 && d.State == sdk.Active:
		b.Do("restore " + say.List(rewritten[:1]) + others(rewritten) + ", and keep the new text for " + s.title() +
			": stategate recover")
		if s.N > m.Series(s.Kind).Max {
			b.Left("continue with " + b.at + ": " + b.step())
		}
	case s == m.C && m.isReopened():
		b.Do("restore status and phase in state.json from the base, because " + s.title() + " was presented: " +
			"stategate recover")
	case s == m.C && d.State == sdk.Active && s.DIS.Filled() && !s.Result.Filled() && m.lacksReviews(s):
		b.Do("restore or write the reviewer files in " + s.ReviewsDir() + ", on which " + s.DIS.Path + " builds")
		b.Left("continue with " + b.at + ": " + b.step())
		b.record()
	case s == m.C && len(m.late()) > 0:
		b.include(d.State == sdk.Blocked)
	case d.State == sdk.Blocked && s == m.C && m.State.OK():
		b.Do(b.settle(findings))
	default:
		b.Do(b.step())
		observed := m.Observed(s)
		if path, _ := m.fileOf(s, observed); s.Kind.Index(b.at) > s.Kind.Index(observed) && s == m.C {
			b.Verify("is " + path + " complete? If it is cut off, finish it first")
		}
		b.tails()
		b.record()
	}
	if d.State == sdk.Active {
		b.Warn(about, "stray-flat-artifact", "phase-lags-files")
	}
	if d.State != sdk.Finished && (s != m.C || d.State != sdk.Blocked || len(m.toCollect()) == 0) {
		b.rest()
	}
	b.state(p)
}

// A briefing is the brief of one subject.
type briefing struct {
	*brief.Brief
	*Model
	s  *Subject
	at string // the phase to continue with

	undiscussed bool // a rule reports that discourse.md is missing
}

// fileOf returns the file that a phase writes ("" for aggregation) and whether it exists. If it exists, the phase is
// done, even if that is not recorded. Reviews and results never count as written, because reviews are open-ended and
// results must be presented.
func (m *Model) fileOf(s *Subject, phase string) (path string, written bool) {
	switch phase {
	case "aggregation":
		return "", false
	case "reviews":
		return s.ReviewsDir(), false
	case "synthesis":
		return s.Result.Path, false
	case "complete":
		return "state.json, after presenting", false
	case "context", "map-context":
		return m.STD.Path, m.STD.Filled()
	case "change-context":
		return m.CTX.Path, m.CTX.Filled()
	case "analysis":
		return m.CTX.Path, m.Guided
	}
	f := m.file(s.Dir + phase + ".md")
	return f.Path, f.Filled() || phase == "requirements-mapping" && !m.REQ.Filled()
}

// goesOn returns the phase to continue with: the observed phase, or the first phase after it whose file is missing. A
// result that is not recorded as presented must be presented.
func (m *Model) goesOn(s *Subject) string {
	recorded := s != m.C || m.State.Phase == "complete" || m.State.Status == "closed"
	phase := m.Observed(s)
	if phase == "complete" && (!recorded || m.unrecorded(s)) {
		return "synthesis"
	}
	if _, written := m.fileOf(s, "requirements-mapping"); s.Kind == Map && phase == "synthesis" && !written &&
		!s.Result.Filled() && m.Known(s.RQM.Path) {
		return "requirements-mapping" // it was skipped, although there are requirements
	}
	for {
		if _, written := m.fileOf(s, phase); !written || m.reopens(s, phase) {
			return phase
		}
		phase = s.Kind.Phases[s.Kind.Index(phase)]
	}
}

// reopens reports whether a later round repeats a phase whose file an earlier round wrote for all rounds.
func (m *Model) reopens(s *Subject, phase string) bool {
	return s.Kind == Review && s.N > 1 && !s.HasFilled() && (phase == "context" || phase == "change-context")
}

// read adds the documents that the phase builds on.
func (b *briefing) read() {
	s := b.s
	if b.State.OK() {
		b.Read(StatePath)
	}
	present := s.Result.Filled() && (b.at == "complete" || b.Fit != sdk.Consistent)
	var files []File
	switch {
	case present:
		files = []File{s.Result}
	case s == b.C && b.Fit != sdk.Consistent:
		b.Read(s.Ladder.Evidence...)
	case s.Kind == Map:
		files = append([]File{b.STD, b.REQ}, s.Own...)
	default:
		files = []File{b.STD, b.REQ, b.CTX, b.file(Review.directory(s.N-1) + "final.md")}
	}
	if Review.Index(b.at) > Review.Index("reviews") && s.Kind == Review && !present {
		files = append(files, s.Files()...)
	}
	b.Read(filled(files...)...)
}

// step returns the next action for the phase to continue with.
func (b *briefing) step() string {
	s := b.s
	path, _ := b.fileOf(s, b.at)
	if b.reopens(s, b.at) {
		return "update context.md for " + s.title() + ", then write the reviewer files in " + s.ReviewsDir()
	}
	switch b.at {
	case "context", "map-context":
		return "write discovered-standards.md, and requirements.md if the user gave requirements"
	case "change-context":
		return "write context.md: target, branch, change summary, affected files"
	case "analysis":
		return "add Tech Lead guidance to context.md; take the team from .ocr/config.yaml"
	case "reviews":
		have, hollow := s.Written(), s.stems(false)
		if len(have)+len(hollow) == 0 {
			return "write the reviewer files in " + path
		}
		list := cmp.Or(say.List(have), "none")
		if len(hollow) > 0 {
			list += "; without content: " + say.List(hollow)
		}
		return "write any missing reviewer files in " + path + " (written: " + list + ")"
	case "aggregation", "discourse":
		return "merge the findings (no file); write " + s.DIS.Path + ", or continue with synthesis in quick mode"
	case "synthesis":
		return b.synthesis(path)
	case "complete":
		if s.Kind == Review {
			return "set status to closed in state.json: " + s.title() + " was presented"
		}
		return "set phase to complete and phase_number to 6 in state.json: " + s.title() + " was presented"
	}
	return "write " + path
}

func (b *briefing) synthesis(path string) string {
	s := b.s
	switch filled := s.Result.Filled(); {
	case b.s.halfFinal() != "":
		return "finish " + path + ", which ends with " + say.Quote(b.s.halfFinal()) +
			" and has no verdict; then present it"
	case b.unrecorded(s):
		b.Know("if it was not presented, rebuild state.json as awaiting presentation")
		return "ask the user whether " + path + " was presented, then rebuild state.json"
	case s.Kind == Map && filled:
		return "present " + path + ", then set phase to complete and phase_number to 6; status stays active"
	case filled && b.undiscussed:
		return "write " + s.DIS.Path + ", or correct what final.md says about it; then present " + path +
			", and set status to closed, phase to complete and phase_number to 8"
	case filled:
		return "present " + path + ", then set status to closed, phase to complete and phase_number to 8"
	case s.Kind == Review && !s.DIS.Filled() && b.Known(s.DIS.Path):
		return "write " + s.DIS.Path + " unless the review is in quick mode, then " + path + ", with a verdict"
	case s.Kind == Review:
		return "write " + path + ", with a verdict"
	case b.unasked() && !(s == b.C && b.ClaimAtLeast("synthesis")):
		return "write " + s.RQM.Path + ifRequired + ", then " + path
	}
	return "write " + path
}

const ifRequired = ", if there are requirements"

// unasked reports whether no requirements for the map are known.
func (b *briefing) unasked() bool { return !b.REQ.Filled() && !b.s.RQM.Filled() }

// rest lists what is done, what remains after the next action, and the reviews without content unless the next action
// names them.
func (b *briefing) rest() {
	next, recorded := b.s.Kind.Index(b.at)-1, len(b.s.Kind.Phases)
	if b.s == b.C && b.Index() > 0 && b.Fit != sdk.Ahead {
		recorded = b.Index() - 1
	}
	for i, phase := range b.s.Kind.Phases {
		file, written := b.fileOf(b.s, phase)
		skipped := phase == "requirements-mapping" && b.unasked()
		switch {
		case file == "", phase == "synthesis" && (b.s.halfFinal() != "" || b.s == b.C && len(b.late()) > 0):
			// the next action covers it
		case i == next && phase == "synthesis" && b.s.Result.Filled(), i < next && i >= recorded && written && !skipped:
			b.Done(phase + ": " + file + " is written")
		case i < next && !skipped && (written || phase == "reviews" && len(b.s.Written()) > 0):
			b.Done(phase)
		case i < next && !skipped && phase != "reviews" && phase != "discourse" && b.Known(file):
			b.Left(phase + ": " + file + ", which was skipped")
		case i > next && skipped:
			b.Left(phase + ": " + file + ifRequired)
		case i > next && phase == "analysis":
			b.Left(phase + ": " + file + ", with Tech Lead guidance")
		case i > next:
			b.Left(phase + ": " + file)
		}
	}
	for _, stem := range b.s.Written() {
		b.Done("the review of " + stem)
	}
	for _, stem := range b.s.stems(false) {
		if !strings.Contains(b.Next, "; without content: ") {
			b.Verify(b.s.ReviewsDir() + stem + ".md contains no text: write that review, or remove the file")
		}
	}
}

// tails asks to check the documents that the next phase builds on and that end within a sentence and without a line
// break, as after an interruption. Without a base, it is unknown whether they are cut off.
func (b *briefing) tails() {
	for _, f := range b.s.Files() {
		if last := f.torn(); last != "" && (f.Path != b.s.Result.Path || b.s.halfFinal() == "") {
			b.Verify(f.Path + " ends with " + say.Quote(last) + ": if it is cut off, finish it first")
		}
	}
}

// record adds how to record the step.
func (b *briefing) record() {
	k := b.s.Kind
	if b.IsSQLite {
		return
	}
	if b.C != nil && b.C != b.s {
		b.Know("state.json names " + b.C.title() + "; before you continue here, " + b.switchTo(b.s))
	}
	start := ""
	if !b.s.HasFilled() && b.s == b.C && b.s.N > 1 {
		start = ", " + k.Start + " when " + b.s.title() + " begins"
	}
	b.Know("record each step in state.json: current_phase, phase_number, updated_at" + start +
		"; take times from a clock command (date -u); keep started_at")
}

// state adds problems with the state file, and its age.
func (b *briefing) state(p *sdk.Pass) {
	switch {
	case b.IsSQLite:
		b.Know("state has been kept in .ocr/data/ocr.db since v1.5; this brief is based on the files")
	case b.State.Broken():
		b.First = "state.json cannot be read: recover it first; this brief is based on the files"
	case !b.State.Exists() && !b.Known(StatePath):
		b.Know("state.json cannot be seen here; this brief is based on the files")
	case !b.State.Exists():
		b.First = "state.json is missing: recover it first, because `ocr progress` waits for it"
	}
	if b.s == b.C && b.stale(p) != "" {
		b.Know("its files say that it was last updated " + b.stale(p) + " ago, in phase " + b.Observed(b.s))
	}
}

// finished returns what may follow a finished subject.
func (b *briefing) finished() string {
	next := say.Int(b.s.N + 1)
	switch {
	case b.s.Kind == Map:
		return "nothing to resume; the session stays open for a review or run " + next
	case b.s == b.C && b.State.Status == "closed":
		return "closed, so it cannot be resumed; see " + b.s.Result.Path + "; a new review starts round " + next +
			" with a new round_started_at"
	}
	return "nothing to resume; a new review starts round " + next + " with a new round_started_at"
}
