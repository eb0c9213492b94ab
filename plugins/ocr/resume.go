package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// resume writes the brief of C and of every other live subject that goes on.
func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	m := model(p)
	s := m.named(d.Subject)
	switch {
	case s == nil:
		return
	case !m.IsLive(s):
		if d.State == sdk.Active {
			d.Resume.Next = "nothing yet: " + s.title() + " has no file with a word; the next " + string(s.Kind) + " begins there"
		}
		return
	case !m.IsC(s) && d.State == sdk.Abandoned:
		return
	}
	b := &briefing{Brief: brief.Of(p, d, m.about(s, findings)), m: m, s: s, at: m.goesOn(s)}
	b.read()
	for _, f := range findings {
		if f.Rule == "stray-flat-artifact" {
			b.Verify(f.Message + ": move it before anything is written there")
		}
	}
	switch {
	case d.State == sdk.Finished:
		b.finished()
	case d.State == sdk.Abandoned:
		b.First = "settle closed-unfinished: a closed session cannot be resumed as it is"
		b.Do("ask the user whether to reopen it" + choices(findings))
		b.rest()
	case d.State == sdk.Blocked && m.IsC(s) && m.State.OK():
		b.Do(b.settle(findings))
		b.rest()
	default:
		b.Do(b.action())
		if b.at == "synthesis" && b.s.Kind == Review && !b.s.DIS.Filled() && !b.s.FIN.Filled() && b.m.Known(b.s.DIS.Path) {
			b.Verify("the review is in quick mode: there is no " + b.s.DIS.Path)
		}
		b.rest()
		b.record()
	}
	for _, reviewer := range s.reviews(false) {
		if d.State != sdk.Finished && !b.hollow {
			b.Verify(reviewer.Path + " says nothing: write that review, or remove the file")
		}
	}
	b.state(p)
}

func (m *Model) named(name string) *Subject {
	for _, s := range m.Subjects {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// about lists the findings on a subject; those on the session as a whole are on C.
func (m *Model) about(s *Subject, findings []sdk.Diagnostic) []sdk.Diagnostic {
	list := append([]sdk.Diagnostic(nil), findings...)
	for i := range list {
		if list[i].Subject == "" && m.IsC(s) {
			list[i].Subject = s.Name()
		}
	}
	return list
}

// A briefing is the brief of one subject.
type briefing struct {
	*brief.Brief
	m      *Model
	s      *Subject
	at     string // the phase to go on with
	hollow bool   // the next action names the reviews without content
}

// fileOf names what a phase writes, "" for aggregation, and reports whether it is there: the phase is
// done then, but for being recorded. Reviews are open-ended, and a result is to be presented.
func (m *Model) fileOf(s *Subject, phase string) (path string, written bool) {
	switch phase {
	case "context", "map-context":
		return m.STD.Path, m.STD.Filled()
	case "change-context":
		return m.CTX.Path, m.CTX.Filled()
	case "analysis":
		return m.CTX.Path, m.Guided
	case "reviews":
		return s.ReviewsDir(), false
	case "discourse":
		return s.DIS.Path, s.DIS.Filled()
	case "topology":
		return s.TOP.Path, s.TOP.Filled()
	case "flow-analysis":
		return s.FLO.Path, s.FLO.Filled()
	case "requirements-mapping":
		return s.RQM.Path, s.RQM.Filled() || !m.REQ.Filled()
	case "synthesis":
		return s.Result().Path, false
	case "complete":
		return "state.json, after presenting", false
	}
	return "", false
}

// goesOn is the phase to go on with: the observed one, or the first one after it whose file is missing. A
// result that is not recorded as presented has to be presented.
func (m *Model) goesOn(s *Subject) string {
	recorded := !m.IsC(s) || m.Phase() == "complete" || m.State.Status == "closed"
	if m.Observed(s) == "complete" && (!recorded || m.unrecorded(s)) {
		return "synthesis"
	}
	for phase := m.Observed(s); ; phase = s.Kind.Phases()[s.Kind.Index(phase)] {
		if _, written := m.fileOf(s, phase); !written || m.reopens(s, phase) {
			return phase
		}
	}
}

// reopens reports whether a later round looks again at what an earlier one wrote for all.
func (m *Model) reopens(s *Subject, phase string) bool {
	return s.Kind == Review && s.N > 1 && !s.HasFilled() && (phase == "context" || phase == "change-context")
}

// read names the documents that the phase builds on.
func (b *briefing) read() {
	m, s := b.m, b.s
	if m.State.OK() {
		b.Read(StatePath)
	}
	var files []File
	present := s.Result().Filled() && (b.at == "complete" || m.Fit != sdk.Fits)
	switch {
	case present:
		files = []File{s.Result()}
	case m.IsC(s) && m.Fit != sdk.Fits:
		b.Read(s.Ladder.Evidence...)
	case s.Kind == Map:
		files = []File{m.STD, m.REQ, s.TOP, s.FLO, s.RQM, s.MAP}
	default:
		files = []File{m.STD, m.REQ, m.CTX, m.file(directory(Review, s.N-1) + "final.md")}
	}
	b.readFilled(files...)
	if Review.Index(b.at) > Review.Index("reviews") && s.Kind == Review && !present {
		for _, r := range s.Reviews {
			b.readFilled(r.File)
		}
		b.readFilled(s.DIS, s.FIN)
	}
}

func (b *briefing) readFilled(files ...File) {
	for _, f := range files {
		if f.Filled() {
			b.Read(f.Path)
		}
	}
}

// action is the next action, with what it rests on if that was just written.
func (b *briefing) action() string {
	observed := b.m.Observed(b.s)
	next := b.step()
	if path, _ := b.m.fileOf(b.s, observed); b.at != observed && observed != "complete" && b.m.IsC(b.s) {
		next += "; if " + path + " breaks off, finish that first"
	}
	return next
}

// step is what is to be done in the phase: one switch over the phases.
func (b *briefing) step() string {
	s := b.s
	file, _ := b.m.fileOf(s, b.at)
	switch b.at {
	case "context", "change-context":
		if b.m.reopens(s, b.at) {
			return "bring context.md up to date for " + s.title() + ", then write the reviewer files in " + s.ReviewsDir()
		}
		if b.at == "change-context" {
			return "write context.md: target, branch, change summary, affected files"
		}
		return "write discovered-standards.md, and requirements.md if the user gave any"
	case "map-context":
		return "write discovered-standards.md, and requirements.md if the user gave any"
	case "analysis":
		return "add Tech Lead guidance to context.md; take the team from .ocr/config.yaml"
	case "reviews":
		have := "have: " + orNone(s.Stems())
		if hollow := stems(s.reviews(false)); len(hollow) > 0 {
			have += "; without content: " + strings.Join(hollow, ", ")
			b.hollow = true
		}
		return "write the missing reviewer files in " + s.ReviewsDir() + " (" + have + ")"
	case "aggregation", "discourse":
		return "merge the findings (no file); write " + s.DIS.Path + ", or go to synthesis in quick mode"
	case "synthesis":
		return b.synthesis()
	case "complete":
		if s.Kind == Review {
			return "set status to closed in state.json: " + s.title() + " was presented"
		}
		return "set phase complete, phase_number 6 in state.json: " + s.title() + " was presented"
	}
	return "write " + file
}

func (b *briefing) synthesis() string {
	s, path := b.s, b.s.Result().Path
	switch filled := s.Result().Filled(); {
	case b.m.unrecorded(s):
		return "ask the user whether " + path + " was presented; if not, present it. Then rebuild state.json as finished, or as awaiting presentation"
	case s.Kind == Map && filled:
		return "present " + path + ", then set phase complete, phase_number 6; status stays active"
	case filled:
		return "present " + path + ", then set status closed, phase complete, phase_number 8"
	case s.Kind == Map && b.unasked() && !(b.m.IsC(s) && b.m.ClaimAtLeast("synthesis")):
		return "write " + path + "; before it " + s.RQM.Path + ifRequired
	case s.Kind == Map:
		return "write " + path
	}
	return "write " + path + " with a Verdict"
}

const ifRequired = ", if there are requirements"

// unasked reports whether no requirements are known that a map has to answer.
func (b *briefing) unasked() bool { return !b.m.REQ.Filled() && !b.s.RQM.Filled() }

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// rest lists what is done and what remains after the next action.
func (b *briefing) rest() {
	next := b.s.Kind.Index(b.at) - 1
	for i, phase := range b.s.Kind.Phases() {
		file, written := b.m.fileOf(b.s, phase)
		note := ""
		switch {
		case phase == "requirements-mapping" && b.unasked():
			note = ifRequired
		case phase == "analysis":
			note = ", with Tech Lead guidance"
		}
		switch {
		case i == next && phase == "synthesis" && b.s.Result().Filled():
			b.Done(phase + ": " + file + " is written")
		case i < next && note != ifRequired && (written || file == "" || phase == "reviews"):
			b.Done(phase)
		case i > next && file == "":
			b.Left(phase)
		case i > next:
			b.Left(phase + ": " + file + note)
		}
	}
	for _, stem := range b.s.Stems() {
		b.Done("the review of " + stem)
	}
}

// record says how the step is recorded.
func (b *briefing) record() {
	if b.m.SQLite() {
		return
	}
	if c := b.m.C; c != nil && c != b.s {
		b.Know("state.json names " + c.title() + "; before going on here, set workflow_type to " + string(b.s.Kind) + ", " + b.s.Kind.NumberField() + " to " + say.Int(b.s.N) +
			", current_phase to " + b.at + ", phase_number to " + say.Int(b.s.Kind.Index(b.at)) + " and updated_at in it; keep started_at and " + b.s.Kind.StartField())
	}
	start := ""
	if !b.s.HasFilled() && b.m.IsC(b.s) && b.s.N > 1 {
		start = ", " + b.s.Kind.StartField() + " when " + b.s.title() + " begins"
	}
	b.Know("record each step in state.json: current_phase, phase_number, updated_at" + start + "; take times from a clock command (date -u), keep started_at")
}

// state says what is the matter with the state file, and how old it is.
func (b *briefing) state(p *sdk.Pass) {
	switch st := b.m.State; {
	case b.m.SQLite():
		b.Know("state is kept in .ocr/data/ocr.db since v1.5; this brief is read from the files")
	case st.Broken():
		b.First = "settle unreadable-document: state.json cannot be read; recover it first. This brief is read from the files"
	case !st.Exists() && !b.m.Known(StatePath):
		b.Know("state.json cannot be seen here; this brief is read from the files")
	case !st.Exists():
		b.First = "settle state-missing: there is no state.json; recover it first, or the tool keeps waiting"
	}
	updated := b.m.State.Stamp(UpdatedAt)
	if b.m.IsC(b.s) && b.m.State.Status == "active" && b.m.Phase() != "complete" && updated.OK() && p.After(updated.At.Add(staleAfter)) {
		b.Know("untouched for " + daysSince(p, updated.At) + " days at " + b.m.Observed(b.s))
	}
}

// finished is the brief of a subject that is over.
func (b *briefing) finished() {
	next := say.Int(b.s.N + 1)
	switch {
	case b.s.Kind == Map:
		b.Do("nothing to resume; the session stays open for a review or run " + next)
	case b.m.IsC(b.s) && b.m.State.Status == "closed":
		b.Do("closed: cannot be resumed; see " + b.s.FIN.Path + "; a new review starts round " + next + " with a new round_started_at")
	default:
		b.Do("nothing to resume; a new review starts round " + next + " with a new round_started_at")
	}
}
