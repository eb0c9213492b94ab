package policy

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Covers reports whether a message is no worse than the accepted message with the same fingerprint: it contains no
// new value and no greater count. Words are ignored, because another version of the plugin may use other words.
// Lines, totals, durations and commit ids are also ignored. If the accepted list was truncated, the message may
// quote any value.
func Covers(accepted, message string) bool {
	if accepted == message {
		return true
	}
	was, is := read(accepted), read(message)
	for value := range is.values {
		if !was.values[value] && (!was.cut || value[0] == '"') && !mentions(accepted, strings.TrimPrefix(value, `"`)) {
			return false
		}
	}
	renamed := 0 // the greatest count whose unit the message no longer has: the unit may have another name now
	for unit, n := range was.counts {
		if _, ok := is.counts[unit]; !ok {
			renamed = max(renamed, n)
		}
	}
	for unit, n := range is.counts {
		if before, ok := was.counts[unit]; n > before && (ok || n > renamed) {
			return false
		}
	}
	return true
}

// mentions reports whether a message contains a value, with or without quotation marks, because versions of a
// plugin may differ in these.
func mentions(message, value string) bool {
	for rest := message; value != ""; {
		before, after, found := strings.Cut(rest, value)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !wordRune(last) && !wordRune(next) {
			return true
		}
		rest = after
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }

// A content is the information in a message, without order or repetition.
type content struct {
	values map[string]bool // quoted values, each with its opening quotation mark
	counts map[string]int  // the greatest count of each unit
	cut    bool            // it contains a list that ends with the number of omitted items
}

// These words, if they are next to a number, determine whether the number counts something.
const (
	copulas   = " is was says said to from at version "
	particles = " and as but expected for has in is it or the though to was which while with "
	durations = " day hour minute month second week year d h "
)

func read(message string) content {
	c := content{values: map[string]bool{}, counts: map[string]int{}}
	var words []string
	for i, text := range strings.Split(message, `"`) {
		if i%2 == 1 {
			c.values[`"`+text] = true
			text = "…"
		}
		for word := range strings.FieldsSeq(text) {
			if inner, ok := strings.CutPrefix(word, "("); !ok || !isPlace(strings.TrimRight(inner, ").,;:")) {
				word = strings.TrimSuffix(strings.Trim(word, "'“”«»()[]{},;:.!?`"), "'s")
				words = append(words, singular(word))
			}
		}
	}
	words = append(words, "")
	before := ""
	for i, word := range words {
		n, err := strconv.Atoi(word)
		switch behind := words[min(i+1, len(words)-1)]; {
		case err != nil:
			if !isWord(word) && !isObject(word) {
				c.values[word] = true
			}
		case before == "of" || before == "line" || among(durations, behind):
		case behind == "more":
			c.counts[behind], c.cut = max(n, c.counts[behind]), true
		case behind == "of" || isWord(behind) && behind != "" && !among(particles, behind) && !among(copulas, before):
			c.counts[behind] = max(n, c.counts[behind])
		default:
			c.values[word] = true
		}
		before = word
	}
	return c
}

func among(words, word string) bool { return word != "" && strings.Contains(words, " "+word+" ") }

// isWord reports whether a text consists of lower-case letters and underscores, or is empty.
func isWord(text string) bool { return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_…") == "" }

// isPlace reports whether a text has the form PATH:LINE.
func isPlace(text string) bool {
	i := strings.LastIndexByte(text, ':')
	_, err := strconv.Atoi(text[i+1:])
	return i > 0 && err == nil
}

// isObject reports whether a word is a git object id, or an abbreviated one.
func isObject(word string) bool {
	return len(word) >= 7 && len(word) <= 64 && strings.Trim(word, "0123456789abcdef") == "" &&
		strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdef")
}

// singular maps "story" and "stories" to the same unit.
func singular(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		return stem + "y"
	}
	if len(word) > 3 && isWord(word) {
		return strings.TrimSuffix(word, "s")
	}
	return word
}
