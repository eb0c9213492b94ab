package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/words"
)

// files lists the files that a task names with a directory and an extension. A task that begins with a verb such as
// "create" creates all of them.
func (t *task) files() []evidence.File {
	if !t.filesRead {
		t.filesRead = true
		if named := t.Raw + t.fileField; strings.IndexByte(named, '/') >= 0 {
			_, _, text := idOf(behindBox(named))
			for strings.HasPrefix(text, "[") { // [P] [US1]
				_, text, _ = strings.Cut(text, "]")
				text = strings.TrimLeft(text, " ")
			}
			t.named = slices.DeleteFunc(evidence.Files(text),
				func(f evidence.File) bool { return f.Rooted })
		}
		if len(t.named) > 0 && t.making() {
			for i := range t.named {
				if f := &t.named[i]; f.Use != evidence.Written {
					f.Use = max(f.Use, evidence.MadeIn)
				}
			}
		}
	}
	return t.named
}

// allFiles returns a task's files, or its file in the root if it names no other.
func (t *task) allFiles() []evidence.File {
	if files := t.files(); len(files) > 0 {
		return files
	}
	return t.topFiles()
}

// making reports whether a task begins with a verb such as "create".
func (t *task) making() bool { return evidence.Creates(t.FoldedTitle()) }

// atTop lists names of files in a workspace root, which tasks usually name without a directory.
var atTop = words.ListOf("Dockerfile", "Makefile", "docker-compose.y", "compose.y", "pyproject.toml", "package.json",
	"tsconfig.json", "go.mod", "Cargo.toml", "requirements.txt", "ruff.toml", "pom.xml", "build.gradle", "Gemfile",
	"composer.json")

// topFiles returns the root file that a task without any path names.
func (t *task) topFiles() []evidence.File {
	if strings.IndexByte(t.Raw, '/') >= 0 || atTop.Index(t.Raw) < 0 {
		return nil
	}
	for _, name := range strings.FieldsFunc(t.Raw, evidence.Separates) {
		if name = strings.Trim(name, "*~.:"); atTop.Begin(name) &&
			(evidence.Extension(name) != "" || name[len(name)-4:] == "file" || name == "go.mod") {
			return []evidence.File{{Path: name}}
		}
	}
	return nil
}

// anchors returns the directories that task paths may be relative to: the workspace root, the directory that contains
// specs, and the feature's own directory.
func anchors(root string) []string {
	list := []string{""}
	if above, _, ok := strings.Cut("/"+root, "/specs/"); ok {
		if above = strings.TrimPrefix(strings.TrimSuffix(above, "/.specify"), "/"); above != "" {
			list = append(list, above+"/")
		}
	}
	return append(list, root+"/")
}

// A sight is what the repository shows of a task's files.
type sight struct {
	gone    bool         // none exists
	deleted bool         // one was deleted since the base
	there   bool         // one exists or may exist
	seen    bool         // one exists
	same    bool         // all are unchanged since the base
	changed bool         // one was changed
	made    bool         // one was written for the task, not for another task or before the base
	dir     bool         // a file's directory exists
	top     sdk.Presence // whether a path's first directory exists: then the paths are relative to its parent
	near    evidence.Near
}

// look looks for a task's files and, if renamed is true, for files with similar names.
func (m *model) look(s *evidence.Search, t *task, files []evidence.File, renamed bool) sight {
	tops := s.Tops[:len(s.Tops)-1]
	if dirs := evidence.Dirs(t.Raw); len(dirs) > 0 { // such as a package that contains the paths
		s = &evidence.Search{Pass: s.Pass, Tops: slices.Clip(s.Tops)}
		for _, top := range tops {
			for _, dir := range dirs {
				s.Tops = append(s.Tops, top+dir)
			}
		}
	}
	l := sight{gone: true, same: true, top: sdk.Absent, near: evidence.Near{Is: sdk.Absent}}
	for _, f := range files {
		at := s
		if evidence.Dir(f.Path) == "" { // skips the feature's directory, which contains no code
			at = &evidence.Search{Pass: s.Pass, Tops: tops}
		}
		found := at.Find(f.Path)
		l.gone, l.deleted, l.there = l.gone && found.Gone(), l.deleted || found.Deleted(), l.there || !found.Gone()
		l.seen, l.same = l.seen || found.Now == sdk.Present, l.same && found.Unchanged
		l.changed = l.changed || found.Touched()
		l.made = l.made || !found.Gone() &&
			(!found.Unchanged || f.Use == evidence.Made && !m.notOf(t)(f.Path, true))
		l.dir = l.dir || found.Dir == sdk.Present || found.Deleted()
		if l.top = l.top.Or(found.Top); found.Deleted() {
			l.top = sdk.Present
		}
		if !renamed {
			continue
		}
		if near := s.Near(f.Path, m.notOf(t)); l.near.Is == sdk.Absent || l.near.Old && near.Is != sdk.Absent {
			l.near = near
		}
	}
	return l
}

// notOf returns a function that reports whether a task other than t has a file. Such a file is not t's own under
// another name. Tasks are compared by id, because a list at the end may name t again.
func (m *model) notOf(t *task) evidence.Owned {
	if !m.owned {
		m.owned = true
		for i := range m.list {
			m.owners.Add(m.list[i].ID, m.list[i].allFiles())
		}
	}
	return m.owners.Beside(t.ID)
}

// newSearch returns a search relative to the anchors.
func (m *model) newSearch(p *sdk.Pass) *evidence.Search {
	return &evidence.Search{Pass: p, Tops: m.anchors}
}
