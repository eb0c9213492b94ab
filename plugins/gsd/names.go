package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/words"
)

// key normalizes a number for comparison. It removes leading zeros and converts letters to lower case: 02.1 becomes
// 2.1, and 12A becomes 12a.
func key(number string) string {
	parts := strings.Split(lower(number), ".")
	for i, part := range parts {
		for len(part) > 1 && part[0] == '0' && isDigit(part[1]) {
			part = part[1:]
		}
		parts[i] = part
	}
	return strings.Join(parts, ".")
}

// lower returns a text with ASCII letters in lower case. strings.ToLower would add the Unicode tables to the guest.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// A numbering is config.json's phase_id_convention. It is true for milestone-prefixed: a phase's number then begins
// with the number of its milestone, as in Phase 1-02. Otherwise, 1-02 is a range.
type numbering bool

func readNumbering(config *sdk.Document) numbering {
	return numbering(config.Readable() && jsondoc.TextOf(config.Text, "phase_id_convention") == "milestone-prefixed")
}

// phaseNumber returns the key of the number at the start of a text, and the text after it: "2.1: Fix" gives 2.1 and
// Fix. A range (1-7) or a date is not a phase number. If numbers begin with the milestone, "01-02-deck" gives 1-02 and
// deck.
func (byMilestone numbering) phaseNumber(text string) (number, rest string) {
	if end := prefixedID(text); end > 0 && bool(byMilestone) {
		return key(text[:end]), strings.TrimLeft(text[end:], " .:)_-–—")
	}
	n, rest := ordinal.Leading(text)
	if cut := strings.IndexByte(n, '-'); cut >= 0 {
		if n, rest = n[:cut], text[cut+1:]; rest != "" && isDigit(rest[0]) {
			return "", text
		}
	}
	for _, dash := range []string{"–", "—", "…", "..."} {
		if tail, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(text, n), " "), dash); ok {
			if tail = strings.TrimLeft(tail, " "); tail != "" && isDigit(tail[0]) {
				return "", text
			}
		}
	}
	if n == "" || len(n) > 12 {
		return "", text
	}
	return key(n), rest
}

// mark returns a text from its first letter or digit on. It skips boxes, emoji and quotation marks before it.
func mark(text string) string {
	for i := range len(text) {
		if c := text[i]; isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' {
			return text[i:]
		}
	}
	return ""
}

// namedPhase returns the key and name of the phase in a text such as "Phase 2.1: Fix". It skips marks before "Phase".
func (byMilestone numbering) namedPhase(text string) (number, name string) {
	text = mark(text)
	if len(text) < len("phase 1") || !words.Alike(text[:len("phase ")], "phase ") {
		return "", ""
	}
	return byMilestone.phaseNumber(strings.TrimLeft(text[len("phase "):], " "))
}

// phaseIn is like namedPhase, but also accepts a text that begins with the number, such as "2.1: Fix".
func (byMilestone numbering) phaseIn(text string) (number, name string) {
	if number, name = byMilestone.namedPhase(text); number == "" {
		return byMilestone.phaseNumber(text)
	}
	return number, name
}

// prefixedID returns the length of the milestone and number at the start of a text, such as 1-02 or 1-02.1, or 0 if
// there are none.
func prefixedID(text string) int {
	at := 0
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	if at == 0 || at > 3 || at+2 >= len(text) || text[at] != '-' || !isDigit(text[at+1]) || !isDigit(text[at+2]) {
		return 0
	}
	for at += 3; at+1 < len(text) && text[at] == '.' && isDigit(text[at+1]); {
		for at++; at < len(text) && isDigit(text[at]); {
			at++
		}
	}
	if at < len(text) && words.IsWord(text[at]) {
		return 0
	}
	return at
}

// hasPrefixedID reports whether a text names a phase by milestone and number, such as "Phase 1-02: Deck".
func hasPrefixedID(text string) bool {
	text = mark(text)
	return len(text) > len("phase ") && words.Alike(text[:len("phase ")], "phase ") &&
		prefixedID(strings.TrimLeft(text[len("phase "):], " ")) > 0
}

// unprefixed returns a phase directory's name without the project's code: 01-name for CK-01-name.
func unprefixed(dir string) string {
	if cut := strings.IndexByte(dir, '-'); cut > 0 && cut <= 6 && cut+1 < len(dir) && isDigit(dir[cut+1]) {
		for i := range cut {
			if c := dir[i]; c < 'A' || c > 'Z' {
				return dir
			}
		}
		return dir[cut+1:]
	}
	return dir
}

// A fileKind is the kind of a file in a phase's directory.
type fileKind int

const (
	otherFile fileKind = iota
	planFile
	summaryFile
)

// phaseFile parses the name of a file in a phase's directory: 02-01-PLAN.md, 02-01-name-PLAN.md, 02.01-PLAN.md,
// PLAN.md, 02-PLAN-01.md, PLAN-01.md, and the same with SUMMARY; and 02-P01-name.md, which is a plan. number is the
// plan's number within its phase, or "" if the file is about the whole phase; name is the rest of the file name.
func phaseFile(phase, file string) (kind fileKind, number, name string) {
	base, ok := strings.CutSuffix(file, ".md")
	if !ok || strings.HasSuffix(base, "-OUTLINE") || strings.HasSuffix(base, ".pre-bounce") {
		return otherFile, "", ""
	}
	tokens := joined(slices.DeleteFunc(strings.Split(base, "-"), func(t string) bool { return t == "" }), phase)
	kind = planFile
	at := slices.Index(tokens, "PLAN")
	if s := slices.Index(tokens, "SUMMARY"); s >= 0 {
		tokens = slices.Delete(tokens, s, s+1)
		if kind = summaryFile; at > s {
			at--
		} else if at < 0 {
			at = s
		}
	}
	if at < 0 && len(tokens) > 2 && key(tokens[0]) == phase && planKey(tokens[1]) != key(tokens[1]) {
		if name = strings.Join(tokens[2:], "-"); lower(name) == name { // 02-P01-REVIEW.md is another kind of file
			return planFile, planKey(tokens[1]), name
		}
	}
	if at < 0 || at < len(tokens)-1 && !isDigit(tokens[at+1][0]) {
		return otherFile, "", ""
	}
	if kind == planFile || at < len(tokens) && tokens[at] == "PLAN" {
		tokens = slices.Delete(tokens, at, at+1)
	}
	if at > 0 && at < len(tokens) && key(tokens[0]) != phase {
		return otherFile, "", ""
	}
	if len(tokens) > 0 && at > 0 {
		left, right := cutLast(tokens[0], ".")
		if key(tokens[0]) == phase {
			tokens = tokens[1:]
		} else if right != "" && key(left) == phase {
			tokens[0] = right
		}
	}
	if last := len(tokens) - 1; last >= 0 && numbered(tokens[0]) {
		number, tokens = planKey(tokens[0]), tokens[1:]
	} else if last > 0 && digits(tokens[last]) && numbered(tokens[last]) { // 25-name-of-the-phase-01-PLAN.md
		number, tokens = key(tokens[last]), tokens[:last]
	}
	return kind, number, strings.Join(tokens, "-")
}

// joined combines the first two tokens of a file name if its phase is numbered by milestone. In phase 1-02, the tokens
// of 01-02-01-PLAN.md then begin with 01-02 and 01.
func joined(tokens []string, phase string) []string {
	if strings.Contains(phase, "-") && len(tokens) > 1 && prefixedID(tokens[0]+"-"+tokens[1]) > 0 {
		return append([]string{tokens[0] + "-" + tokens[1]}, tokens[2:]...)
	}
	return tokens
}

func cutLast(text, sep string) (before, after string) {
	if cut := strings.LastIndex(text, sep); cut >= 0 {
		return text[:cut], text[cut+len(sep):]
	}
	return text, ""
}

// numbered reports whether a word is a plan number: 03, 3b, G3.
func numbered(word string) bool {
	bare := strings.Trim(word, "0123456789")
	return word != bare && len(word) <= 4 && len(bare) <= 1 &&
		(bare == "" || isDigit(word[0]) != isDigit(word[len(word)-1]))
}

// planKey is key for a plan's number, which may begin with a P: P02 becomes 2.
func planKey(number string) string {
	if len(number) > 1 && number[0]|0x20 == 'p' && digits(number[1:]) {
		number = number[1:]
	}
	return key(number)
}

// planRef parses a reference to a plan: 02-01, 02-01-PLAN.md, **02-01**, Plan 02-01, 02.1-03-name. within is the phase
// whose section contains the reference, or "". In the section of phase 2, 02.01 also refers to plan 1 of that phase.
func planRef(text, within string) (phase, number string) {
	text = mark(text)
	if len(text) > 5 && words.Alike(text[:5], "plan ") {
		text = strings.TrimLeft(text[5:], " ")
	}
	word := text
	if cut := strings.IndexAny(text, " \t:,;)]*`—–"); cut >= 0 {
		word = text[:cut]
	}
	if slash := strings.LastIndexByte(word, '/'); slash >= 0 {
		word = word[slash+1:]
	}
	tokens := joined(strings.Split(strings.TrimRight(strings.TrimSuffix(word, ".md"), "."), "-"), within)
	if len(tokens) > 2 && tokens[1] == "PLAN" { // 12-PLAN-01.md
		tokens = slices.Delete(tokens, 1, 2)
	}
	if left, right := cutLast(tokens[0], "."); within != "" && right != "" && key(left) == within &&
		(len(tokens) == 1 || !numbered(tokens[1])) {
		return within, key(right)
	}
	if len(tokens) > 2 && digits(tokens[2]) { // a date
		return "", ""
	}
	if len(tokens) < 2 || tokens[0] == "" || !isDigit(tokens[0][0]) || !numbered(tokens[1]) || len(tokens[0]) > 8 {
		return "", ""
	}
	return key(tokens[0]), planKey(tokens[1])
}
