package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/result"
)

// A finding is one that may be accepted.
type finding struct {
	result.Diagnostic
	known string // why it is accepted already, "" if it is not
}

// acceptable are the findings of a look.
type acceptable struct {
	app    *app
	files  *check.Files
	result *result.Result
	rule   string // of --rule, "" for any
}

// named is the one finding that a text names.
func (x *acceptable) named(text string) (finding, error) {
	list := x.distinct(func(d *result.Diagnostic) bool { return hasID(d, text) })
	if len(list) == 0 {
		place := x.place(text)
		list = x.distinct(func(d *result.Diagnostic) bool { return place.holds(d.Place) })
	}
	switch {
	case len(list) == 1:
		return list[0], refuseUnread(list[0])
	case len(list) > 1:
		return finding{}, several(text, list)
	case len(x.result.Failures) > 0:
		return finding{}, brokenf("no finding matches %q, and some state could not be checked: `stategate check` lists it", text)
	}
	return finding{}, usagef("no finding matches %q; name one as check prints it, PATH:LINE or an id, or by its fingerprint (stategate check --format json)", text)
}

// distinct lists the findings that are wanted, each fingerprint once.
func (x *acceptable) distinct(wanted func(*result.Diagnostic) bool) (list []finding) {
	add := func(d *result.Diagnostic, known string) {
		same := func(y finding) bool { return y.Fingerprint == d.Fingerprint }
		if x.ofRule(d.Rule) && wanted(d) && !slices.ContainsFunc(list, same) {
			list = append(list, finding{*d, known})
		}
	}
	for n := range x.result.Instances {
		i := &x.result.Instances[n]
		for at := range i.Diagnostics {
			add(&i.Diagnostics[at], "")
		}
		for at := range i.Suppressed {
			s := &i.Suppressed[at]
			known := "by the baseline"
			if s.Why == result.Ignored {
				known = "by an ignore (" + s.Reason + ")"
			}
			add(&s.Diagnostic, known)
		}
	}
	return list
}

func (x *acceptable) ofRule(rule string) bool {
	_, short, _ := strings.Cut(rule, "/")
	return x.rule == "" || x.rule == rule || x.rule == short
}

var isID = regexp.MustCompile(`^[0-9a-f]{4,16}(-[0-9]+)?$`)

// hasID reports whether a text begins the fingerprint of a finding, or the id of one of its remedies.
func hasID(d *result.Diagnostic, text string) bool {
	if !isID.MatchString(text) {
		return false
	}
	return strings.HasPrefix(d.Fingerprint, text) ||
		slices.ContainsFunc(d.Remedies, func(r result.Remedy) bool { return strings.HasPrefix(r.ID, text) })
}

// A spot is a place as somebody types it; 0 stands for any line and column.
type spot struct {
	paths        []string // from the top: as it is meant from here, and as it is written
	line, column int
}

var placed = regexp.MustCompile(`^(.+?)(?::([0-9]+))?(?::([0-9]+))?:?$`)

func (x *acceptable) place(text string) spot {
	m := placed.FindStringSubmatch(text)
	if m == nil {
		return spot{}
	}
	p := spot{paths: []string{strings.TrimSuffix(m[1], "/")}}
	p.line, _ = strconv.Atoi(m[2])
	p.column, _ = strconv.Atoi(m[3])
	if below, inside := x.files.Below(x.app.absolute(m[1])); inside {
		p.paths = append(p.paths, below)
	}
	return p
}

func (s *spot) holds(at result.Place) bool {
	return slices.Contains(s.paths, strings.TrimSuffix(at.Path, "/")) &&
		(s.line == 0 || s.line == at.Line) && (s.column == 0 || s.column == max(at.Column, 1))
}

// several says which findings a text may mean.
func several(text string, list []finding) error {
	const most = 20
	var lines []string
	for _, x := range list[:min(len(list), most)] {
		lines = append(lines, x.Fingerprint+"  "+x.Place.String()+": "+x.Severity.String()+": "+x.Message+" ["+x.Rule+"]")
	}
	if len(list) > most {
		lines = append(lines, "…")
	}
	return usagef("%q names %d findings; name one of them by its fingerprint, or with --rule:\n%s", text, len(list), strings.Join(lines, "\n"))
}
