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

// A mutation changes one state file in a clean tree so that it becomes faulty.
type mutation struct {
	workflow, name string
	files          string // a regular expression for paths
	find           string // the text to replace, once; "" means the whole file
	copy           string // a suffix; if find matches, the file is copied to its name plus this suffix
	remove         bool   // if find matches, the file is removed
	replace        string // "" with an empty find removes the file
	rules          []string
	beside, where  string // a file in the same directory, and a regular expression that it must match
	lie            bool   // the mutation must close the gate
	base           bool   // the mutation shows only with a base
	// a lie only if at least a quarter of the boxes are ticked; otherwise the boxes may be unused, and a claim
	// about them is merely ahead of them
	kept bool
}

const perMutation = 3

// recall changes clean trees and prints how many of the changes are found. At least 95% must be found, and at least 95%
// of the lies must close the gate.
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
			if o.plugin != "" && o.plugin != m.workflow ||
				slices.ContainsFunc(l.findings, func(f finding) bool {
					return f.Rule == m.workflow+
						"/unreadable-document"
				}) {
				continue // the gate is already closed, and what the document would show is unknown
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
				fmt.Fprintf(w, "MISSED %s %s: %s in %s (found %t, closed %t) %v\n", t.m.workflow, t.l.name, t.m.name,
					t.file, t.found, t.closed, t.err)
			}
		}
	}
	ok = true
	for _, workflow := range slices.Sorted(maps.Keys(sums)) {
		s := sums[workflow]
		fmt.Fprintf(w, "%s: %d of %d mutations found, %d of %d lies close the gate\n", workflow, s.found, s.tried,
			s.closed, s.lies)
		ok = ok && s.found*100 >= s.tried*95 && s.closed*100 >= s.lies*95
	}
	return ok
}

// targets lists files that a mutation can change, in state directories without errors or warnings.
func targets(l *look, m *mutation) (list []string) {
	if l.bare {
		return nil
	}
	expression := regexp.MustCompile(m.files)
	_ = filepath.WalkDir(l.dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(l.dir, name)
		rel = filepath.ToSlash(rel)
		if err == nil && d.Type().IsRegular() && expression.MatchString(rel) && len(list) < perMutation &&
			!dirty(l, rel) {
			if data, err := os.ReadFile(name); err == nil && (m.find == "" || regexp.MustCompile(m.find).Match(data)) &&
				m.fits(filepath.Dir(name)) {
				list = append(list, rel)
			}
		}
		return nil
	})
	return list
}

// fits reports whether the file that a mutation needs exists next to this file.
func (m *mutation) fits(dir string) bool {
	if m.beside == "" {
		return true
	}
	data, err := os.ReadFile(filepath.Join(dir, m.beside))
	return err == nil && regexp.MustCompile(m.where).Match(data)
}

// lies reports whether the change makes a false claim.
func (m *mutation) lies(name string) bool {
	if !m.lie || !m.kept {
		return m.lie
	}
	data, err := os.ReadFile(name)
	done, open := bytes.Count(bytes.ToLower(data), []byte("- [x] ")), bytes.Count(data, []byte("- [ ] "))
	return err == nil && done*4 >= done+open
}

func dirty(l *look, file string) bool {
	return slices.ContainsFunc(l.findings, func(f finding) bool { return f.Path == file && f.Severity != "info" })
}

var errSame = fmt.Errorf("nothing is changed")

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
	switch {
	case m.find == "" || m.remove:
		err = os.Remove(name)
	case m.copy != "":
		ext := filepath.Ext(name)
		err = os.WriteFile(strings.TrimSuffix(name, ext)+m.copy+ext, data, 0o644)
	default:
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
		if known.has(&f, l.name) || f.Severity == "info" && !m.base {
			continue
		}
		if len(m.rules) == 0 || slices.ContainsFunc(m.rules,
			func(r string) bool { return strings.HasSuffix(f.Rule, "/"+r) }) {
			found = true
			closed = closed || f.Severity == "error"
		}
	}
	return found, closed || len(after.problems) > 0, nil
}

func once(expression *regexp.Regexp, data []byte, replace string) []byte {
	at := expression.FindSubmatchIndex(data)
	if at == nil {
		return data
	}
	return append(append(append([]byte{}, data[:at[0]]...), expression.Expand(nil, []byte(replace), data, at)...),
		data[at[1]:]...)
}
