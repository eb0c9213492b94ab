package backlog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
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
	line := t.front.Lines
	criteria, perhaps, fenced := false, false, false
	before := byte('x') // the mark of the criterion above
	for text := range strings.Lines(t.front.Body) {
		line++
		text = strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
			fenced = !fenced
		case fenced:
		case strings.HasPrefix(text, "#"):
			if strings.HasPrefix(text, "## ") || strings.HasPrefix(text, "# ") {
				criteria = strings.EqualFold(strings.Trim(text, "#* :"), "acceptance criteria")
			}
			perhaps = words.Mentions(text, "if needed", "only if", "if required", "optional", "stretch")
		case criteria && len(text) > 4 && (text[0] == '-' || text[0] == '*') && text[2] == '[' && text[4] == ']':
			number, rest, _ := strings.Cut(strings.TrimLeft(text[5:], " *"), " ")
			if !strings.HasPrefix(number, "#") {
				rest = number
			}
			if text[3] == ' ' && (perhaps || strings.HasPrefix(rest, "~~") || strings.HasPrefix(number, "~~") ||
				conditional(rest) || status.GivenUp(rest) || status.Optional(rest) || words.Mentions(rest, "only if")) {
				continue // it says why it stays open, or asks for something only under a condition
			}
			// this one was chosen
			if n := len(t.unmet); text[3] != ' ' && n > 0 && before == ' ' && words.First(rest) == "Or" {
				if t.unmet = t.unmet[:n-1]; n == 1 {
					t.open = 0
				}
				t.boxes--
			}
			before = text[3]
			if t.boxes++; before != ' ' {
				t.ticked++
				continue
			}
			if t.unmet = append(t.unmet, number); t.open == 0 {
				t.open = line
			}
		}
	}
	return t
}

// explained reports whether the notes, the summary or the comments of a task say what became of its open criteria: they
// name each by its number, or say that something was moved or given up.
func (t *task) explained() bool {
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
	return len(t.unmet) > 0 && !slices.ContainsFunc(t.unmet,
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
	switch strings.ToLower(words.First(text)) {
	case "if", "or", "alternatively", "optional", "optionally":
		return true
	}
	return false
}
