package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func itoa(n int) string { return say.Int(n) }

// garbled are sequences of UTF-8 that was read as Mac-Roman or Windows-1252, and
// what they were.
var garbled = [...][2]string{
	{"‚ñà", "█"}, {"‚ñë", "░"}, {"‚Äî", "—"}, {"‚úÖ", "✅"}, {"‚Üí", "→"}, {"‚ùå", "❌"},
	{"\uf8ffüîÑ", "🔄"}, {"\uf8ffüî∂", "🔶"}, {"‚ö†Ô∏è", "⚠️"},
	{"â–ˆ", "█"}, {"â–‘", "░"}, {"â€”", "—"},
}

// mend puts right what was read with the wrong encoding.
//
//go:noinline
func mend(s string) string {
	if start, _ := garbledIn(s); start < 0 {
		return s
	}
	for i := range garbled {
		s = strings.ReplaceAll(s, garbled[i][0], garbled[i][1])
	}
	return s
}

// garbledIn returns the first garbled sequence of a text, -1 without one.
func garbledIn(s string) (start, end int) {
	if start = -1; !suspect(s) {
		return start, end
	}
	for i := range garbled {
		if at := strings.Index(s, garbled[i][0]); at >= 0 && (start < 0 || at < start) {
			start, end = at, at+len(garbled[i][0])
		}
	}
	return start, end
}

// suspect reports whether a text has a character that garbled sequences begin with.
func suspect(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if c := s[i]; c >= 0xc3 && (c == 0xc3 && s[i+1] == 0xa2 || c == 0xe2 && strings.HasPrefix(s[i:], "‚") || c == 0xef && s[i+1] == 0xa3) {
			return true
		}
	}
	return false
}

// clean is a value as it is compared.
//
//go:noinline
func clean(text string) string { return strings.Trim(mend(text), "*_` \t") }

// none reports whether a value says that there is nothing.
func none(s string) bool { return s == "~" || !words.Real(strings.Trim(s, "()")) }

var templateTokens = strings.Fields("{N} {M} {X} {Y} {total} {phase_total} {status} {percent} {progress_bar} {name} {date} {timestamp} " +
	"{description} {command} {phase_number} {plan_number} {task_number} [Timestamp] [N] [X] [Y]")

// placeholder reports whether a value is still that of a template.
func placeholder(s string) bool {
	if strings.HasPrefix(s, "{") && strings.IndexByte(s, '}') == len(s)-1 {
		return true
	}
	for _, token := range templateTokens {
		if strings.Contains(s, token) && (token[0] == '{' || strings.HasPrefix(s, token)) {
			return true
		}
	}
	return false
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// leading reads the digits that a text begins with: -1 without any or with more
// than nine.
func leading(s string) (n int, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		if i++; i > 9 {
			return -1, s
		}
	}
	if i == 0 {
		return -1, s
	}
	return n, s[i:]
}

// integer reads a whole text, -1 if it is none.
func integer(s string) int {
	if n, rest := leading(strings.TrimSpace(s)); rest == "" {
		return n
	}
	return -1
}

// after drops a word before a text, whatever its case.
//
//go:noinline
func after(s, word string) string {
	if len(s) >= len(word) && words.Alike(s[:len(word)], word) {
		return strings.TrimLeft(s[len(word):], " ")
	}
	return s
}

// A count is "n of m", -1 where a number is not given.
type count struct{ n, of int }

func (c count) String() string {
	if c.of < 0 {
		return itoa(c.n)
	}
	return itoa(c.n) + " of " + itoa(c.of)
}

// readCount reads "N of M", "N/M" or "N", after Phase or Plan and before a name; dotted, 3.2 is plan 2
// of phase 3.
func readCount(s string, dotted bool) (c count, ok bool) {
	c = count{-1, -1}
	n, rest := leading(after(after(s, "Phase "), "Plan "))
	if n < 0 {
		return c, false
	}
	if p, more := leading(strings.TrimPrefix(rest, ".")); dotted && p >= 0 && len(more) < len(rest) {
		n, rest = p, more
	}
	tail := strings.TrimLeft(rest, " ")
	bare := after(tail, "of ")
	if bare == tail && strings.HasPrefix(tail, "/") {
		bare = strings.TrimLeft(tail[1:], " ")
	}
	if bare != tail {
		m, more := leading(bare)
		if first, _, _ := strings.Cut(bare, " "); m < 0 && (none(first) || strings.Trim(first, "?nN") == "") {
			more = bare[len(first):] // the route that counts them is not written yet
		} else if m < 0 {
			return c, false
		}
		c.of, rest = m, more
	}
	c.n = n
	rest = strings.TrimRight(rest, " ")
	name := strings.TrimLeft(rest, " ")
	for _, mark := range [...]string{"–", "—", ":", "("} {
		if name == "" || strings.HasPrefix(name, mark) || strings.HasPrefix(rest, " - ") {
			return c, true
		}
	}
	return count{-1, -1}, false
}

// A task is the id of one: phase 0 where only a number is given.
type taskID struct{ phase, n int }

func (t taskID) String() string {
	if t.phase == 0 {
		return itoa(t.n)
	}
	return pad(t.phase) + "." + itoa(t.n)
}

func pad(n int) string {
	s := itoa(n)
	for len(s) < 3 {
		s = "0" + s
	}
	return s
}

// readTask reads "003.4", "3.2.4", "Task 003.4", "Task 4" and "4" at the beginning of a text.
//
//go:noinline
func readTask(s string) (t taskID, rest string, ok bool) {
	n, rest := leading(after(strings.TrimLeft(s, " "), "Task "))
	if n < 0 {
		return t, s, false
	}
	t.n = n
	if strings.HasPrefix(rest, ".") {
		if y, more := leading(rest[1:]); y >= 0 {
			if z, last := leading(strings.TrimPrefix(more, ".")); z >= 0 && len(last) < len(more)-1 {
				return taskID{n, z}, last, true // phase, plan and task
			}
			return taskID{n, y}, more, true
		}
	}
	return t, rest, true
}

// A taskState is how far a task is.
type taskState uint8

const (
	taskUnknown taskState = iota
	taskBlocked
	taskProgress
	taskPending
	taskDone
)

// readTaskState reads the status of a task, the first match.
func readTaskState(s string) taskState {
	s = strings.ToLower(mend(s))
	for i, words := range [...][]string{
		{"❌", "fail", "block"}, {"🔄", "in progress", "in_progress", "in-progress", "active"},
		{"⏳", "pending", "not started", "todo"}, {"✅", "✓", "done", "complete", "finished"},
	} {
		for _, w := range words {
			if strings.Contains(s, w) {
				return taskState(i + 1)
			}
		}
	}
	return taskUnknown
}

// An amount is a number with its printed decimals.
type amount struct {
	v   float64
	dec int
	ok  bool
}

// readAmount reads the first number of a cell, without $ , and %.
func readAmount(s string) amount {
	var a amount
	digits, scale, point := 0, 1.0, false
	minus := false
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			if digits++; digits > 15 {
				return amount{}
			}
			a.v, a.ok = a.v*10+float64(r-'0'), true
			if point {
				scale *= 10
				a.dec++
			}
		case r == ',' || r == '$' || r == '%' && !a.ok:
		case r == '.' && a.ok && !point && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			point = true
		case a.ok:
			return a.signed(minus, scale)
		default:
			minus = r == '-' || r == '−'
		}
	}
	return a.signed(minus, scale)
}

func (a amount) signed(minus bool, scale float64) amount {
	a.v /= scale
	if minus {
		a.v = -a.v
	}
	return a
}

// equals reports whether a number is the same at the printed precision.
func (a amount) equals(v float64) bool {
	half := 0.5
	for range a.dec {
		half /= 10
	}
	d := a.v - v
	return d <= half+1e-9 && d >= -half-1e-9
}

// quote is a text in a message.
func quote(s string) string { return say.Quote(s) }

// clip shortens what a brief or a fact holds of a document.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most]&0xc0 == 0x80 {
		most--
	}
	return s[:most] + "…"
}

// oneLine is a text with its runs of white space as single blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// trimFloat writes a number with at most two decimals, none if they are zero.
func trimFloat(v float64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	if v > 1e12 {
		return sign + "more than a trillion"
	}
	hundredths := int64(v*100 + 0.5)
	s := sign + itoa(int(hundredths/100))
	if rest := int(hundredths % 100); rest > 0 {
		if s += "." + itoa(rest/10); rest%10 > 0 {
			s += itoa(rest % 10)
		}
	}
	return s
}

// cellText is the text of a cell as it is compared.
//
//go:noinline
func cellText(r markdown.Row, column int) string { return clean(r.Cell(column).Text()) }
