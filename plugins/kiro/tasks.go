package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A task is one box of tasks.md.
type task struct {
	line     int
	start    int // of the item, and the end of what belongs to this task alone
	end      int
	inside   int    // the end of the item, with the tasks that are nested in it
	mark     string // between the brackets, without blanks
	markAt   int    // its place, with the blanks
	markEnd  int
	text     string // as a reader sees it, number included
	wording  string // see says and title; "" until they are asked for
	bare     string
	number   string // "2.1", "fix1"; "" without one
	ticked   bool
	optional bool
	dropped  bool // struck out, or put off in so many words
	off      bool // one of the two, or in a task that is
	parted   bool // one of under is not off
	again    bool // an earlier one of the section has its number
	read     bool // refs are
	refs     []string
	up       *task
	under    []*task
	below    int // how many those are
	section  int // counts the headings before it
}

func (t *task) done() bool { return t.ticked }

// open reports whether a task has a mark by which Kiro says that it is not done: none, queued or in progress. Other
// marks are of the project's own.
func (t *task) open() bool { return t.mark == "" || t.mark == "~" || t.mark == "-" }

// waived reports whether nobody has to do a task.
func (t *task) waived() bool { return t.off }

// left reports whether a task is required and not done, and at the lowest level.
func (t *task) left() bool { return !t.done() && !t.waived() && !t.split() }

// lacks are the tasks below a task, at any depth, that are required and open. A task with tasks below it is as far as
// they are.
func (t *task) lacks() []*task {
	if len(t.under) == 0 {
		return nil
	}
	var list []*task
	for _, u := range t.under {
		switch below := u.lacks(); {
		case u.waived():
		case len(below) > 0:
			list = append(list, below...)
		case u.open() && !u.split():
			list = append(list, u)
		}
	}
	return list
}

// split reports whether a task has some right below it that are not waived.
func (t *task) split() bool { return t.parted }

// says is the text of a task as it is compared.
func (t *task) says() string {
	if t.wording == "" {
		t.wording = fold(t.text)
	}
	return t.wording
}

// title is what a task says without its number, as it is compared.
func (t *task) title() string {
	if t.bare == "" {
		_, title := numberOf(t.text)
		t.bare = strings.Trim(fold(title), " -–—*.:")
	}
	return t.bare
}

// key tells a task from others of its list.
func (t *task) key() string {
	if t.number != "" {
		return t.number
	}
	return t.says()
}

// tick is the edit that gives a task another mark.
func (t *task) set(mark string) sdk.Edit {
	return sdk.Replace(sdk.AtBytes("tasks.md", t.markAt, t.markEnd), mark)
}

// place says on which line a task is, for a message about another place.
func (t *task) place() string { return " (tasks.md:" + say.Int(t.line) + ")" }

// note is what a line such as "_Blocked: REASON_" or "_Depends: 1.1, 1.2_" below a task says, "" without one. cc-sdd
// writes both.
func (t *task) note(d *sdk.Document, name string) string {
	own := t.own(d)
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

// own is what a task says, details included, without what the tasks in it say.
func (t *task) own(d *sdk.Document) string { return d.Text[t.start:t.end] }

// What says that a task need not be done.
var (
	putOffs = []string{"deferred", "skipped", "postponed", "cancelled", "canceled", "obsolete", "out of scope",
		"won't do", "won’t do", "will not do", "not applicable", "not needed", "no longer needed",
		"not required", "n/a", "superseded", "moved to", "推迟", "跳过", "取消", "不需要", "延期", "スキップ", "見送り", "対象外", "不要",
		"不适用", "无需", "該当なし", "entfällt", "no aplica", "não se aplica", "sans objet", "не требуется", "отложен",
		"отменен", "пропущен"}
	optionals = []string{"(optional", "[optional", "optional)", "optional:", "(任意", "（任意", "オプション", "可选",
		"(опционально", "(opcional"}
	putOff        = words.ListOf(putOffs...).AnyCase()
	optionalWords = words.ListOf(optionals...).AnyCase()
	waiving       = words.ListOf(slices.Concat(putOffs, optionals)...).AnyCase() // both
)

// putsOff reports whether a text, as [words.LowerWide] has it, says in brackets, behind a dash or a colon that the task
// is not to be done now. The same words in the middle of a title say what the task is about: "Show cancelled orders".
func putsOff(text string) bool {
	for i := 0; ; i++ {
		at := putOff.Index(text[i:])
		if at < 0 {
			return false
		}
		if i += at; (i == 0 || text[i-1] <= ' ' || text[i-1] >= 0x80 || strings.IndexByte("([-:*_", text[i-1]) >= 0) &&
			apart(text[:i]) {
			return true
		}
	}
}

// waives reports whether a title says that its task is optional, and whether it is put off.
func waives(title string) (optional, off bool) {
	apart, wide := setsApart(title)
	if !apart {
		i := 0
		for i < len(title) && (title[i] == ' ' || title[i] == '*' || title[i] == '_') {
			i++
		}
		return false, putOff.Begin(title[i:])
	}
	if wide {
		title = words.LowerWide(title)
	}
	if waiving.Index(title) < 0 {
		return false, false
	}
	return optionalWords.Index(title) >= 0, putsOff(title)
}

// setsApart reports whether a text has a character that may set apart what comes after it, or what says that a task is
// optional, and whether it has one beyond ASCII, which may do so, too.
func setsApart(text string) (is, wide bool) {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0x80:
			return true, true
		case c == '(', c == ')', c == '[', c == '-', c == ':':
			is = true
		}
	}
	return is, false
}

// apart reports whether what comes after a text is set apart from it: in brackets, behind a dash, a colon or a sign.
func apart(before string) bool {
	before = strings.TrimRight(before, " *_⏭⏸❌⚠✅☑✔\ufe0f")
	for _, mark := range []string{"(", "[", "（", "【", "-", "–", "—", ":", "："} {
		if strings.HasSuffix(before, mark) {
			return true
		}
	}
	return before == ""
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

// numberOf is the number that the text of a task or a heading begins with, with the letters of a series in front: "2.1"
// of "2.1 Parse" and "Task 2.1: Parse", "fix1" of "FIX-1 Parse". A bare number needs a full stop, a colon or a bracket
// behind it.
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
	}
	return digits, text[end:]
}

// closes reports whether a character ends a number.
func closes(c byte) bool { return c == '.' || c == ':' || c == ')' }

// named reports whether a word in front of a number only says that it is one of a task.
func named(word string) bool {
	switch word {
	case "task", "tasks", "step", "phase", "タスク", "任务", "задача", "этап", "tarea", "tarefa", "작업":
		return true
	}
	return false
}

// cutLine cuts the first line off a text.
func cutLine(text string) (line, rest string) {
	end, next := len(text), len(text)
	if at := strings.IndexByte(text, '\n'); at >= 0 {
		end, next = at, at+1
	}
	return text[:end], text[next:]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// fold is the form in which texts are compared.
func fold(text string) string { return words.Spaced(words.Lower(text)) }
