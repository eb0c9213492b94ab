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

// A state is what STATE.md says.
type state struct {
	doc       *sdk.Document
	entries   []markdown.Entry // of the front matter
	milestone string           // a version such as v1.2, "" for none
	named     string           // the version that the position names as its milestone
	ended     bool             // the status of the front matter says that the milestone is complete
	pairs     []markdown.Pair  // of the position
	phase     *markdown.Pair   // Phase or Current Phase, nil for none
	plan      *markdown.Pair
	status    *markdown.Pair
	number    string          // of the phase, "" if none is named; upstream's tool reads current_phase first
	focus     string          // the phase of Current focus, "" for none; it counts only if nothing else names one
	current   *markdown.Entry // current_phase, where it names another phase than the position; nil for none
	at, of    int             // Plan: at of of; of is 0 if it is not said
	complete  *markdown.Pair  // what calls the phase complete, nil for nothing
	claims    []sdk.Range     // of the words that do
	executing bool
	shipped   bool // the milestone is called complete
	archived  bool // and archived or shipped, which is more
	counts    map[string]*count
	unread    map[string]*count // values that are neither a number nor words that a person may have meant
}

// A count is a number of the front matter's progress.
type count struct {
	value      int
	line       int
	start, end int // of the number
}

func readState(d *sdk.Document) *state {
	s := &state{doc: d, counts: map[string]*count{}, unread: map[string]*count{}}
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
	if position.OK() {
		s.pairs = position.Pairs()
	} else {
		s.pairs = o.Head().Pairs()
	}
	s.phase = markdown.PairAmong(s.pairs, "Phase", "Current Phase")
	s.plan = markdown.PairAmong(s.pairs, "Plan", "Current Plan")
	s.status = markdown.PairAmong(s.pairs, "Status")
	if p := markdown.PairAmong(s.pairs, "Milestone", "Current Milestone"); p != nil {
		s.named = version(p.Value)
	}
	if p := markdown.PairAmong(o.Document().Pairs(), "Current focus"); p != nil {
		s.focus, _ = namedPhase(p.Value)
	}
	s.readPosition()
	s.readCurrent()
	if s.phase == nil && s.plan == nil && s.status == nil {
		text := position.Raw()
		if !position.OK() {
			text = o.Head().Raw()
		}
		s.shipped = s.ended || mentions(text, "shipped", "milestone complete", "archived") &&
			!mentions(text, "in progress", "not ", "executing", "remain") || allPhases(text)
		s.archived = s.shipped && mentions(text, "shipped", "archived")
	}
	return s
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

// notStarted reports whether Plan says that no plan of the phase was begun.
func (s *state) notStarted() bool {
	if s.plan == nil {
		return false
	}
	text := lower(mark(s.plan.Value))
	return strings.HasPrefix(text, "not started") || strings.HasPrefix(text, "not yet")
}

// count takes a number of the front matter, with its place.
func (s *state) count(e markdown.Entry) {
	start := 0
	for line := 1; line < e.Line; line++ {
		start += strings.IndexByte(s.doc.Text[start:], '\n') + 1
	}
	text, _, _ := strings.Cut(s.doc.Text[start:], "\n")
	_, raw, _ := strings.Cut(text, ":")
	value := cmp.Or(e.Value, strings.TrimSpace(raw)) // what is no YAML is not read
	at := start + strings.LastIndex(text, value)
	switch c := (&count{words.Number(value), e.Line, at, at + len(value)}); {
	case at < start:
	case digits(value) && len(value) <= 6:
		s.counts[e.Key] = c
	case !words.Meant(value):
		s.unread[e.Key] = c
	}
}

// readPosition reads "7 of 9 (Name) — COMPLETE", "Phase 4 complete", "35 (Name) — EXECUTING", "02-name"; "3 of 5".
func (s *state) readPosition() {
	if s.phase != nil {
		text, rest := s.phase.Value, ""
		if s.number, rest = namedPhase(text); s.number == "" {
			s.number, rest = phaseNumber(text)
		}
		if s.number != "" {
			tail := rest
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
		// while the phase has unfinished plans, the word may be about the plan
		if s.complete == nil && s.number != "" && s.at >= s.of && status.Of(text) == status.Done {
			s.complete, s.claims = s.status, append(s.claims, pairAt(s.status))
		}
		if words.Mentions(text, "in progress", "remain", "partial") {
			s.complete = nil
		}
	}
}

// readCurrent reads the phase of the front matter. What the position says of another phase is not said of this one.
func (s *state) readCurrent() {
	e := markdown.Get(s.entries, "current_phase")
	if e == nil {
		return
	}
	number, _ := namedPhase(e.Value)
	if number == "" {
		number, _ = phaseNumber(e.Value)
	}
	if number == "" || number == s.number {
		return
	}
	if s.number != "" {
		s.current, s.complete, s.claims = e, nil, nil
	}
	s.number = number
}

// wordsOf is the place of words in a value, or of the whole value where they are written in another way.
func (s *state) wordsOf(p *markdown.Pair, text string) sdk.Range {
	if at := strings.LastIndex(lower(s.doc.Text[p.Start:p.End]), lower(text)); at >= 0 {
		return sdk.AtBytes(statePath, p.Start+at, p.Start+at+len(text))
	}
	return pairAt(p)
}

// at gives the place of a pair.
func pairAt(p *markdown.Pair) sdk.Range { return sdk.AtBytes(statePath, p.Start, p.End) }
