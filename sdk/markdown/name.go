package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name is the form in which headings, columns and keys are compared: lower
// case, without spaces, hyphens and underscores, without leading symbols,
// emoji and numbering ("3.", "2.1"), and without a closing ? : . ! or emoji.
// A text of symbols alone, such as #, stays.
func Name(text string) string {
	bare := strings.TrimLeftFunc(text, symbol)
	bare = unnumbered(bare)
	bare = strings.TrimRightFunc(bare, ending)
	if bare == "" {
		bare = strings.TrimSpace(text)
	}
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, bare)
}

func symbol(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func ending(r rune) bool {
	if r < utf8.RuneSelf {
		return strings.ContainsRune("?:.! \t", r)
	}
	return symbol(r)
}

// unnumbered takes off "3. ", "3) " and "2.1 ", unless nothing else is there.
func unnumbered(text string) string {
	end, dots := 0, 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] == '.' || text[end] == ')') {
		if text[end] == '.' || text[end] == ')' {
			dots++
		}
		end++
	}
	if end == 0 || dots == 0 || end == len(text) || text[end] != ' ' {
		return text
	}
	if rest := strings.TrimLeftFunc(text[end:], symbol); rest != "" {
		return rest
	}
	return text
}

type nameSet []string

func names(texts []string) nameSet {
	set := make(nameSet, len(texts))
	for i, t := range texts {
		set[i] = Name(t)
	}
	return set
}

func (s nameSet) has(text string) bool {
	name := Name(text)
	for _, want := range s {
		if name == want {
			return true
		}
	}
	return false
}
