package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/say"
)

// creates reports whether a task says that it creates the files that it names. Tests do not count, because they
// usually end up in another file.
func (t *task) creates(files []evidence.File) bool {
	for _, f := range files {
		path := lower(f.Path)
		if strings.Contains(path, "test") || strings.Contains(path, "spec.") ||
			strings.Contains(path, "spec/") || strings.Contains(path, "e2e") {
			return false
		}
		if dirs := strings.Split(path, "/"); slices.ContainsFunc(dirs[:len(dirs)-1],
			func(dir string) bool { return slices.Contains(generated, dir) }) {
			return false
		}
	}
	return t.making() || slices.ContainsFunc(files, func(f evidence.File) bool { return f.Use == evidence.Made })
}

// A lack is a task that was ticked since the base and whose files are all missing.
type lack struct {
	*task
	sight
	files   []evidence.File
	creates bool
	touched bool // another task touches its files
}

// lacks holds the ticked tasks without evidence.
type lacks struct {
	fresh []lack
	same  []lack  // tasks that change files, which are all unchanged since the base
	work  bool    // the change touches a file of a task that was ticked since the base
	old   []*task // already ticked in the base
	wants int     // the number of tasks in fresh that create their files
	asked int     // the number of tasks that create files and were ticked since the base, even if no file exists
	made  int     // the number of those whose file was written for them or exists under a similar name
}

func (m *model) lacks(p *sdk.Pass) (l lacks) {
	s := m.newSearch(p)
	for i := range m.list {
		t := &m.list[i]
		if t.state != done || t.Last != "" {
			continue
		}
		files := t.allFiles()
		if len(files) == 0 {
			continue
		}
		exempt := t.exempt()
		fresh, moved := m.fresh(p, t, files)
		creates := fresh && !moved && t.creates(files)
		if exempt && !creates {
			continue
		} else if creates {
			l.asked++
		}
		found := m.look(s, t, files, fresh && !exempt)
		other := found.near.Is != sdk.Absent && !found.near.Old
		l.work = l.work || fresh && found.changed
		if creates && (found.made || other) {
			l.made++
		}
		switch {
		case exempt:
		case !fresh:
			if found.gone && found.top == sdk.Present && m.taken(t, files) != evidence.TakenAway {
				l.old = append(l.old, t)
			}
		case found.same && !moved && evidence.AllChanged(files):
			l.same = append(l.same, lack{task: t, sight: found, files: files})
		case found.gone && !other && !atRuntime(files):
			told := m.taken(t, files)
			if told != evidence.TakenAway {
				l.fresh = append(l.fresh, lack{t, found, files, creates, told == evidence.Touched})
			}
			if creates && told == evidence.Kept {
				l.wants++
			}
		}
	}
	return l
}

// away reports whether the paths may be relative to an unknown directory: stategate sees no file of the tasks that were
// already ticked in the base, but some of these files may be elsewhere.
func (m *model) away(p *sdk.Pass) bool {
	s, strayed := m.newSearch(p), false
	for i := range m.list {
		t := &m.list[i]
		files := t.allFiles()
		if t.state != done || t.Last != "" || len(files) == 0 || t.exempt() {
			continue
		}
		if fresh, _ := m.fresh(p, t, files); fresh {
			continue
		}
		found := m.look(s, t, files, false)
		if found.seen {
			return false
		}
		strayed = strayed || !found.gone || found.top != sdk.Present
	}
	return strayed
}

// withoutEvidence compares ticked tasks with the files that they name. A single task may have created its file
// elsewhere, but if several tasks create files and none of them exists, none was created.
func withoutEvidence(r *check.Report, m *model) {
	l := m.lacks(r.Pass)
	m.begun(r.Pass) // the brief's questions must be asked here too
	m.command(r.Pass)
	none := l.wants > 1 && l.made == 0
	named := l.made > 0 && l.made >= l.wants // the files of the others may have other names
	var stray []lack
	for i := range l.fresh {
		t := &l.fresh[i]
		if t.top != sdk.Present {
			if t.top == sdk.Absent && t.creates && !t.touched {
				stray = append(stray, *t)
			}
			continue
		}
		paths := evidence.Paths(t.files)
		message := t.ID + " is ticked, but "
		if t.deleted {
			message += say.And(paths...) + " " + say.Were(len(paths)) + " deleted since the base"
		} else {
			message += "there is no " + say.Or(paths...)
		}
		if t.near.Path != "" {
			message += ", did you mean " + t.near.Path + "?"
		}
		f := r.At(sdk.AtLine(tasksPath, t.Line), message+": "+say.Quote(t.Title)).Keyed(t.ID)
		title, untick := "Untick "+t.ID, t.Set(tasksPath, " ")
		doubtful := m.base == nil || !t.creates || t.touched || t.near.Old ||
			!t.deleted && !none && (named || !t.dir)
		if !doubtful {
			f.Offer(sdk.Review, title, untick...)
		}
		step := "Write " + say.Or(paths...) + ". If the file has another name, correct the path in tasks.md."
		if !t.Boxed() {
			step += " If the task is not done, untick its steps."
		}
		f.Advise("Write the file", step)
		if doubtful { // the file may have another name, so unticking is the last remedy
			f.As(sdk.Warning).Offer(sdk.Review, title, untick...)
		}
	}
	for i := range l.same {
		t := &l.same[i]
		if !l.work { // the change only ticks checkboxes, perhaps late
			break
		}
		r.At(sdk.AtLine(tasksPath, t.Line), t.ID+" is ticked, but the change does not touch "+
			say.Or(evidence.Paths(t.files)...)+": "+say.Quote(t.Title)).Keyed(t.ID).As(sdk.Warning).
			Advise("Change the file", "Change the file. If another file was changed, correct the path in tasks.md.").
			Offer(sdk.Review, "Untick "+t.ID, t.Set(tasksPath, " ")...)
	}
	if empty := l.asked > 1 && m.noCode(r.Pass); len(stray) > 0 && !m.away(r.Pass) {
		strayTasks(r, stray, empty && none && m.base != nil)
	}
	if n := len(l.old); n > 0 {
		var ids []string
		for _, t := range l.old {
			ids = append(ids, t.ID)
		}
		r.At(sdk.AtLine(tasksPath, l.old[0].Line),
			"the files that "+say.Count(n, "ticked task")+" "+say.Verb(n, "names", "name")+" do not exist: "+
				say.List(ids)).Keyed("old").As(sdk.Info).
			Advise("Correct the paths, or untick the tasks",
				"If the files have other names, correct the paths. Untick tasks that are not done.")
	}
}

// strayTasks reports in one finding the tasks whose paths may be relative to an unknown directory, because their first
// directory is also missing.
func strayTasks(r *check.Report, list []lack, sure bool) {
	var ids, files []string
	var edits []sdk.Edit
	for i := range list {
		t := &list[i]
		ids, files = append(ids, t.ID), append(files, evidence.Paths(t.files)...)
		edits = append(edits, t.Set(tasksPath, " ")...)
	}
	f := r.At(sdk.AtLine(tasksPath, list[0].Line),
		say.List(ids)+" "+say.Are(len(ids))+" ticked, but none of the files that "+
			say.Verb(len(ids), "it creates", "they create")+" exists: "+say.List(files)).Keyed("stray")
	if sure {
		f.Offer(sdk.Review, "Untick "+say.List(ids), edits...)
	}
	f.Advise("Write the files", "Write the files. If the paths are relative to another directory, correct them "+
		"in tasks.md.")
	for i := range list[1:] {
		f.See(sdk.AtLine(tasksPath, list[i+1].Line), list[i+1].ID+" is ticked")
	}
	if !sure {
		f.As(sdk.Warning).Offer(sdk.Review, "Untick "+say.List(ids), edits...)
	}
}

// codeAt lists files and directories that show that a workspace contains code.
var codeAt = strings.Fields("src app apps lib libs packages backend frontend server client api web cmd internal pkg " +
	"services modules code tests test package.json pyproject.toml setup.py requirements.txt go.mod Cargo.toml " +
	"pom.xml build.gradle build.gradle.kts Gemfile composer.json CMakeLists.txt Makefile Package.swift pubspec.yaml " +
	"mix.exs")

// noCode reports whether neither the workspace root nor the directory that contains specs has code in a usual location.
func (m *model) noCode(p *sdk.Pass) bool {
	is := sdk.Absent
	for _, at := range m.anchors[:len(m.anchors)-1] {
		for _, name := range codeAt {
			is = is.Or(p.Presence(at + name))
		}
	}
	return is == sdk.Absent
}
