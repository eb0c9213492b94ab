package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// clean returns a text without the symbols before it. It returns "" if the text is blank: a dash, an ellipsis or a
// placeholder that was not filled in.
func clean(s string) string {
	if s = strings.TrimSpace(s); len(s) > 2 && s[0] == '[' && s[2] == ']' && strings.ContainsRune(" xX-~", rune(s[1])) {
		s = s[3:] // a checkbox
	}
	if i := strings.Index(s, "{{"); i >= 0 && strings.Contains(s[i:], "}}") {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeftFunc(s, markdown.Symbol))
}

// says reports whether a text says something, and is not only a label, a placeholder, or a phrase such as "not yet".
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

// yesNo returns "yes" or "no" for the marks that documents use to tick a cell, or else the folded text.
func yesNo(s string) string {
	switch bare := strings.TrimSpace(s); {
	case strings.ContainsAny(bare, "✓✔✅☑⭐★🌟☒") || fold(strings.Trim(bare, "[]() ")) == "x":
		return "yes"
	case strings.ContainsAny(bare, "✗✘❌☐🚫⬜"):
		return "no"
	}
	return fold(clean(s))
}

// fold returns the form in which words are compared: lowercase, with one space for each run of spaces, hyphens and
// underscores.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(markdown.Lower(s),
		func(r rune) bool { return r <= ' ' || r == '-' || r == '_' || r == '\u00a0' }), " ")
}

// among reports whether names, which are joined by |, contain a name.
func among(name, names string) bool {
	for more := name != ""; more; {
		var one string
		if one, names, more = strings.Cut(names, "|"); one == name {
			return true
		}
	}
	return false
}

// begins returns the number of the group with a word that a folded text begins with, or 0 if there is none. Groups are
// separated by |, and the words of a group by commas. A word of up to three letters must be a whole word.
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

// placeAmong returns the index of the first list that contains a name, or -1 if none does.
func placeAmong(name string, lists []string) int {
	for i, names := range lists {
		if among(name, names) {
			return i
		}
	}
	return -1
}

// A vocabulary is the words that a cell may contain, as documents write them, and how to recognize them: by the
// statuses that they stand for, or by groups of words that only this workflow uses.
type vocabulary struct {
	names    []string
	groups   string
	statuses []status.Status
	own      map[string]status.Status
}

// find returns the index of the word that a text begins with, or -1 if there is none.
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

// name returns the word at an index, or "unknown" for -1.
func (v *vocabulary) name(place int) string {
	if place < 0 {
		return "unknown"
	}
	return v.names[place]
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// absent is the number of a cell without a number, with a negative one, or with more digits than any count can have.
const absent = -1

// number reads the digits that a text begins with. They may contain thousands separators.
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

// day returns the date in a text as YYYY-MM-DD. If there is none, it returns the reason, in words that follow "it", or
// "" for a date in another language.
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

// date returns the date in a text like day, but without a reason.
func date(s string) string {
	iso, _ := day(clean(s))
	return iso
}

// slug returns a text in the form of a folder name.
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(markdown.Lower(s), markdown.Symbol), "-")
}

// titled returns a slug in the form of a title.
func titled(slug string) string { return capital(strings.ReplaceAll(slug, "-", " ")) }

// capital returns a text with an initial capital letter. capital and last replace functions of package strings, which
// would make the guest larger.
func capital(s string) string {
	word := words.First(s)
	if s != "" && letter(s[0]) && (word == markdown.Lower(word) || word == "") { // but arXiv does not change
		return string(s[0]&^0x20) + s[1:]
	}
	return s
}

// last returns the index of the last of some marks in a text, or -1 if there is none.
func last(s string, marks ...string) int {
	n := -1
	for _, mark := range marks {
		n = max(n, strings.LastIndex(s, mark))
	}
	return n
}

// identifier returns a DOI in lowercase and without a prefix, or a PMID as "pmid:1". It returns "" if the text is
// neither.
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

// surname returns the first word, in lowercase, of a citation, or of a heading after its number.
func surname(s string) string {
	s = strings.TrimLeftFunc(s, markdown.Symbol)
	end := strings.IndexAny(s+" ", " ,;:.(])\t")
	word, rest := s[:end], s[end:]
	digits := strings.TrimLeft(word, "pPsSrRaA") // the digits of P1 or S2
	next := strings.TrimLeft(rest, ".:])")
	switch {
	case allDigits(digits) && len(word) < 4 && len(next) < len(rest) && next != "" && next[0] == ' ':
		return surname(next)
	case allDigits(word):
		return ""
	}
	return markdown.Lower(word)
}

// years returns the years from 1500 to 2099 that a text contains as four digits.
func years(s string) []string {
	var list []string
	for _, word := range strings.FieldsFunc(s, func(c rune) bool { return c < '0' || c > '9' }) {
		if len(word) == 4 && word >= "1500" && word <= "2099" {
			add(&list, word)
		}
	}
	return list
}

// plain returns a text that has the same meaning anywhere in Markdown, or "" if it contains a mark that may not.
func plain(s string) string {
	if strings.ContainsAny(strings.ReplaceAll(s, " & ", " "), "|\\`*_[]<>&~{}\r\n") {
		return ""
	}
	return clean(s)
}

// unmarked returns a text with its marks replaced by spaces. An ampersand between spaces is not a mark.
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

// garbled reports whether a text consists of symbols that have no meaning.
func garbled(text string) bool { return clean(text) == "" && strings.ContainsAny(text, "?%#!") }

// isNote reports whether a text is a placeholder of a template, or a remark in parentheses. A query is neither, because
// it contains quotes, operators or more parentheses.
func isNote(text string) bool {
	text = strings.TrimSpace(text)
	if end := strings.IndexAny(text, "]>}"); end > 0 && end == len(text)-1 && strings.IndexByte("[<{", text[0]) >= 0 {
		return true
	}
	return strings.HasPrefix(text, "(") && strings.IndexByte(text, ')') == len(text)-1 &&
		!strings.ContainsAny(text, "\"“*") && !strings.Contains(text, " OR ") && !strings.Contains(text, " AND ")
}
