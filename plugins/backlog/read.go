package backlog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

// readTask reads the front matter and the boxes of the acceptance criteria.
func readTask(d *sdk.Document, folder, name string) *task {
	t := &task{doc: d, folder: folder, name: name}
	if !d.Readable() {
		return t
	}
	t.front = markdown.FrontOf(d.Text)
	t.id, t.title, t.text, t.goal = t.front.Value("id"), t.front.Value("title"), t.front.Value("status"),
		t.front.Value("milestone")
	t.parent = cmp.Or(t.front.Value("parent_task_id"), t.front.Value("parent"))
	if t.key = keyOf(t.id); t.key == "" {
		t.id = ""
	}
	if e := t.front.Get("dependencies"); e != nil {
		t.needs = e.List
	}
	t.readCriteria()
	return t
}

// form is how Backlog.md writes acceptance criteria: "- [ ] #2 Ask before it is replaced".
var form = tasks.Form{ID: numberOf, Mixed: true, Waives: func(title string) bool {
	return conditional(title) || words.Mentions(title, "only if")
}}

// numberOf is the number of a criterion.
func numberOf(text string) (id, last, title string) {
	number, rest, _ := strings.Cut(text, " ")
	if !strings.HasPrefix(number, "#") {
		return "", "", text
	}
	return number, "", strings.TrimSpace(rest)
}

// readCriteria reads the boxes below the headings of the acceptance criteria and of the definition of done.
func (t *task) readCriteria() {
	o := markdown.Blocks(t.doc.Text)
	heads := o.Headings()
	section, perhaps, before := -1, false, true
	var to *checks
	for _, c := range tasks.Read(o, &form) {
		if c.Section != section {
			section, before = c.Section, true
			to, perhaps = t.under(heads[:section])
		}
		if to == nil || !c.Ticked && (perhaps || c.Cancelled || !c.Open()) {
			continue // it says why it stays open, or asks for something only under a condition
		}
		// this one was chosen
		if n := len(to.unmet); c.Ticked && n > 0 && !before && words.First(c.Title) == "Or" {
			if to.unmet = to.unmet[:n-1]; n == 1 {
				to.open = 0
			}
			to.boxes--
		}
		before = c.Ticked
		to.list = append(to.list, c)
		if to.boxes++; c.Ticked {
			to.ticked++
			continue
		}
		number, _, _ := strings.Cut(c.Text, " ")
		if to.unmet = append(to.unmet, number); to.open == 0 {
			to.open = c.Line
		}
	}
}

// under is the list that the last heading of level 1 or 2 begins, nil if it is another section, and whether the last
// heading of all says that its boxes may never have to be ticked.
func (t *task) under(heads []markdown.Heading) (to *checks, perhaps bool) {
	for i := len(heads) - 1; i >= 0; i-- {
		text := heads[i].Raw()
		if i == len(heads)-1 {
			perhaps = words.Mentions(text, "if needed", "only if", "if required", "optional", "stretch")
		}
		if heads[i].Level() <= 2 {
			switch words.Lower(strings.Trim(text, "#* :")) {
			case "acceptance criteria":
				return &t.checks, perhaps
			case "definition of done":
				return &t.dod, perhaps
			}
			break
		}
	}
	return nil, perhaps
}

// explained reports whether the notes, the summary or the comments of a task say what became of its open boxes: they
// name each by its number, or say that something was moved or given up.
func (t *task) explained(unmet []string) bool {
	var notes strings.Builder
	in := false
	for line := range strings.Lines(t.front.Body) {
		if strings.HasPrefix(line, "## ") {
			in = words.Mentions(line, "notes", "summary", "comments")
		} else if in {
			notes.WriteString(line)
		}
	}
	text := notes.String()
	if words.Mentions(text, "moved to", "merged into", "superseded", "subsumed", "moot", "not applicable", "n/a",
		"no longer", "not needed", "out of scope", "scoped", "deferred", "follow-up", "won't", "closed as", "remain") {
		return true
	}
	return len(unmet) > 0 && !slices.ContainsFunc(unmet,
		func(number string) bool { return !named(text, strings.TrimPrefix(number, "#")) })
}

// named reports whether a text names a criterion by its number: #6, AC6, AC-6, AC 6.
func named(text, number string) bool {
	if number == "" || strings.Trim(number, "0123456789") != "" {
		return false
	}
	for _, prefix := range []string{"#", "AC", "AC-", "AC "} {
		for rest := text; ; {
			i := strings.Index(rest, prefix+number)
			if i < 0 {
				break
			}
			if rest = rest[i+len(prefix)+len(number):]; rest == "" || rest[0] < '0' || rest[0] > '9' {
				return true
			}
		}
	}
	return false
}

// at is the line of a field, or the whole file if it has none.
func (t *task) at(key string) sdk.Range {
	if e := t.front.Get(key); e != nil {
		return sdk.AtLine(t.doc.Path, e.Line)
	}
	return sdk.At(t.doc.Path)
}

// set is the edit that writes another status.
func (t *task) set(to string) []sdk.Edit {
	if t.front.Get("status") == nil {
		return nil
	}
	return []sdk.Edit{sdk.Replace(t.at("status"), "status: "+to)}
}

// conditional reports whether a criterion asks for nothing by itself: it has a condition, is another way of meeting the
// one before it, or is optional.
func conditional(text string) bool {
	switch words.Lower(words.First(text)) {
	case "if", "or", "alternatively", "optional", "optionally":
		return true
	}
	return false
}
