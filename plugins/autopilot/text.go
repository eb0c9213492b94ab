package autopilot

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	shared "github.com/stategate/stategate/sdk/words/status"
)

func itoa(n int) string { return say.Int(n) }

func quote(s string) string { return say.Quote(s) }

// clean removes Markdown emphasis, backticks and space around a value, so that it can be compared.
func clean(text string) string { return strings.Trim(text, "*_` \t") }

// none reports whether a value means "nothing".
func none(s string) bool { return s == "~" || !words.Real(strings.Trim(s, "()")) }

var templateTokens = strings.Fields("{N} {M} {X} {Y} {total} {phase_total} {status} {percent} {progress_bar} {name} " +
	"{date} {timestamp} " +
	"{description} {command} {phase_number} {plan_number} {task_number} [Timestamp] [N] [X] [Y]")

// placeholder reports whether a value is still template text.
func placeholder(s string) bool {
	rest := s
	for n := 0; ; n++ { // such as {Decision 1} — {outcome}
		before, open, found := strings.Cut(rest, "{")
		if strings.Trim(before, " :;,.|/%()–—-*_`'") != "" || !found && n == 0 {
			break
		} else if !found {
			return true
		}
		inside, behind, closed := strings.Cut(open, "}")
		if rest = behind; !closed || inside == "" || !words.IsWord(inside[0]) {
			break
		}
	}
	for _, token := range templateTokens {
		if strings.Contains(s, token) && (token[0] == '{' || strings.HasPrefix(s, token)) {
			return true
		}
	}
	return false
}

// integer reads a text that consists of one integer. Otherwise, it returns -1.
func integer(s string) int {
	if n, rest := words.Leading(strings.TrimSpace(s)); rest == "" {
		return n
	}
	return -1
}

// after removes a word from the start of a text, ignoring case.
func after(s, word string) string {
	if len(s) >= len(word) && words.Alike(s[:len(word)], word) {
		return strings.TrimLeft(s[len(word):], " ")
	}
	return s
}

// untitled removes the separator between a number and its name.
func untitled(s string) string { return strings.TrimLeft(s, " :.)–—-") }

// A count is "n of m"; -1 stands for a missing number.
type count struct{ n, of int }

func (c count) String() string {
	if c.of < 0 {
		return itoa(c.n)
	}
	return itoa(c.n) + " of " + itoa(c.of)
}

// readCount reads "N of M", "N/M" or "N". The word Phase or Plan may precede it, and a name may follow it. If dotted
// is true, 3.2 is plan 2 of phase 3.
func readCount(s string, dotted bool) (c count, ok bool) {
	unread := count{-1, -1}
	n, rest := words.Leading(after(after(s, "Phase "), "Plan "))
	if n < 0 {
		return unread, false
	}
	if p, more := words.Leading(strings.TrimPrefix(rest, ".")); dotted && p >= 0 {
		n, rest = p, more
	}
	c = count{n, -1}
	tail := strings.TrimLeft(rest, " ")
	if bare := strings.TrimLeft(strings.TrimPrefix(after(tail, "of "), "/"), " "); bare != tail {
		c.of, rest = words.Leading(bare)
		if first, more, _ := strings.Cut(bare, " "); c.of < 0 && (none(first) || strings.Trim(first, "?nN") == "") {
			rest = more // the route that sets the total is not written yet
		}
	}
	name := strings.TrimSpace(rest)
	if name == "" || strings.HasPrefix(strings.TrimRight(rest, " "), " - ") || strings.IndexAny(name, "–—:(") == 0 {
		return c, true
	}
	return unread, false
}

// A taskID identifies a task. phase is 0 if only a number is given.
type taskID struct{ phase, n int }

func (t taskID) String() string {
	if t.phase == 0 {
		return itoa(t.n)
	}
	phase := itoa(t.phase)
	return strings.Repeat("0", max(0, 3-len(phase))) + phase + "." + itoa(t.n)
}

// readTask reads "003.4", "3.2.4", "Task 003.4", "Task 4" and "4" at the start of a text.
func readTask(s string) (t taskID, rest string, ok bool) {
	n, rest := words.Leading(after(strings.TrimLeft(s, " "), "Task "))
	if n < 0 {
		return t, s, false
	}
	t.n = n
	for range 2 { // in phase.plan.task, the last number is the task
		next, dot := strings.CutPrefix(rest, ".")
		y, more := words.Leading(next)
		if !dot || y < 0 {
			break
		}
		t = taskID{cmp.Or(t.phase, n), y}
		rest = more
	}
	return t, rest, true
}

// A taskState is the progress of a task.
type taskState uint8

const (
	taskUnknown taskState = iota
	taskBlocked
	taskProgress
	taskPending
	taskDone
)

// taskStates maps shared statuses to task states. An abandoned task has no state, so nothing is compared with it.
var taskStates = [...]taskState{shared.Open: taskPending, shared.Ready: taskPending, shared.InProgress: taskProgress,
	shared.Review: taskProgress, shared.Done: taskDone, shared.Cancelled: taskUnknown, shared.Blocked: taskBlocked}

// taskWords adds words that only task tables use.
var taskWords = shared.Vocabulary{Own: map[string]shared.Status{"failed": shared.Blocked, "fail": shared.Blocked}}

// readTaskState reads a task's status. If a remark withdraws the word "done", the task is in progress.
func readTaskState(s string) taskState {
	is, word := taskWords.Split(s)
	switch {
	case is == shared.Unknown && word != "" && taskWords.Of(word) == shared.Done:
		return taskProgress
	case is == shared.Unknown && strings.Contains(s, "❌"):
		return taskBlocked
	case is == shared.Unknown && strings.Contains(s, "⏳"):
		return taskPending
	}
	return taskStates[is]
}

// givenUp reports whether a phase's title or status says that the phase will not be flown.
func givenUp(title, said string) bool {
	return shared.GivenUp(title) || taskWords.Of(said) == shared.Cancelled
}

// readAmount reads the first number in a cell. It ignores $, commas and %.
func readAmount(s string) (n number) {
	from := strings.IndexAny(s, "0123456789")
	if from < 0 {
		return n
	}
	end := len(s) - len(strings.TrimLeft(s[from:], "0123456789.,"))
	text := strings.TrimLeft(strings.TrimRight(strings.ReplaceAll(s[from:end], ",", ""), "."), "0")
	if text == "" || text[0] == '.' {
		text = "0" + text
	}
	if before := strings.TrimRight(s[:from], "$"); strings.HasSuffix(before, "-") || strings.HasSuffix(before, "−") {
		text = "-" + text
	}
	if doc, err := jsondoc.Parse(text); err == nil {
		n.raw = text
		n.v, n.ok = doc.Root().Float()
	}
	return n
}

// equals reports whether a number equals v at the precision with which the number is written.
func (n number) equals(v float64) bool {
	_, decimals, _ := strings.Cut(n.raw, ".")
	half := 0.5
	for range decimals {
		half /= 10
	}
	return n.v-v <= half+1e-9 && v-n.v <= half+1e-9
}

// amount formats a number with its type's unit, and a cost with two decimals unless it is whole.
func (n number) amount(kind int) string {
	text := n.raw
	if _, decimals, _ := strings.Cut(text, "."); kind == cost && len(decimals) == 1 {
		text += "0"
	}
	return units[kind][0] + text + units[kind][1]
}

// clip shortens document text for a brief or a fact.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most]&0xc0 == 0x80 {
		most--
	}
	return s[:most] + "…"
}

// short puts a text on one line and shortens it.
func short(s string, most int) string { return clip(words.Spaced(s), most) }

// trimFloat formats a number with at most two decimals, without trailing zeros.
func trimFloat(v float64) string {
	if v < 0 {
		return "-" + trimFloat(-v)
	}
	hundredths := int(min(v, 1e12)*100 + 0.5)
	s := itoa(hundredths + 100) // adding 100 ensures three digits
	return strings.TrimSuffix(strings.TrimRight(itoa(hundredths/100)+"."+s[len(s)-2:], "0"), ".")
}

// cellText returns a cell's text, cleaned for comparison.
func cellText(r markdown.Row, column int) string { return clean(r.Cell(column).Text()) }
