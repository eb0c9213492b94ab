package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// setProgress returns the edits that make compaction_summary.progress agree with the file: the phase's number, and
// the done count of each unit. "Phase 6, 6/6 subsections" becomes "Phase 4, 0/6 subsections".
func (a *agent) setProgress(phase int, done map[string]int) []sdk.Edit {
	const pointer = "/compaction_summary/progress"
	said, _ := a.at(pointer).Text()
	if text := progressOf(said, phase, done); text != said {
		return a.set(pointer, jsondoc.Quote(text))
	}
	return nil
}

// progressOf returns a progress text with other figures.
func progressOf(said string, phase int, done map[string]int) string {
	text, rest := "", said
	for {
		at := strings.IndexAny(rest, "0123456789")
		if at < 0 {
			break
		}
		text, rest = text+rest[:at], rest[at:]
		number, after := figureOf(rest)
		total := ""
		if strings.HasPrefix(after, "/") {
			total, _ = figureOf(after[1:])
			total = "/" + total
		}
		rest = after[len(total):]
		if n, is := counted(rest, done); is {
			number = say.Int(n)
		} else if phase > 0 && strings.HasSuffix(lower(text), "phase ") {
			number = say.Int(phase)
		}
		text += number + total
	}
	return text + rest
}

// figureOf splits off the number at the start of a text, such as 38,500.
func figureOf(text string) (number, rest string) {
	number = text[:len(text)-len(strings.TrimLeft(text, "0123456789,"))]
	number = strings.TrimRight(number, ",")
	return number, text[len(number):]
}

// counted returns the done count of the unit that a text starts with.
func counted(text string, done map[string]int) (n int, ok bool) {
	noun, _, _ := strings.Cut(strings.TrimLeft(text, " "), ",")
	for unit, n := range done {
		if begins(noun, unit) && !mentions(noun, otherWork[:]...) {
			return n, true
		}
	}
	return 0, false
}

// reopenGroup returns the edits after which the orchestrator records a reopened agent's phase as open, and later
// phases as pending. It returns nil if a later agent is finished, or if the agent works again because of remediation.
func (m *model) reopenGroup(a *agent) []sdk.Edit {
	o, g := m.orch, a.kind.group()
	if o.doc == nil || !o.structured || a.passed || m.remediating() || !o.groupComplete(g) {
		return nil
	}
	var edits []sdk.Edit
	for _, s := range o.ids {
		switch {
		case s.group == g && s.word == complete:
			edits = append(edits, o.setStatus(s, "IN_PROGRESS")...)
		case s.group > g && s.began():
			edits = append(edits, o.setStatus(s, "PENDING")...)
		}
	}
	if o.claimedGroup() > g {
		edits = append(edits, o.setPhase(g)...)
	}
	return edits
}
