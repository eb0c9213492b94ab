package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A mutation changes one state file of a clean tree in a way that makes it wrong.
type mutation struct {
	workflow, name string
	files          string // an expression that paths match
	find           string // what is replaced, once; "" for the whole file
	replace        string // "" with an empty find removes the file
	rules          []string
	beside, where  string // a file in the same directory, and an expression that it must match
	lie            bool   // it must close the gate
	base           bool   // it shows only against what was there before
	kept           bool   // a lie only where a quarter of the boxes are ticked: else they may not be kept, and a claim over them is a lag
}

// conflict stands in place of a line on which two branches disagree.
const conflict = "<<<<<<< ours\n${0}\n=======\n${0} \n>>>>>>> theirs"

// mutations are tried on every clean tree. A rule that names one of them is expected; without any rule, whatever reports an error.
var mutations = []mutation{
	{workflow: "openspec", name: "untick a task of an archived change", files: `openspec/changes/archive/[^/]+/tasks\.md$`, find: `(?m)^(\s*[-*] )\[x\]`, replace: "${1}[ ]", lie: true, base: true},
	{workflow: "openspec", name: "rename what is modified", files: `openspec/changes/[^a][^/]+/specs/.*spec\.md$`, find: `(?ms)(## MODIFIED Requirements.*?### Requirement: )[^\n]+`, replace: "${1}No such thing 7f3", lie: true},
	{workflow: "openspec", name: "a requirement twice", files: `openspec/specs/.*spec\.md$`, find: `(?ms)^### Requirement: [^\n]+\n.*?(?:\z|(?:^### ))`, replace: "${0}", lie: true},
	{workflow: "openspec", name: "untick a task", files: `openspec/changes/[^/]+/tasks\.md$`, find: `(?m)^(\s*[-*] )\[x\]`, replace: "${1}[ ]", base: true},
	{workflow: "openspec", name: "a conflict", files: `openspec/.*tasks\.md$`, find: `(?m)^\s*[-*] \[.\][^\n]*$`, replace: conflict, lie: true},
	{workflow: "gsd", name: "a summary is gone", files: `\.planning/phases/.*SUMMARY\.md$`, lie: true, base: true},
	{workflow: "gsd", name: "a conflict", files: `\.planning/(STATE|ROADMAP)\.md$`, find: `(?m)^[^\n]*Phase[^\n]*$`, replace: conflict, lie: true},
	{workflow: "gsd", name: "a phase twice", files: `\.planning/ROADMAP\.md$`, find: `(?m)^### Phase \d[^\n]*$`, replace: "${0}\n\n${0}"},
	{workflow: "gsd", name: "tick a phase", files: `\.planning/ROADMAP\.md$`, find: `(?m)^- \[ \] (\*\*Phase)`, replace: "- [x] ${1}", lie: true},
	{workflow: "gsd", name: "tick a plan", files: `\.planning/ROADMAP\.md$`, find: `(?m)^(\s*- )\[ \]( \*{0,2}\d+-\d+)`, replace: "${1}[x]${2}", lie: true},
	{workflow: "gsd", name: "untick a phase", files: `\.planning/ROADMAP\.md$`, find: `(?m)^- \[x\] (\*\*Phase)`, replace: "- [ ] ${1}", base: true},
	{workflow: "gsd", name: "more plans than there are", files: `\.planning/STATE\.md$`, find: `(?m)^  completed_plans: \d+`, replace: "  completed_plans: 9999", lie: true},
	{workflow: "gsd", name: "a requirement twice", files: `\.planning/REQUIREMENTS\.md$`, find: `(?m)^- \[.\] \*\*[A-Z]+-\d+\*\*[^\n]*$`, replace: "${0}\n${0}", lie: true},
	{workflow: "gsd", name: "the state is gone", files: `\.planning/STATE\.md$`, lie: true},
	{workflow: "gsd", name: "a file that was not made", files: `\.planning/phases/.*SUMMARY\.md$`, find: `(?m)^(  created:)\n(    - )`, replace: "${1}\n${2}made-up-7f3.go\n${2}", lie: true, base: true},
	{workflow: "spec-kit", name: "an id twice", files: `specs/[^/]+/tasks\.md$`, find: `(?m)^- \[.\] T\d+ [^\n]*$`, replace: "${0}\n${0}", rules: []string{"task-repeated"}},
	{workflow: "spec-kit", name: "an id for two tasks", files: `specs/[^/]+/tasks\.md$`, find: `(?m)^- \[ \] (T\d+) [^\n]*$`, replace: "${0}\n- [ ] ${1} Another thing 7f3", rules: []string{"task-repeated"}, lie: true},
	{workflow: "spec-kit", name: "a conflict", files: `specs/[^/]+/tasks\.md$`, find: `(?m)^- \[.\] [^\n]*$`, replace: conflict, lie: true},
	{workflow: "spec-kit", name: "the specification is gone", beside: "tasks.md", where: `(?m)^- \[.\] T\d`, files: `specs/[^/]+/spec\.md$`, rules: []string{"document-lost", "spec-missing"}, base: true},
	{workflow: "spec-kit", name: "the tasks are gone", files: `specs/[^/]+/tasks\.md$`, find: `(?s)\A.*\n- \[[xX]\] T\d+ .*\z`, replace: "# Tasks: gone", rules: []string{"document-lost"}, lie: true, base: true},
	{workflow: "spec-kit", name: "untick a task", files: `specs/[^/]+/tasks\.md$`, find: `(?m)^- \[[xX]\] (T\d)`, replace: "- [ ] ${1}", rules: []string{"task-unticked"}, base: true},
	{workflow: "spec-kit", name: "a ticked task is gone", files: `specs/[^/]+/tasks\.md$`, find: `(?m)^- \[[xX]\] T\d+ [^\n]*\n`, replace: "\n", rules: []string{"done-task-lost"}, base: true},
	{workflow: "spec-kit", name: "complete with open tasks", files: `specs/[^/]+/tasks\.md$`, find: `(?ms)\A(.*?)^(## .*^- \[[xX]\] T\d.*^- \[[xX]\] T\d.*^- \[ \] T\d)`, replace: "${1}**Status**: Complete\n\n${2}", rules: []string{"complete-with-open-tasks"}, lie: true, kept: true},
	{workflow: "spec-kit", name: "a phase with open tasks is complete", files: `specs/[^/]+/tasks\.md$`, find: `(?s)(\n- \[[xX]\] T\d.*\n## Phase \d[^\n]*)(\n[^#]*\n- \[ \] T\d+ )`, replace: "${1} ✅${2}", rules: []string{"section-complete-with-open-tasks"}, lie: true, kept: true},
	{workflow: "spec-kit", name: "a dependency on nothing", files: `specs/[^/]+/tasks\.md$`, find: `(?m)^(- \[.\] T\d+ .*depends on )T\d+`, replace: "${1}T9999", rules: []string{"dependency-missing"}},
	{workflow: "spec-kit", name: "a story that is not there", beside: "spec.md", where: `(?s)\n#+ User Story 1.*\n#+ User Story 2`, files: `specs/[^/]+/tasks\.md$`, find: `(?m)^(- \[.\] T\d+ .*)\[US\d+\]`, replace: "${1}[US99]", rules: []string{"story-missing"}},
	{workflow: "spec-kit", name: "tick a task whose file does not exist", files: `^specs/[^/]+/tasks\.md$`, find: `(?m)^- \[ \] (T\d+) [^\n]*(?:\n[ \t]+[^\n]+)*$`, replace: "- [x] ${1} Create specs/made-7f3.ts", rules: []string{"done-without-evidence"}, lie: true, base: true},
	{workflow: "kiro", name: "a number twice", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^- \[.\] \d+\.? [^\n]*$`, replace: "${0}\n${0}", rules: []string{"task-number-repeated"}},
	{workflow: "kiro", name: "a conflict", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^\s*- \[.\] [^\n]*$`, replace: conflict, lie: true},
	{workflow: "kiro", name: "the requirements are gone", beside: "tasks.md", where: `Requirements: \d`, files: `\.kiro/specs/[^/]+/requirements\.md$`, rules: []string{"requirements-missing", "claimed-document-missing"}, lie: true},
	{workflow: "kiro", name: "the requirements were deleted", beside: "tasks.md", where: `- \[x\]`, files: `\.kiro/specs/[^/]+/requirements\.md$`, rules: []string{"document-lost"}, lie: true, base: true},
	{workflow: "kiro", name: "untick a task in a ticked one", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^(- \[x\] \d+\.? [^\n]*\n\s+- )\[x\]( \d+\.\d)`, replace: "${1}[ ]${2}", rules: []string{"task-ticked-early"}, lie: true},
	{workflow: "kiro", name: "tick the task around an open one", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^(\s+- \[x\] [^\n]*\n(?:[^\n]*\n)*?- )\[ \]( \d+\.? [^\n]*\n\s+- \[ \] \d)`, replace: "${1}[x]${2}", rules: []string{"task-ticked-early"}, lie: true},
	{workflow: "kiro", name: "untick a task", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^(\s*)- \[x\]`, replace: "${1}- [ ]", rules: []string{"task-unticked", "task-ticked-early", "phase-ahead"}, base: true},
	{workflow: "kiro", name: "delete a ticked task", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^\s*- \[x\] \d+\.\d[^\n]*\n`, rules: []string{"done-task-lost"}, base: true},
	{workflow: "kiro", name: "cut the tasks off", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?s)^(.{300,}?\n)\n.*- \[x\] \d.*\z`, replace: "${1}", rules: []string{"done-task-lost", "task-dropped"}, base: true},
	{workflow: "kiro", name: "delete a requirement", beside: "tasks.md", where: `(?s)- \[x\].*Requirements: [^\n]*\b2\.\d`, files: `\.kiro/specs/[^/]+/requirements\.md$`, find: `(?ms)^### Requirement 2\b.*?^(### Requirement 3\b)`, replace: "${1}", rules: []string{"requirement-lost"}, lie: true, base: true},
	{workflow: "kiro", name: "name a requirement that does not exist", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)(_Requirements: \d+\.\d+), \d+\.\d+`, replace: "${1}, 97.1", rules: []string{"requirement-unknown"}},
	{workflow: "kiro", name: "depend on a task that does not exist", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^(\s+- )_Requirements: [^\n]*$`, replace: "${0}\n${1}_Depends: 97.1_", rules: []string{"dependency-missing"}},
	{workflow: "kiro", name: "tick a task whose file does not exist", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^(\s*- )\[ \]( \d+\.\d[^\n]*)$`, replace: "${1}[x]${2}: create `.kiro/made7f3.ts`", rules: []string{"done-without-evidence"}, lie: true, base: true},
	{workflow: "kiro", name: "call an open section complete", files: `\.kiro/specs/[^/]+/tasks\.md$`, find: `(?m)^(## [^\n]*[^\s\n])\n((?:[^#\n][^\n]*\n|\n)*?- \[ \] \d)`, replace: "${1} ✅\n${2}", rules: []string{"section-complete-with-open-tasks"}, lie: true},
	{workflow: "kiro", name: "call open work implemented", beside: "tasks.md", where: `(?m)^\s*- \[ \] \d`, files: `\.kiro/specs/[^/]+/spec\.json$`, find: `"phase": "tasks-generated"`, replace: "\"phase\": \"implemented\"", rules: []string{"phase-ahead"}, lie: true},
	{workflow: "kiro", name: "an approval that is no value", files: `\.kiro/specs/[^/]+/spec\.json$`, find: `"approved": true`, replace: "\"approved\": \"???\"", rules: []string{"value-unreadable"}, lie: true},
}

// perMutation is in how many files of a tree a mutation is tried.
const perMutation = 3

// recall changes clean trees and says how many of the changes are found: 95 of 100 must be, and as many of the lies must close the gate.
func recall(w io.Writer, o options, looks []look) (ok bool) {
	type outcome struct{ tried, found, lies, closed int }
	sums := map[string]*outcome{}
	type tried struct {
		m             *mutation
		file          string
		l             *look
		found, closed bool
		lie           bool
		err           error
	}
	for _, list := range each(looks, func(l look) (list []tried) {
		if l.runs == 0 {
			return nil
		}
		for i := range mutations {
			m := &mutations[i]
			if o.plugin != "" && o.plugin != m.workflow {
				continue
			}
			for _, f := range targets(&l, m) {
				t := tried{m: m, file: f, l: &l, lie: m.lies(filepath.Join(l.dir, f))}
				if t.found, t.closed, t.err = try(o, &l, m, f); !errors.Is(t.err, errSame) {
					list = append(list, t)
				}
			}
		}
		return list
	}) {
		for _, t := range list {
			s := sums[t.m.workflow]
			if s == nil {
				s = &outcome{}
				sums[t.m.workflow] = s
			}
			s.tried++
			if t.found {
				s.found++
			}
			if t.lie {
				s.lies++
				if t.closed {
					s.closed++
				}
			}
			if !t.found || t.lie && !t.closed || t.err != nil {
				fmt.Fprintf(w, "MISSED %s %s: %s in %s (found %t, closed %t) %v\n", t.m.workflow, t.l.name, t.m.name, t.file, t.found, t.closed, t.err)
			}
		}
	}
	ok = true
	for _, workflow := range slices.Sorted(maps.Keys(sums)) {
		s := sums[workflow]
		fmt.Fprintf(w, "%s: %d of %d mutations found, %d of %d lies close the gate\n", workflow, s.found, s.tried, s.closed, s.lies)
		ok = ok && s.found*100 >= s.tried*95 && s.closed*100 >= s.lies*95
	}
	return ok
}

// targets lists files of state directories without an error and a warning that a mutation can change.
func targets(l *look, m *mutation) (list []string) {
	if l.bare {
		return nil
	}
	expression := regexp.MustCompile(m.files)
	_ = filepath.WalkDir(l.dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(l.dir, name)
		rel = filepath.ToSlash(rel)
		if err == nil && d.Type().IsRegular() && expression.MatchString(rel) && len(list) < perMutation && !dirty(l, rel) {
			if data, err := os.ReadFile(name); err == nil && (m.find == "" || regexp.MustCompile(m.find).Match(data)) && m.fits(filepath.Dir(name)) {
				list = append(list, rel)
			}
		}
		return nil
	})
	return list
}

// fits reports whether what a mutation needs stands beside the file.
func (m *mutation) fits(dir string) bool {
	if m.beside == "" {
		return true
	}
	data, err := os.ReadFile(filepath.Join(dir, m.beside))
	return err == nil && regexp.MustCompile(m.where).Match(data)
}

// lies reports whether the change of a file is a lie.
func (m *mutation) lies(name string) bool {
	if !m.lie || !m.kept {
		return m.lie
	}
	data, err := os.ReadFile(name)
	done, open := bytes.Count(bytes.ToLower(data), []byte("- [x] ")), bytes.Count(data, []byte("- [ ] "))
	return err == nil && done*4 >= done+open
}

// dirty reports whether there is an error or a warning about a file already.
func dirty(l *look, file string) bool {
	return slices.ContainsFunc(l.findings, func(f finding) bool { return f.Path == file && f.Severity != "info" })
}

var errSame = fmt.Errorf("nothing is changed")

// try makes a change in a copy and checks that.
func try(o options, l *look, m *mutation, file string) (found, closed bool, err error) {
	dir, _, err := copyOf(l)
	defer os.RemoveAll(dir)
	if err != nil {
		return false, false, err
	}
	name := filepath.Join(dir, filepath.FromSlash(file))
	data, err := os.ReadFile(name)
	if err != nil {
		return false, false, err
	}
	if m.find == "" {
		err = os.Remove(name)
	} else {
		changed := once(regexp.MustCompile(m.find), data, m.replace)
		if bytes.Equal(changed, data) {
			return false, false, errSame
		}
		err = os.WriteFile(name, changed, 0o644)
	}
	if err != nil {
		return false, false, err
	}
	after := look{repository: repository{name: l.name, dir: dir}}
	args := []string{"check", "--format", "json"}
	if m.base {
		args = append(args, "--base", "HEAD")
	}
	after.check(o.bin, o.plugin, args...)
	known := keys([]look{*l})
	for _, f := range after.findings {
		if known[f.key(l.name)] || f.Severity == "info" && !m.base {
			continue
		}
		if len(m.rules) == 0 || slices.ContainsFunc(m.rules, func(r string) bool { return strings.HasSuffix(f.Rule, "/"+r) }) {
			found = true
			closed = closed || f.Severity == "error"
		}
	}
	return found, closed || len(after.problems) > 0, nil
}

// once replaces the first match.
func once(expression *regexp.Regexp, data []byte, replace string) []byte {
	at := expression.FindSubmatchIndex(data)
	if at == nil {
		return data
	}
	return append(append(append([]byte{}, data[:at[0]]...), expression.Expand(nil, []byte(replace), data, at)...), data[at[1]:]...)
}
