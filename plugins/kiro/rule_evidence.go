package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

func withoutEvidence(r *check.Report, m *model) {
	if m.list == nil {
		return
	}
	if m.base == nil {
		if r.Base.State == sdk.BaseNew {
			nothingMade(r, m)
		}
		return
	}
	if m.base.list == nil {
		return
	}
	s := newSearch(r.Pass)
	list := m.ticked(s)
	outcomes := make([]outcome, len(list)) // first, since there is a limit to what is answered
	for i, c := range list {
		outcomes[i] = m.outcome(s, c.task, c.files)
	}
	work := m.touched(s, list)
	for i, c := range list {
		e, changed := outcomes[i], m.unchanged(s, c)
		if len(changed) > 0 && work {
			r.At(c.At("tasks.md"), say.Quote(c.Text)+" was ticked since the base, but the change does not touch "+
				say.List(changed)).Keyed(key(c.task)).As(sdk.Warning).
				Advise("Make the change", "Change the file, or correct the path in the task.").
				Offer(sdk.Review, "Untick the task", reopen(c.task)...)
		}
		if len(e.missing) == 0 {
			continue
		}
		how, where := " was ticked since the base", " now or in the base"
		if e.deleted {
			where = " (deleted since the base)"
		}
		switch {
		case c.was != nil && c.was.Ticked:
			how = " replaced " + say.Quote(c.was.Text) + place(c.was) + ", which was also ticked"
		case c.then && !e.lie:
			continue
		case c.then:
			where = " (named by the task in the base)"
		}
		untick := "Untick the task"
		if c.Parent != nil && c.Parent.Ticked {
			untick = "Untick the task and its parent"
		}
		f := r.At(c.At("tasks.md"),
			say.Quote(c.Text)+how+", but "+say.List(e.missing)+does(len(e.missing))+" not exist"+where+
				e.but).Keyed(key(c.task))
		doubtful := !e.lie || c.then
		if !doubtful {
			f.Offer(sdk.Review, untick, reopen(c.task)...)
		}
		f.Advise("Create the files", "Create "+say.List(e.missing)+", or correct the path in the task.")
		if doubtful { // the work may be done under another name: to untick it comes last
			f.As(sdk.Warning).Offer(sdk.Review, untick, reopen(c.task)...)
		}
	}
}

func does(n int) string {
	if n == 1 {
		return " does"
	}
	return " do"
}

// touched reports whether the change touches a file of a task that it ticks. Else boxes alone are ticked: late, as
// often as not.
func (m *model) touched(s *evidence.Search, list []claimed) (is bool) {
	for _, c := range list {
		for _, f := range namedIn(c.Body(m.list)) {
			if f.Use == evidence.Changed || f.IsMade() {
				found := s.Find(f.Path)
				is = is || found.Touched()
			}
		}
	}
	return is
}

// unchanged lists the files that a task changes, if it makes none and all of them are as in the base.
func (m *model) unchanged(s *evidence.Search, c claimed) []string {
	if len(c.files) > 0 || c.was == nil || c.was.Ticked {
		return nil
	}
	return m.untouched(s, c.task)
}

// untouched lists the files that a task changes, if all of them are as in the base.
func (m *model) untouched(s *evidence.Search, t *task) (list []string) {
	all := true
	for _, f := range namedIn(t.Body(m.list)) {
		if f.Use == evidence.Changed && !f.Rooted {
			list, all = append(list, f.Path), s.Find(f.Path).Unchanged && all
		}
	}
	if !all {
		return nil
	}
	return list
}

// reopen are the edits that open a task, and the ticked ones that it is in.
func reopen(t *task) []sdk.Edit {
	edits := set(t, " ")
	for up := t.Parent; up != nil && up.Ticked; up = up.Parent {
		edits = append(edits, set(up, " ")...)
	}
	return edits
}

// A claimed task is one whose tick the base does not have, with the files that it thereby claims to be made.
type claimed struct {
	*task
	was   *task // in the base
	files []evidence.File
	then  bool // the files are those that it names in the base; now it names none
}

// ticked are the tasks that were ticked since the base, and those that stand, ticked, in the place of others. It asks
// for all their files first, since there is a limit to what is answered.
func (m *model) ticked(s *evidence.Search) (list []claimed) {
	var known map[string]bool // what tasks that the base has ticked make
	for _, t := range m.tasks {
		was := m.before(t)
		if !t.Ticked || was != nil && was.Ticked && was.Folded() == t.Folded() || !making(t) {
			continue
		}
		c := claimed{task: t, was: was, files: filesOf(t.Body(m.list))}
		switch {
		case c.was == nil:
			if known == nil && len(c.files) > 0 {
				known = m.base.done()
			}
			if slices.ContainsFunc(c.files, func(f evidence.File) bool { return known[f.Path] }) {
				continue
			}
		case c.was.Ticked:
			if !m.swapped(c.was, t) {
				continue
			}
		case len(c.files) == 0:
			c.files, c.then = m.unnamed(t, c.was), true
		}
		for _, f := range c.files {
			s.At(f.Path)
		}
		list = append(list, c)
	}
	return list
}

// unnamed are the files that a task names in the base and no longer does, if nothing in it says that it makes none.
func (m *model) unnamed(t, was *task) []evidence.File {
	own := t.Body(m.list)
	if strings.Contains(own, was.Body(m.base.list)[was.TextStart()-1-was.Start:]) || takesAway.Index(own) >= 0 {
		return nil
	}
	for line := range strings.Lines(own) {
		if status.GivenUp(words.TrimLeft(line, " \t-*+>")) {
			return nil
		}
	}
	return slices.DeleteFunc(filesOf(was.Body(m.base.list)), func(f evidence.File) bool {
		return strings.Contains(own, evidence.Name(f.Path))
	})
}

// making reports whether a ticked task is not one that takes files away, or was given up.
func making(t *task) bool { return t.Ticked && !t.Dropped && removes.Index(t.Text) < 0 }

// done lists the files of the tasks that are ticked.
func (m *model) done() map[string]bool {
	list := map[string]bool{}
	for _, t := range m.tasks {
		if t.Ticked {
			for _, f := range filesOf(t.Body(m.list)) {
				list[f.Path] = true
			}
		}
	}
	return list
}

// tests are in paths of files that end up elsewhere more often than not.
var tests = []string{"test", "spec.", "e2e"}

// nothingMade reports a spec that is new and whose ticked tasks made nothing of what they create. The first files alone
// are looked for under other names as well.
func nothingMade(r *check.Report, m *model) {
	var list, owners []*task
	var missing []string
	s, there, near := newSearch(r.Pass), false, false
	for _, t := range m.tasks {
		if !making(t) {
			continue
		}
		files := slices.DeleteFunc(filesOf(t.Body(m.list)),
			func(f evidence.File) bool { return f.Use != evidence.Made || f.Rooted || has(f.Path, tests) })
		for _, f := range files {
			found := s.Find(f.Path)
			there, near = there || found.Now != sdk.Absent || found.Then != sdk.Absent, near || found.Dir == sdk.Present
			if len(missing) < 2 {
				alike := other(s, f.Path, nil)
				there = m.elsewhere(s, t) || there || alike.Is != sdk.Absent
			}
			missing, owners = append(missing, f.Path), append(owners, t)
		}
		if len(files) > 0 {
			list = append(list, t)
		}
	}
	if there || !near { // if no directory is there, they may be meant from a place that is not known
		return
	}
	for i, path := range missing {
		if by, _ := m.taken(owners[i], path); by != nil {
			return
		}
	}
	r.At(list[0].At("tasks.md"),
		"the spec is new, but the files that its ticked tasks create do not exist: "+say.List(missing)+
			"; ticked: "+textsOf(list)).Keyed("new").As(sdk.Warning).
		Advise("Do the work, or untick the tasks",
			"Untick the tasks that are not done, and correct the paths of files with other names.")
}
