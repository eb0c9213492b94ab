package kiro

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// criterion are the words before a criterion's number: "R2 Acceptance 3" is 2.3.
var criterion = words.ListOf("acceptance", "criteria", "criterion", "ac", "標準", "标准", "基準", "критерий",
	"criterio", "critère", "kriterium").AnyCase()

// ofDesign finds where a value refers to the design until the next semicolon: "2.1; Design §Tests (3.2)".
var ofDesign = words.ListOf("design §", "design:", "design：", "design.md", "design property").AnyCase()

// references appends the requirements that a value names to a list: "1.2", "R2", "3.2.1", "6a.1", "R2 Acceptance 3" as
// 2.3, and every number in the range "1.1-1.4". It appends an id from another series, such as NFR-2, unchanged. It
// skips a number after another word, a bare number in brackets, and an amount in free text: "within 30 s", "≥80%".
func references(list []string, value string) []string {
	if at := ofDesign.Index(value); at >= 0 {
		list, value = references(list, value[:at]), value[at:]
		if at = strings.IndexAny(value, ";；"); at < 0 {
			return list
		}
		return references(list, value[at:])
	}
	first, last, brackets := len(list), 0, 0
	// the requirement that a criterion belongs to, and whether bare numbers are its criteria
	of, within := "", false
	for i := 0; i < len(value) && !strings.HasPrefix(value[i:], "_ "); { // italics end there
		n := numberLen(value[i:])
		if n == 0 {
			switch {
			case value[i] == '(', strings.HasPrefix(value[i:], "（"):
				brackets++
			case value[i] == ')', strings.HasPrefix(value[i:], "）"):
				brackets, within = max(brackets-1, 0), false
			}
			i++
			continue
		}
		before, word := cutWord(value[last:i])
		id, end := value[i:i+n], i+n
		start := last + len(before)
		hyphened := word != "" && value[i-1] == '-' // NFR-2
		ranged := len(list) > first && (through(value[last:i]) && !hyphened || isAsked(word) && through(before))
		i = end
		rest := value[end:]
		if word != "" && !isAsked(word) && len(rest) > 1 && isLetter(rest[1]) {
			rest = strings.TrimPrefix(rest, "-") // WS1-MEM-001
		}
		if midWord(rest) {
			continue
		}
		from := last
		last = end
		dotted := strings.Contains(id, ".")
		switch {
		case ranged && !isAsked(word) && !isDigit(list[len(list)-1][0]), // NFR-1 to 3
			!dotted && len(list) == first && !isAsked(word) && !hyphened && words.Says(value[:start]):
			continue
		case criterion.Has(word) && of != "" && !dotted, within && word == "" && !dotted:
			if within = true; list[len(list)-1] == of && !ranged {
				list = list[:len(list)-1]
			}
			id = of + "." + id
		case word == "", isAsked(word), ranged:
			if brackets > 0 && !dotted && !ranged {
				continue
			}
			if prev := ""; ranged && !dotted {
				prev = list[len(list)-1]
				id = prev[:strings.LastIndexByte(prev, '.')+1] + id // 1.2-4
			}
			of, within = id, false
		case words.Lower(word) != word && (hyphened || strings.ToUpper(word) == word && len(word) < 6):
			if hyphened { // WS1-MEM-001
				start = from + strings.LastIndexAny(value[from:start], " ,;(/") + 1
			}
			list = append(list, strings.TrimLeft(value[start:end], "-0123456789、"))
			continue
		case !dotted && len(word) > 3: // "Property 3"; a short word joins: "1 y 2"
			continue
		}
		if ranged {
			if all := form.Refs(nil, list[len(list)-1]+"-"+id); len(all) > 0 && all[len(all)-1] == id {
				list = append(list[:len(list)-1], all...)
				continue
			}
		}
		list = append(list, id)
	}
	return list
}

// numberLen returns the length of the number at the start of a text: "2", "2.1", "6a.1".
func numberLen(text string) (n int) {
	for end := 0; ; end++ {
		from := end
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		if end == from {
			return n
		}
		if end < len(text) && text[end] >= 'a' && text[end] <= 'z' && !midWord(text[end+1:]) {
			end++
		}
		if n = end; end == len(text) || text[end] != '.' {
			return n
		}
	}
}

// midWord reports whether a text begins in the middle of a word, so that digits before it are part of that word.
func midWord(text string) bool {
	text = strings.TrimPrefix(text, "_")
	return text != "" && (isLetter(text[0]) || isDigit(text[0]))
}

// cutWord cuts off the word at the end of a text that the following number belongs to: "R" from ", R", "NFR" from
// "1, NFR-". word is "" if there is none.
func cutWord(text string) (before, word string) {
	bare := strings.TrimRight(text, " -.#")
	at := strings.LastIndexFunc(bare, markdown.Symbol)
	if at >= 0 {
		_, size := utf8.DecodeRuneInString(bare[at:])
		at += size - 1
	}
	return bare[:at+1], bare[at+1:]
}
