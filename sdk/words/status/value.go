package status

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// Fold converts a word to the form used in vocabularies: lower case, an underscore for each run of blanks, hyphens
// and underscores, and no apostrophes. "Won't do" becomes wont_do.
func Fold(word string) string {
	return words.Fold(markdown.Lower(drop(word, "'’")))
}

// plain returns a value in lower case without comments, struck-through text, emphasis and quotes.
func plain(value string) string {
	if strings.Contains(value, "~~") || strings.Contains(value, "<!--") {
		value = without(without(value, "<!--", "-->"), "~~", "~~")
	}
	if i := strings.IndexAny(value, "\r\n"); i >= 0 && strings.TrimSpace(value[:i]) != "" {
		value = value[:i]
	}
	return markdown.Lower(strings.Trim(drop(value, "*`\"“”"), " \t\r\n_'"))
}

// drop removes characters from a text.
func drop(text, cut string) string {
	i := 0
	for i < len(text) && strings.IndexByte(cut, text[i]) < 0 {
		i++
	}
	if i == len(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(cut, r) {
			return -1
		}
		return r
	}, text)
}

// without removes everything between two marks, including the marks.
func without(text, open, shut string) string {
	for {
		before, rest, ok := strings.Cut(text, open)
		_, after, closed := strings.Cut(rest, shut)
		if !ok || !closed {
			return text
		}
		text = before + after
	}
}

var arrows = []string{"→", "->", "=>", "➜", "➔"}

// cutArrow splits a text at its last arrow: "review → done".
func cutArrow(text string) (before, after string, ok bool) {
	for _, arrow := range arrows {
		for end := len(text); end >= len(arrow) && strings.Contains(text, arrow); end-- {
			if strings.HasSuffix(text[:end], arrow) {
				return text[:end-len(arrow)], text[end:], true
			}
		}
	}
	return text, "", false
}

var boxes = []struct {
	mark string
	is   Status
}{{"[x]", Done}, {"[✓]", Done}, {"[ ]", Open}, {"[]", Open}, {"[-]", InProgress}, {"[~]", InProgress}}

// cutSign removes the signs, brackets and boxes that a text begins with, and returns the meaning of the first one
// that has any.
func cutSign(text string) (rest string, s Status) {
	for text != "" {
		if name, after, ok := strings.Cut(strings.TrimPrefix(text, ":"), ":"); ok && text[0] == ':' &&
			!strings.Contains(name, " ") { // for example, :white_check_mark:
			if text = after; s == Unknown && strings.Contains(name, "check") {
				s = Done
			}
			continue
		}
		for _, box := range boxes {
			if rest, ok := strings.CutPrefix(text, box.mark); ok && s == Unknown {
				text, s = rest, box.is
			}
		}
		r, n := utf8.DecodeRuneInString(text)
		if n == 0 || !isSign(r) {
			break
		}
		if s == Unknown {
			s = signStatus(r)
		}
		text = text[n:]
	}
	return text, s
}

// isSign reports whether a character is neither a letter nor a digit.
func isSign(r rune) bool {
	return markdown.Symbol(r) || r >= 0x3004 && r < 0x3020 || r >= 0xff00 && r < 0xff10 || r >= 0xff1a && r < 0xff21
}

// denial is the meaning of a sign such as ❌ next to a word: not done, regardless of the word.
const denial Status = 100

// signStatus returns the meaning of a sign without a word next to it.
func signStatus(r rune) Status {
	switch r {
	case '✅', '☑', '✔', '✓', '🎉':
		return Done
	case '⬜', '☐', '◻', '□':
		return Open
	case '🔄', '🚧':
		return InProgress
	case '⏭', '🚫':
		return Cancelled
	case '⛔', '🛑':
		return Blocked
	case '❌', '✗', '✘', '⏳', '⌛':
		return denial
	}
	return Unknown
}

// cutPercent removes a percentage: 100% means Done, 0% Open, anything else InProgress.
func cutPercent(text string) (rest string, s Status) {
	n, rest := words.Leading(text)
	rest, ok := strings.CutPrefix(trimLeft(rest), "%")
	if !ok || n < 0 || n > 100 {
		return text, Unknown
	}
	switch n {
	case 0:
		return trimLeft(rest), Open
	case 100:
		return trimLeft(rest), Done
	}
	return trimLeft(rest), InProgress
}

// counted reads a count at the beginning of a value: "3/5 done", "5 of 5 complete".
func (v *Vocabulary) counted(text string) Status {
	n, rest := words.Leading(text)
	if n < 0 || v.Only {
		return Unknown
	}
	rest = strings.Replace(trimLeft(rest), "of ", "/", 1)
	if !strings.HasPrefix(rest, "/") {
		return Unknown
	}
	all, rest := words.Leading(trimLeft(rest[1:]))
	rest = trimLeft(rest)
	_, end := v.begins(rest)
	switch {
	case n > all || all == 0 || !IsComplete(rest[:end]) || !separate(rest[end:], Done) || takesBack(rest[end:], Done):
		return Unknown
	case n == all:
		return Done
	case n == 0:
		return Open
	}
	return InProgress
}

// undatedInFront removes a date from the beginning of a value: "2026-01-02: done".
func undatedInFront(text string) string {
	rest := words.TrimLeft(text, "0123456789-./")
	if n := len(text) - len(rest); n < 8 || n > 10 {
		return text
	}
	if rest = strings.TrimLeft(rest, " :：,-–—"); rest == "" {
		return text
	}
	return rest
}

// degrees are words that precede a word in the table finished and qualify it.
var degrees = [...]struct {
	is    Status
	words []string
}{
	{Open, []string{"not ", "not yet ", "nicht ", "niet ", "nog niet ", "não ",
		"non ", "не ", "ещё не "}},
	{InProgress, []string{"partially ", "partly ", "almost ", "nearly ", "mostly ", "half ", "fast ", "teilweise ",
		"zum teil ", "частично ",
		"presque ", "casi ", "quase ", "quasi ", "почти ", "bijna ", "prawie "}},
	{Cancelled, []string{"will not be ", "won't be ", "won’t be "}},
}

// degree is like begins for a text that begins with a word in degrees: "not implemented", "almost done".
func (v *Vocabulary) degree(text string) (s Status, n int) {
	if v.Only {
		return Unknown, 0
	}
	for _, d := range degrees {
		for _, word := range d.words {
			if rest, ok := strings.CutPrefix(text, word); ok {
				if _, end := v.begins(rest); IsComplete(rest[:end]) {
					s, n = d.is, len(word)+end
				}
			}
		}
	}
	return s, n
}

// endsAs returns the status that a remark gives to something closed: "closed (won't fix)".
func (v *Vocabulary) endsAs(rest string) Status {
	rest = strings.TrimPrefix(strings.TrimLeft(rest, " :;,([（-–—"), "as ")
	if s, n := v.begins(rest); n > 0 && separate(rest[n:], s) {
		return s
	}
	return Unknown
}

var fillers = []string{"fully ", "noch ", "now ", "is ", "all ", "already ", "currently ", "still ",
	"successfully ", "marked ", "finally ", "status:"}

// cutFiller removes a word that adds nothing to the status after it.
func cutFiller(text string) (rest string, ok bool) {
	for _, filler := range fillers {
		if rest, ok = strings.CutPrefix(text, filler); ok {
			return trimLeft(rest), true
		}
	}
	return text, false
}

// separate reports whether a word stands alone: it is followed by nothing, a sign, a number, or a word that begins
// a remark. "Open questions" and "review complete" are not statuses.
func separate(rest string, s Status) bool {
	if len(rest) > 1 && rest[0] == '.' && words.IsWord(rest[1]) { // done.txt
		return false
	}
	bare := trimLeft(rest)
	if len(bare) > 1 && bare[0] == '-' && words.IsWord(bare[1]) { // for example, done-by-hand, open-questions
		bare = bare[1:]
	}
	r, _ := utf8.DecodeRuneInString(bare)
	switch {
	case bare == "", isSign(r) && r != '?':
		return true
	case r == '?' || len(bare) == len(rest):
		return false
	case r >= '0' && r <= '9', r == 'v' && len(bare) > 1 && bare[1] >= '0' && bare[1] <= '9': // released v1.2
		return true
	}
	first := words.First(bare)
	if behind := trimLeft(strings.TrimPrefix(bare[len(first):], ".")); len(first) > 2 && behind != "" &&
		behind[0] >= '0' && behind[0] <= '9' && strings.Contains(months, " "+first[:3]) { // completed Jan 2, 2026
		return true
	}
	first = " " + first + " "
	return s != Unknown && strings.Contains(remarks, first) || s != Done && strings.Contains(reasonsLeft, first)
}

const (
	remarks = " by on as in at via with since per for and after yet successfully am el em le par "
	// reasonsLeft are words that introduce the reason why work is not finished, or where it was moved.
	reasonsLeft = " to until because due into from of pending no if when unless once but later now here anymore " +
		"indefinitely entirely next post auf bis durch à до hasta para por "
	months = " jan feb mar apr may jun jul aug sep oct nov dec "
)

// The exceptions withdraw Done and Cancelled; the leftovers withdraw only Done.
var (
	exceptions = []string{"except", "apart from", "außer", "exceto", "salvo", "sauf", "tranne", "кроме", "以外"}
	leftovers  = []string{"but ", "remain", "partial", "mostly", "pending", "awaiting", "incomplete", "unfinished",
		"todo", "still ", "missing", "not yet", "not done", "not complete", "not finished", "not merged", "not tested",
		"not verified", "needs ", "almost", "nearly", "untested", "unverified",
		"hopefully", "reverted",
		"unless", "minus ", "to be ", "in progress", "for now", "⚠", "残り", "未完",
		"剩余", "部分", "除", "nicht ", "não ", "не "}
)

// takesBack reports whether a remark says that work is left although the word before it says that
// none is.
func takesBack(rest string, s Status) bool {
	if rest == "" || !s.Finished() {
		return false
	}
	return mentions(rest, exceptions) || s == Done && (mentions(rest, leftovers) || short(rest))
}

// mentions reports whether a text contains one of the words without negating it.
func mentions(text string, any []string) bool {
	for _, word := range any {
		for from := 0; ; {
			i := strings.Index(text[from:], word)
			if i < 0 {
				break
			}
			if !denied(text[:from+i]) {
				return true
			}
			from += i + len(word)
		}
	}
	return false
}

var denials = []string{"no", "nothing", "none", "0", "without", "longer"}

// denied reports whether a text ends with a negation: "nothing remains", "no pending items".
func denied(before string) bool {
	before = strings.TrimRight(before, " ")
	for _, none := range denials {
		if rest, ok := strings.CutSuffix(before, none); ok && (rest == "" || !words.IsWord(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// short reports whether a text contains a fraction below one or a percentage below 100: "(3/5)", "80%".
func short(text string) bool {
	for i := 0; i < len(text); i++ {
		if i > 0 && words.IsWord(text[i-1]) {
			continue
		}
		n, rest := words.Leading(text[i:])
		if n < 0 {
			continue
		}
		if strings.HasPrefix(rest, "%") && n < 100 {
			return true
		}
		rest = strings.Replace(rest, " of ", "/", 1)
		if all, behind := words.Leading(strings.TrimPrefix(rest, "/")); strings.HasPrefix(rest, "/") && n < all &&
			!strings.HasPrefix(behind, "/") && (i == 0 || text[i-1] != '/') {
			return true
		}
	}
	return false
}

// wordEnds reports whether a word may end at an offset. In scripts without spaces, a word may end anywhere; separate
// then checks the text after it.
func wordEnds(text string, at int) bool {
	if at == len(text) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	next, _ := utf8.DecodeRuneInString(text[at:])
	return !isSign(before) && (isSign(next) || before >= 0x3040 && before < 0xac00)
}

func hasLetter(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !isSign(r) && (r < '0' || r > '9') }) >= 0
}

func trimLeft(text string) string { return strings.TrimLeft(text, " \t_\u00a0\u3000\ufe0f") }
