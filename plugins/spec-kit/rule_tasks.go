package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func taskRepeated(r *check.Report, m *model) {
	first := map[string]*task{}
	for i := range m.list {
		t := &m.list[i]
		if t.last != "" || t.state == off {
			continue
		}
		was := first[t.id]
		if was == nil {
			first[t.id] = t
			continue
		}
		f := r.At(sdk.AtLine(tasksPath, t.line), t.id+" is there twice: "+say.Quote(t.text)+", and before "+say.Quote(was.text)+say.Line(m.tasks, was.start)).Keyed(t.id).
			Advise("Renumber the second one", "Give "+say.Quote(t.text)+" an id of its own, and change what refers to it.")
		if t.state == done && was.state == done || alike(t.text, was.text) || listed(t.phase) || listed(was.phase) {
			f.As(sdk.Warning)
		}
	}
}

// alike reports whether two texts say the same, or one is the beginning of the other.
func alike(a, b string) bool {
	a, b = fold(bare(a)), fold(bare(b))
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// bare is a text without labels in front, such as [P] and [US1], and without markup.
func bare(text string) string {
	for strings.HasPrefix(text, "[") {
		_, rest, ok := strings.Cut(text, "]")
		if !ok {
			break
		}
		text = strings.TrimSpace(rest)
	}
	return strings.Trim(text, " .*`")
}

// listed reports whether a section repeats tasks of others.
func listed(section string) bool {
	if section = lower(section); strings.HasPrefix(section, "phase") {
		return false
	}
	for _, word := range []string{"summary", "dependenc", "parallel", "strategy", "overview", "order", "note", "checklist", "mvp", "example", "progress", "tracking"} {
		if strings.Contains(section, word) {
			return true
		}
	}
	return false
}

func subtaskOpen(r *check.Report, m *model) {
	var above []*task
	for i := range m.list {
		t := &m.list[i]
		for len(above) > 0 && above[len(above)-1].end <= t.start {
			above = above[:len(above)-1]
		}
		if n := len(above); n > 0 && t.state == open && above[n-1].state == done {
			up := above[n-1]
			f := r.At(sdk.AtLine(tasksPath, t.line), t.id+" is not ticked, but "+up.id+" above it is"+say.Line(m.tasks, up.start)).Keyed(t.id)
			f.Offer(sdk.Review, "Tick "+t.id, t.tick()...)
			if edit, ok := up.box.Uncheck(); ok {
				f.Offer(sdk.Review, "Untick "+up.id, sdk.Edits(tasksPath, edit)...)
			}
		}
		above = append(above, t)
	}
}

// tick is the edit that ticks a task, none for one without a box.
func (t *task) tick() []sdk.Edit {
	if edit, ok := t.box.Check(); ok {
		return sdk.Edits(tasksPath, edit)
	}
	return nil
}

// needs lists the ids that a task says it depends on, as in "(depends on T012, T013)".
func (t *task) needs() []string {
	text := lower(t.text)
	i := strings.Index(text, "depends on")
	if i < 0 || len(text) != len(t.text) {
		return nil
	}
	var ids []string
	rest := strings.TrimLeft(t.text[i+len("depends on"):], ": *")
	for {
		n := idLen(rest)
		if n == 0 {
			return ids
		}
		ids = append(ids, rest[:n])
		rest = rest[n:]
		cut := strings.TrimLeft(rest, ",+&/ –—-")
		if after, ok := strings.CutPrefix(cut, "and "); ok {
			cut = strings.TrimLeft(after, " ")
		}
		if cut == rest {
			return ids
		}
		rest = cut
	}
}

func dependencyMissing(r *check.Report, m *model) {
	for i := range m.list {
		t := &m.list[i]
		var gone []string
		for _, id := range t.needs() {
			if !m.has(id) {
				gone = append(gone, id)
			}
		}
		if len(gone) > 0 && t.state != off {
			r.At(sdk.AtLine(tasksPath, t.line), t.id+" depends on "+say.And(gone...)+", and tasks.md has no such task").Keyed(t.id).
				Advise("Correct the dependency", "Name the task that is meant, or take the dependency out.")
		}
	}
}

func dependencyOpen(r *check.Report, m *model) {
	for i := range m.list {
		t := &m.list[i]
		if t.state != done || t.last != "" {
			continue
		}
		for _, id := range t.needs() {
			if on := m.of(id); on != nil && on.state == open && on != t {
				r.At(sdk.AtLine(tasksPath, t.line), t.id+" is ticked, but "+id+", on which it depends, is not"+say.Line(m.tasks, on.start)).Keyed(t.id+" "+id).
					Offer(sdk.Review, "Tick "+id, on.tick()...).Advise("Correct the dependency", "Take "+id+" out of "+t.id+" if it does not depend on it.")
			}
		}
	}
}

func sectionComplete(r *check.Report, m *model) {
	for _, h := range m.tasks.Outline().Headings() {
		if h.Level() < 2 || !claimsComplete(h.Text()) {
			continue
		}
		opened, all := m.within(h.Section())
		if len(opened) == 0 {
			continue
		}
		r.At(sdk.AtLine(tasksPath, h.Line()), say.Quote(h.Text())+" is called complete, but "+say.Int(len(opened))+" of its "+say.Count(all, "task")+" "+are(len(opened))+" not ticked: "+say.List(opened)).Keyed(say.Clip(h.Text())).
			Advise("Settle the section", "Tick what is done.", "Take the mark out of the heading if something is left.")
	}
}

// within lists the open tasks of a section, and counts all but those that were given up.
func (m *model) within(s markdown.Section) (opened []string, all int) {
	for i := range m.list {
		if t := &m.list[i]; t.start >= s.Start() && t.start < s.End() && t.state != off {
			if all++; t.state == open {
				opened = append(opened, t.id)
			}
		}
	}
	return opened, all
}

// claimsComplete reports whether a heading ends with a sign or a word that calls its section complete.
func claimsComplete(text string) bool {
	text = strings.TrimRight(lower(text), " )]*_")
	cut, ok := strings.CutSuffix(text, "✅")
	if !ok {
		for _, word := range []string{"complete", "completed", "done"} {
			if cut, ok = strings.CutSuffix(text, word); ok {
				trimmed := strings.TrimRight(cut, " [(*_✅")
				// A sign, a bracket or a dash makes the word a mark: "Setup (COMPLETE)", not "Make the index complete".
				ok = len(trimmed) < len(strings.TrimRight(cut, " ")) || strings.HasSuffix(trimmed, "-") || strings.HasSuffix(trimmed, "–") || strings.HasSuffix(trimmed, "—") || strings.HasSuffix(trimmed, ":")
				break
			}
		}
	}
	return ok && !qualified(cut)
}

// qualified reports whether a claim takes back a part of itself.
func qualified(text string) bool {
	text = lower(text)
	for _, word := range []string{"%", "partial", "mostly", "almost", "nearly", "except", "pending", "deferred", "remaining", "skipped", "open", "not ", "until", "todo", "when", "after "} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
