package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/words"
)

// files lists the files that a task names: those with a directory and an extension. A task that creates something
// makes all of them.
func (t *task) files() []evidence.File {
	if !t.filesRead {
		t.filesRead = true
		if strings.IndexByte(t.Raw, '/') >= 0 {
			_, _, text := idOf(behindBox(t.Raw))
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

// allFiles are those files, or such a one at the top.
func (t *task) allFiles() []evidence.File {
	if files := t.files(); len(files) > 0 {
		return files
	}
	return t.topFiles()
}

// making reports whether a task begins with a word for making something.
func (t *task) making() bool { return evidence.Creates(t.FoldedTitle()) }

// atTop are the names of files at the top of a workspace, which tasks mostly name without a directory.
var atTop = words.ListOf("Dockerfile", "Makefile", "docker-compose.y", "compose.y", "pyproject.toml", "package.json",
	"tsconfig.json", "go.mod", "Cargo.toml", "requirements.txt", "ruff.toml", "pom.xml", "build.gradle", "Gemfile",
	"composer.json")

// topFiles lists such a file that a task names which names no other place.
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

// anchors are the directories that paths of tasks are relative to: the top of the workspace, the directory that holds
// specs, and the feature itself.
func anchors(root string) []string {
	list := []string{""}
	if above, _, ok := strings.Cut("/"+root, "/specs/"); ok {
		if above = strings.TrimPrefix(strings.TrimSuffix(above, "/.specify"), "/"); above != "" {
			list = append(list, above+"/")
		}
	}
	return append(list, root+"/")
}

// A sight is what is known of all files of a task.
type sight struct {
	gone    bool         // none is there
	deleted bool         // the base has one
	there   bool         // one is there, or may be
	seen    bool         // one is there
	same    bool         // all are as in the base
	changed bool         // one is not
	dir     bool         // the directory of one is there
	top     sdk.Presence // the first directory of one is there, so that paths are meant from there
	near    evidence.Near
}

// look looks for the files of a task, and under other names if it is asked to.
func (m *model) look(s *evidence.Search, t *task, files []evidence.File, renamed bool) sight {
	l := sight{gone: true, same: true, top: sdk.Absent, near: evidence.Near{Is: sdk.Absent}}
	for _, f := range files {
		at := s
		if evidence.Dir(f.Path) == "" { // the feature holds no code
			at = &evidence.Search{Pass: s.Pass, Tops: s.Tops[:len(s.Tops)-1]}
		}
		found := at.Find(f.Path)
		l.gone, l.deleted, l.there = l.gone && found.Gone(), l.deleted || found.Deleted(), l.there || !found.Gone()
		l.seen, l.same = l.seen || found.Now == sdk.Present, l.same && found.Unchanged
		l.changed = l.changed || found.Touched()
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

// notOf returns the files owned by tasks other than t; another name of t's own file does not count. A list at the end
// may name a task again.
func (m *model) notOf(t *task) evidence.Owned {
	if !m.owned {
		m.owned = true
		for i := range m.list {
			m.owners.Add(m.list[i].ID, m.list[i].allFiles())
		}
	}
	return m.owners.Beside(t.ID)
}

// newSearch looks from the anchors.
func (m *model) newSearch(p *sdk.Pass) *evidence.Search {
	return &evidence.Search{Pass: p, Tops: m.anchors}
}
