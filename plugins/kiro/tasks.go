package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

type task = tasks.Task

// form describes how Kiro writes tasks. A star after a box makes its task optional. Task 2 contains task 2.1 wherever
// that is; ownWork has the exceptions.
var form = tasks.Form{ID: idOf, Star: true, Dotted: true, Ref: refOf}

// idOf returns a task's number and title.
func idOf(text string) (id, last, title string) {
	id, title = numberOf(text)
	return id, "", title
}

// refOf returns the task number at the start of a text in a dependency list, such as "2.1" or "Task 2.1".
func refOf(text string) (id string, length int) {
	from := 0
	if word := words.First(text); named(words.Lower(word)) {
		from = len(text) - len(strings.TrimLeft(text[len(word):], " #"))
	}
	end := from
	for end < len(text) && (isDigit(text[end]) || text[end] == '.' && end+1 < len(text) && isDigit(text[end+1])) {
		end++
	}
	if id = text[from:end]; id == "" || id[0] == '.' {
		return "", 0
	}
	if rest := text[end:]; strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "..") {
		end++
	}
	return id, end
}

// readTasks returns a document's tasks. Letters and digits are a name such as SHA-256 or S3, not a task number, if they
// only begin boxes that follow one without a number, and no box begins with the same letters and other digits.
func readTasks(d *sdk.Document) []*task {
	o := d.Outline()
	list := tasks.Boxes(o, &form)
	if titled := readHeadings(o, list); titled != nil {
		return titled
	}
	series, plain, numbered := map[string]string{}, false, 0 // series: its only id, or "*"
	for _, t := range list {
		if name := seriesOf(t.ID); name != "" {
			if only := series[name]; !plain || only != "" && only != t.ID {
				series[name] = "*"
			} else {
				series[name] = t.ID
			}
		}
		if plain = plain || t.ID == ""; t.ID != "" {
			numbered++
		}
		title := words.TrimLeft(t.Title, " ")
		t.Optional = t.Optional || strings.HasPrefix(t.Title, "*") || strings.HasPrefix(title, "* ") ||
			strings.HasSuffix(t.Text, "*") && !strings.HasSuffix(t.Text, "/*") // a pattern: /media/*
	}
	for _, t := range list {
		if t.ID != "" && series[seriesOf(t.ID)] == t.ID {
			t.ID, t.Title = "", t.Text
			numbered--
		}
	}
	f, own := form, ownWork(o.Text, list)
	f.Alone = func(t *task) bool { return own[t] }
	if numbered == 0 {
		return tasks.Tree(o, &f, list)
	}
	for _, t := range list {
		if t.ID == "" && t.Depth == 1 {
			t.ID = "?"
		}
	}
	return inPhases(o.Headings(), tasks.Tree(o, &f, list))
}

// inPhases removes the tasks without a number, which have the id "?" until then, unless they are under a heading such
// as "Phase 2: Pictures" without a numbered task, and headings of the same form have the numbered tasks.
func inPhases(heads []markdown.Heading, list []*task) []*task {
	var known []string // the forms of headings with numbered tasks, and the numbers of their sections
	form := func(t *task) (section, form string) {
		if t.Section > 0 {
			form, _, _ = titleOf(heads[t.Section-1].Text())
		}
		return say.Int(t.Section), form
	}
	for _, t := range list {
		if t.ID != "?" {
			if section, form := form(t); !slices.Contains(known, section) {
				known = append(known, section, form)
			}
		}
	}
	kept := list[:0]
	for _, t := range list {
		if t.ID == "?" {
			section, form := form(t)
			if form == "" || slices.Contains(known, section) || !slices.Contains(known, form) {
				continue
			}
			t.ID, t.Repeated = "", false
		}
		kept = append(kept, t)
	}
	return kept
}

// ownWork returns the tasks that are not groups, although tasks with their numbers follow beside them, as task 2.1
// follows task 2. Such a task has steps, and names a requirement that none of the following tasks names. A group names
// only the requirements of its tasks, or mostly those if it has a single line of text.
func ownWork(text string, list []*task) map[*task]bool {
	own := map[*task]bool{}
	asks := func(t *task) []string {
		return refs(nil, strings.ReplaceAll(text[t.Start:t.End], "：", ":"))
	}
	for i, t := range list {
		var parts []string // the requirements of the tasks beside it
		beside := false
		for _, u := range list[i+1:] {
			if u.ID != "" && !strings.HasPrefix(u.ID, t.ID+".") {
				break
			}
			if beside = t.ID != "" && u.ID != "" && u.Start >= t.ItemEnd; !beside {
				break
			}
			parts = append(parts, asks(u)...)
		}
		if n := steps(text[t.Start:t.End]); beside && len(parts) > 0 && n > 0 {
			all := asks(t)
			alone := slices.DeleteFunc(slices.Clone(all), func(id string) bool {
				return !isDigit(id[0]) || slices.ContainsFunc(parts, func(part string) bool {
					return part == id || strings.HasPrefix(part, id+".") || strings.HasPrefix(id, part+".")
				})
			})
			own[t] = len(alone) > 0 && (n > 1 || 2*len(alone) >= len(all))
		}
	}
	return own
}

// steps counts the list items below a task's title that do not name requirements.
func steps(body string) (n int) {
	_, below, _ := strings.Cut(body, "\n")
	for line := range strings.Lines(below) {
		text := bare(line)
		if len(text) < len(strings.TrimSpace(line)) && text != "" && text[0] != '_' && len(refs(nil, text)) == 0 {
			n++
		}
	}
	return n
}

// readHeadings returns the tasks of a document whose headings are the tasks: they have numbers, one is marked done, and
// no box has a number. It returns nil for any other document.
func readHeadings(o *markdown.Outline, boxes []*task) []*task {
	if slices.ContainsFunc(boxes, func(t *task) bool { return t.ID != "" }) {
		return nil
	}
	all := tasks.Headings(o, &form, boxes)
	leaves := slices.DeleteFunc(slices.Clone(all), func(t *task) bool { // "1. Base" above "1.1 Socket" is only a title
		return slices.ContainsFunc(all, func(u *task) bool { return strings.HasPrefix(u.ID, t.ID+".") })
	})
	signed := func(t *task) bool {
		return strings.ContainsAny(t.Raw, "✅✔☑") || status.Title(t.Text, t.Raw)
	}
	if !slices.ContainsFunc(leaves, signed) {
		return nil
	}
	return leaves
}

// seriesOf returns the part of a number before its first digit: "fix" for "fix1".
func seriesOf(number string) string {
	if number == "" || isDigit(number[0]) {
		return ""
	}
	i := 0
	for i < len(number) && !isDigit(number[i]) {
		i++
	}
	return words.TrimRight(number[:i], "-")
}

// key returns the text that identifies a task within its list.
func key(t *task) string {
	if t.ID != "" {
		return t.ID
	}
	return t.Folded()
}

// set returns the edit that gives a task another mark, or nil if it has no box.
func set(t *task, mark string) []sdk.Edit { return t.Set("tasks.md", mark) }

// place returns a task's location, for messages about another location.
func place(t *task) string { return " (tasks.md:" + say.Int(t.Line) + ")" }

// note returns the value of a line such as "_Blocked: REASON_" or "_Depends: 1.1, 1.2_" below a task, or "". cc-sdd
// writes both.
func note(d *sdk.Document, t *task, name string) string {
	own := t.Body(d)
	if !strings.Contains(own, name) {
		return ""
	}
	for line := range strings.Lines(own) {
		if value, ok := strings.CutPrefix(strings.TrimLeft(line, " \t-*+_"), name); ok {
			value, _, _ = strings.Cut(strings.TrimLeft(value, "*"), "_ ")
			return strings.Trim(value, " \t\r\n*_")
		}
	}
	return ""
}

func has(text string, any []string) bool {
	text = words.Lower(text)
	for _, word := range any {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// numberOf returns the number at the start of a task or heading, including the letters of a series: "2.1" for "2.1
// Parse" and "Task 2.1: Parse", "fix1" for "FIX-1 Parse". A plain number without dots or letters must be
// followed by a period, a colon or a bracket.
func numberOf(text string) (number, rest string) {
	i := 0
	for i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z' || text[i] >= 0x80) {
		i++
	}
	at := i
	if i > 0 && i < len(text) && (text[i] == ' ' || text[i] == '-') {
		at++
	}
	end := at
	for end < len(text) && (isDigit(text[end]) || text[end] == '.' && end+1 < len(text) && isDigit(text[end+1])) {
		end++
	}
	digits := text[at:end]
	if digits == "" || !isDigit(digits[0]) || i > 24 {
		return "", text
	}
	series := ""
	if i > 0 {
		series = words.Lower(text[:i])
		if named(series) {
			series = ""
		} else if text[i] == ' ' {
			return "", text
		}
	}
	if end < len(text) {
		if c := text[end]; c >= 'a' && c <= 'z' && (end+1 == len(text) || (text[end+1] == ' ' || closes(text[end+1]))) {
			end++ // 3b, 3b.1
			for end+1 < len(text) && text[end] == '.' && isDigit(text[end+1]) {
				for end++; end < len(text) && isDigit(text[end]); end++ {
				}
			}
			digits = text[at:end]
		} else if c != ' ' && c < 0x80 && !closes(c) && strings.IndexByte("*-_,]", c) < 0 {
			return "", text
		}
	}
	if i == 0 && (end == len(text) || !closes(text[end])) && strings.IndexByte(digits, '.') < 0 {
		return "", text
	}
	for end < len(text) && closes(text[end]) {
		end++
	}
	if series != "" {
		digits = series + digits
		if end < len(text) && text[end] == '-' && len(text) < 400 { // M19-T001
			if more, rest := numberOf(text[end+1:]); more != "" && !isDigit(more[0]) {
				return digits + "-" + more, rest
			}
		}
	}
	return digits, text[end:]
}

// closes reports whether a character ends a number.
func closes(c byte) bool { return c == '.' || c == ':' || c == ')' }

// named reports whether a word in front of a number only says that it is a task number.
func named(word string) bool {
	switch word {
	case "task", "tasks", "step", "phase", "タスク", "任务", "задача", "этап", "tarea", "tarefa", "작업":
		return true
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// fold normalizes a text for comparison.
func fold(text string) string { return words.Spaced(words.Lower(text)) }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
