package kiro

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// requirements holds the numbered requirements in requirements.md.
type requirements struct {
	doc   *sdk.Document
	list  []requirement
	place map[string]int  // index in list, by number
	last  *requirement    // cache of find: most tasks name several criteria of one requirement
	again []requirement   // requirements with the number of an earlier one; not in list
	ids   map[string]bool // every dotted number in the text; nil until first used

	dotted bool // a requirement has a dotted number
}

// A requirement is a heading such as "Requirement 2: NAME".
type requirement struct {
	head          markdown.Heading
	number, title string
	criteria      int   // number of criteria: "2.3" is the third criterion of Requirement 2
	skipped       []int // numbers that the criteria skip
	named         bool  // a task names it or one of its criteria
	text          string
}

// find returns the requirement with the given number, or nil.
func (q *requirements) find(number string) *requirement {
	if q.last != nil && q.last.number == number {
		return q.last
	}
	i, ok := q.place[number]
	if !ok {
		return nil
	}
	q.last = &q.list[i]
	return q.last
}

// asked are the words that begin the heading of a requirement, or a task's line that names requirements.
var asked = []string{"requirement", "requirements", "req", "r", "要件", "需求", "требование", "требования", "requisito",
	"requisitos", "exigence", "exigences", "anforderung", "anforderungen", "요구사항", "validates",
	"validates requirements"}

const longestAsked = len("validates requirements")

var askedWords = words.ListOf(asked...).AnyCase()

// askedIn finds the words in asked, except single letters.
var askedIn = words.ListOf(append(slices.DeleteFunc(slices.Clone(asked),
	func(word string) bool { return len(word) < 2 }),
	"Требовани", "ТРЕБОВАНИ")...).AnyCase()

// allOf are the words that mean every requirement.
var allOf = words.ListOf("all", "全", "すべて", "все", "todos", "todas", "alle", "모든").AnyCase()

func isAsked(word string) bool {
	return word == "Requirements" || word == "Requirement" || askedWords.Has(words.LowerWide(word))
}

func readRequirements(d *sdk.Document) *requirements {
	heads := d.Outline().Headings()
	r := &requirements{doc: d, list: make([]requirement, 0, len(heads)), place: make(map[string]int, len(heads))}
	for i, h := range heads {
		if !strings.ContainsAny(h.Raw(), "0123456789") {
			continue
		}
		word, digits, title := titleOf(h.Text())
		if digits == "" || !isAsked(word) && (word != "" || strings.Contains(digits, ".") ||
			!ofRequirements(above(heads[:i], h.Level()))) {
			continue
		}
		if title == "" { // "### Requirement 6", with a user story below
			title = strings.TrimPrefix(h.Body().Paragraph().Text(), "User Story: ")
		}
		at, twice := r.place[digits]
		if twice && retold(heads, r.list[at].head, h) {
			continue
		}
		if q := (requirement{head: h, number: digits, title: title}); twice {
			r.again = append(r.again, q)
		} else {
			at = len(r.list)
			r.dotted = r.dotted || strings.Contains(digits, ".")
			r.list, r.place[digits] = append(r.list, q), at
		}
		end := len(d.Text)
		for _, next := range heads[i+1:] {
			if next.Level() <= h.Level() {
				end = next.Start()
				break
			}
		}
		text := d.Text[h.End():end]
		n, skipped := criteria(text)
		if !twice {
			r.list[at].skipped = skipped
		}
		r.list[at].criteria, r.list[at].text = max(r.list[at].criteria, n), text
	}
	return r
}

// criteria returns the number of list items in a text, or the highest item number if that is greater. It also returns
// the numbers that the list skips if the text has only one list.
func criteria(text string) (n int, skipped []int) {
	most, items, rising := 0, 0, true
	for text != "" {
		n := 0
		for n < len(text) && (text[n] == ' ' || text[n] == '\t' || text[n] == '>') {
			n++
		}
		text = text[n:]
		for n = 0; n < len(text) && n < 4 && isDigit(text[n]); {
			n++
		}
		switch {
		case n > 0 && n < len(text) && (text[n] == '.' || text[n] == ')'):
			items++
			number := words.Number(text[:n])
			if rising = rising && number > most && number-most < 9; rising {
				for k := most + 1; k < number; k++ {
					skipped = append(skipped, k)
				}
			}
			most = max(most, number)
		case strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* "):
			items++
		}
		_, text, _ = strings.Cut(text, "\n")
	}
	if !rising {
		skipped = nil
	}
	return max(most, items), skipped
}

// retold reports whether a requirement is only repeated under another heading, such as "Summary". A sign may follow its
// title.
func retold(heads []markdown.Heading, first, again markdown.Heading) bool {
	under := func(h markdown.Heading) string { return above(heads[:slices.Index(heads, h)], h.Level()).Text() }
	unsigned := strings.TrimRightFunc(again.Text(), func(r rune) bool { return r == ' ' || markdown.Symbol(r) })
	return fold(unsigned) == fold(first.Text()) && under(again) != under(first)
}

// above returns the heading that contains a heading of the given level, which follows heads.
func above(heads []markdown.Heading, level int) (h markdown.Heading) {
	for i := len(heads) - 1; i >= 0; i-- {
		if heads[i].Level() < level {
			return heads[i]
		}
	}
	return h
}

// ofRequirements reports whether a heading is one such as "Requirements" that is not the document's title.
func ofRequirements(h markdown.Heading) bool {
	if !h.OK() || h.Level() == 1 {
		return false
	}
	_, digits, title := titleOf(h.Text())
	if digits == "" {
		title = h.Text()
	}
	return isAsked(strings.TrimPrefix(words.Lower(title), "functional "))
}

// titleOf splits a heading such as "Requirement 2: NAME" or "Requirement 2a" into its parts.
func titleOf(text string) (word, digits, title string) {
	i := 0
	for i < len(text) && !isDigit(text[i]) {
		i++
	}
	end := i
	for end < len(text) && (isDigit(text[end]) || text[end] == '.' && end+1 < len(text) && isDigit(text[end+1])) {
		end++
	}
	if end > i && end < len(text) && (text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z') { // 6a, inserted after 6
		end++
	}
	if end == i {
		return "", "", ""
	}
	return trim(text[:i], " -#:", "："), words.Lower(text[i:end]), trim(text[end:], " .:-", "：—")
}

// trim removes characters from both ends of a text. It is fast if the text begins and ends with ASCII.
func trim(text, ascii, wide string) string {
	text = words.Trim(text, ascii)
	if text == "" || text[0] < utf8.RuneSelf && text[len(text)-1] < utf8.RuneSelf {
		return text
	}
	return strings.Trim(text, ascii+wide)
}

// numbersIn returns the dotted numbers in a text: "1.2", "1.2.3".
func numbersIn(text string) []string {
	var list []string
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) || i > 0 && (isDigit(text[i-1]) || text[i-1] == '.') {
			continue
		}
		end, dotted := i, false
		for end < len(text) && (isDigit(text[end]) || text[end] == '.' && end+1 < len(text) && isDigit(text[end+1])) {
			dotted = dotted || text[end] == '.'
			end++
		}
		if dotted {
			list = append(list, text[i:end])
		}
		i = end
	}
	return list
}
