package gsd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A state holds the contents of STATE.md.
type state struct {
	numbering
	doc       *sdk.Document
	entries   []markdown.Entry // front matter
	milestone string           // a version such as v1.2, or ""
	named     string           // the version that the position names as Milestone
	ended     bool             // the front matter's status says that the milestone is complete
	pairs     []markdown.Pair  // the position's keys and values
	phase     *markdown.Pair   // Phase or Current Phase, or nil
	plan      *markdown.Pair
	status    *markdown.Pair
	number    string          // the phase's number, or ""; upstream's tool reads current_phase first
	focus     string          // the phase in Current focus, or ""; used only if nothing else names one
	current   *markdown.Entry // current_phase if it differs from the position's phase, or nil
	at, of    int             // "Plan: 2 of 5" gives 2 and 5; both are 0 if Plan has no numbers
	complete  *markdown.Pair  // the pair that marks the phase complete, or nil
	claims    []sdk.Range     // the words that mark the phase complete
	executing bool
	shipped   bool           // the milestone is marked complete
	archived  bool           // the milestone is marked shipped or archived, which also sets shipped
	over      *markdown.Pair // the line without a key that marks the milestone complete, or nil
	counts    map[string]*count
	unread    map[string]*count // values that are neither numbers nor meaningful words
}

// A count is a number in the front matter's progress.
type count struct {
	value      int
	line       int
	start, end int // offsets of the number
}

func readState(d *sdk.Document, ids numbering) *state {
	s := &state{doc: d, numbering: ids, counts: map[string]*count{}, unread: map[string]*count{}}
	if !d.Readable() {
		return s
	}
	o := d.Outline()
	s.entries, _ = o.Front()
	if e := markdown.Get(s.entries, "milestone"); e != nil {
		s.milestone = version(e.Value)
	}
	if e := markdown.Get(s.entries, "status"); e != nil {
		s.ended = stateWords.Of(e.Value) == status.Done
	}
	if e := markdown.Get(s.entries, "progress"); e != nil {
		for _, c := range e.Map {
			s.count(c)
		}
	}
	position := o.Find("Current Position", "Position").Body()
	if st := o.Find("Current Status").Body(); !position.OK() && markdown.PairAmong(st.Pairs(), "Phase") != nil {
		position = st
	}
	if position.OK() {
		s.pairs = position.Pairs()
	} else {
		s.pairs = o.Head().Pairs()
	}
	s.phase = markdown.PairAmong(s.pairs, "Phase", "Current Phase")
	s.plan = markdown.PairAmong(s.pairs, "Plan", "Current Plan")
	s.status = markdown.PairAmong(s.pairs, "Status")
	if s.phase == nil && s.plan == nil && s.status == nil {
		s.readFence(o.Find("Current Position", "Position", "Current Status").Body().Fence().Code())
	}
	if p := markdown.PairAmong(s.pairs, "Milestone", "Current Milestone"); p != nil {
		s.named = version(p.Value)
	}
	if p := markdown.PairAmong(o.Document().Pairs(), "Current focus"); p != nil {
		s.focus, _ = s.namedPhase(p.Value)
	}
	s.readPosition()
	s.readCurrent()
	if !s.shipped && s.status != nil && mentions(s.status.Value, "phase") &&
		mentions(s.status.Value, "complete", "completed", "done") {
		s.ended = false // upstream's tool derives "status: completed" from the phase's status
	}
	if s.phase == nil && s.plan == nil && s.status == nil {
		text, at := position.Raw(), position.Start()
		if !position.OK() {
			text, at = o.Head().Raw(), o.Head().Start()
		}
		over := func(text string) bool { return mentions(text, "shipped", "milestone complete", "archived") }
		s.shipped = s.ended || over(text) && !mentions(text, "in progress", "not ", "executing", "remain") ||
			allPhases(text)
		s.archived = s.shipped && mentions(text, "shipped", "archived")
		for line := range strings.Lines(text) {
			if says := strings.TrimSpace(line); s.shipped && s.over == nil && (over(says) || allPhases(says)) {
				start := at + strings.Index(line, says)
				s.over = &markdown.Pair{Value: says, Start: start, End: start + len(says)}
			}
			at += len(line)
		}
	}
	return s
}

// text returns STATE.md's text, or "".
func (s *state) text() string {
	if !s.doc.Readable() {
		return ""
	}
	return s.doc.Text
}

// readFence reads a position from a code block. Upstream's tool finds it there, too, because it searches every line of
// the file.
func (s *state) readFence(code markdown.Part) {
	if !code.OK() {
		return
	}
	at := code.Start()
	for line := range strings.Lines(code.Raw()) {
		key, value, _ := strings.Cut(strings.TrimRight(line, " \t\r\n"), ": ")
		start := at + len(key) + len(": ")
		p := &markdown.Pair{Key: key, Value: value, Start: start, End: start + len(value)}
		switch at += len(line); {
		case value == "":
		case key == "Phase" || key == "Current Phase":
			s.phase = p
		case key == "Plan" || key == "Current Plan":
			s.plan = p
		case key == "Status":
			s.status = p
		}
	}
}

// allPhases reports whether a text says that all phases are complete: "All 16 phases complete".
func allPhases(text string) bool {
	list := strings.Fields(lower(text))
	for i := 2; i < len(list); i++ {
		from := i - 2
		if list[i-1] == "are" && i > 2 {
			from--
		}
		if from > 0 && digits(list[from]) {
			from--
		}
		done := strings.Trim(list[i], "*_.,;:!)")
		if strings.Trim(list[from], "*_(") == "all" && slices.Contains(list[from:i], "phases") &&
			(done == "complete" || done == "completed" || done == "done" || done == "shipped") {
			return true
		}
	}
	return false
}

// notStarted reports whether Plan says that none of the phase's plans was started.
func (s *state) notStarted() bool {
	if s.plan == nil {
		return false
	}
	text := lower(mark(s.plan.Value))
	return strings.HasPrefix(text, "not started") || strings.HasPrefix(text, "not yet")
}

// count records a number from the front matter and its location.
func (s *state) count(e markdown.Entry) {
	start := 0
	for line := 1; line < e.Line; line++ {
		start += strings.IndexByte(s.doc.Text[start:], '\n') + 1
	}
	text, _, _ := strings.Cut(s.doc.Text[start:], "\n")
	_, raw, _ := strings.Cut(text, ":")
	value := cmp.Or(e.Value, strings.TrimSpace(raw)) // an entry that is not valid YAML has no value
	at := start + strings.LastIndex(text, value)
	switch c := (&count{words.Number(value), e.Line, at, at + len(value)}); {
	case at < start:
	case digits(value) && len(value) <= 6:
		s.counts[e.Key] = c
	case !words.Meant(value):
		s.unread[e.Key] = c
	}
}

// readPosition reads phases such as "7 of 9 (Name) — COMPLETE", "35 (Name) — EXECUTING" and "02-name", plans such as
// "3 of 5", and statuses such as "Phase 4 complete".
func (s *state) readPosition() {
	if s.phase != nil {
		tail := ""
		if s.number, tail = s.phaseIn(s.phase.Value); s.number != "" {
			for _, dash := range []string{"—", "--", " - ", "–"} {
				if cut := strings.LastIndex(tail, dash); cut >= 0 {
					tail = tail[cut+len(dash):]
				}
			}
			if done, _ := claims(tail); done && len(tail) < 60 {
				s.complete = s.phase
				if tail = strings.TrimSpace(tail); !strings.Contains(tail, "(") {
					tail = strings.TrimSuffix(tail, ")")
				}
				s.claims = append(s.claims, s.wordsOf(s.phase, tail))
			}
			s.executing = words.Alike(strings.TrimSpace(tail), "executing")
		}
	}
	if s.plan != nil {
		text, tail, ok := strings.Cut(s.plan.Value, " of ")
		if ok && digits(text) && words.Number(tail) > 0 {
			s.at, s.of = words.Number(text), words.Number(tail)
		}
	}
	if s.status != nil {
		text := s.status.Value
		low := lower(mark(text))
		s.archived = words.Mentions(text, "milestone shipped", "archived") ||
			strings.HasPrefix(low, "v") && strings.HasSuffix(low, " shipped") && version(low) != ""
		s.shipped = s.archived || words.Mentions(text, "milestone complete") || allPhases(text)
		s.executing = s.executing || strings.HasPrefix(low, "executing") || strings.HasPrefix(low, "in progress")
		for _, own := range []string{"phase complete", "phase " + s.number + " complete",
			"phase 0" + s.number + " complete"} {
			if rest, ok := strings.CutPrefix(low, own); ok && (rest == "" || !words.IsWord(rest[0])) &&
				s.number != "" && !words.Mentions(rest, "partial", "in progress", "remain", "except", "not ") {
				s.complete = cmp.Or(s.complete, s.status)
				s.claims = append(s.claims, s.wordsOf(s.status, own))
			}
		}
		// if the phase has unfinished plans, the word may describe the plan
		if s.complete == nil && s.number != "" && s.at >= s.of && status.Of(text) == status.Done {
			s.complete, s.claims = s.status, append(s.claims, pairAt(s.status))
		}
		if words.Mentions(text, "in progress", "remain", "partial") {
			s.complete = nil
		}
	}
}

// readCurrent reads the front matter's current_phase. If it differs from the position's phase, it drops the position's
// claims, because they are about the other phase.
func (s *state) readCurrent() {
	e := markdown.Get(s.entries, "current_phase")
	if e == nil {
		return
	}
	number, _ := s.phaseIn(e.Value)
	if number == "" || number == s.number {
		return
	}
	if s.number != "" {
		s.current, s.complete, s.claims = e, nil, nil
	}
	s.number = number
}

// wordsOf returns the location of words in a value, or of the whole value if it contains them in another form.
func (s *state) wordsOf(p *markdown.Pair, text string) sdk.Range {
	if at := strings.LastIndex(lower(s.doc.Text[p.Start:p.End]), lower(text)); at >= 0 {
		return sdk.AtBytes(statePath, p.Start+at, p.Start+at+len(text))
	}
	return pairAt(p)
}

// pairAt returns a pair's location in STATE.md.
func pairAt(p *markdown.Pair) sdk.Range { return sdk.AtBytes(statePath, p.Start, p.End) }
