package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// clean is a real value without the symbols before it, "" if it is blank: a
// dash, an ellipsis or a placeholder that was not filled.
func clean(s string) string {
	if i := strings.Index(s, "{{"); i >= 0 && strings.Contains(s[i:], "}}") {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeftFunc(s, markdown.Symbol))
}

// says reports whether a text says something: it is not a label, a placeholder, or a short way to
// say that there is nothing yet.
func says(s string) bool {
	if clean(s) == "" {
		return false
	}
	s = strings.Trim(strings.TrimSpace(s), "*_`[](){}<>")
	if key, rest, ok := strings.Cut(s, ":"); ok && len(key) <= 30 && !strings.ContainsAny(key, ".;") {
		s = strings.Trim(strings.TrimSpace(rest), "*_`[](){}<> ")
	}
	if s = clean(s); !words.Real(s) {
		return false
	}
	folded := fold(s)
	return len(s) > 40 || !among(strings.TrimRight(folded, "."), "no|open|in progress|empty|not applicable") && !strings.HasSuffix(strings.TrimRight(folded, "."), " yet") &&
		begins(folded, "will be ,not yet,not started,not done,not begun,not run,not recorded,pending,tbd,tba,todo,to do,to be ,to come,to follow,placeholder,fill in,wip,coming soon,insert ") == 0
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
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 0x80:
			return strings.Join(strings.FieldsFunc(strings.ToLower(s), isGap), " ")
		case isGap(rune(c)):
			if n := len(out); n > 0 && out[n-1] != ' ' {
				out = append(out, ' ')
			}
			continue
		case c >= 'A' && c <= 'Z':
			c |= 0x20
		}
		out = append(out, c)
	}
	if n := len(out); n > 0 && out[n-1] == ' ' {
		out = out[:n-1]
	}
	return string(out)
}

func isGap(r rune) bool { return r <= ' ' || r == '-' || r == '_' || r == '\u00a0' }

// begins returns the number of the word group that a folded text begins with,
// 0 if with none. Groups are parted by |, the words in a group by commas. A
// short word must end there.
func begins(folded, groups string) int {
	n := 1
	for folded != "" && groups != "" {
		end := strings.IndexAny(groups, ",|")
		if end < 0 {
			end = len(groups)
		}
		word := groups[:end]
		if strings.HasPrefix(folded, word) && (end > 3 || end == len(folded) || !letter(folded[end])) {
			return n
		}
		if end == len(groups) {
			break
		}
		if groups[end] == '|' {
			n++
		}
		groups = groups[end+1:]
	}
	return 0
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// absent is the number of a cell that holds none; impossible is that of one
// with a minus or more digits than any count can have.
const (
	absent     = -1
	impossible = -2
)

// number reads the digits that a text begins with, thousands marks allowed.
func number(s string) int {
	if s = strings.TrimSpace(s); clean(s) == "" {
		return absent
	}
	minus := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "−")
	if len(minus) < len(s) && minus != "" && digit(minus[0]) {
		return impossible
	}
	s = strings.TrimLeftFunc(s, markdown.Symbol)
	n, digits := 0, 0
	for s != "" {
		if digit(s[0]) {
			if digits++; digits > 9 {
				return impossible
			}
			n, s = n*10+int(s[0]-'0'), s[1:]
			continue
		}
		rest := s
		for _, mark := range []string{",", "_", "\u2009", "\u202f", "\u00a0"} {
			if cut, ok := strings.CutPrefix(s, mark); ok {
				rest = cut
			}
		}
		if len(rest) == len(s) || rest == "" || !digit(rest[0]) || digits == 0 {
			break
		}
		s = rest
	}
	if digits == 0 {
		return absent
	}
	return n
}

// upper is the upper bound of a range such as 10-15, or of a single number.
func upper(s string) int {
	n := number(s)
	for _, dash := range []string{"-", "–", "—", "to "} {
		if i := strings.LastIndex(s, dash); i > 0 {
			if m := number(s[i+len(dash):]); m > n {
				n = m
			}
		}
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
	if why != "" {
		return "", why
	}
	if len(m.Text) >= 10 && m.Text[4] == '-' {
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
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), markdown.Symbol), "-")
}

// words are the words of a slug, as a title.
func titled(slug string) string {
	s := strings.ReplaceAll(slug, "-", " ")
	if s != "" && letter(s[0]) {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// identifier reads a DOI, lower-case and bare, or a PMID as "pmid:1"; "" if the
// text is neither.
func identifier(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
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

//go:noinline
func allDigits(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) {
			return false
		}
	}
	return s != ""
}

// surname is the first word of a citation or heading behind its numbering,
// folded.
func surname(s string) string {
	s = strings.TrimLeftFunc(s, markdown.Symbol)
	word, rest := s, ""
	if end := strings.IndexAny(s, " ,;:.(])\t"); end >= 0 {
		word, rest = s[:end], s[end:]
	}
	if !allDigits(word) {
		return strings.ToLower(word)
	}
	if next := strings.TrimLeft(rest, ".:])"); len(word) < 4 && len(next) < len(rest) && next != "" && next[0] == ' ' {
		return surname(next)
	}
	return ""
}

// years lists the years from 1500 to 2099 that stand in a text as four digits.
func years(s string) []string {
	var list []string
	for i := 0; i < len(s); i++ {
		end := i
		for end < len(s) && digit(s[end]) {
			end++
		}
		if end-i == 4 && (s[i:end] >= "1500" && s[i:end] <= "2099") {
			list = append(list, s[i:end])
		}
		i = max(end, i)
	}
	return list
}

// plain is a text that means the same wherever it is put in Markdown, "" if it
// holds a mark that might not.
func plain(s string) string {
	if strings.ContainsAny(s, "|\\`*_[]<>&~{}\r\n") {
		return ""
	}
	return clean(s)
}

// unmarked is a text whose marks have become blanks.
func unmarked(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("|\\`*_[]<>&~{}", r)
	}), " ")
}

//go:noinline
func itoa(n int) string { return say.Int(n) }

// shown quotes a text from a file, shortened to what a message can hold.
//
//go:noinline
func shown(s string) string { return `"` + say.Clip(s) + `"` }

//go:noinline
func short(s string) string { return say.Clip(s) }

func isNone(text string) bool { return begins(fold(clean(text)), "none,nothing,n/a") > 0 }
