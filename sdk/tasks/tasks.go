// Package tasks reads task lists from Markdown: what each box says and means, how tasks nest, which are cancelled, and
// what they depend on. It pairs a document's tasks with those of an earlier revision, even if their ids and words
// changed in between.
//
//	var form = tasks.Form{ID: number, Star: true, Dotted: true}
//
//	now := tasks.Read(doc.Outline(), &form)
//	for _, t := range now {
//		if t.Ticked && len(t.OpenParts()) > 0 { … }
//	}
//	pairs := tasks.Pair(tasks.Read(was.Outline(), &form), now)
//
// A box is a list item that begins with brackets around nothing, x or one sign, outside of code, comments and quotes.
// A [Form] says what else a workflow means by it. The result depends on what a document says and not on how it is
// written: the bullet, the indentation, the width of a tab, the form of an accent.
//
// Which words give a task up is the same in all workflows: see package status. A task that is ticked stays ticked
// whatever its title says: each workflow decides what a ticked task that was struck out counts as.
package tasks

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A Form says how a workflow writes tasks. The zero Form takes each box of a list for a task without an id.
type Form struct {
	// ID cuts the id off the text of a task; last is the end of a range such as T001-T005. For a text without an id it
	// returns "" and the text. It is called with the text as a reader sees it and as it is written, and must depend on
	// the text alone. If it finds none, it is asked again without the labels in front: "(P)", "[US1]", "⚡". nil: tasks
	// have no ids.
	ID func(text string) (id, last, title string)

	// Star says that a task may be optional: by a star after the box, as in "- [ ]* 2.1 Write tests", or by the heading
	// above it, as in "Tracing (optional)".
	Star bool

	Dotted bool // task 2 holds task 2.1, whether that is indented or not
	Mixed  bool // boxes without an id are tasks even beside boxes that have one; else they are criteria of a task

	// Counts is for a workflow whose tool counts boxes: a box holds one ASCII character, and no task is cancelled,
	// whatever its title says.
	Counts bool

	// Waives reports whether a title gives its task up in words of the workflow's own, beside those of
	// [status.GivenUp]. It may be nil.
	Waives func(title string) bool

	// Ref returns the id that a text begins with where dependencies are listed, and its length; 0 without one. nil:
	// tasks do not name what they need.
	Ref func(text string) (id string, length int)

	// NeedWords are the words that name what a task depends on, in lower case; nil means those that all workflows
	// share: see [Form.Needs].
	NeedWords *words.List

	// Prose says that "depends on" counts within a sentence, too: Ref cannot take a common number for an id.
	Prose bool
}

// A Task is one box of a document. A workflow that has tasks in another form, such as records or headings, may make
// Tasks of them to pair them.
type Task struct {
	ID    string // "T012", "2.1"; "" without one
	Last  string // of a range such as T001-T005; "" for a single task
	Text  string // as a reader sees it, with the id
	Title string // without the id
	Raw   string // as written, from the box on
	Mark  string // between the brackets, without blanks

	Ticked   bool // the mark says that it is done: x, X, ✓, ✔, ✅, ☑
	Optional bool // it need not be done, and may be: a star, "(optional)"
	// The task is struck out, or its text or a note under it says that it was deferred or given up. For an open task,
	// the section's heading may say so.
	Dropped   bool
	Cancelled bool // it need not be done: it is Optional or Dropped, or an unticked part of such a task

	Parent   *Task   // the task that contains it, nil for none
	Parts    []*Task // its direct parts
	Depth    int     // 1 in an outer list
	Section  int     // how many headings come before it
	Repeated bool    // an earlier task of the section has its id

	Line       int
	Start, End int // what belongs to this task alone: from its item to the next box
	ItemEnd    int // the end of everything indented under it

	item            int // its node
	place           int // in the list that was paired last
	markAt, markEnd int // between the brackets; 0 for a task without a box
	hasParts        bool
	text, title     string // folded; "" until they are asked for
}

// Open reports whether the mark says, in the ways that all workflows share, that the task is not done: no mark, or [-],
// [/] or [~] for begun or queued. Other marks are a project's own.
func (t *Task) Open() bool { return t.Mark == "" || t.Begun() || t.Mark == "~" }

// Begun reports whether the mark says that the task is in progress.
func (t *Task) Begun() bool { return t.Mark == "-" || t.Mark == "/" }

// HasParts reports whether the task has a direct part that is not cancelled, so that its own box is only a sum.
func (t *Task) HasParts() bool { return t.hasParts }

// Remains reports whether the task is still to be done, and is not a sum of others.
func (t *Task) Remains() bool { return !t.Ticked && !t.Cancelled && !t.HasParts() }

// OpenParts lists the parts of the task, at any depth, that are to be done and open. A part that has parts is as far as
// they are.
func (t *Task) OpenParts() (list []*Task) {
	for _, part := range t.Parts {
		switch below := part.OpenParts(); {
		case part.Cancelled:
		case len(below) > 0:
			list = append(list, below...)
		case part.Open() && !part.HasParts():
			list = append(list, part)
		}
	}
	return list
}

// Folded returns the text as it is compared.
func (t *Task) Folded() string {
	if t.text == "" {
		t.text = fold(t.Text)
	}
	return t.text
}

// FoldedTitle returns the title as it is compared; see [FoldTitle]. Inlined where titles are compared it would make a
// guest 3 kB larger.
//
//go:noinline
func (t *Task) FoldedTitle() string {
	if t.title == "" {
		t.title = FoldTitle(t.Title)
	}
	return t.title
}

// FoldTitle returns a title as it is compared: folded, without labels such as [P] in front, and without marks around.
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

// Name returns the id, or the text of a task without one.
func (t *Task) Name() string {
	if t.ID != "" {
		return t.ID
	}
	return t.Text
}

// Body returns the task's text and details, without the tasks in it.
func (t *Task) Body(d *sdk.Document) string { return d.Text[t.Start:t.End] }

// Boxed reports whether the task has a box that can be set.
func (t *Task) Boxed() bool { return t.markEnd > 0 }

// Set returns the edit that gives the task of a document another mark; none for a task without a box.
func (t *Task) Set(path, mark string) []sdk.Edit {
	if !t.Boxed() {
		return nil
	}
	return []sdk.Edit{sdk.Replace(sdk.AtBytes(path, t.markAt, t.markEnd), mark)}
}

// At returns the place of the box, or the line of a task without one.
func (t *Task) At(path string) sdk.Range {
	if !t.Boxed() {
		return sdk.AtLine(path, t.Line)
	}
	return sdk.AtBytes(path, t.markAt-1, t.markEnd+1)
}

// TextStart returns the offset of the text after the box.
func (t *Task) TextStart() int { return t.markEnd + 1 }

// Item returns the list item of the task.
func (t *Task) Item(o *markdown.Outline) markdown.Item { return markdown.Item{Part: o.At(t.item)} }
