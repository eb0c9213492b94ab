// Package tasks reads task lists from Markdown: the text and state of each box, how tasks nest, which tasks are
// cancelled, and what they depend on. It matches a document's tasks with those of an earlier revision, even if ids
// or texts have changed.
//
//	var form = tasks.Form{ID: number, Star: true, Dotted: true}
//
//	now := tasks.Read(doc.Outline(), &form)
//	for _, t := range now {
//		if t.Ticked && len(t.OpenParts()) > 0 { … }
//	}
//	pairs := tasks.Pair(tasks.Read(was.Outline(), &form), now)
//
// A box is a list item that begins with brackets around nothing, x or one sign, outside code, comments and quotes.
// A [Form] adds a workflow's own conventions. The result does not depend on formatting such as the bullet, the
// indentation, the tab width, or how an accent is encoded.
//
// The words that drop a task are the same in all workflows; see package status. A ticked task stays ticked
// regardless of its title. Each workflow decides how to count a task that is both ticked and struck through.
package tasks

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words"
)

// A Form describes how a workflow writes tasks. With the zero Form, every box in a list is a task without an id.
type Form struct {
	// ID splits the id off a task's text; last is the end of a range such as T001-T005. If there is no id, it
	// returns "" and the text. ID is called with both the rendered and the raw text, and its result must depend
	// only on the text. If ID is nil, tasks have no ids.
	ID func(text string) (id, last, title string)

	Star   bool // a star after the box makes a task optional, as in "- [ ]* 2.1 Write tests"
	Dotted bool // task 2 contains task 2.1, regardless of indentation
	Mixed  bool // boxes without an id are tasks even next to boxes with ids; otherwise they are criteria of a task

	// Alone reports whether a task contains only the tasks that are indented under it, despite Dotted. It may be nil.
	Alone func(t *Task) bool

	// Counts is for a workflow whose tool counts boxes. With it, a mark is one ASCII character, and no title
	// cancels its task.
	Counts bool

	// Lenient ignores invisible characters in a box, so that a box that looks open is open. A workflow that reports
	// broken boxes does not set it; see [Broken].
	Lenient bool

	// Waives reports whether a title drops its task in the workflow's own words, in addition to those of
	// [status.GivenUp]. It may be nil.
	Waives func(title string) bool

	// Ref returns the id that a text in a dependency list begins with, and its length, or 0 if there is none. If
	// Ref is nil, tasks do not declare dependencies.
	Ref func(text string) (id string, length int)

	// NeedWords are the words that introduce a task's dependencies, in lower case. If it is nil, the words that
	// all workflows share apply; see [Form.Needs].
	NeedWords *words.List

	// Prose makes "depends on" within a sentence count as well. Set it only if Ref cannot mistake a common number
	// for an id.
	Prose bool
}

// A Task is one box in a document. A workflow whose tasks have another form, such as records or headings, can
// create Tasks in order to pair them.
type Task struct {
	ID    string // "T012", "2.1"; may be ""
	Last  string // end of a range such as T001-T005; "" for a single task
	Text  string // as rendered, with the id
	Title string // without the id
	Raw   string // as written, from the box on
	Mark  string // the text between the brackets, without blanks

	Ticked   bool // the mark means done: x, X, ✓, ✔, ✅, ☑
	Optional bool // it may be done but need not be: a star, "(optional)"
	// The task is struck through, or its text or a note under it says that it was deferred or dropped. An open task
	// is also dropped if its section's heading says so.
	Dropped   bool
	Cancelled bool // it need not be done: it is Optional or Dropped, or an unticked part of such a task

	Parent   *Task   // the task that contains it, or nil
	Parts    []*Task // its direct parts
	Depth    int     // 1 in an outermost list
	Section  int     // number of headings before it
	Repeated bool    // an earlier task in the section has the same id

	Line       int
	Start, End int // its own text: from its item to the next box
	ItemEnd    int // the end of everything indented under it

	doc             string // the whole document; "" for a task that a workflow created
	place           int    // its index in the list that was paired last
	markAt, markEnd int    // between the brackets; 0 if the task has no box
	hasParts        bool
	text, title     string // folded; computed on first use
}

// Open reports whether the mark means in all workflows that the task is not done. This is true for no mark, and
// for [-], [/] and [~], which mean started or queued. Other marks are specific to a project.
func (t *Task) Open() bool { return t.Mark == "" || t.InProgress() || t.Mark == "~" }

// InProgress reports whether the mark means that the task is in progress.
func (t *Task) InProgress() bool { return t.Mark == "-" || t.Mark == "/" }

// HasParts reports whether the task has a direct part that is not cancelled. Its own box then only summarizes its
// parts.
func (t *Task) HasParts() bool { return t.hasParts }

// Remains reports whether the task is still to be done and does not just summarize its parts.
func (t *Task) Remains() bool { return !t.Ticked && !t.Cancelled && !t.HasParts() }

// OpenParts lists the task's parts, at any depth, that must be done and are not ticked, regardless of their mark; see
// [Task.Remains]. If a part itself has parts, only those parts count.
func (t *Task) OpenParts() (list []*Task) {
	for _, part := range t.Parts {
		switch below := part.OpenParts(); {
		case part.Cancelled:
		case len(below) > 0:
			list = append(list, below...)
		case !part.Ticked && !part.HasParts():
			list = append(list, part)
		}
	}
	return list
}

// Folded returns the text in the form used for comparison.
func (t *Task) Folded() string {
	if t.text == "" {
		t.text = fold(t.Text)
	}
	return t.text
}

// FoldedTitle returns the title in the form used for comparison; see [FoldTitle]. Inlining it in comparisons would
// add 3 kB to a guest.
//
//go:noinline
func (t *Task) FoldedTitle() string {
	if t.title == "" {
		t.title = FoldTitle(t.Title)
	}
	return t.title
}

// FoldTitle returns a title in the form used for comparison: folded, without leading labels such as [P] and without
// surrounding marks.
func FoldTitle(title string) string {
	for strings.HasPrefix(title, "[") {
		_, rest, ok := strings.Cut(title, "]")
		if !ok {
			break
		}
		title = strings.TrimSpace(rest)
	}
	return strings.Trim(fold(title), " -–—*.:`")
}

func fold(text string) string { return words.Spaced(words.Lower(text)) }

// Name returns the id, or the text if there is no id.
func (t *Task) Name() string {
	if t.ID != "" {
		return t.ID
	}
	return t.Text
}

// Body returns the task's text and details, without the tasks in it.
func (t *Task) Body(d *sdk.Document) string { return d.Text[t.Start:t.End] }

// Details returns the text under the task's first line, without the tasks in it, in the form used for comparison: in
// lower case, and without bullets.
func (t *Task) Details() string {
	if t.doc == "" {
		return ""
	}
	_, below, _ := strings.Cut(t.doc[t.Start:t.End], "\n")
	lines := strings.Split(below, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, " \t-*+")
	}
	return fold(strings.Join(lines, "\n"))
}

// Boxed reports whether the task has a box that can be set.
func (t *Task) Boxed() bool { return t.markEnd > 0 }

// Set returns the edit that changes the task's mark. There is no edit if the task has no box.
func (t *Task) Set(path, mark string) []sdk.Edit {
	if !t.Boxed() {
		return nil
	}
	return []sdk.Edit{sdk.Replace(sdk.AtBytes(path, t.markAt, t.markEnd), mark)}
}

// TickAgain returns the edit that ticks the task with X if an earlier version of it was ticked with X, or else with x.
// text is the document that contains was.
func (t *Task) TickAgain(path string, was *Task, text string) []sdk.Edit {
	mark := "x"
	if was.Boxed() && text[was.markAt:was.markEnd] == "X" {
		mark = "X"
	}
	return t.Set(path, mark)
}

// At returns the location of the box, or the task's line if it has no box.
func (t *Task) At(path string) sdk.Range {
	if !t.Boxed() {
		return sdk.AtLine(path, t.Line)
	}
	return sdk.AtBytes(path, t.markAt-1, t.markEnd+1)
}

// TextStart returns the offset of the text after the box.
func (t *Task) TextStart() int { return t.markEnd + 1 }
