package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/say"
)

// newSearch returns a search in the workspace root and in the directory that contains .kiro.
func newSearch(p *sdk.Pass) *evidence.Search {
	s := &evidence.Search{Pass: p, Tops: []string{""}}
	for _, home := range []string{".kiro/", ".spec-workflow/"} {
		if at := strings.Index(p.Root, home); at > 0 {
			s.Tops = append(s.Tops, p.Root[:at])
		}
	}
	return s
}

// holders are directories that contain several parts of a program; paths may be relative to each part. partsOf are
// directories that usually are such a part.
var (
	holders = []string{"packages", "apps", "crates", "services", "projects"}
	partsOf = []string{"backend/", "frontend/", "server/", "client/", "web/"}
)

// sure reports whether a path is certainly relative to a known directory: its first directory exists, and there is no
// directory of packages that may contain a directory with that name.
func sure(s *evidence.Search, path string, top sdk.Presence) bool {
	first, _, _ := strings.Cut(path, "/")
	if first == ".github" {
		return true
	}
	sure := top == sdk.Present
	for _, dir := range holders {
		sure = (s.Presence(dir) == sdk.Absent || len(s.Tops) > 1 || slices.Contains(holders, first)) && sure
	}
	return sure
}

// other finds a file under a similar name, or the whole path in a part of the program. owned may be nil.
func other(s *evidence.Search, path string, owned evidence.Owned) evidence.Near {
	near := s.Near(path, owned)
	for _, dir := range partsOf {
		there := s.Presence(dir + path)
		if near.Is == sdk.Absent || there == sdk.Present && near.Path == "" {
			near = evidence.Near{Is: there}
			if there == sdk.Present {
				near.Path = dir + path
			}
		}
	}
	return near
}

// notOf returns the files that belong to tasks other than t. None of them is one of t's own files under another name.
func (m *model) notOf(t *task) evidence.Owned {
	if !m.owned {
		m.owned = true
		for _, x := range m.tasks {
			m.owners.Add(x, evidence.Files(x.Body(m.list)))
		}
	}
	return m.owners.Beside(t)
}

// An outcome describes which of the files that a task creates are missing, and what may explain that.
type outcome struct {
	missing []string
	deleted bool   // the base has one of the missing files
	but     string // a possible explanation, for the message
	lie     bool   // nothing explains the missing files
}

// outcome looks for a task's files. It always asks the host about all of them, because answers only arrive in the next
// evaluation.
func (m *model) outcome(s *evidence.Search, t *task, files []evidence.File) (o outcome) {
	lie, there, explained := false, false, false
	elsewhere, owned := m.elsewhere(s, t), m.notOf(t)
	for _, f := range files {
		found, near := s.Find(f.Path), other(s, f.Path, owned)
		meant := sure(s, f.Path, found.Top)
		if !found.Gone() || found.Then == sdk.Unseen {
			there = there || found.Now != sdk.Present || f.Use == evidence.Made || found.Then == sdk.Absent
			continue
		}
		by, away := m.taken(t, f.Path)
		there = there || away
		if away || f.Rooted && found.Top != sdk.Present {
			continue
		}
		o.missing, o.deleted = append(o.missing, f.Path), o.deleted || found.Deleted()
		lie = lie || found.Deleted() || meant && f.Use == evidence.Made
		switch {
		case near.Is != sdk.Absent:
			explained = true
			if near.Path != "" && near.Old {
				o.but = "; did you mean " + near.Path + "?"
			} else if near.Path != "" {
				o.but = "; " + near.Path + " exists"
			}
		case by != nil:
			explained, o.but = true, "; "+say.Quote(by.Text)+", which is also ticked, may have removed it"
		}
	}
	if elsewhere {
		return outcome{}
	}
	o.lie = lie && !there && !explained
	return o
}

// placed are words below a task that say where its work is. noted are words that may say so if the file is new.
var (
	placed = []string{"implemented in", "implemented as", "created as", "created in", "moved to", "moved into",
		"merged into", "now in", "lives in", "located in", "实现于", "实现在"}
	noted = []string{"note", "actual", "instead", "see ", "备注", "注意", "实际", "実際", "備考", "hinweis"}
)

// elsewhere reports whether a line below a task names a file in which the task may have been done instead.
func (m *model) elsewhere(s *evidence.Search, t *task) bool {
	is := false
	_, below, _ := strings.Cut(t.Body(m.list), "\n")
	for line := range strings.Lines(below) {
		sure := has(line, placed)
		if strings.IndexByte(line, '/') < 0 || !sure && !has(line, noted) {
			continue
		}
		for _, f := range evidence.Files(line) {
			now, then := s.At(f.Path)
			is = is || !f.Rooted && now != sdk.Absent && (sure || then != sdk.Present)
		}
	}
	return is
}

// made reports whether any file that a task creates exists.
func (m *model) made(p *sdk.Pass, t *task) bool {
	s := newSearch(p)
	return slices.ContainsFunc(filesOf(t.Body(m.list)), func(f evidence.File) bool {
		now, _ := s.At(f.Path)
		return !f.Rooted && now == sdk.Present
	})
}

// unmade reports whether any of the files that a task creates is missing, and whether all of them are.
func (m *model) unmade(s *evidence.Search, t *task) (any, all bool) {
	all = true
	for _, f := range filesOf(t.Body(m.list)) {
		now, _ := s.At(f.Path)
		if _, away := m.taken(t, f.Path); away || f.Rooted && s.Find(f.Path).Top != sdk.Present {
			continue
		}
		any, all = any || now == sdk.Absent, all && now == sdk.Absent
	}
	return any, any && all
}
