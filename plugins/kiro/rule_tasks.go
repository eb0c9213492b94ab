package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/say"
)

// textsOf quotes tasks with their line numbers.
func textsOf(list []*task) string {
	texts := make([]string, len(list))
	for i, t := range list[:min(len(list), say.Few)] {
		texts[i] = say.Quote(t.Text) + place(t)
	}
	return say.List(texts)
}

// sets returns the edits that give tasks a mark.
func sets(list []*task, mark string) []sdk.Edit {
	var edits []sdk.Edit
	for _, t := range list {
		edits = append(edits, set(t, mark)...)
	}
	return edits
}

func tickedEarly(r *check.Report, m *model) {
	part := func(t *task) bool { return t.Parent != nil && t.Ticked }
	ticked := slices.ContainsFunc(m.tasks, part) || m.base != nil && slices.ContainsFunc(m.base.tasks,
		func(t *task) bool { return part(t) && m.find(t) != nil })
	for _, t := range m.tasks {
		if !t.Ticked || t.Parent != nil && t.Parent.Ticked {
			continue
		}
		lacks := t.OpenParts()
		if len(lacks) == 0 {
			m.partsWaived(r, t)
			continue
		}
		f := r.At(t.At("tasks.md"),
			say.Quote(t.Text)+" is ticked, but "+say.Count(len(lacks), "required subtask")+" "+say.Are(len(lacks))+
				" open: "+textsOf(lacks)).Keyed(key(t))
		m.tickAgain(r, f, lacks)
		untick := func() { f.Offer(sdk.Review, "Untick "+say.Quote(t.Text), m.untick(t)...) }
		made := slices.ContainsFunc(lacks, func(l *task) bool { return m.made(r.Pass, l) })
		if !made {
			untick()
		}
		f.Advise("Finish the open subtasks",
			"Finish the open subtasks and tick them, or tick them if they are already done.")
		if made { // a file that an open subtask creates exists, so its tick was probably forgotten
			untick()
		}
		under := false
		for _, l := range lacks {
			under = under || l.Mark == "" && (l.Start < t.ItemEnd || !detailed(t, m.list))
		}
		if !ticked || !under {
			f.As(sdk.Warning)
		}
	}
}

// partsWaived reports a task that was ticked since the base while its open subtasks were made optional. If the task was
// ticked before, making them optional corrects the tick.
func (m *model) partsWaived(r *check.Report, t *task) {
	if was := m.before(t); was == nil || was.Ticked {
		return
	}
	waived := slices.DeleteFunc(slices.Clone(t.Parts), func(p *task) bool {
		was := m.before(p)
		return was == nil || !was.Open() || was.Cancelled || p.Ticked || !p.Optional || has(p.Text, aside)
	})
	if len(waived) > 0 {
		r.At(t.At("tasks.md"), say.Quote(t.Text)+" is ticked, but "+say.Count(len(waived), "subtask")+" that "+
			say.Were(len(waived))+" required and open in the base "+say.Are(len(waived))+" now optional: "+
			textsOf(waived)).Keyed(key(t)).As(sdk.Warning).
			Advise("Decide which subtasks are still required", "Write `[ ]` for subtasks that still have to be "+
				"done, and strike out abandoned ones with the reason.")
	}
}

// ticks returns the edits that tick open tasks, or nil if a file that one of them creates is missing.
func (m *model) ticks(s *evidence.Search, list []*task) []sdk.Edit {
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

// untick returns the edits that untick a task and its ticked subtasks that have open subtasks.
func (m *model) untick(t *task) []sdk.Edit {
	edits := set(t, " ")
	for _, u := range t.Parts {
		if u.Ticked && len(u.OpenParts()) > 0 {
			edits = append(edits, m.untick(u)...)
		}
	}
	return edits
}

func parentOpen(r *check.Report, m *model) {
	var late, fresh []*task
	for _, t := range m.tasks {
		if t.Mark != "" && !t.InProgress() || t.Cancelled || !allTicked(t) {
			continue
		}
		alike := func(was *task) bool { // also if the task is repeated, and so not paired
			return was.Mark == t.Mark && was.FoldedTitle() == t.FoldedTitle() && allTicked(was)
		}
		if was := m.before(t); was != nil && m.lostOpen(was) {
			continue // item-lost reports its lost subtasks
		} else if m.base != nil && (was == nil || !allTicked(was)) &&
			!slices.ContainsFunc(m.base.of(t.ID), alike) {
			fresh = append(fresh, t)
		} else {
			late = append(late, t)
		}
	}
	for i, list := range [][]*task{late, fresh} {
		if len(list) == 0 {
			continue
		}
		f := r.At(list[0].At("tasks.md"),
			say.Count(len(list), "task")+" "+say.Are(len(list))+" open although all "+
				say.Verb(len(list), "its", "their")+" required subtasks are ticked: "+textsOf(list)).
			Offer(sdk.Review, "Tick "+say.Count(len(list), "task"), m.ticks(newSearch(r.Pass), list)...)
		if i == 1 {
			f.As(sdk.Info).Keyed("since the base")
		}
	}
}

// lostOpen reports whether a task in the base had an open required subtask that was deleted.
func (m *model) lostOpen(was *task) bool {
	return slices.ContainsFunc(was.Parts, func(p *task) bool { return p.Open() && !p.Cancelled && m.find(p) == nil })
}

// detailed reports whether a task has text after its title.
func detailed(t *task, d *sdk.Document) bool {
	_, rest, _ := strings.Cut(strings.TrimSpace(t.Body(d)), "\n")
	return strings.TrimSpace(rest) != ""
}

// allTicked reports whether a task has a ticked subtask and no required subtask is open. If the task is in progress or
// only optional subtasks are ticked, they have to be at least half of its subtasks.
func allTicked(t *task) bool {
	done, required := 0, false
	for _, u := range t.Parts {
		switch {
		case u.Ticked:
			done++
			required = required || !u.Optional
		case !u.Cancelled:
			return false
		}
	}
	return required && t.Mark == "" || done > 0 && 2*done >= len(t.Parts)
}
