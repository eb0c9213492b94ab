package print

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/wire"
)

// A Resumption is what resume reports: the brief of one run, or why there is none.
type Resumption struct {
	result.Choice
	Branch string // the checked-out branch; "" if there is none
	Asks   bool   // the user chooses by number
	Now    time.Time
}

// doubtful precedes a brief if something could not be checked.
const doubtful = "Some state could not be checked: this brief may be incomplete or wrong. What failed is listed at " +
	"the end."

// heading states what is in progress if no run was chosen. An error in a finished run may mean that work is open.
func (x *Resumption) heading(failOn wire.Severity) string {
	text := Count(len(x.Choices), "run") + " are in progress"
	wrong := 0
	for i := range x.Finished {
		if fixFirst(&x.Finished[i], failOn) != "" {
			wrong++
		}
	}
	switch {
	case len(x.Choices) == 0 && len(x.Failures)+len(x.ErrorsWithoutRun) == 0 && wrong > 0:
		has := " has "
		if wrong > 1 {
			has = " have "
		}
		return "Nothing is recorded as in progress, but " + Count(wrong, "run") + has + faultWord(failOn) + "s"
	case len(x.Choices) == 0 && len(x.Failures)+len(x.ErrorsWithoutRun) == 0:
		return "Nothing is in progress"
	case len(x.Choices) == 0 && len(x.Failures) == 0:
		return "No run was found, but errors were"
	case len(x.Choices) == 0:
		return "The runs in progress could not be determined"
	case len(x.Choices) == 1:
		text = "1 run is in progress"
	}
	switch {
	case len(x.Failures) > 0:
		text += ", and some state could not be checked"
	case len(x.ErrorsWithoutRun) > 0:
		text += ", and there are errors outside of runs"
	}
	return text
}

// A section is one part of a brief. A plugin composed its lines from files.
type section struct {
	title string
	part  bool // shown for every open part
	items []string
}

// A fit limits how much a brief quotes.
type fit struct {
	items   int      // per list
	errors  int      // per instance
	text    int      // characters per text
	without []string // sections that are left out
}

// These limits apply to every brief, because people read no further and an agent's context is expensive.
const mostItems, mostErrors, mostText = 50, 10, 2000

// These fits are tried in order until a brief is within its token budget. The least important sections are dropped
// first. Open decisions, findings, the next action and the final check always stay.
var fits = []fit{
	{mostItems, mostErrors, mostText, nil},
	{20, mostErrors, 500, []string{partsOver}},
	{10, mostErrors, 300, []string{partsOver, "Context"}},
	{10, 5, 300, []string{partsOver, "Context", "Remaining"}},
	{5, 5, 200, []string{partsOver, "Context", "Remaining"}},
	{5, 3, 200, []string{partsOver, "Context", "Remaining", "Do not repeat"}},
	{3, 2, 200, []string{partsOver, "Context", "Remaining", "Do not repeat", "Check first", "At the end"}},
	{1, 1, 160, []string{partsOver, "Context", "Remaining", "Do not repeat", "Check first", "At the end",
		"Read first"}},
}

// ResumeMarkdown writes a brief that can be used as an agent's context. Text from a file or a plugin is always in a
// code span or a fence that it cannot end.
func ResumeMarkdown(w io.Writer, x *Resumption, o Options) error {
	const choose = "If your task is to continue one, ask the user which one, then run its command."
	how := Options{FailOn: o.FailOn, Budget: o.Budget, Workspace: o.Workspace}
	for n, said := 0, 0; ; n++ {
		var text strings.Builder
		b := &briefing{printer: newPrinter(&text, how), markdown: true, fit: fits[min(n, len(fits)-1)], tokens: said}
		if err := b.write(x, choose); err != nil {
			return err
		}
		size := Tokens(text.String())
		if o.Budget == 0 || size <= o.Budget || size == said {
			_, err := io.WriteString(w, text.String())
			return err
		}
		if n >= len(fits)-1 {
			said = size // the printed number counts as well
		}
	}
}

const resolveFirst = "Resolve first"

const partsOver = "Closed parts"

// Tokens estimates how many tokens a text takes in an agent's context: one for every four ASCII characters, and one
// for every other character.
func Tokens(text string) int {
	ascii, others := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			others++
		}
	}
	return (ascii+3)/4 + others
}

// parts divides a run's parts into open ones (on) and closed ones (over). If none is open, abandoned parts count as
// open.
func parts(c *result.Run) (on, over []*wire.Detection) {
	someGoOn := slices.ContainsFunc(c.Parts, func(d *wire.Detection) bool { return result.GoesOn(d.State) })
	for _, d := range c.Parts {
		if result.GoesOn(d.State) || !someGoOn && d.State == wire.Abandoned {
			on = append(on, d)
		} else {
			over = append(over, d)
		}
	}
	return on, over
}

func repeats(text string, findings []result.Diagnostic) bool {
	return slices.ContainsFunc(findings, func(d result.Diagnostic) bool {
		return d.Message != "" && strings.Contains(text, d.Message)
	})
}

// sections returns a detection's brief in working order. It omits empty sections, and lines that repeat a
// quoted finding.
func sections(root string, d *wire.Detection, quoted []result.Diagnostic) []section {
	r := &d.Resume
	all := []section{
		{resolveFirst, true, []string{r.First}},
		{"Check first", true, r.Checks},
		{"Read first", false, each(r.ReadFirst, func(name *string) string { return slashpath.Join(root, *name) })},
		{"Context", false, r.Context},
		{"Do not repeat", false, r.Skip},
		{"Remaining", false, r.Remaining},
		{"Next action", true, []string{r.Next}},
		{"At the end", false, []string{r.Closing}},
	}
	return slices.DeleteFunc(all, func(s section) bool {
		return strings.Join(s.items, "") == "" || s.title == resolveFirst && repeats(r.First, quoted)
	})
}

// capped truncates a list and adds a line with the number of omitted items.
func (f *fit) capped(items []string) []string {
	if len(items) <= f.items {
		return items
	}
	rest := "… and " + strconv.Itoa(len(items)-f.items) + " more; --format json lists all"
	return append(slices.Clone(items[:f.items]), rest)
}

func (f *fit) cut(s string) string {
	if runes := []rune(s); len(runes) > f.text {
		return string(runes[:f.text]) + "… (cut; --format json has all)"
	}
	return s
}

// fixFirst names the first rule that closes the gate for a run, with the number of its findings, and of all findings
// that close the gate. It returns "" if there are none.
func fixFirst(run *result.Run, failOn wire.Severity) string {
	list := run.Closing(failOn)
	if len(list) == 0 {
		return ""
	}
	of, rule, same := "", list[0].Rule, 0
	for i := range list {
		if list[i].Rule == rule {
			same++
		}
	}
	if same < len(list) {
		of = strconv.Itoa(same) + " of "
	}
	return "fix first: " + cmp.Or(result.RuleName(rule), rule) + " (" + of + Count(len(list), faultWord(failOn)) + ")"
}

// faultWord returns the noun for a finding that closes the gate.
func faultWord(failOn wire.Severity) string {
	if failOn == wire.Error {
		return "error"
	}
	return "finding"
}

func errorLines(list []result.Diagnostic) []string {
	return each(list, func(d *result.Diagnostic) string {
		return d.Place.String() + ": " + d.Message + " [" + d.Rule + "]"
	})
}

// closing returns a text with the number of findings that close the gate for a run, or "" if there are none. lines
// are the first of these findings, at most as many as most. If root is "", their paths are relative to the instance's
// root.
func closing(c *result.Run, failOn wire.Severity, root string, most int) (text string, lines []string) {
	list := c.Closing(failOn)
	for i := range list {
		if rel, ok := strings.CutPrefix(list[i].Place.Path, c.Instance.Root+"/"); ok && root == "" {
			list[i].Place.Path = rel
		}
	}
	lines = errorLines(list)
	n := len(lines)
	if n == 0 {
		return "", nil
	}
	if n > most {
		lines = append(lines[:most], "… and "+Count(n-most, "more "+faultWord(failOn))+": "+c.Check)
	}
	return Count(n, faultWord(failOn)), lines
}

func partCount(run *result.Run) string {
	n := 0
	for _, d := range run.Parts {
		if result.GoesOn(d.State) {
			n++
		}
	}
	return strconv.Itoa(n) + " of " + Count(len(run.Parts), "part") + " in progress"
}
