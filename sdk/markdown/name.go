package markdown

import (
	"slices"
	"strings"
)

// Name returns the form in which headings, columns and keys are compared: lower case, without spaces, hyphens and
// underscores, without leading symbols, emoji and numbering ("3.", "2.1"), and without a closing ? : . ! or emoji.
// A text that consists only of symbols, such as #, stays unchanged.
func Name(text string) string {
	bare := strings.TrimLeftFunc(text, symbol)
	bare = unnumbered(bare)
	bare = strings.TrimRightFunc(bare, ending)
	if bare == "" {
		bare = strings.TrimSpace(text)
	}
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r <= ' ' || r == '\u00a0' || r == '\u3000' {
			return -1
		}
		return lower(r)
	}, bare)
}

// Lower converts a text to lower case as Name does.
func Lower(text string) string { return strings.Map(lower, text) }

// lower returns the lowercase letter for Latin (including Vietnamese), Greek and Cyrillic capitals. Package unicode
// would add 11 kB to a guest.
func lower(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z', r >= 'À' && r <= 'Þ' && r != '×', r >= 'Α' && r <= 'Ϋ', r >= 'А' && r <= 'Я':
		return r + 0x20
	case r >= 'Ѐ' && r <= 'Џ':
		return r + 0x50
	case r >= 'Ā' && r <= 'ķ' && r != 'İ', r >= 'Ŋ' && r <= 'ŷ', r == 'Ơ', r >= 'Ḁ' && r <= 'ẕ', r >= 'Ạ' && r <= 'ỹ':
		// uppercase and lowercase letters alternate
		return r | 1
	case r >= 'Ĺ' && r <= 'ň', r >= 'Ź' && r <= 'ž', r == 'Ư':
		return r + r&1
	}
	return r
}

// Symbol reports whether a character is neither a letter nor a digit. Name drops such characters at the beginning
// of a text.
func Symbol(r rune) bool { return symbol(r) }

// symbol reports whether a character is neither a letter nor a digit. Beyond ASCII it compares whole Unicode
// blocks, so that a plugin does not link the Unicode tables.
func symbol(r rune) bool {
	switch {
	case r < 0x80:
		return !(r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9')
	case r < 0x2000:
		return r <= 0xbf || r == '×' || r == '÷'
	default: // punctuation to dingbats and arrows; CJK punctuation; variation selectors; emoji
		return r <= 0x2bff || r >= 0x3000 && r <= 0x3003 || r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f000 && r <= 0x1faff
	}
}

func ending(r rune) bool {
	if r < 0x80 {
		return strings.IndexByte("?:.! \t", byte(r)) >= 0
	}
	return symbol(r)
}

// unnumbered removes "3. ", "3) " and "2.1 ", unless nothing would remain.
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
	return slices.Contains(s, name)
}
