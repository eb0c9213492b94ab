package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/paths"
	"github.com/stategate/stategate/sdk/say"
)

// A search looks for the files that tasks name.
type search struct {
	*sdk.Pass
	tops []string // the directories that paths are relative to: the top of the repository, and the one that holds .kiro
}

func newSearch(p *sdk.Pass) *search {
	s := &search{p, []string{""}}
	for _, home := range []string{".kiro/", ".spec-workflow/"} {
		if at := strings.Index(p.Root, home); at > 0 {
			s.tops = append(s.tops, p.Root[:at])
		}
	}
	return s
}

// at says what is at a path, now and in the base.
func (s *search) at(path string) (now, then sdk.Presence) {
	now, then = sdk.Absent, sdk.Absent
	for _, top := range s.tops {
		now = paths.Either(now, s.Presence(top+path))
		if s.Base.State != sdk.BaseNone {
			then = paths.Either(then, s.Base.Presence(top+path))
		}
	}
	return now, then
}

// Directories that hold parts of a program, each with paths of its own, and directories that are such a part.
var (
	holders = []string{"packages", "apps", "crates", "services", "projects"}
	partsOf = []string{"backend/", "frontend/", "server/", "client/", "web/"}
)

// near reports whether a path is surely meant from a place that is known: the directory that it begins with is there,
// and no directory with packages is, each of which may have one of that name.
func (s *search) near(path string) (there, sure bool) {
	first, _, _ := strings.Cut(path, "/")
	if first == ".github" {
		return true, true
	}
	for _, top := range s.tops {
		there = s.Presence(top+first) == sdk.Present || there
	}
	sure = true
	for _, dir := range holders {
		sure = (s.Presence(dir) == sdk.Absent || len(s.tops) > 1 || slices.Contains(holders, first)) && sure
	}
	return there, sure
}

// dir says whether the directory is there in which a path lies.
func (s *search) dir(path string) sdk.Presence {
	is := sdk.Absent
	for _, top := range s.tops {
		is = paths.Either(is, s.Presence(top+path[:strings.LastIndexByte(path, '/')]))
	}
	return is
}

// other finds a file under another name, or the whole path in a part of the program. A path that is taken is that of
// another file; taken may be nil.
func (s *search) other(path string, taken func(string) bool) (found string, is sdk.Presence) {
	found, is = paths.Other(s.Pass, s.tops, path, taken)
	for _, dir := range partsOf {
		there := s.Presence(dir + path)
		if is = paths.Either(is, there); there == sdk.Present && found == "" {
			found = dir + path
		}
	}
	return found, is
}

// madeBeside returns how to tell whether another task than t makes a file.
func (m *model) madeBeside(t *task) func(path string) bool {
	if m.makers == nil {
		m.makers = map[string][]*task{}
		for _, x := range m.tasks {
			for _, f := range filesOf(x.Body(m.list)) {
				if f.made {
					m.makers[f.path] = append(m.makers[f.path], x)
				}
			}
		}
	}
	return func(path string) bool {
		return slices.ContainsFunc(m.makers[path], func(x *task) bool { return x != t })
	}
}

// An evidence is what the repository says about the files that a task makes.
type evidence struct {
	missing   []string
	but       string // what else may explain it
	lie       bool   // nothing does
	there     bool   // a file is, or was, or was taken away by another task
	explained bool
}

// evidence looks for the files of a task. All questions are asked, whatever the answers to others are.
func (m *model) evidence(s *search, t *task, files []file) (e evidence) {
	lie, elsewhere, taken := false, m.elsewhere(s, t), m.madeBeside(t)
	for _, f := range files {
		now, then := s.at(f.path)
		near, sure := s.near(f.path)
		other, is := s.other(f.path, taken)
		if now != sdk.Absent || then != sdk.Absent {
			e.there = e.there || now != sdk.Present || f.made || then == sdk.Absent
			continue
		}
		by, away := m.taken(t, f.path)
		e.there = e.there || away
		if away || f.near && !near {
			continue
		}
		e.missing = append(e.missing, f.path)
		lie = lie || near && sure && f.made
		switch {
		case is != sdk.Absent:
			e.explained = true
			if other != "" {
				e.but = "; there is " + other
			}
		case by != nil:
			e.explained, e.but = true, "; "+say.Quote(by.Text)+" is ticked, too"
		}
	}
	if elsewhere {
		return evidence{there: true}
	}
	e.lie = lie && !e.there && !e.explained
	return e
}

// What says below a task where its work is, and what may say so if the file is new.
var (
	placed = []string{"implemented in", "implemented as", "created as", "created in", "moved to", "moved into",
		"merged into", "now in", "lives in", "located in", "实现于", "实现在"}
	noted = []string{"note", "actual", "instead", "see ", "备注", "注意", "实际", "実際", "備考", "hinweis"}
)

// elsewhere reports whether a line below a task names a file in which the task may have been done instead.
func (m *model) elsewhere(s *search, t *task) bool {
	is := false
	_, below, _ := strings.Cut(t.Body(m.list), "\n")
	for line := range strings.Lines(below) {
		sure := has(line, placed)
		if strings.IndexByte(line, '/') < 0 || !sure && !has(line, noted) {
			continue
		}
		for _, word := range strings.FieldsFunc(unlinked(line), parts) {
			if path := pathOf(word); path != "" {
				now, then := s.at(path)
				is = is || now != sdk.Absent && (sure || then != sdk.Present)
			}
		}
	}
	return is
}

// unmade reports whether a file that a task makes is not there, and whether none of them is.
func (m *model) unmade(s *search, t *task) (any, all bool) {
	all = true
	for _, f := range filesOf(t.Body(m.list)) {
		now, _ := s.at(f.path)
		if _, away := m.taken(t, f.path); away || f.near {
			continue
		}
		any, all = any || now == sdk.Absent, all && now == sdk.Absent
	}
	return any, any && all
}
