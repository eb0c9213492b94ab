package evidence

import (
	"slices"

	"github.com/stategate/stategate/sdk"
)

// A Search asks whether the files that tasks name exist. A task's text does not say which directory a path is relative
// to, so there are several candidates. A file exists if any of these directories has it, and is missing if all of them
// lack it. A Search asks every question regardless of the other answers, as [sdk.Pass.Presence] requires.
type Search struct {
	*sdk.Pass
	Tops []string // directories: "" for the workspace root, others with a trailing slash

	dirs []dir // caches answers, because few directories contain most of the files
}

// A dir holds the answers for a directory and for the first directory of its path.
type dir struct {
	path    string
	is, top sdk.Presence
}

// A Find holds what is known about a file.
type Find struct {
	Now, Then sdk.Presence // the file now and in the base; Then is Absent if there is no base
	Dir       sdk.Presence // its directory
	Top       sdk.Presence // the first directory of its path; if missing, the path may be relative to another directory
	Unchanged bool         // the file exists and is known to be the same as in the base
}

// Gone reports whether the file is known to be missing.
func (f *Find) Gone() bool { return f.Now == sdk.Absent }

// Touched reports whether the file exists and is not known to be the same as in the base.
func (f *Find) Touched() bool { return f.Now == sdk.Present && !f.Unchanged }

// Deleted reports whether the base has the file and it no longer exists.
func (f *Find) Deleted() bool { return f.Now == sdk.Absent && f.Then == sdk.Present }

// At returns whether a path exists now and in the base.
func (s *Search) At(path string) (now, then sdk.Presence) {
	now, then = sdk.Absent, sdk.Absent
	for _, top := range s.Tops {
		now = now.Or(s.Presence(top + path))
		if s.Base.State != sdk.BaseNone {
			then = then.Or(s.Base.Presence(top + path))
		}
	}
	return now, then
}

// Exist reports whether a task's own files all exist now, and there is at least one. It asks about all of them, even if
// one is missing, because answers only arrive in the next evaluation.
func (s *Search) Exist(files []File, own func(File) bool) bool {
	any, all := false, true
	for _, f := range files {
		if own(f) {
			now, _ := s.At(f.Path)
			any, all = true, all && now == sdk.Present
		}
	}
	return any && all
}

// Find asks about a file, its directory, and the first directory of its path. For a name without a
// directory, it asks only about the file.
func (s *Search) Find(path string) Find {
	f := Find{Dir: sdk.Absent, Top: sdk.Absent}
	f.Now, f.Then = s.At(path)
	for _, top := range s.Tops {
		if s.Presence(top+path) == sdk.Present {
			if f.Unchanged = s.Base.Unchanged(top + path); !f.Unchanged {
				break
			}
		}
	}
	if around := Dir(path); around != "" {
		d := s.dir(around)
		f.Dir, f.Top = d.is, d.top
	}
	return f
}

func (s *Search) dir(path string) dir {
	if i := slices.IndexFunc(s.dirs, func(d dir) bool { return d.path == path }); i >= 0 {
		return s.dirs[i]
	}
	d := dir{path, sdk.Absent, sdk.Absent}
	for _, top := range s.Tops {
		d.is, d.top = d.is.Or(s.Presence(top+path)), d.top.Or(s.Presence(top+first(path)))
	}
	s.dirs = append(s.dirs, d)
	return d
}

// Owned reports whether another task has a file: the task creates it or, if loosely is set, names it in any way.
type Owned func(path string, loosely bool) bool

// Owners records which tasks name a file. The zero value is ready to use.
type Owners[Task comparable] struct{ made, named map[string][]Task }

// Add records a task's files.
func (o *Owners[Task]) Add(t Task, files []File) {
	if o.named == nil {
		o.made, o.named = map[string][]Task{}, map[string][]Task{}
	}
	for _, f := range files {
		o.named[f.Path] = append(o.named[f.Path], t)
		if f.IsMade() {
			o.made[f.Path] = append(o.made[f.Path], t)
		}
	}
}

// Beside returns a function that reports whether a task other than t has a file.
func (o *Owners[Task]) Beside(t Task) Owned {
	return func(path string, loosely bool) bool {
		list := o.made[path]
		if loosely {
			list = o.named[path]
		}
		return slices.ContainsFunc(list, func(other Task) bool { return other != t })
	}
}
