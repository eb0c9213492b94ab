package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words"
)

// A field is one key of front matter.
type field struct {
	value string
	list  []string
	line  int // 1-based
}

type front map[string]field

// readTask reads the front matter and the boxes of the acceptance criteria.
func readTask(d *sdk.Document, folder, name string) *task {
	t := &task{doc: d, folder: folder, name: name}
	if !d.Readable() {
		return t
	}
	body, line := t.matter(d.Text)
	t.body = body
	t.id, t.title, t.text, t.parent, t.goal = t.front["id"].value, t.front["title"].value, t.front["status"].value,
		t.front["parent_task_id"].value, t.front["milestone"].value
	if t.parent == "" {
		t.parent = t.front["parent"].value
	}
	if t.key = keyOf(t.id); t.key == "" {
		t.id = ""
	}
	t.needs = t.front["dependencies"].list
	criteria, perhaps, fenced := false, false, false
	before := byte('x') // the mark of the criterion above
	for text := range strings.Lines(body) {
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
			if text[3] == ' ' && (perhaps || strings.Contains(text, "~~") || conditional(rest) ||
				words.Mentions(text, "deferred", "only if", "(optional", "out of scope", "not applicable", "(n/a")) {
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
	for line := range strings.Lines(t.body) {
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

// matter reads front matter as Backlog.md writes it: values in one line, and lists in brackets or in lines of their
// own. It returns what follows, and how many lines come before.
func (t *task) matter(text string) (body string, line int) {
	t.front = front{}
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, "\r ") != "---" {
		return text, 0
	}
	line = 1
	key, folded := "", false
	for rest != "" {
		var raw string
		raw, rest, _ = strings.Cut(rest, "\n")
		line++
		bare := strings.TrimRight(raw, "\r \t")
		item, isItem := strings.CutPrefix(strings.TrimLeft(bare, " "), "- ")
		switch {
		case strings.HasPrefix(bare, "---"): // Backlog.md has written the first heading behind it
			return raw[3:] + "\n" + rest, line - 1
		case isItem && key != "" && !folded:
			f := t.front[key]
			f.list = append(f.list, unquoted(item))
			t.front[key] = f
		case bare != "" && bare[0] == ' ' && folded:
			f := t.front[key]
			f.value = strings.TrimSpace(f.value + " " + strings.TrimSpace(bare))
			t.front[key] = f
		case bare != "" && bare[0] != ' ' && bare[0] != '#':
			name, value, ok := strings.Cut(bare, ":")
			if !ok {
				continue
			}
			key = strings.TrimSpace(name)
			value = strings.TrimSpace(value)
			f := field{value: unquoted(value), line: line}
			// the value stands in the lines below
			if folded = value != "" && strings.Trim(value, ">|-+") == ""; folded {
				f.value = ""
			}
			if strings.HasPrefix(value, "[") {
				for _, part := range strings.Split(strings.Trim(value, "[]"), ",") {
					if part = unquoted(strings.TrimSpace(part)); part != "" {
						f.list = append(f.list, part)
					}
				}
			}
			t.front[key] = f
		}
	}
	t.unclosed = true
	return "", line
}

func unquoted(s string) string {
	if s = strings.TrimSpace(s); len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	return s
}

// at is the line of a field, or the whole file if it has none.
func (t *task) at(key string) sdk.Range {
	if line := t.front[key].line; line > 0 {
		return sdk.AtLine(t.doc.Path, line)
	}
	return sdk.At(t.doc.Path)
}

// set is the edit that writes another status.
func (t *task) set(to string) []sdk.Edit {
	if t.front["status"].line == 0 {
		return nil
	}
	return []sdk.Edit{sdk.Replace(sdk.AtLine(t.doc.Path, t.front["status"].line), "status: "+to)}
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
