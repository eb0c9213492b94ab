package print

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/wire"
)

// A Resumption is what resume has to say: the brief of one run, or why there is
// none.
type Resumption struct {
	Run       *RunOption          // the run to continue; nil if there is none, or several
	Choices   []RunOption         // the runs in progress where Run is nil
	Over      []RunOption         // finished and abandoned runs where Run is nil
	Hidden    []result.Diagnostic // errors of instances in which no run can be seen
	Failures  []result.Failure    // what could not be checked
	Workspace string              // where paths begin, "" if that is where the caller is
}

// A RunOption is a run with the commands that name it alone.
type RunOption struct {
	result.Run
	Resume  string // the command that prints its brief
	Recover string // the command that shows what mends its instance
	Check   string // the command that shows all its findings
}

// A section is one part of a brief: texts that a plugin made from files.
type section struct {
	title string
	items []string
}

// The most that a brief quotes: more is not read, and an agent's context is dear.
const (
	mostItems  = 50   // of one list
	mostErrors = 10   // of one instance
	mostText   = 2000 // characters of one text
)

// sections are the brief of one detection, in the order of work. Empty ones are
// left out.
func sections(root string, d *wire.Detection) []section {
	r := &d.Resume
	all := []section{
		{"Settle first", one(r.First)},
		{"Check first", r.Checks},
		{"Read first", below(root, r.ReadFirst)},
		{"Context", r.Context},
		{"Do not repeat", r.Skip},
		{"Remaining", r.Remaining},
		{"Next action", one(r.Next)},
		{"At the end", one(r.Closing)},
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.items) == 0 })
}

func one(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// below makes paths of the root's documents paths from the workspace.
func below(root string, names []string) []string {
	var list []string
	for _, n := range names {
		list = append(list, slashpath.Join(root, n))
	}
	return list
}

// blockers are the sections of a run without a detection of its own: what its
// parts say must be settled first.
func blockers(parts []*wire.Detection) []section {
	s := section{title: "Settle first"}
	for _, d := range parts {
		if goesOn(d) && d.Resume.First != "" {
			s.items = append(s.items, who(d)+": "+d.Resume.First)
		}
	}
	if len(s.items) == 0 {
		return nil
	}
	return []section{s}
}

func goesOn(d *wire.Detection) bool { return d.State == wire.Active || d.State == wire.Blocked }

// partition parts those that go on from those that are over. Where none goes on,
// abandoned ones could.
func partition(parts []*wire.Detection) (on, over []*wire.Detection) {
	could := goesOn
	if !slices.ContainsFunc(parts, goesOn) {
		could = func(d *wire.Detection) bool { return d.State == wire.Abandoned }
	}
	for _, d := range parts {
		if could(d) {
			on = append(on, d)
		} else {
			over = append(over, d)
		}
	}
	return on, over
}

// capped cuts a list after mostItems and says how much it cut.
func capped(items []string) []string {
	if len(items) <= mostItems {
		return items
	}
	rest := "… and " + strconv.Itoa(len(items)-mostItems) + " more; --format json has all"
	return append(slices.Clone(items[:mostItems]), rest)
}

// cut shortens a text that is too long to be quoted.
func cut(s string) string {
	n := 0
	for i := range s {
		if n == mostText {
			return s[:i] + "… (cut; --format json has all)"
		}
		n++
	}
	return s
}

// quotedLines are a text's lines, sanitised and cut.
func quotedLines(text string) []string {
	var lines []string
	for line := range strings.Lines(strings.TrimRight(cut(text), "\r\n")) {
		lines = append(lines, Safe(strings.TrimRight(line, "\r\n")))
	}
	return lines
}

// faultWord names a finding that closes the gate.
func faultWord(failOn wire.Severity) string {
	if failOn == wire.Error {
		return "error"
	}
	return "finding"
}

// errorLines are the findings that close the gate, one text each.
func errorLines(list []result.Diagnostic) []string {
	return each(list, func(d *result.Diagnostic) string { return d.Place.String() + ": " + d.Message + " [" + d.Rule + "]" })
}

// partCount says how many parts of a run go on.
func partCount(run *result.Run) string {
	n := 0
	for _, d := range run.Parts {
		if goesOn(d) {
			n++
		}
	}
	return strconv.Itoa(n) + " of " + count(len(run.Parts), "part") + " in progress"
}

// Choices writes runs to choose from, numbered from 1.
func Choices(w io.Writer, list []RunOption, now time.Time, o Options) error {
	p := newPrinter(w, o)
	width := len(strconv.Itoa(len(list)))
	rows := []row{heads}
	for i := range list {
		x := p.row(&list[i].Run, &View{Now: now})
		x.mark = fmt.Sprintf("%*d", width, i+1)
		rows = append(rows, x)
	}
	p.tableRows(rows)
	return p.w.Flush()
}
