package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

// A task is one entry in tasks.md.
type task struct {
	*tasks.Task
	phase  string // the title of its level-2 section
	state  state
	number int      // the number in a plain id, such as 12 in T012; -1 for any other id
	until  int      // the same number of the last id in a range
	needs  []string // the ids of its dependencies

	fileField string // of a heading: the field with its files, as in "**File**: `src/a.py`"

	adopted bool // the id comes from the base; tasks.md no longer has it

	named     []evidence.File // see files
	filesRead bool
	excused   bool // see exempt
	excuses   bool // whether excused was computed
}

// A state is a task's state according to its mark and words.
type state int

const (
	open state = iota
	done
	off // abandoned, deferred, struck out, or marked [-] or [>]: neither open nor done
)

// written describes how Spec Kit writes tasks.
var written = tasks.Form{
	ID: idOf, Ref: refOf, Prose: true, NeedWords: tasks.NeedWords("requires", "after"),
}

// refOf returns the id at the beginning of a list of dependencies.
func refOf(text string) (id string, length int) {
	n := idLen(text)
	return text[:n], n
}

// taskOf adds the state and number to a task.
func taskOf(t *tasks.Task, phase string) task {
	is := task{Task: t, phase: phase, number: number(t.ID), until: number(t.Last)}
	switch {
	case t.Dropped:
		is.state = off
	case t.Ticked:
		is.state = done
	case t.Cancelled || t.Mark == "-" || t.Mark == ">" || t.Mark == "~" && strings.Contains(t.Raw, "~~"):
		is.state = off
	}
	return is
}

// readBoxes reads a document's tasks, the tasks among them without an id, and their form.
func readBoxes(o *markdown.Outline, heads []heading, base *model) (all []task, idless []*tasks.Task, f form) {
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
	nameSeries(list, base, func(t *tasks.Task) bool { return !listed(phases[t]) })
	var adopted []*tasks.Task
	if base != nil && base.form == boxes {
		adopted = tasks.Adopt(list, base.plain(), func(t *tasks.Task) bool { return !listed(phases[t]) })
	}
	idless = besideTasks(o.Text, slices.Clone(list), func(t *tasks.Task) bool { return !listed(phases[t]) })
	list = tasks.Tree(o, &written, list)
	all = make([]task, 0, len(list))
	seen := make(map[string]bool, len(list))
	for _, t := range list {
		// a checklist at the end may repeat tasks
		if again := seen[t.ID] && listed(phases[t]); again && t.ID != "" {
			continue
		}
		seen[t.ID] = true
		is := taskOf(t, phases[t])
		is.adopted = slices.Contains(adopted, t)
		all = append(all, is)
	}
	switch {
	case len(all) > 0 && all[0].ID != "" && !boxedHeadings(heads, len(all)):
		return all, idless, boxes
	case len(heads) > 0:
		var titled []task
		for _, t := range tasks.Headings(o, &written, list) {
			is := taskOf(t, phaseAbove(heads, t))
			is.fileField = fileField(o.Text[t.Start:t.End])
			titled = append(titled, is)
		}
		if len(titled) > 0 {
			return titled, nil, headings
		}
	}
	if len(all) > 0 {
		return all, nil, loose
	}
	return nil, nil, none
}

// boxedHeadings reports whether more than n headings begin with a checkbox. Then the checkboxes in lists repeat them.
func boxedHeadings(heads []heading, n int) bool {
	for _, h := range heads {
		if text := strings.TrimLeft(h.text, "-*+ "); len(text) > 5 && text[0] == '[' && text[2:5] == "] T" {
			n--
		}
	}
	return n < 0
}

// nameSeries reads ids of other series, such as M001 or BE-001, in a document whose tasks have ids. It accepts such an
// id on a checkbox in an outermost list if the series also has the next or previous id there, or if the base has the
// id. It skips checkboxes for which may returns false.
func nameSeries(list []*tasks.Task, base *model, may func(*tasks.Task) bool) {
	if !slices.ContainsFunc(list, func(t *tasks.Task) bool { return t.ID != "" }) {
		return
	}
	all := map[string]bool{}
	for _, t := range list {
		if n := seriesLen(t.Text); t.ID == "" && t.Depth == 1 && n > 0 && may(t) {
			all[t.Text[:n]] = true
		}
	}
	for _, t := range list {
		id := t.Text[:seriesLen(t.Text)]
		if t.ID == "" && t.Depth == 1 && all[id] && may(t) && (all[beside(id, -1)] || all[beside(id, 1)] ||
			base != nil && base.form == boxes && base.has(id)) {
			t.ID, t.Title = id, words.TrimLeft(t.Text[len(id):], " ])*`:.,–—-")
		}
	}
}

// beside returns the id in the same series whose three digits are greater by step.
func beside(id string, step int) string {
	n := len(id) - 3
	digits := say.Int(1000 + words.Number(id[n:]) + step)
	return id[:n] + digits[1:]
}

// others are the series of requirements, criteria and checklists in Spec Kit's documents.
var others = []string{"FR", "NFR", "SC", "AC", "CHK", "US", "REQ", "UC", "EC"}

// seriesLen returns the length of an id of another series that text begins with: capitals, and three digits. It
// returns 0 if there is none.
func seriesLen(text string) int {
	n := 0
	for n < len(text) && upper(text[n]) {
		n++
	}
	digits := strings.TrimPrefix(text[n:], "-")
	if n == 0 || len(digits) < 3 || slices.Contains(others, text[:n]) {
		return 0
	}
	for i := range 3 {
		if !digit(digits[i]) {
			return 0
		}
	}
	if len(digits) > 3 && words.IsWord(digits[3]) {
		return 0
	}
	return len(text) - len(digits) + 3
}

// besideTasks lists the checkboxes without an id that are in the same unbroken list as a task with an id, at the same
// depth. Other checkboxes are steps or acceptance criteria, as are those at the beginning of a list whose label says
// so. It skips checkboxes for which may returns false.
func besideTasks(text string, list []*tasks.Task, may func(*tasks.Task) bool) (idless []*tasks.Task) {
	member := make([]bool, len(list))   // of a list with an id
	criteria := make([]bool, len(list)) // before the first id in a list of criteria
	before := func(i int) int {         // the index of the box before box i in its list, or -1
		for j := i - 1; j >= 0 && list[j].Depth >= list[i].Depth; j-- {
			if list[j].Depth == list[i].Depth {
				if strings.TrimSpace(text[list[j].ItemEnd:list[i].Start]) == "" {
					return j
				}
				break
			}
		}
		return -1
	}
	for i, t := range list {
		j := before(i)
		member[i] = t.ID != "" || j >= 0 && member[j]
		criteria[i] = t.ID == "" && (j >= 0 && criteria[j] || j < 0 && ofCriteria(text[:t.Start]))
	}
	for i := len(list) - 1; i >= 0; i-- {
		if j := before(i); j >= 0 {
			member[j] = member[j] || member[i]
		}
	}
	for i, t := range list {
		if member[i] && t.ID == "" && !criteria[i] && may(t) {
			idless = append(idless, t)
		}
	}
	return idless
}

// ofCriteria reports whether a text ends with a label for criteria, such as "**Acceptance criteria**:".
//
//go:noinline
func ofCriteria(text string) bool {
	text = strings.TrimRight(text, " \t\r\n*_")
	label, ok := strings.CutSuffix(lower(text[strings.LastIndexByte(text, '\n')+1:]), ":")
	return ok && (strings.Contains(label, "dod ") || strings.Contains(label, "definition of done") ||
		strings.Contains(label, "acceptance") || strings.Contains(label, "criteri"))
}

// plain returns the tasks without the model's additions.
func (m *model) plain() []*tasks.Task {
	list := make([]*tasks.Task, len(m.list))
	for i := range m.list {
		list[i] = m.list[i].Task
	}
	return list
}

// behindBox returns a task's Markdown source without its checkbox.
func behindBox(raw string) string {
	if strings.HasPrefix(raw, "[") {
		if i := strings.IndexByte(raw, ']'); i >= 0 && i < 5 {
			raw = raw[i+1:]
		}
	}
	return words.TrimLeft(raw, " *_")
}

// fileField returns the field in a section that names its files, on a line of its own, or "" if there is none.
func fileField(section string) string {
	for line := range strings.Lines(section) {
		key, _, ok := strings.Cut(lower(words.TrimLeft(line, " *_-")), ":")
		if key = strings.TrimRight(key, "*_ "); ok && (key == "file" || key == "files") {
			return "\n" + line
		}
	}
	return ""
}

// phaseAbove returns the text of the last heading above a task that ranks above its own, or the task's own heading if
// there is none.
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

// idOf splits the id from a task's text: T001, T012a, T1.2, T006-VERIFY, T-SB04, [T001], or the range T001-T005.
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

// dashes lists the separators between the two ids of a range.
var (
	dashes  = []string{"-", "–", "—", "~", "..", " - ", " – ", " to "}
	anyDash = words.ListOf(dashes...)
)

// idLen returns the length of the id that text begins with: T, digits and their suffix. A dash and a series in
// capitals may follow the T. It returns 0 if there is no id.
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
			if words.IsWord(c) && !anyDash.Begin(text[n:]) { // the dash in T001–T005 is not ASCII
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

// number returns the number in a plain id, such as T012, or -1 for any other id.
func number(id string) int {
	if len(id) < 2 || len(id) > 6 || id[0] != 'T' {
		return -1
	}
	if n, rest := words.Leading(id[1:]); rest == "" {
		return n
	}
	return -1
}
