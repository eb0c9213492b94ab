package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// clean is a real value without the symbols before it, or "" if it is blank: a
// dash, an ellipsis or a placeholder that was not filled.
func clean(s string) string {
	if s = strings.TrimSpace(s); len(s) > 2 && s[0] == '[' && s[2] == ']' && strings.ContainsRune(" xX-~", rune(s[1])) {
		s = s[3:] // a box
	}
	if i := strings.Index(s, "{{"); i >= 0 && strings.Contains(s[i:], "}}") {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeftFunc(s, markdown.Symbol))
}

// says reports whether a text says something: it is not a label, a placeholder, or a short way to
// say that there is nothing yet.
func says(s string) bool {
	if clean(s) == "" || words.Unfinished(clean(s)) {
		return false
	}
	s = strings.Trim(strings.TrimSpace(s), "*_`[](){}<>")
	if key, rest, ok := strings.Cut(s, ":"); ok && len(key) <= 30 && !strings.ContainsAny(key, ".;") {
		s = strings.Trim(strings.TrimSpace(rest), "*_`[](){}<> ")
	}
	if s = clean(s); !words.Real(s) || words.Unfinished(s) {
		return false
	}
	folded := fold(s)
	bare := strings.TrimRight(folded, ".")
	return len(s) > 40 || !among(bare, "no|open|in progress|empty|not applicable") &&
		!strings.HasSuffix(bare, " yet") &&
		begins(folded, "will be ,noch kein,noch nicht,pas encore,aún no,todavía no,ainda não,non ancora,not yet,not "+
			"started,not done,not begun,not run,not recorded,pending,tbd,tba,todo,to do,to be ,to come,to "+
			"follow,placeholder,fill in,wip,coming soon,insert ") == 0
}

// yesNo reads the ways to tick a cell.
func yesNo(s string) string {
	switch bare := strings.TrimSpace(s); {
	case strings.ContainsAny(bare, "✓✔✅☑⭐★🌟☒") || fold(strings.Trim(bare, "[]() ")) == "x":
		return "yes"
	case strings.ContainsAny(bare, "✗✘❌☐🚫⬜"):
		return "no"
	}
	return fold(clean(s))
}

// fold is the form in which words are compared: lower case, with one blank for
// each run of blanks, hyphens and underscores.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(markdown.Lower(s),
		func(r rune) bool { return r <= ' ' || r == '-' || r == '_' || r == '\u00a0' }), " ")
}

// among reports whether a name is one of some, joined by |.
func among(name, names string) bool {
	for more := name != ""; more; {
		var one string
		if one, names, more = strings.Cut(names, "|"); one == name {
			return true
		}
	}
	return false
}

// begins returns the number of the word group that a folded text begins with,
// 0 if with none. Groups are joined by |, the words in a group by commas. A
// short word must end there.
func begins(folded, groups string) int {
	for n := 1; folded != "" && groups != ""; n++ {
		var group, word string
		for group, groups, _ = strings.Cut(groups, "|"); group != ""; {
			word, group, _ = strings.Cut(group, ",")
			if end := len(word); strings.HasPrefix(folded, word) &&
				(end > 3 || end == len(folded) || !letter(folded[end])) {
				return n
			}
		}
	}
	return 0
}

// placeAmong is the place of the first of some lists of names that has a name, or -1 if none has.
func placeAmong(name string, lists []string) int {
	for i, names := range lists {
		if among(name, names) {
			return i
		}
	}
	return -1
}

// A vocabulary is the words that a cell may hold, as they are written, with what they are read by: the statuses that
// they stand for, or the groups of words that are this workflow's own.
type vocabulary struct {
	names    []string
	groups   string
	statuses []status.Status
	own      map[string]status.Status
}

// find returns the place of the word that a text begins with, or -1.
func (v *vocabulary) find(text string) int {
	if v.statuses == nil {
		return begins(fold(text), v.groups) - 1
	}
	words := status.Vocabulary{Own: v.own}
	if s := words.Of(text); s != status.Unknown {
		return slices.Index(v.statuses, s)
	}
	return -1
}

// name is the word of a place.
func (v *vocabulary) name(place int) string {
	if place < 0 {
		return "unknown"
	}
	return v.names[place]
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// absent is the number of a cell that holds none, or one with a minus or more digits than any count can have.
const absent = -1

// number reads the digits that a text begins with, thousands marks allowed.
func number(s string) int {
	if s = strings.TrimSpace(s); clean(s) == "" {
		return absent
	}
	if minus := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "−"); len(minus) < len(s) && minus != "" &&
		digit(minus[0]) {
		return absent
	}
	s = strings.TrimLeftFunc(s, markdown.Symbol)
	digits := ""
	for _, c := range s {
		if c >= '0' && c <= '9' {
			digits += string(c)
		} else if digits == "" || !strings.ContainsRune(",_\u2009\u202f\u00a0", c) {
			break
		}
	}
	n, rest := words.Leading(digits)
	if digits != "" && rest != "" {
		return absent
	}
	return n
}

// day reads the date that a text holds, as YYYY-MM-DD. If there is none it says why, in words that
// follow "it", or nothing for a date in another language.
func day(s string) (iso, why string) {
	m, why := instant.Loose(s)
	if why != "" && !strings.Contains(why, "does not exist") {
		if found, _ := instant.Find(s); found.Precision > 0 {
			m, why = found, ""
		}
	}
	switch {
	case why != "":
		return "", why
	case len(m.Text) >= 10 && m.Text[4] == '-':
		return m.Text[:10], ""
	}
	return m.At.String()[:10], ""
}

// date is the same where nothing depends on the reason.
func date(s string) string {
	iso, _ := day(clean(s))
	return iso
}

// slug is a text in the form of a folder name.
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(markdown.Lower(s), markdown.Symbol), "-")
}

// titled is a slug as a title.
func titled(slug string) string { return capital(strings.ReplaceAll(slug, "-", " ")) }

// capital is a text that begins with a capital letter. This and last stand for functions of the package strings,
// which would make the guest larger.
func capital(s string) string {
	word := words.First(s)
	if s != "" && letter(s[0]) && (word == markdown.Lower(word) || word == "") { // arXiv stays as it is
		return string(s[0]&^0x20) + s[1:]
	}
	return s
}

// last is where the last one of some marks is in a text, -1 for none.
func last(s string, marks ...string) int {
	n := -1
	for _, mark := range marks {
		n = max(n, strings.LastIndex(s, mark))
	}
	return n
}

// identifier reads a DOI, lower-case and bare, or a PMID as "pmid:1"; "" if the
// text is neither.
func identifier(s string) string {
	s = markdown.Lower(strings.TrimSpace(s))
	for _, prefix := range []string{"https://", "http://", "dx.", "doi.org/", "doi:", "doi "} {
		s = strings.TrimSpace(strings.TrimPrefix(s, prefix))
	}
	s = strings.TrimRight(s, ".,;)")
	if strings.HasPrefix(s, "10.") {
		slash := strings.IndexByte(s, '/')
		if slash < 7 || slash > 12 || slash == len(s)-1 || strings.ContainsAny(s, " \t") || !allDigits(s[3:slash]) {
			return ""
		}
		return s
	}
	s = strings.TrimLeft(strings.TrimPrefix(s, "pmid"), ": ")
	if len(s) <= 9 && allDigits(s) {
		return "pmid:" + s
	}
	return ""
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// surname is the first word of a citation, or of a heading after its numbering,
// folded.
func surname(s string) string {
	s = strings.TrimLeftFunc(s, markdown.Symbol)
	end := strings.IndexAny(s+" ", " ,;:.(])\t")
	word, rest := s[:end], s[end:]
	digits := strings.TrimLeft(word, "pPsSrRaA") // of P1, S2
	next := strings.TrimLeft(rest, ".:])")
	switch {
	case allDigits(digits) && len(word) < 4 && len(next) < len(rest) && next != "" && next[0] == ' ':
		return surname(next)
	case allDigits(word):
		return ""
	}
	return markdown.Lower(word)
}

// years lists the years from 1500 to 2099 that a text has as four digits.
func years(s string) []string {
	var list []string
	for _, word := range strings.FieldsFunc(s, func(c rune) bool { return c < '0' || c > '9' }) {
		if len(word) == 4 && word >= "1500" && word <= "2099" {
			add(&list, word)
		}
	}
	return list
}

// plain is a text that means the same wherever it is put in Markdown, or "" if it
// holds a mark that might not.
func plain(s string) string {
	if strings.ContainsAny(strings.ReplaceAll(s, " & ", " "), "|\\`*_[]<>&~{}\r\n") {
		return ""
	}
	return clean(s)
}

// unmarked is a text whose marks have become blanks. An ampersand between blanks is none.
func unmarked(s string) string {
	parts := strings.Split(s, " & ")
	for i, p := range parts {
		parts[i] = strings.Join(strings.FieldsFunc(p, func(r rune) bool {
			return r <= ' ' || strings.ContainsRune("|\\`*_[]<>&~{}", r)
		}), " ")
	}
	return strings.TrimSpace(strings.Join(parts, " & "))
}

func isNone(text string) bool {
	text = strings.Trim(clean(text), "()[]")
	return begins(fold(text), "none,nothing,n/a") > 0 || !words.Real(text) && text != ""
}

// garbled reports whether a text holds marks alone that stand for nothing.
func garbled(text string) bool { return clean(text) == "" && strings.ContainsAny(text, "?%#!") }

// isNote reports whether a text is a placeholder of a template or a remark in parentheses: no query, which has quotes,
// operators or parentheses within.
func isNote(text string) bool {
	text = strings.TrimSpace(text)
	if end := strings.IndexAny(text, "]>}"); end > 0 && end == len(text)-1 && strings.IndexByte("[<{", text[0]) >= 0 {
		return true
	}
	return strings.HasPrefix(text, "(") && strings.IndexByte(text, ')') == len(text)-1 &&
		!strings.ContainsAny(text, "\"“*") && !strings.Contains(text, " OR ") && !strings.Contains(text, " AND ")
}
