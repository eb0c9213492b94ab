package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/paths"
	"github.com/stategate/stategate/sdk/say"
)

// lacks reports whether all files that a task names are missing, now and in the base, although the top directory of one is there.
// Where a directory of the files is there, too, the path is surely meant from there.
func (t *task) lacks(s *search, files []string) (all, sure bool) {
	all, top := true, false
	for _, path := range files {
		f := s.find(path)
		top = f.top == sdk.Present || top
		all = f.now == sdk.Absent && (s.Base.State == sdk.BaseNone || f.then == sdk.Absent) && all
		sure = f.dir == sdk.Present || sure
	}
	return all && top, sure
}

// creating are the words that a task begins with which makes a file, and does not only change what is there.
var creating = []string{"create", "write", "generate", "scaffold", "criar", "crie", "crear", "créer", "erstelle", "创建", "新建", "建立", "作成", "создать"}

// creates reports whether a task says that it makes the files that it names, tests aside: those end up in another file more often than not.
func (t *task) creates(files []string) bool {
	for _, path := range files {
		if path = lower(path); strings.Contains(path, "test") || strings.Contains(path, "spec.") || strings.Contains(path, "spec/") || strings.Contains(path, "e2e") {
			return false
		}
		if dirs := strings.Split(path, "/"); slices.ContainsFunc(dirs[:len(dirs)-1], func(dir string) bool { return slices.Contains(generated, dir) }) {
			return false
		}
	}
	for _, word := range creating {
		if rest, ok := strings.CutPrefix(t.words(), word); ok && (rest == "" || rest[0] <= ' ' || rest[0] >= 0x80) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(t.words(), "add ")
	first, _, _ := strings.Cut(strings.TrimLeft(rest, "`"), " ")
	return ok && pathOf(strings.Trim(first, "`,")) != ""
}

// made reports whether a file of a task that was ticked since the base, and says that it creates it, is there: then the work was done, and
// what is missing has most likely another name.
func (m *model) made(s *search) (is bool) {
	for i := range m.list {
		if t := &m.list[i]; t.state == done && m.fresh(s.Pass, t) {
			if files := t.files(); t.creates(files) {
				for _, path := range files {
					is = s.find(path).now != sdk.Absent || is
				}
			}
		}
	}
	return is
}

func withoutEvidence(r *check.Report, m *model) {
	var old []string
	s := &search{Pass: r.Pass}
	line, made := 0, m.made(s)
	for i := range m.list {
		t := &m.list[i]
		if t.state != done || t.last != "" || !strings.Contains(t.raw, "/") {
			continue
		}
		files := t.files()
		if len(files) == 0 || t.exempt() {
			continue
		}
		fresh, other := m.fresh(r.Pass, t), sdk.Absent
		if fresh {
			other = paths.Renamed(r.Pass, m.anchors, files)
		}
		missing, sure := t.lacks(s, files)
		if !missing || other != sdk.Absent {
			continue
		}
		away := m.taken(t, files)
		if away == takenAway || t.atRuntime(files) {
			continue
		}
		if !fresh {
			if old = append(old, t.id); line == 0 {
				line = t.line
			}
			continue
		}
		f := r.At(sdk.AtLine(tasksPath, t.line), t.id+" is ticked, but there is no "+say.Or(files...)+": "+say.Quote(t.text)).Keyed(t.id)
		if made || away != kept || !sure || m.base == nil || !t.creates(files) {
			f.As(sdk.Warning)
		}
		if edit, ok := t.box.Uncheck(); ok {
			f.Offer(sdk.Review, "Untick "+t.id, sdk.Edits(tasksPath, edit)...)
		}
		f.Advise("Write the file", "Write "+say.Or(files...)+", or correct the path in tasks.md if the file has another name.")
	}
	if len(old) > 0 {
		r.At(sdk.AtLine(tasksPath, line), "the files that "+say.Count(len(old), "ticked task")+" "+verb(len(old), "names", "name")+" do not exist: "+say.List(old)).Keyed("old").As(sdk.Info).
			Advise("Correct the paths", "Write the files, or correct the paths where they have another name.")
	}
}

// fresh reports whether a task was ticked since the base, or came ticked into a feature that is new.
func (m *model) fresh(p *sdk.Pass, t *task) bool {
	if m.base == nil {
		return p.Base.State == sdk.BaseNew
	}
	if m.base.form != boxes {
		return false
	}
	for i := range m.base.list {
		if was := &m.base.list[i]; was.id == t.id && was.state == done || alike(was, t) && was.state == done {
			return false
		}
	}
	return true
}
