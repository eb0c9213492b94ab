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

// readTask reads a task's front matter.
func readTask(d *sdk.Document, folder, name string, other *model) *task {
	t := &task{doc: d, folder: folder, name: name, active: !strings.HasPrefix(folder, "archive/")}
	if t.front = new(markdown.Front); !d.Readable() {
		return t
	}
	t.front = other.front(d)
	t.id, t.title, t.text, t.goal = t.front.Value("id"), t.front.Value("title"), t.front.Value("status"),
		t.front.Value("milestone")
	t.parent = cmp.Or(t.front.Value("parent_task_id"), t.front.Value("parent"))
	if t.key = keyOf(t.id); t.key == "" {
		t.id = ""
	} else if bare := strings.Trim(t.id, "0123456789") == ""; bare && nameKey(name) == t.key {
		t.id, _, _ = strings.Cut(strings.TrimSuffix(name, ".md"), " ") // its prefix is only in the file name
	}
	if e := t.front.Get("dependencies"); e != nil {
		t.needs = e.List
	}
	return t
}

// form describes how Backlog.md writes acceptance criteria: "- [ ] #2 Ask before it is replaced".
var form = tasks.Form{ID: numberOf, Mixed: true, Lenient: true, Waives: func(title string) bool {
	return conditional(title) || words.Mentions(title, "only if")
}}

// numberOf splits the number from a criterion's text.
func numberOf(text string) (id, last, title string) {
	number, rest, _ := strings.Cut(text, " ")
	if !strings.HasPrefix(number, "#") {
		return "", "", text
	}
	return number, "", strings.TrimSpace(rest)
}

// boxes returns the acceptance criteria.
func (t *task) boxes() *criteria { return &t.lists().criteria }

// lists reads the acceptance criteria and the definition of done on the first call, because no rule needs them for
// most tasks.
func (t *task) lists() *boxes {
	if t.read == nil {
		t.read = &boxes{}
		if t.doc.Readable() {
			t.read.take(t.doc.Text)
		}
	}
	return t.read
}

// partly reports whether some boxes are ticked and some are open.
func (c *criteria) partly() bool { return c.ticked > 0 && c.ticked < c.all }

func (b *boxes) take(text string) {
	o := markdown.Blocks(text)
	heads := o.Headings()
	section, perhaps, before := -1, false, true
	var c *criteria
	for _, t := range tasks.Read(o, &form) {
		if t.Section != section {
			section, before = t.Section, true
			c, perhaps = b.under(heads[:section])
		}
		if c == nil || !t.Ticked && (perhaps || t.Cancelled) {
			if c != nil && !perhaps && t.Cancelled && !form.Waives(t.Title) {
				c.off++
			}
			continue // it explains why it stays open, or applies only under a condition
		}
		// This alternative to the criterion before it was chosen.
		if n := len(c.unmet); t.Ticked && n > 0 && !before && words.First(t.Title) == "Or" {
			if c.unmet = c.unmet[:n-1]; n == 1 {
				c.open = 0
			}
			c.all--
		}
		before = t.Ticked
		c.list = append(c.list, t)
		if c.all++; t.Ticked {
			c.ticked++
			continue
		}
		number, _, _ := strings.Cut(t.Text, " ")
		if c.unmet = append(c.unmet, number); c.open == 0 {
			c.open = t.Line
		}
	}
}

// unsure lists words in headings whose criteria need not be met.
var unsure = []string{"if needed", "only if", "if required", "optional", "stretch"}

// under returns the checkbox list that the last heading of level 1 or 2 begins, or nil if it begins another section. It
// also reports whether the very last heading says that its criteria may stay open.
func (b *boxes) under(heads []markdown.Heading) (c *criteria, perhaps bool) {
	for i := len(heads) - 1; i >= 0; i-- {
		text := heads[i].Raw()
		if i == len(heads)-1 {
			perhaps = words.Mentions(text, unsure...)
		}
		if heads[i].Level() > 2 {
			continue
		}
		switch text = strings.Trim(text, "#* :"); {
		case words.Alike(text, "acceptance criteria"):
			return &b.criteria, perhaps
		case words.Alike(text, "definition of done"):
			return &b.done, perhaps
		}
		break
	}
	return nil, perhaps
}

// told lists words in headings of sections that may explain an open criterion.
var told = []string{"notes", "summary", "comments"}

// settled lists words in notes that explain an open criterion.
var settled = []string{"moved to", "merged into", "superseded", "subsumed", "moot", "not applicable", "n/a",
	"no longer", "not needed", "out of scope", "scoped", "deferred", "follow-up", "won't", "closed as", "remain"}

// explained reports whether a task's notes, summary or comments explain its open criteria: they name each by its
// number, or say that something was moved or dropped.
func (t *task) explained(unmet []string) bool {
	text := ""
	for _, part := range strings.Split("\n"+t.front.Body, "\n## ")[1:] {
		title, notes, _ := strings.Cut(part, "\n")
		if words.Mentions(title, told...) {
			text += notes + "\n"
		}
	}
	if words.Mentions(text, settled...) {
		return true
	}
	return len(unmet) > 0 && !slices.ContainsFunc(unmet,
		func(number string) bool { return !named(text, strings.TrimPrefix(number, "#")) })
}

// named reports whether text names a criterion by its number: #6, AC6, AC-6 or AC 6.
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

// at returns the line of a field, or the whole file if the field is missing.
func (t *task) at(key string) sdk.Range {
	if e := t.front.Get(key); e != nil {
		return sdk.AtLine(t.doc.Path, e.Line)
	}
	return sdk.At(t.doc.Path)
}

// set returns the edit that writes another status.
func (t *task) set(to string) []sdk.Edit {
	if t.front.Get("status") == nil {
		return nil
	}
	return []sdk.Edit{sdk.Replace(t.at("status"), "status: "+to)}
}

// closeFront returns the edit that closes the front matter before the body, which begins with an empty line or a
// heading. It returns nil if nothing follows the fields.
func (t *task) closeFront() []sdk.Edit {
	at := 0
	for line := range strings.Lines(t.doc.Text) {
		if bare := strings.TrimSpace(line); bare == "" || strings.HasPrefix(bare, "## ") {
			return []sdk.Edit{sdk.Replace(sdk.AtBytes(t.doc.Path, at, at), "---\n")}
		}
		at += len(line)
	}
	return nil
}

// conditional reports whether a criterion requires nothing by itself: it has a condition, is an alternative to the one
// before it, or is optional.
func conditional(text string) bool {
	switch words.Lower(words.First(text)) {
	case "if", "or", "alternatively", "optional", "optionally":
		return true
	}
	return false
}
