package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

// A task is one entry of tasks.md.
type task struct {
	*tasks.Task
	phase  string // the title of the section of level 2 around it
	state  state
	number int      // of a plain id, such as 12 of T012; -1 of any other
	until  int      // likewise of the last one of a range
	needs  []string // the ids that it says it depends on

	adopted bool // the id is that of the base, and not written

	named     []evidence.File // see files
	filesRead bool
	excused   bool // see exempt
	excuses   bool // they were looked for
}

// A state is what the mark of a task says.
type state int

const (
	open state = iota
	done
	off // given up, put off, struck out, or another mark such as [~]: neither open nor done
)

// written is how Spec Kit writes tasks.
var written = tasks.Form{
	ID: idOf, Ref: refOf, Prose: true, NeedWords: tasks.NeedWords("requires", "after"),
}

// refOf is the id that a text begins with where it lists what a task depends on.
func refOf(text string) (id string, length int) {
	n := idLen(text)
	return text[:n], n
}

// taskOf is a task with its state and number.
func taskOf(t *tasks.Task, phase string) task {
	is := task{Task: t, phase: phase, number: number(t.ID), until: number(t.Last)}
	switch {
	case t.Dropped:
		is.state = off
	case t.Ticked:
		is.state = done
	case t.Cancelled || t.Mark != "":
		is.state = off
	}
	return is
}

// readBoxes reads the tasks of a document in the form that it has.
func readBoxes(o *markdown.Outline, heads []heading, base *model) ([]task, form) {
	list := tasks.Boxes(o, &written)
	phases, phase, h := make(map[*tasks.Task]string, len(list)), "", 0
	for _, t := range list {
		for ; h < len(heads) && heads[h].Start() < t.Start; h++ {
			if heads[h].Level() <= 2 {
				phase = heads[h].text
			}
		}
		phases[t] = phase
	}
	var adopted []*tasks.Task
	if base != nil && base.form == boxes {
		adopted = tasks.Adopt(list, base.plain(), func(t *tasks.Task) bool { return !listed(phases[t]) })
	}
	list = tasks.Tree(o, &written, list)
	all, seen := make([]task, 0, len(list)), make(map[string]bool, len(list))
	for _, t := range list {
		// a list at the end names tasks again, to check them
		if again := seen[t.ID] && listed(phases[t]); again && t.ID != "" {
			continue
		}
		seen[t.ID] = true
		is := taskOf(t, phases[t])
		is.adopted = slices.Contains(adopted, t)
		all = append(all, is)
	}
	switch {
	case len(all) > 0 && all[0].ID != "":
		return all, boxes
	case len(heads) > 0:
		var titled []task
		for _, t := range tasks.Headings(o, &written, list) {
			titled = append(titled, taskOf(t, phaseAbove(heads, t)))
		}
		if len(titled) > 0 {
			return titled, headings
		}
	}
	if len(all) > 0 {
		return all, loose
	}
	return nil, none
}

// plain are the tasks without what the model adds.
func (m *model) plain() []*tasks.Task {
	list := make([]*tasks.Task, len(m.list))
	for i := range m.list {
		list[i] = m.list[i].Task
	}
	return list
}

// behindBox is the text of a task as written, without its box.
func behindBox(raw string) string {
	if strings.HasPrefix(raw, "[") {
		if i := strings.IndexByte(raw, ']'); i >= 0 && i < 5 {
			raw = raw[i+1:]
		}
	}
	return words.TrimLeft(raw, " *_")
}

// phaseAbove is the text of the last heading above a task that is of a higher level than its own.
func phaseAbove(heads []heading, t *tasks.Task) string {
	i := slices.IndexFunc(heads, func(h heading) bool { return h.Start() == t.Start })
	phase := heads[i].text
	for _, up := range heads[:i] {
		if up.Level() < heads[i].Level() {
			phase = up.text
		}
	}
	return phase
}

// idOf takes the id from the text: T001, T012a, T1.2, T006-VERIFY, T-SB04, [T001], and the range T001-T005.
func idOf(whole string) (id, last, title string) {
	text := words.TrimLeft(whole, "[(*~` ")
	n := idLen(text)
	if n == 0 {
		return "", "", whole
	}
	id = text[:n]
	rest := text[n:]
	if anyDash.Begin(rest) {
		for _, dash := range dashes {
			if after, ok := strings.CutPrefix(rest, dash); ok {
				if k := idLen(after); k > 0 {
					last, rest = after[:k], after[k:]
					break
				}
			}
		}
	}
	return id, last, words.TrimLeft(rest, " ])*`:.,–—-")
}

// dashes separate the two ids of a range.
var (
	dashes  = []string{"-", "–", "—", "~", "..", " - ", " – ", " to "}
	anyDash = words.ListOf(dashes...)
)

// idLen is the length of the id that a text begins with: T, digits, and what belongs to them; 0 without one. Between T
// and the digits a dash and the capitals of a series may stand.
func idLen(text string) int {
	if text == "" || text[0] != 'T' {
		return 0
	}
	n := 1
	if rest, ok := strings.CutPrefix(text, "T-"); ok {
		n = len(text) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return r >= 'A' && r <= 'Z' }))
	}
	if len(text) <= n || !digit(text[n]) {
		return 0
	}
	for n < len(text) && digit(text[n]) {
		n++
	}
	for n < len(text) {
		switch c := text[n]; {
		case letter(c) || digit(c):
			n++
		case (c == '.' || c == '-') && n+1 < len(text) && (digit(text[n+1]) || c == '-' && letter(text[n+1])) &&
			idLen(text[n+1:]) == 0:
			n++
		default:
			if words.IsWord(c) && !anyDash.Begin(text[n:]) { // the dash of T001–T005 is none of ASCII
				return 0
			}
			return n
		}
	}
	return n
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func upper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func letter(c byte) bool { return upper(c) || c >= 'a' && c <= 'z' }

// number is the number of a plain id, such as T012; -1 for any other.
func number(id string) int {
	if len(id) < 2 || len(id) > 6 {
		return -1
	}
	if n, rest := words.Leading(id[1:]); rest == "" {
		return n
	}
	return -1
}
