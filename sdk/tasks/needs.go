package tasks

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// needWords introduce a task's dependencies in most workflows.
var needWords = [...]string{"depends on", "dependencies", "dependency", "depends", "blocked by"}

var common atomic.Pointer[words.List]

// NeedWords returns the words that introduce a task's dependencies in all workflows, together with further words of
// one workflow. A workflow whose ids cannot be confused with common numbers may add "after" and "requires".
func NeedWords(more ...string) *words.List {
	return words.ListOf(append(needWords[:], more...)...).AnyCase()
}

// MayNeed reports whether a text contains a word that introduces dependencies. Call it once for a whole document to
// avoid reading every task.
func (f *Form) MayNeed(text string) bool { return f.needWords().Index(text) >= 0 }

func (f *Form) needWords() *words.List {
	if f.NeedWords != nil {
		return f.NeedWords
	}
	list := common.Load()
	if list == nil {
		list = NeedWords()
		common.Store(list)
	}
	return list
}

// Needs lists the ids that a task depends on. They may be anywhere in its body: as the value of a line ("_Depends:
// 1.1, 1.2_", "- Depends on: T003") or in parentheses ("(depends on T012, T013)", "(blocked by T2)"). With
// Form.Prose, a "depends on" within the title's sentence counts if the task has no other dependencies. Ranges
// include everything in between. A number that counts something, as in "after 3 attempts", is not an id.
func (f *Form) Needs(t *Task, body string) []string {
	ids := f.needs(body, false)
	if len(ids) == 0 && f.Prose {
		ids = f.needs(t.Title, true)
	}
	return ids
}

func (f *Form) needs(text string, prose bool) (ids []string) {
	list := f.needWords()
	for from := 0; from < len(text); {
		i := list.Index(text[from:])
		if i < 0 {
			return ids
		}
		at := from + i
		end := at + list.Longest(text[at:])
		from = end
		if at > 0 && text[at-1] != '_' && words.IsWord(text[at-1]) ||
			end < len(text) && text[end] != '_' && words.IsWord(text[end]) {
			continue
		}
		value := strings.TrimLeft(text[end:], " *_")
		if prose && words.Alike(text[at:end], "depends on") || apart(text[:at], value) {
			line, _, _ := strings.Cut(value, "\n")
			ids = f.Refs(ids, strings.TrimLeft(line, ":： *_"))
		}
	}
	return ids
}

// apart reports whether a word between two texts is the key of a line or the first word in parentheses.
func apart(before, after string) bool {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " *_"))
	return strings.ContainsRune("(（[", last) || strings.Trim(before, " \t-*+_>") == "" &&
		(strings.HasPrefix(after, ":") || strings.HasPrefix(after, "："))
}

// Refs appends to ids those that a text begins with, and expands ranges: "T003, T005–T007 and T009".
func (f *Form) Refs(ids []string, rest string) []string {
	for {
		id, n := f.Ref(rest)
		if n == 0 || counts(id, rest[n:]) {
			return ids
		}
		ids, rest = append(ids, id), rest[n:]
		if last, n := f.until(rest); n > 0 {
			ids, rest = appendRange(ids, id, last), rest[n:]
		}
		if remark, after, ok := strings.Cut(rest, ")"); ok && strings.HasPrefix(strings.TrimLeft(remark, " "), "(") {
			rest = after
		}
		next := words.TrimLeft(rest, ",;+&/、， ")
		if after, ok := strings.CutPrefix(next, "and "); ok {
			next = strings.TrimLeft(after, " ")
		}
		if next == rest {
			return ids
		}
		rest = next
	}
}

// counts reports whether a bare number counts what follows it: "3 attempts".
func counts(id, rest string) bool {
	if strings.Trim(id, "0123456789") != "" || !strings.HasPrefix(rest, " ") {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	switch word := words.First(rest); {
	case word == "" || word[0] >= '0' && word[0] <= '9':
		return false
	default:
		return word != "and" && word != "to" && word != "through"
	}
}

// until returns the id that ends a range and the length of the text up to and including that id. The length is 0 if
// the text does not continue a range.
func (f *Form) until(rest string) (last string, n int) {
	next := strings.TrimLeft(rest, " ")
	for _, dash := range [...]string{"-", "–", "—", "~", "..", "to ", "through "} {
		after, ok := strings.CutPrefix(next, dash)
		if after = strings.TrimLeft(after, " "); !ok {
			continue
		}
		if id, k := f.Ref(after); k > 0 {
			return id, len(rest) - len(after) + k
		}
	}
	return "", 0
}

// appendRange appends the ids of a range except the first one, which ids already contains.
func appendRange(ids []string, first, last string) []string {
	head, from := cutNumber(first)
	other, to := cutNumber(last)
	if head != other || from < 0 || to <= from || to-from > 100 {
		return append(ids, last)
	}
	width := len(first) - len(head)
	for n := from + 1; n <= to; n++ {
		digits := say.Int(n)
		if first[len(head)] == '0' {
			digits = strings.Repeat("0", max(0, width-len(digits))) + digits
		}
		ids = append(ids, head+digits)
	}
	return ids
}

// cutNumber splits the number off the end of an id. The number is -1 if there is none.
func cutNumber(id string) (head string, n int) {
	head = strings.TrimRight(id, "0123456789")
	n, _ = words.Leading(id[len(head):])
	return head, n
}
