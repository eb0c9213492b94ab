package evidence

import (
	"slices"

	"github.com/stategate/stategate/sdk"
)

// A Search asks for the files that tasks name. Paths are relative to one of several directories, and the text does not
// say which. A file exists if one directory has it, and is missing if all lack it. A Search asks every question,
// whatever the answers to others are, as [sdk.Pass.Presence] demands.
type Search struct {
	*sdk.Pass
	Tops []string // directories: "" for the top of the workspace, others with their slash

	dirs []dir // a cache of answers: few directories hold most of the files
}

// A dir holds the answers for a directory, and for the first directory of its path.
type dir struct {
	path    string
	is, top sdk.Presence
}

// A Find is what is known of a file.
type Find struct {
	Now, Then sdk.Presence // the file; Then is in the base, and Absent without one
	Dir       sdk.Presence // its directory
	Top       sdk.Presence // the first directory of its path: if it is missing, the path may be meant from elsewhere
	Unchanged bool         // it exists, and is known to be as in the base
}

// Gone reports whether the file is known to be missing.
func (f *Find) Gone() bool { return f.Now == sdk.Absent }

// Touched reports whether the file is there, and not known to be as in the base.
func (f *Find) Touched() bool { return f.Now == sdk.Present && !f.Unchanged }

// Deleted reports whether the base has the file, and it is gone.
func (f *Find) Deleted() bool { return f.Now == sdk.Absent && f.Then == sdk.Present }

// At says what is at a path, now and in the base.
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

// Find looks for a file, its directory, and the first one on the way. A name without a directory has none of the two.
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

// Owned reports whether another task has a file: it makes it or, if loosely, names it in any way.
type Owned func(path string, loosely bool) bool

// Owners tells which tasks name a file. The zero value is ready to use.
type Owners[Task comparable] struct{ made, named map[string][]Task }

// Add adds the files of a task.
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

// Beside returns how to tell whether a task other than t has a file.
func (o *Owners[Task]) Beside(t Task) Owned {
	return func(path string, loosely bool) bool {
		list := o.made[path]
		if loosely {
			list = o.named[path]
		}
		return slices.ContainsFunc(list, func(other Task) bool { return other != t })
	}
}
