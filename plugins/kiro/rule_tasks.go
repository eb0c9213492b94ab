package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// textsOf quotes tasks with their lines.
func textsOf(list []*task) string {
	texts := make([]string, len(list))
	for i, t := range list[:min(len(list), say.Few)] {
		texts[i] = say.Quote(t.text) + t.place()
	}
	return say.List(texts)
}

// sets are the edits that give tasks a mark.
func sets(list []*task, mark string) []sdk.Edit {
	var edits []sdk.Edit
	for _, t := range list {
		edits = append(edits, t.set(mark))
	}
	return edits
}

func tickedEarly(r *check.Report, m *model) {
	ticked := false // some task in another one is
	for _, t := range m.tasks {
		ticked = ticked || t.up != nil && t.done()
	}
	for _, t := range m.tasks {
		if !t.done() || t.up != nil && t.up.done() {
			continue
		}
		lacks := t.lacks()
		if len(lacks) == 0 {
			continue
		}
		f := r.At(sdk.AtBytes("tasks.md", t.markAt-1, t.markEnd+1),
			say.Quote(t.text)+" is ticked, but "+say.Count(len(lacks), "required task")+" in it "+say.Are(len(lacks))+
				" open: "+textsOf(lacks)).Keyed(t.key()).
			Offer(sdk.Review, "Untick "+say.Quote(t.text), m.untick(t)...)
		if ticks := m.ticks(newSearch(r.Pass), lacks); ticks != nil {
			f.Offer(sdk.Review, "Tick the open tasks in it", ticks...)
		} else {
			f.Advise("Do what is open", "Make the files that the open tasks in it name, then tick them.")
		}
		under := false
		for _, l := range lacks {
			under = under || l.mark == "" && (l.start < t.inside || !t.detailed(m.list))
		}
		if !ticked || !under {
			f.As(sdk.Warning)
		}
	}
}

// ticks are the edits that tick open tasks, none where one of them makes a file that is not there.
func (m *model) ticks(s *search, list []*task) []sdk.Edit {
	there := true
	for _, t := range list {
		missing, _ := m.unmade(s, t)
		there = !missing && there
	}
	if !there {
		return nil
	}
	return sets(list, "x")
}

// untick opens a task, and the ticked ones between it and what is open in it.
func (m *model) untick(t *task) []sdk.Edit {
	edits := []sdk.Edit{t.set(" ")}
	for _, u := range t.under {
		if u.done() && len(u.lacks()) > 0 {
			edits = append(edits, m.untick(u)...)
		}
	}
	return edits
}

func parentOpen(r *check.Report, m *model) {
	var late, fresh []*task
	for _, t := range m.tasks {
		if t.mark != "" && t.mark != "-" || t.waived() || !t.complete() {
			continue
		}
		if was := m.before(t); m.base != nil && (was == nil || !was.complete()) {
			fresh = append(fresh, t)
		} else {
			late = append(late, t)
		}
	}
	for i, list := range [][]*task{late, fresh} {
		if len(list) == 0 {
			continue
		}
		f := r.At(sdk.AtBytes("tasks.md", list[0].markAt-1, list[0].markEnd+1),
			say.Count(len(list), "task")+" "+say.Are(len(list))+
				" open although every required task in "+each(len(list))+" is ticked: "+textsOf(list)).
			Offer(sdk.Review, "Tick it", m.ticks(newSearch(r.Pass), list)...)
		if i == 1 {
			f.As(sdk.Info).Keyed("since the base")
		}
	}
}

// detailed reports whether a task says more than its title.
func (t *task) detailed(d *sdk.Document) bool {
	_, rest, _ := strings.Cut(strings.TrimSpace(t.own(d)), "\n")
	return strings.TrimSpace(rest) != ""
}

// complete reports whether a task has tasks in it, all that are required are ticked, and they are no fewer than the
// optional ones that are open.
func (t *task) complete() bool {
	done := 0
	for _, u := range t.under {
		switch {
		case u.done():
			done++
		case !u.waived():
			return false
		}
	}
	return done > 0 && 2*done >= len(t.under)
}

func taskNumberRepeated(r *check.Report, m *model) {
	if !slices.ContainsFunc(m.tasks, func(t *task) bool { return t.again }) {
		return
	}
	seen := make(map[string]*task, len(m.tasks)) // in one section
	section := 0
	var again, first []*task
	for _, t := range m.tasks {
		if t.section != section {
			clear(seen)
			section = t.section
		}
		if t.again {
			again, first = append(again, t), append(first, seen[t.number])
		} else {
			seen[t.number] = t
		}
	}
	var numbers []string
	for i, t := range again {
		numbers = append(numbers, t.number+first[i].place())
	}
	r.At(sdk.AtLine("tasks.md", again[0].line), say.Count(len(again), "task")+" "+have(len(again))+
		" a number that an earlier one has: "+say.List(numbers)).
		Advise("Renumber the later ones", "Give "+textsOf(again)+" numbers of their own.")
}

func each(n int) string {
	if n == 1 {
		return "it"
	}
	return "each"
}

func have(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}
