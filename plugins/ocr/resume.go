package ocr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// clockAdvice closes every next step that moves a phase.
const clockAdvice = "; take the time from a clock command, keep started_at, set updated_at"

// resume writes the brief of C and of every other live subject that goes on.
func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	m := model(p)
	s := m.named(d.Subject)
	switch {
	case s == nil:
		return
	case !m.IsLive(s) && d.State == sdk.Active:
		// Its directory is empty and later than the one that is at work.
		d.Resume.Next = s.title() + " starting: the target of the next " + string(s.Kind)
		return
	case !m.IsLive(s):
		return
	}
	b := brief{m: m, s: s, observed: m.Observed(s)}
	switch {
	case d.State == sdk.Finished:
		b.finished()
	case !m.IsC(s) && d.State == sdk.Abandoned:
		return
	case m.IsC(s) && d.State == sdk.Abandoned:
		b.dismissed(findings)
	case m.IsC(s) && d.State == sdk.Blocked:
		b.conflict(findings)
	default:
		b.goOn()
	}
	b.state(p)
	d.Resume = b.out
}

func (m *Model) named(name string) *Subject {
	for _, s := range m.Subjects {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// A brief is a Resume being written.
type brief struct {
	m        *Model
	s        *Subject
	observed string
	out      sdk.Resume
}

// goOn is the brief of a subject that nothing keeps from going on.
func (b *brief) goOn() {
	b.readFirst()
	b.out.Next = b.next()
	if !b.m.SQLite() {
		b.out.Next += clockAdvice
	}
	b.skip()
	b.remaining()
}

// state says what is the matter with the state file, and how old it is.
func (b *brief) state(p *sdk.Pass) {
	switch st := b.m.State; {
	case b.m.SQLite():
		b.out.Context = append(b.out.Context, "state is kept in .ocr/data/ocr.db since v1.5; this brief is read from the files")
	case st.Broken():
		b.out.First = "state.json cannot be read: recover first; this brief is read from the files"
	case !st.Exists() && !b.m.Known(StatePath):
		b.out.Context = append(b.out.Context, "state.json cannot be seen here; this brief is read from the files")
	case !st.Exists():
		b.out.First = "state.json is missing: recover first, or the CLI keeps waiting"
	}
	if b.m.IsC(b.s) && b.m.State.Status == "active" && b.m.Phase() != "complete" {
		b.age(p)
	}
}

func (b *brief) age(p *sdk.Pass) {
	updated := b.m.State.Stamp(UpdatedAt)
	if !updated.OK() || !p.After(updated.At.Add(staleAfter)) {
		return
	}
	b.out.Context = append(b.out.Context, "untouched for "+daysSince(p, updated.At)+" days at "+b.observed)
}

// read adds the files that have a word to what must be read first.
func (b *brief) read(files []File) {
	for _, f := range files {
		if f.Filled() {
			b.out.ReadFirst = append(b.out.ReadFirst, f.Path)
		}
	}
}

func (b *brief) readState() {
	if b.m.State.OK() {
		b.out.ReadFirst = append(b.out.ReadFirst, StatePath)
	}
}

func (b *brief) readFirst() {
	b.readState()
	b.read(b.sources())
	if b.observed == "aggregation" || b.observed == "discourse" || b.observed == "synthesis" {
		for _, r := range b.s.FilledReviews() {
			b.out.ReadFirst = append(b.out.ReadFirst, r.Path)
		}
	}
	if b.observed == "synthesis" && b.s.Kind == Review {
		b.read([]File{b.s.DIS, b.s.FIN})
	}
}

// sources are the documents that a phase builds on, reviewer files and what
// comes after them left out: one switch over the phases.
func (b *brief) sources() []File {
	m, s := b.m, b.s
	switch b.observed {
	case "context", "map-context":
		return []File{m.REQ}
	case "change-context":
		return []File{m.STD, m.REQ}
	case "topology", "flow-analysis", "requirements-mapping":
		return []File{m.STD, m.REQ, s.TOP, s.FLO, s.RQM, s.MAP}
	case "complete":
		return []File{s.Result()}
	}
	if s.Kind == Map {
		return []File{s.TOP, s.FLO, s.RQM, s.MAP}
	}
	return []File{m.STD, m.REQ, m.CTX}
}

// next is the next action in the observed phase: one switch over the phases.
func (b *brief) next() string {
	s := b.s
	switch b.observed {
	case "context", "map-context":
		return "write discovered-standards.md (and requirements.md if the user gave any)"
	case "change-context":
		return "write context.md: target, branch, change summary, affected files"
	case "analysis":
		return "add Tech Lead guidance to context.md; take the team from .ocr/config.yaml"
	case "reviews":
		return "write the missing reviewer files in " + s.ReviewsDir() + " (have: " + orNone(s.Stems()) + ")"
	case "aggregation", "discourse":
		return "merge the findings (no file); write " + s.Dir + "discourse.md, or go to synthesis in quick mode"
	case "synthesis":
		return b.nextSynthesis()
	case "complete":
		return "present " + s.Result().Path + ", then record it"
	}
	return "write " + fileOf(s, b.observed)
}

func (b *brief) nextSynthesis() string {
	s := b.s
	switch {
	case s.Kind == Map && s.MAP.Filled():
		return "present " + s.MAP.Path + ", then set phase complete, phase_number 6; status stays active"
	case s.Kind == Map:
		return "write " + s.MAP.Path
	case s.FIN.Filled():
		return "present " + s.FIN.Path + ", then set status closed, phase complete, phase_number 8"
	}
	return "write " + s.FIN.Path + " with a Verdict"
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// skip lists what is done: phases below the observed one, and reviewer files.
func (b *brief) skip() {
	below := b.s.Kind.Index(b.observed) - 1
	b.out.Skip = append(b.out.Skip, b.s.Kind.Phases()[:below]...)
	for _, r := range b.s.FilledReviews() {
		b.out.Skip = append(b.out.Skip, r.Path+" (do not redo)")
	}
}

// remaining lists the phases to come, each with its file.
func (b *brief) remaining() {
	for _, phase := range b.s.Kind.Phases()[b.s.Kind.Index(b.observed):] {
		if phase == "requirements-mapping" && !b.m.REQ.Filled() {
			continue
		}
		b.out.Remaining = append(b.out.Remaining, phase+": "+fileOf(b.s, phase))
	}
}

// fileOf names the file of a phase: one switch over all phases.
func fileOf(s *Subject, phase string) string {
	switch phase {
	case "context", "map-context":
		return "discovered-standards.md"
	case "change-context":
		return "context.md"
	case "analysis":
		return "context.md, with Tech Lead guidance"
	case "reviews":
		return s.ReviewsDir()
	case "aggregation":
		return "no file"
	case "discourse":
		return s.DIS.Path
	case "topology":
		return s.TOP.Path
	case "flow-analysis":
		return s.FLO.Path
	case "requirements-mapping":
		return s.RQM.Path
	case "synthesis":
		return s.Result().Path
	}
	return "state.json, after presenting"
}

// finished is the brief of a subject that is over.
func (b *brief) finished() {
	b.readState()
	b.read([]File{b.s.Result()})
	next := strconv.Itoa(b.s.N + 1)
	if b.s.Kind == Map {
		b.out.Next = "nothing to resume; the session stays open for a review or run " + next
		return
	}
	b.out.Next = "nothing to resume; a new review starts round " + next + " with a new round_started_at"
	if b.m.IsC(b.s) && b.m.State.Status == "closed" {
		b.out.Next = "closed: cannot be resumed; see " + b.s.FIN.Path + "; a new review starts round " + next + " with a new round_started_at"
	}
}

// dismissed is the brief of a session that was closed before its end.
func (b *brief) dismissed(findings []sdk.Diagnostic) {
	b.read([]File{b.s.Result()})
	b.evidence()
	b.out.First = "closed: cannot be resumed as it is"
	b.out.Next = "ask the user whether to reopen it" + choices(b.titles(findings))
	b.skip()
	b.remaining()
}

// conflict is the brief of a state that contradicts the files.
func (b *brief) conflict(findings []sdk.Diagnostic) {
	b.evidence()
	b.out.First = firstError(findings)
	b.out.Next = "ask the user, and decide which to trust" + choices(b.titles(findings))
	if b.m.Fit == sdk.Behind && b.s.Result().Filled() && b.m.State.Status != "closed" {
		b.out.Next = b.s.Kind.Unit() + " " + strconv.Itoa(b.s.N) + " is complete; present and close it. " + b.out.Next
	}
	b.skip()
	b.remaining()
}

// evidence names the documents that stand against each other.
func (b *brief) evidence() {
	b.readState()
	b.out.ReadFirst = append(b.out.ReadFirst, b.s.Ladder.Evidence...)
}

// blocking are the findings that a person must settle before anything else.
var blocking = []string{
	"round-beyond-files", "run-beyond-files", "round-behind-files", "run-behind-files",
	"phase-ahead-of-files", "complete-without-result", "phase-behind-files", "closed-unfinished",
	"closed-phase-stale", "map-session-closed", "workflow-type-mismatch", "unknown-phase", wire.RuleSchema,
}

func isBlocking(rule string) bool {
	return slices.Contains(blocking, rule)
}

// firstError is the message of the finding that blocks.
func firstError(findings []sdk.Diagnostic) string {
	for _, f := range findings {
		if isBlocking(f.Rule) {
			return f.Message
		}
	}
	return "state.json names no phase of its workflow"
}

// titles lists the remedies of the findings that block.
func (b *brief) titles(findings []sdk.Diagnostic) []string {
	var list []string
	for _, f := range findings {
		if !isBlocking(f.Rule) {
			continue
		}
		for _, r := range f.Remedies {
			list = append(list, r.Title)
		}
	}
	return list
}

func choices(titles []string) string {
	if len(titles) == 0 {
		return ""
	}
	return ": " + strings.Join(titles, "; or: ")
}
