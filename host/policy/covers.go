package policy

import (
	"strconv"
	"strings"
)

// Covers reports whether a finding says nothing that was not accepted with another message of its fingerprint: every word and value in
// it is there, and no count is greater. Lines, totals, durations and object ids may differ; so may what follows a list that was cut short.
func Covers(accepted, message string) bool {
	if accepted == message {
		return true
	}
	was, is := read(accepted), read(message)
	for word := range is.words {
		if !was.words[word] && !was.cut {
			return false
		}
	}
	for unit, n := range is.counts {
		if before, ok := was.counts[unit]; n > before || !ok {
			return false
		}
	}
	return true
}

// A content is what a message says, however often and in which order.
type content struct {
	words  map[string]bool
	counts map[string]int // the greatest of each unit
	cut    bool           // a list in it ends with how many more there are
}

// Words beside a number that say whether it counts something.
const (
	copulas   = " is was says said to from at version "
	particles = " and as but expected for has in is it or the though to was which while with "
	durations = " day hour minute month second week year d h "
)

func read(message string) content {
	c := content{words: map[string]bool{}, counts: map[string]int{}}
	var list []string
	for word := range strings.FieldsSeq(message) {
		if inner, ok := strings.CutPrefix(word, "("); !ok || !isPlace(strings.TrimRight(inner, ").,;:")) {
			list = append(list, singular(strings.Trim(word, "\"'“”«»()[]{},;:.…!?`")))
		}
	}
	for i, word := range list {
		before, behind := neighbour(list, i-1), neighbour(list, i+1)
		n, err := strconv.Atoi(word)
		switch {
		case word == "", isObject(word), err == nil && (before == "of" || before == "line" || among(durations, behind)):
		case err == nil && behind == "more":
			c.counts[behind], c.cut = max(n, c.counts[behind]), true
		case err == nil && (behind == "of" || !among(copulas, before) && isNoun(behind)):
			c.counts[behind] = max(n, c.counts[behind])
		default:
			c.words[word] = true
		}
	}
	return c
}

func neighbour(list []string, i int) string {
	if i < 0 || i >= len(list) {
		return ""
	}
	return list[i]
}

func among(words, word string) bool { return word != "" && strings.Contains(words, " "+word+" ") }

func isNoun(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" && !among(particles, word)
}

// isPlace reports whether a text is PATH:LINE.
func isPlace(text string) bool {
	i := strings.LastIndexByte(text, ':')
	_, err := strconv.Atoi(text[i+1:])
	return i > 0 && err == nil
}

// isObject reports whether a word is an id of git, or the beginning of one.
func isObject(word string) bool {
	return len(word) >= 7 && len(word) <= 64 && strings.Trim(word, "0123456789abcdef") == "" && strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdef")
}

// singular makes one word of those that differ with a number.
func singular(word string) string {
	switch word {
	case "are":
		return "is"
	case "were":
		return "was"
	case "have":
		return "has"
	case "them", "they":
		return "it"
	}
	if stem, ok := strings.CutSuffix(word, "ies"); ok && stem != "" {
		return stem + "y"
	}
	if len(word) > 3 && isNoun(word) {
		return strings.TrimSuffix(word, "s")
	}
	return word
}
