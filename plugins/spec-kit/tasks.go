package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A task is one entry of tasks.md.
type task struct {
	id     string // "T012a"; "" in a document without ids
	last   string // of a range, such as T001-T005; "" for a single task
	text   string // as a reader sees it, behind the id
	whole  string // with the id, if nothing but a blank is between them
	folded string // see words
	raw    string // as written
	phase  string // the title of the section of level 2 around it
	state  state
	box    markdown.Task // not there for another mark and for headings
	line   int
	start  int
	end    int
	depth  int
	number int       // of a plain id, such as 12 of T012; -1 of any other
	until  int       // likewise of last
	needs  []string  // the ids that it says it depends on
	room   [1]string // for the first of them

	adopted bool // the id is that of the base, and not written

	named     []string  // see files
	first     [1]string // for the first of them
	filesRead bool
	places    []string // see there
	excused   bool     // see exempt
	excuses   bool     // they were looked for
}

// A state is what the mark of a task says.
type state int

const (
	open state = iota
	done
	off // given up, put off, struck out, or another mark such as [~]: neither open nor done
)

// words is the text without labels and markup, folded: what tasks are compared by.
func (t *task) words() string {
	if t.folded == "" {
		t.folded = fold(bare(t.text))
	}
	return t.folded
}

// name is how a message calls a task.
func (t *task) name() string {
	if t.id != "" {
		return t.id
	}
	return t.text
}

// readBoxes reads the tasks of a document in the form that it has.
func readBoxes(o *markdown.Outline, heads []heading, base *model) ([]task, form) {
	items := o.Document().Parts(markdown.KindItem)
	all, named, bare := make([]task, 0, len(items)), false, false
	phase, h := "", 0
	for _, part := range items {
		item := markdown.Item{Part: part}
		for ; h < len(heads) && heads[h].Start() < item.Start(); h++ {
			if heads[h].Level() <= 2 {
				phase = heads[h].text
			}
		}
		n := len(all)
		all = append(all, task{phase: phase})
		t := &all[n]
		if ok := t.read(item); !ok || item.In(markdown.KindQuote) {
			if all = all[:n]; n > 0 && !ok && item.Start() < all[n-1].end && all[n-1].state == open &&
				noted(item.Own().Text()) {
				all[n-1].state = off
			}
			continue
		}
		named, bare = named || t.id != "", bare || t.id == ""
	}
	if bare && base != nil && base.form == boxes {
		named = adopt(all, base) || named
	}
	if rising(all) {
		return all, boxes
	}
	if named {
		seen := make(map[string]bool, len(all))
		return slices.DeleteFunc(all, func(t task) bool { // a list at the end names tasks again, to check them
			again := seen[t.id] && listed(t.phase)
			seen[t.id] = true
			return again || t.id == ""
		}), boxes
	}
	if list := readHeadings(heads, all); len(list) > 0 {
		return list, headings
	}
	if len(all) > 0 {
		return all, loose
	}
	return nil, none
}

// rising reports whether all tasks have plain ids, each with a higher number than that before it, and with no fewer
// digits: so no two have the same.
func rising(list []task) bool {
	last, width := -1, 0
	for i := range list {
		t := &list[i]
		if t.number <= last || len(t.id) < width {
			return false
		}
		last, width = t.number, len(t.id)
	}
	return last >= 0
}

// read reads a task from an item of a list, and reports whether it is one.
func (t *task) read(item markdown.Item) bool {
	t.line, t.start, t.end, t.depth, t.raw = item.Line(), item.Start(), item.End(), item.Depth(), item.Own().Raw()
	if t.box = item.Task(); t.box.OK() {
		t.text = t.box.Text()
		if t.box.Checked() {
			t.state = done
		}
	} else if len(t.raw) > 4 && t.raw[0] == '[' && t.raw[2] == ']' && t.raw[3] == ' ' &&
		strings.IndexByte("-~/>!", t.raw[1]) >= 0 {
		t.text, t.state = markdown.Plain(t.raw[4:]), off
	} else {
		return false
	}
	if raw := strings.TrimLeft(t.raw, " "); strings.HasPrefix(behindBox(raw), "~~") || t.state == open &&
		putOff(t.raw) {
		t.state = off
	}
	t.setID()
	return true
}

// remarks are the words that put a task off, or give it up.
var remarks = []string{"deferred", "postponed", "skipped", "superseded", "cancelled", "canceled", "obsolete", "dropped",
	"descoped", "optional", "wontfix", "n/a", "not applicable", "not needed", "out of scope"}

// bracketed are such remarks in Chinese and Japanese, with their brackets.
var bracketed = []string{"（跳过", "(跳过", "【跳过", "（推迟", "(推迟", "（延期", "(延期", "（取消", "(取消", "（可选", "(可选", "（不需要", "(不需要",
	"（スキップ", "（見送り", "（任意", "（不要"}

// anyBracketed finds one of them, anyOff one of all remarks.
var (
	anyBracketed = words.ListOf(bracketed...)
	anyOff       = words.ListOf(append(remarks, bracketed...)...).AnyCase()
)

// putOff reports whether an open task says that it is not to be done now: "T048 DEFERRED …", "… (optional)", "… —
// SKIPPED: why".
func putOff(raw string) bool {
	if anyOff.Index(raw) < 0 {
		return false
	}
	if anyBracketed.Index(raw) >= 0 {
		return true
	}
	text := lower(raw)
	if len(text) != len(raw) {
		return false
	}
	for _, word := range remarks {
		for at := 0; ; at++ {
			i := strings.Index(text[at:], word)
			if i < 0 {
				break
			}
			at += i
			before, end := strings.TrimRight(raw[:at], " "), at+len(word)
			if end < len(text) && (words.IsWord(text[end]) && text[end] != '_') || before == "" {
				continue
			}
			last := before[len(before)-1]
			if strings.IndexByte("([", last) >= 0 || len(before) == at && strings.IndexByte("_*", last) >= 0 {
				return true // a remark
			}
			if raw[at:end] == strings.ToUpper(word) &&
				(strings.IndexByte("]:-", last) >= 0 || strings.HasSuffix(before, "—") ||
					strings.HasSuffix(before, "–") || idLen(before[strings.LastIndexByte(before, ' ')+1:]) > 0) {
				return true // a mark in capitals, behind the labels, a dash or a colon
			}
		}
	}
	return false
}

// noted reports whether a note below a task begins with a word that puts it off: "NOTE: Skipped, there is no database".
func noted(text string) bool {
	text = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(lower(text), "note"), "status"), " :")
	return slices.Contains(remarks[:8], words.First(text))
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

// readHeadings reads tasks that are headings: "## ✅ T1. Parse". A heading without a sign is done if the boxes below it
// are.
func readHeadings(heads []heading, all []task) []task {
	var list []task
	for i, h := range heads {
		t := task{text: h.text, raw: h.Raw(), line: h.Line(), start: h.Start(), end: h.Section().End(), phase: h.text}
		t.text = strings.TrimLeftFunc(t.text, func(r rune) bool { return r != '[' && markdown.Symbol(r) })
		ticked := strings.Contains(t.raw, "✅") || strings.HasPrefix(t.text, "[x] ") || strings.HasPrefix(t.text, "[X] ")
		if len(t.text) > 4 && t.text[0] == '[' && t.text[2] == ']' {
			t.text = t.text[4:]
		}
		if t.setID(); t.id == "" {
			continue
		}
		below, opened := 0, 0
		for _, b := range all {
			if b.start > t.start && b.start < t.end {
				if below++; b.state == open {
					opened++
				}
			}
		}
		if ticked || below > 0 && opened == 0 {
			t.state = done
		}
		for _, up := range heads[:i] {
			if up.Level() < h.Level() {
				t.phase = up.text
			}
		}
		list = append(list, t)
	}
	return list
}

// setID takes the id from the text: T001, T012a, T1.2, T006-VERIFY, T-SB04, [T001], and the range T001-T005.
func (t *task) setID() {
	t.number, t.until = -1, -1
	text := words.TrimLeft(t.text, "[(*~` ")
	n := idLen(text)
	if n == 0 {
		return
	}
	t.id = text[:n]
	rest := text[n:]
	if anyDash.Begin(rest) {
		for _, dash := range dashes {
			if after, ok := strings.CutPrefix(rest, dash); ok {
				if k := idLen(after); k > 0 {
					t.last, rest = after[:k], after[k:]
					break
				}
			}
		}
	}
	t.number, t.until = number(t.id), number(t.last)
	if t.text = words.TrimLeft(rest, " ])*~`:.,–—-"); t.last == "" && len(rest)-len(t.text) == 1 && rest[0] == ' ' {
		t.whole = text
	}
}

// dashes stand between the ids of a range.
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
			if words.IsWord(c) {
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
