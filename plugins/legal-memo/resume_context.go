package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// contexts adds context for the next agent that the state file does not contain.
func (m *model) contexts(a *agent, b *brief.Brief) {
	if !a.read {
		m.standIns(a, b)
	}
	if a.catFailed() {
		b.Know("cat ended with exit code " + plain(a.at(catPointer)) +
			"; find out which input is missing or unreadable")
	}
	if n, ok := m.nextNote(a); ok && a.kind == kinds[citation] {
		b.Know("the next footnote is number " + say.Int(n))
	}
	if current, limit, ok, bounded := a.cycles(); ok && bounded {
		if current > limit {
			b.Know("current_cycle is " + say.Int(current) + ", but at most " + say.Count(limit, "cycle") +
				" are allowed")
		} else if b.Know("cycle " + say.Int(current) + " of " + say.Int(limit)); current == limit {
			b.Know("this is the last cycle; if it does not pass, end with CERTIFY_WITH_LIMITATIONS, and do not " +
				"start a new " +
				"cycle")
		}
	}
	half := m.unproven(a)
	if score := a.metrics.Get("aggregate_score_so_far"); score.Kind() == jsondoc.Number {
		b.Know("aggregate_score_so_far, the running total, is " + score.Raw())
	}
	for _, it := range a.items {
		if s, ok := it.body.Get("key_finding").Text(); ok && it.word == complete && !slices.Contains(half, it) {
			b.Know("key finding of " + it.key + ": " + s)
		}
	}
	for _, pattern := range [...]string{"/aggregations_in_progress/*", "/aggregations_complete/*", "/aggregations/*"} {
		eachAt(a.root, pattern, func(pointer string, v value) {
			b.Know("recorded result: " + baseName(pointer) + " " + plain(v))
		})
	}
	for _, g := range a.gates() {
		if t, _ := tries(g.body); t.fault(g.name) != "" {
			b.Know(t.fault(g.name) + "; escalate and ask a person how to continue")
		}
	}
	all := a.scripts()
	for _, s := range all {
		if dep := scriptNamed(all, s.needs); dep != nil && dep.failed() {
			b.Know("fix " + dep.name + " first, because it ended with an error; do not run " + s.name)
		}
	}
	for _, d := range m.outputs(a) {
		if at := brokenAt(d); at >= 0 && a.kind.prose && !unfilled(d) {
			tail := d.Summary.Tail
			text := d.Path + " is cut off; last complete line: " + say.Int(max(d.Summary.Lines-len(tail)+at, 0))
			if at > 0 {
				text += ", " + say.Quote(tail[at-1])
			}
			if m.longer(d) == nil {
				text += "; continue there"
			}
			b.Know(text)
		}
	}
}

// closing returns how to finish. It never asks to start over.
func (m *model) closing(a *agent) string {
	path := a.output()
	if there := m.outputs(a); len(there) > 0 {
		path = there[0].Path
	}
	switch {
	case a.kind == kinds[assembly] && a.observed == 2:
		return "run the assembly again from the start, because it is all or nothing"
	case m.writeAgain(a) != "" && m.restorable(a) != "":
		return "append to " + m.restorable(a) + " once it is restored; never start over"
	case strings.Contains(path, "*"):
		if len(m.letters) > 0 {
			path += ", named like " + m.reportsOf(m.letters[0])[0].Path
		}
		return "write " + path + "; never start over"
	case path != "":
		return "append to " + path + "; never overwrite or start over"
	}
	return "append to the outputs; never overwrite or start over"
}

// doneInBase returns the mark of an item or a phase that is reopened, although it is done in the base, or "".
func (a *agent) doneInBase(wrong, left string) string {
	if wrong != lostTicks {
		return ""
	}
	for _, it := range a.was.items {
		if it.key == left && it.word == complete {
			return " (done in the base)"
		}
	}
	for _, p := range a.was.phases {
		if p.name == left && p.done() {
			return " (done in the base)"
		}
	}
	return ""
}

const lostTicks = "tick-lost"
