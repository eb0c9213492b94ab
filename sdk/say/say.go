// Package say formats the parts of messages: the value found, the value expected, and where the expected value
// comes from. It quotes and shortens values from documents, puts nouns after numbers, and limits the length of
// lists.
package say

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// longest is the maximum length of a quoted value, in bytes.
const longest = 80

// Clip shortens a text to fit in a message. Like the methods of a finding (see package check), it is not inlined,
// to keep guests small.
//
//go:noinline
func Clip(text string) string {
	if len(text) <= longest {
		return text
	}
	cut := longest
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// Cut shortens a text to a number of characters. It does not cut through a word or a path unless less than half of
// the text would be left, as in Japanese, which has no spaces.
func Cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	for i := range text {
		if most--; most <= 0 {
			if space := strings.LastIndexByte(text[:i], ' '); text[i] != ' ' && space*2 >= i {
				i = space
			}
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return "…"
}

// Quote shortens a text, quotes it, and escapes unprintable characters.
func Quote(text string) string { return jsondoc.Quote(Clip(text)) }

// Word returns text as one word of a POSIX shell, for a command in a message.
func Word(text string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r >= utf8.RuneSelf ||
			strings.ContainsRune("-_./:", r)
	}
	if text != "" && strings.TrimFunc(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Int formats a number.
func Int(n int) string { return strconv.Itoa(n) }

// Count formats a number and its noun: 1 phase, 2 phases, 3 entries.
func Count(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return Int(n) + " " + noun
}

// Plural returns the plural of a noun: phases, entries, criteria.
func Plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "criterion"); ok {
		return stem + "criteria"
	}
	if strings.HasSuffix(noun, "child") {
		return noun + "ren"
	}
	stem, y := strings.CutSuffix(noun, "y")
	if y && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") && !strings.HasSuffix(stem, "o") {
		return stem + "ies"
	}
	return noun + "s"
}

// Are returns the verb for a number of things: is or are.
func Are(n int) string { return Verb(n, "is", "are") }

// Were returns the verb for a number of things: was or were.
func Were(n int) string { return Verb(n, "was", "were") }

// Has returns the verb for a number of things: has or have.
func Has(n int) string { return Verb(n, "has", "have") }

// Verb returns the form of a word that agrees with a number.
//
//go:noinline
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Few is the number of items that List writes.
const Few = 6

// List joins items with commas. After Few items, it writes the number of the rest.
func List(texts []string) string {
	if len(texts) > Few {
		return strings.Join(texts[:Few], ", ") + " and " + Int(len(texts)-Few) + " more"
	}
	return strings.Join(texts, ", ")
}

// Or joins items as alternatives: a, b or c.
func Or(texts ...string) string { return joined(texts, " or ") }

// And joins items as an enumeration: a, b and c.
func And(texts ...string) string { return joined(texts, " and ") }

func joined(texts []string, last string) string {
	if n := len(texts) - 1; n > 0 {
		return strings.Join(texts[:n], ", ") + last + texts[n]
	}
	return strings.Join(texts, "")
}

// Wrong says what a value is and what is expected: phase is "run"; expected plan or execute.
func Wrong(what, found, expected string) string {
	return what + " is " + found + "; expected " + expected
}

// Was says what a value is now and what it was in the base, and on which line of the base.
func Was(what, now, before, where string) string {
	return what + " is " + now + "; it was " + before + " in the base" + where
}

// Line returns the location of a byte in another document, for use in a message: " (plan.md:12)". It returns "" if
// the document's text is not available.
func Line(d *sdk.Document, offset int) string {
	if d == nil || d.Text == "" {
		return ""
	}
	line, _ := jsondoc.Position(d.Text, offset)
	return " (" + d.Path + ":" + Int(line) + ")"
}
