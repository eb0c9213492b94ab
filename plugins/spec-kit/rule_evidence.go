package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/paths"
	"github.com/stategate/stategate/sdk/say"
)

// look looks for the files that a task names: whether none is there, now and in the base, whether one is, whether the
// first directory of one is there, so that it is meant from there, and whether the directory of one is.
func (t *task) look(s *search, files []string) (gone, there, dir bool, top sdk.Presence) {
	gone, top = true, sdk.Absent
	for n, path := range files {
		f := s.find(path, t.placed(s.Model.(*model), n))
		top, dir, there = paths.Either(top, f.top), f.dir == sdk.Present || dir, f.now != sdk.Absent || there
		gone = f.now == sdk.Absent && (s.Base.State == sdk.BaseNone || f.then == sdk.Absent) && gone
	}
	return gone, there, dir, top
}

// creating are the words that a task begins with which makes a file, and does not only change what is there.
var creating = []string{"create", "write", "generate", "scaffold", "criar", "crie", "crear", "créer", "erstelle", "创建",
	"新建", "建立", "作成", "создать"}

// creates reports whether a task says that it makes the files that it names, tests aside: those end up in another file
// more often than not.
func (t *task) creates(files []string) bool {
	for _, path := range files {
		if path = lower(path); strings.Contains(path, "test") || strings.Contains(path, "spec.") ||
			strings.Contains(path, "spec/") || strings.Contains(path, "e2e") {
			return false
		}
		if dirs := strings.Split(path, "/"); slices.ContainsFunc(dirs[:len(dirs)-1],
			func(dir string) bool { return slices.Contains(generated, dir) }) {
			return false
		}
	}
	if t.making() {
		return true
	}
	rest, ok := strings.CutPrefix(t.FoldedTitle(), "add ")
	first, _, _ := strings.Cut(strings.TrimLeft(rest, "`"), " ")
	return ok && pathOf(strings.Trim(first, "`,")) != ""
}

// making reports whether a task begins with one of the words for making something.
func (t *task) making() bool {
	return slices.ContainsFunc(creating, func(word string) bool {
		rest, ok := strings.CutPrefix(t.FoldedTitle(), word)
		return ok && (rest == "" || rest[0] <= ' ' || rest[0] >= 0x80)
	})
}

// A lack is a task that was ticked since the base, and none of whose files is there.
type lack struct {
	*task
	files   []string
	creates bool
	dir     bool         // see look
	top     sdk.Presence // likewise
	touched bool
	base    bool // the files are those that its words name in the base
}

// madeBeside returns how to tell whether another task than t creates a file: that one is no other name of t's.
func (m *model) madeBeside(t *task) func(path string) bool {
	if m.makers == nil {
		m.makers = map[string][]string{}
		for i := range m.list {
			if x := &m.list[i]; x.creates(x.allFiles()) {
				for _, path := range x.allFiles() {
					m.makers[path] = append(m.makers[path], x.ID)
				}
			}
		}
	}
	return func(path string) bool {
		return slices.ContainsFunc(m.makers[path], func(id string) bool { return id != t.ID })
	}
}

// lacks are the ticked tasks whose files are missing.
type lacks struct {
	fresh []lack
	old   []*task // ticked before the base
	wants int     // how many of fresh create their files
	asked int     // how many tasks create files and were ticked since the base, whatever is there
	made  bool    // a task that was ticked since the base, and creates its file, has made one
}

func (m *model) lacks(p *sdk.Pass) (l lacks) {
	s := &search{Pass: p}
	for i := range m.list {
		t := &m.list[i]
		if t.state != done || t.Last != "" {
			continue
		}
		files := t.allFiles()
		if len(files) == 0 {
			if was := m.worded(t); was != nil {
				m.unnamed(s, &l, t, was)
			}
			continue
		}
		exempt, other := t.exempt(), sdk.Absent
		fresh, moved := m.fresh(p, t, files)
		creates := fresh && !moved && t.creates(files)
		if exempt && !creates {
			continue
		} else if creates {
			l.asked++
		}
		if !fresh && s.astray(files) {
			continue
		}
		if fresh && !exempt {
			other = paths.Renamed(p, m.anchors, files, m.madeBeside(t))
		}
		gone, there, dir, top := t.look(s, files)
		switch l.made = l.made || creates && (there || other != sdk.Absent); {
		case exempt:
		case !fresh:
			if gone && top == sdk.Present && m.taken(t, files) != takenAway {
				l.old = append(l.old, t)
			}
		case gone && other == sdk.Absent && !t.atRuntime(files):
			told := m.taken(t, files)
			if told != takenAway {
				l.fresh = append(l.fresh, lack{t, files, creates, dir, top, told == touched, false})
			}
			if creates && told == kept {
				l.wants++
			}
		}
	}
	return l
}

// away reports whether what was ticked before the base lies elsewhere as well: paths are not meant from a place that is
// known.
func (m *model) away(p *sdk.Pass) bool {
	s, strayed := &search{Pass: p}, false
	for i := range m.list {
		t := &m.list[i]
		files := t.allFiles()
		if t.state != done || t.Last != "" || len(files) == 0 || t.exempt() {
			continue
		}
		if fresh, _ := m.fresh(p, t, files); fresh {
			continue
		}
		gone, there, _, top := t.look(s, files)
		if there {
			return false
		}
		strayed = strayed || gone && top == sdk.Absent
	}
	return strayed
}

// withoutEvidence holds ticked tasks against the files that they name. Nothing of several tasks that create files is
// there where one of them alone may have made its file elsewhere.
func withoutEvidence(r *check.Report, m *model) {
	l := m.lacks(r.Pass)
	none := l.wants > 1 && !l.made
	var stray []lack
	for i := range l.fresh {
		t := &l.fresh[i]
		if t.top != sdk.Present {
			if t.top == sdk.Absent && t.creates && !t.touched {
				stray = append(stray, *t)
			}
			continue
		}
		message := t.ID + " is ticked, but there is no " + say.Or(t.files...)
		if t.base {
			message += ", which its words in the base name"
		}
		f := r.At(sdk.AtLine(tasksPath, t.Line), message+": "+say.Quote(t.Title)).Keyed(t.ID)
		if m.base == nil || !t.creates || t.touched || !none && (l.made || !t.dir) {
			f.As(sdk.Warning)
		}
		f.Offer(sdk.Review, "Untick "+t.ID, t.Set(tasksPath, " ")...)
		f.Advise("Write the file", "Write "+say.Or(t.files...)+
			", or correct the path in tasks.md if the file has another name.")
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
			"the files that "+say.Count(n, "ticked task")+" "+verb(n, "names", "name")+" do not exist: "+
				say.List(ids)).Keyed("old").As(sdk.Info).
			Advise("Correct the paths", "Write the files, or correct the paths where they have another name.")
	}
}

// strayTasks reports at once the tasks whose paths may be meant from a place that is not known, since their first
// directory is missing, too.
func strayTasks(r *check.Report, list []lack, sure bool) {
	var ids, files []string
	var edits []sdk.Edit
	for i := range list {
		t := &list[i]
		ids, files = append(ids, t.ID), append(files, t.files...)
		edits = append(edits, t.Set(tasksPath, " ")...)
	}
	f := r.At(sdk.AtLine(tasksPath, list[0].Line),
		say.List(ids)+" "+say.Are(len(ids))+" ticked, but nothing that "+verb(len(ids), "it creates", "they create")+
			" is there: "+say.List(files)).Keyed("stray").
		Offer(sdk.Review, "Untick "+say.List(ids), edits...).
		Advise("Write the files", "Write them, or correct the paths in tasks.md if they are meant from another place.")
	for i := range list[1:] {
		f.See(sdk.AtLine(tasksPath, list[i+1].Line), list[i+1].ID+" is ticked")
	}
	if !sure {
		f.As(sdk.Warning)
	}
}

// codeAt are files and directories of which a workspace that holds code mostly has one.
var codeAt = strings.Fields("src app apps lib libs packages backend frontend server client api web cmd internal pkg " +
	"services modules code tests test package.json pyproject.toml setup.py requirements.txt go.mod Cargo.toml " +
	"pom.xml build.gradle build.gradle.kts Gemfile composer.json CMakeLists.txt Makefile Package.swift pubspec.yaml " +
	"mix.exs")

// noCode reports whether the workspace, and the part of it that holds the specs, has no code at any of the usual
// places.
func (m *model) noCode(p *sdk.Pass) bool {
	is := sdk.Absent
	for _, at := range m.anchors[:len(m.anchors)-1] {
		for _, name := range codeAt {
			is = paths.Either(is, p.Presence(at+name))
		}
	}
	return is == sdk.Absent
}
