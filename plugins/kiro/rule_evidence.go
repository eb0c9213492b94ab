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
	outcomes := make([]outcome, len(list)) // first, because the host only answers a limited number of questions
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
			say.Quote(c.Text)+how+", but "+say.List(e.missing)+say.Verb(len(e.missing), " does", " do")+
				" not exist"+where+e.but).Keyed(key(c.task))
		if m.replaced() {
			f.Offer(sdk.Review, "Restore tasks.md from the base", sdk.Restore("tasks.md"))
		}
		doubtful := !e.lie || c.then
		if doubtful {
			f.As(sdk.Warning)
		} else {
			f.Offer(sdk.Review, untick, reopen(c.task)...)
		}
		if c.then { // an unticked task without its line would look as if its tick was lost
			f.Advise("Create the files, or restore the line", "Create "+say.List(e.missing)+". If the task is not "+
				"done, untick it, and restore the line that names the file.")
			continue
		}
		f.Advise("Create the files", "Create "+say.List(e.missing)+", or correct the path in the task.")
		if doubtful { // the files may have other names, so unticking comes last
			f.Offer(sdk.Review, untick, reopen(c.task)...)
		}
	}
}

// touched reports whether the change touches a file of a task that it ticks. If it does not, it may only tick boxes for
// work that was done earlier.
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

// unchanged returns the files that a newly ticked task says to change, if it creates no files and all of these are the
// same as in the base.
func (m *model) unchanged(s *evidence.Search, c claimed) []string {
	if len(c.files) > 0 || c.was == nil || c.was.Ticked {
		return nil
	}
	return m.untouched(s, c.task)
}

// untouched returns the files that a task says to change if all of them are the same as in the base, or nil.
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

// reopen returns the edits that untick a task and its ticked parents.
func reopen(t *task) []sdk.Edit {
	edits := set(t, " ")
	for up := t.Parent; up != nil && up.Ticked; up = up.Parent {
		edits = append(edits, set(up, " ")...)
	}
	return edits
}

// A claimed task has a tick that the base does not have. Its files should exist according to the tick.
type claimed struct {
	*task
	was   *task // in the base
	files []evidence.File
	then  bool // the task names these files only in the base
}

// ticked returns the tasks that were ticked since the base and the ticked tasks that replaced others. It asks for all
// their files first, because the host only answers a limited number of questions.
func (m *model) ticked(s *evidence.Search) (list []claimed) {
	var known map[string]bool // files of tasks that are ticked in the base
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

// unnamed returns the files that a task names only in the base, unless its text says that it creates none.
func (m *model) unnamed(t, was *task) []evidence.File {
	own, before := t.Body(m.list), was.Body(m.base.list)
	if was.Boxed() {
		before = before[was.TextStart()-1-was.Start:]
	}
	if strings.Contains(own, before) || takesAway.Index(own) >= 0 {
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

// making reports whether a task is ticked, is not abandoned, and does not remove files.
func making(t *task) bool { return t.Ticked && !t.Dropped && removes.Index(t.Text) < 0 }

// done returns the files of the ticked tasks.
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

// tests are parts of test paths. Test files usually end up in other locations than planned.
var tests = []string{"test", "spec.", "e2e"}

// nothingMade reports a new spec if none of the files that its ticked tasks create exists. Only for the first files, it
// also looks under other names.
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
	if there || !near { // without an existing directory, the paths may be relative to an unknown one
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
