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

// A Resumption is what resume has to say: the brief of one run, or why there is none.
type Resumption struct {
	result.Choice
	Branch string // that is checked out, "" if none is
	Asks   bool   // the user chooses by number
	Now    time.Time
}

// doubtful precedes a brief if something could not be checked.
const doubtful = "Some state could not be checked: this brief may be incomplete or wrong. What failed is listed at " +
	"the end."

// heading says what is in progress where no run is chosen.
func (x *Resumption) heading() string {
	text := Count(len(x.Choices), "run") + " are in progress"
	switch {
	case len(x.Choices) == 0 && len(x.Failures)+len(x.ErrorsWithoutRun) == 0:
		return "Nothing is in progress"
	case len(x.Choices) == 0:
		return "What is in progress could not be determined"
	case len(x.Choices) == 1:
		text = "1 run is in progress"
	}
	if len(x.Failures)+len(x.ErrorsWithoutRun) > 0 {
		text += ", and some state could not be checked"
	}
	return text
}

// A section is one part of a brief: texts that a plugin made from files.
type section struct {
	title string
	part  bool // it is shown for every open part
	items []string
}

// A fit is how much a brief quotes.
type fit struct {
	items   int      // of one list
	errors  int      // of one instance
	text    int      // characters of one text
	without []string // sections that are left out
}

// The most that a brief quotes: more is not read, and an agent's context is dear.
const mostItems, mostErrors, mostText = 50, 10, 2000

// fits are tried one after the other until a brief has few enough tokens: what matters least goes first. What must be
// resolved, the findings, the next action and the check that must pass stay.
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

// ResumeMarkdown writes a brief that is ready to be an agent's context. Text from a file or a plugin is always in a
// code span or a fence, and cannot end it.
func ResumeMarkdown(w io.Writer, x *Resumption, o Options) error {
	text, size := "", 0
	for _, f := range fits {
		var err error
		if text, err = markdownBrief(x, o, f, 0); err != nil {
			return err
		}
		if size = Tokens(text); o.Budget == 0 || size <= o.Budget {
			break
		}
	}
	for said := 0; o.Budget > 0 && size > o.Budget && said != size; { // the number that it says counts, too
		said = size
		var err error
		if text, err = markdownBrief(x, o, fits[len(fits)-1], size); err != nil {
			return err
		}
		size = Tokens(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

func markdownBrief(x *Resumption, o Options, f fit, tokens int) (string, error) {
	var text strings.Builder
	how := Options{FailOn: o.FailOn, Budget: o.Budget, Workspace: o.Workspace}
	b := &briefing{printer: newPrinter(&text, how), markdown: true, fit: f, tokens: tokens}
	err := b.write(x, "If your task is to continue one, ask the user which, then name it.")
	return text.String(), err
}

const resolveFirst = "Resolve first"

const partsOver = "Parts that are over"

// Tokens estimates what a text takes of an agent's context: a token for four characters of ASCII, and one for any other
// character.
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

// parts divides the parts of a run into open and closed ones. If none is open, abandoned ones could continue.
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

// repeats reports whether a text says again what one of some findings says.
func repeats(text string, findings []result.Diagnostic) bool {
	return slices.ContainsFunc(findings, func(d result.Diagnostic) bool {
		return d.Message != "" && strings.Contains(text, d.Message)
	})
}

// sections are the brief of one detection, in the order of work, without empty ones and what the findings that the
// brief quotes say already.
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

// capped cuts a list and says how much it cut.
func (f *fit) capped(items []string) []string {
	if len(items) <= f.items {
		return items
	}
	rest := "… and " + strconv.Itoa(len(items)-f.items) + " more; --format json has all"
	return append(slices.Clone(items[:f.items]), rest)
}

// cut shortens a text that is too long to be quoted.
func (f *fit) cut(s string) string {
	if runes := []rune(s); len(runes) > f.text {
		return string(runes[:f.text]) + "… (cut; --format json has all)"
	}
	return s
}

// faultWord names a finding that closes the gate.
// fixFirst names the first rule that closes the gate at a run, and how many findings do; "" if none does.
func fixFirst(run *result.Run, failOn wire.Severity) string {
	list := run.Closing(failOn)
	if len(list) == 0 {
		return ""
	}
	return "fix first: " + cmp.Or(result.RuleName(list[0].Rule), list[0].Rule) + " (" +
		Count(len(list), faultWord(failOn)) + ")"
}

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

// closing says how many findings close the gate at the run's instance, "" for none, and which; their paths are below it
// where root is "".
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
