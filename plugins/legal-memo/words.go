package legalmemo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/words"
)

// A word is what a status means.
type word uint8

const (
	noWord      word = iota // there is none
	unknownWord             // there is one, and it is none of these
	complete
	inProgress
	pending
	blocked
	skipped
)

// wordsFolded lists the spellings of each word, folded.
var wordsFolded = [...]string{
	complete:   " complete completed done finished success pass passed verified true ",
	inProgress: " in_progress running started active partial ",
	pending:    " pending initialized initialised not_started not_run todo ready waiting false ",
	blocked:    " blocked failed error ",
	skipped:    " skipped n/a not_applicable not_evaluated gap ",
}

// same reports whether two values mean the same, however they are written.
//
//go:noinline
func same(a, b value) bool { return jsondoc.EqualFunc(a, b, instant.Same) }

// num reads a number, also one that is written as a text.
//
//go:noinline
func num(v value) (float64, bool) {
	if s, ok := v.Text(); ok {
		f, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(s), ",", ""), 64)
		return f, err == nil && f > -1e15 && f < 1e15
	}
	return v.Float()
}

// integer reads a whole number.
//
//go:noinline
func integer(v value) (int64, bool) {
	f, ok := num(v)
	return int64(f), ok && f == float64(int64(f))
}

// wordOf is the meaning of a status: of a text, a truth, or a record with a status. "✅ COMPLETE" is COMPLETE.
//
//go:noinline
func wordOf(v value) word {
	switch v.Kind() {
	case jsondoc.Bool:
		if v.Raw() == "true" {
			return complete
		}
		return pending
	case jsondoc.String:
		s, _ := v.Text()
		return classify(s)
	case jsondoc.Object:
		return wordOf(v.Get("status"))
	}
	return noWord
}

//go:noinline
func classify(s string) word {
	f := foldStatus(s)
	if f != "" && strings.IndexByte(f, ' ') < 0 {
		for w, list := range wordsFolded {
			if list != "" && strings.Contains(list, " "+f+" ") {
				return word(w)
			}
		}
	}
	if strings.HasSuffix(f, "_blocked") {
		return blocked
	}
	return unknownWord
}

//go:noinline
func foldStatus(s string) string {
	b := []byte(lower(strings.TrimSpace(plainText(s))))
	for i, c := range b {
		if c == '-' || c == ' ' || c == '\t' {
			b[i] = '_'
		}
	}
	return string(b)
}

// plainText is a text without the symbols and marks around it.
//
//go:noinline
func plainText(s string) string {
	symbol := func(r rune) bool {
		return r == '*' || r == '`' || r == '_' || r == ' ' || r >= 0x2190 && r <= 0x2BFF || r == 0xFE0F || r >= 0x1F000 && r <= 0x1FAFF
	}
	return strings.TrimFunc(s, symbol)
}

// open reports whether a flag of a phase is neither done nor skipped.
func (w word) open() bool { return w != complete && w != skipped }

// lower folds ASCII letters. What else there is in names stays as it is.
//
//go:noinline
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// upper makes a single letter large.
func upper(s string) string {
	if len(s) == 1 && s[0] >= 'a' && s[0] <= 'z' {
		return string(rune(s[0] - 'a' + 'A'))
	}
	return s
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|32 >= 'a' && c|32 <= 'z' }

func alnum(c byte) bool { return digit(c) || letter(c) }

// norm makes names comparable: PHASE_2.5 is phase_2p5, section_IV_A is iv_a.
//
//go:noinline
func norm(s string) string {
	s = lower(s)
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case alnum(c) || c >= 0x80:
			b = append(b, c)
		case c == '.' && i > 0 && i+1 < len(s) && digit(s[i-1]) && digit(s[i+1]):
			b = append(b, 'p')
		case len(b) > 0 && b[len(b)-1] != '_':
			b = append(b, '_')
		}
	}
	n := strings.TrimSuffix(string(b), "_")
	if strings.HasPrefix(n, "section_iv_") {
		n = n[len("section_"):]
	}
	return strings.TrimPrefix(n, "subsection_")
}

// matches reports whether a guard names a key.
func matches(guard, key string) bool {
	g, k := norm(guard), norm(key)
	if g == "" {
		return false
	}
	if g == k || len(k) > len(g) && k[:len(g)] == g && k[len(g)] == '_' {
		return true
	}
	l := sectionLetter(guard)
	return l != "" && l == sectionLetter(key)
}

// sectionLetter finds the letter of a section in a name: A in IV-A, section_IV_A
// and "IV.A - Title". It is "" if there is none.
//
//go:noinline
func sectionLetter(s string) string {
	l, _ := nextLetter(s)
	return l
}

// sectionLetters finds the letters of all sections that a text names.
func sectionLetters(s string) (letters []string) {
	for l, rest := nextLetter(s); l != ""; l, rest = nextLetter(rest) {
		letters = append(letters, l)
	}
	return letters
}

func nextLetter(s string) (l, rest string) {
	for i := 0; i+2 < len(s); i++ {
		if s[i]|32 != 'i' || s[i+1]|32 != 'v' || i > 0 && alnum(s[i-1]) {
			continue
		}
		at := i + 2
		if strings.IndexByte("-._ ", s[at]) >= 0 {
			at++
		}
		end := at
		for end < len(s) && digit(s[end]) {
			end++
		}
		if end == at && at < len(s) && letter(s[at]) {
			end++
		}
		if end > at && (end == len(s) || !alnum(s[end])) {
			return upper(s[at:end]), s[end:]
		}
	}
	return "", ""
}

// template is the part of a template that a value begins with: {…}, <…>, [ISO timestamp], [immediate next step].
func template(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && !strings.Contains(s[1:], "[") && len(s) > 2 && letter(s[1]) {
		return s
	}
	return words.Placeholder(s)
}

// covering reports whether a guard speaks of all there is.
//
//go:noinline
func covering(guard string) bool {
	g := lower(guard)
	if strings.Contains(g, "all_") {
		return true
	}
	for i := 0; i < len(g); {
		if !letter(g[i]) {
			i++
			continue
		}
		start := i
		for i < len(g) && letter(g[i]) {
			i++
		}
		if strings.Contains(" all complete completed finished entire none ", " "+g[start:i]+" ") {
			return true
		}
	}
	return false
}

// baseName is the last element of a path.
//
//go:noinline
func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// lastElement is baseName for paths that may end in a slash or be of another
// system.
//
//go:noinline
func lastElement(path string) string {
	path = strings.TrimRight(strings.ReplaceAll(strings.TrimSpace(path), `\`, "/"), "/")
	return baseName(path)
}

//go:noinline
func itoa(n int) string { return strconv.Itoa(n) }

// figure writes a number without a needless fraction.
//
//go:noinline
func figure(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// shown quotes what a file says, cut where it is long.
//
//go:noinline
func shown(s string) string { return jsondoc.Quote(cut(s, 120)) }

// plain is a value as a message shows it.
//
//go:noinline
func plain(v value) string {
	if s, ok := v.Text(); ok {
		return shown(s)
	}
	if !v.Exists() {
		return "missing"
	}
	return cut(v.Raw(), 120)
}

// cut shortens a text to some bytes, at a whole character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most]&0xC0 == 0x80 {
		most--
	}
	return s[:most] + "…"
}

//go:noinline
func list(names []string) string {
	s := ""
	for i, n := range names {
		if i == 12 {
			return s + " and " + itoa(len(names)-12) + " more"
		}
		if i > 0 {
			s += ", "
		}
		s += cut(n, 200)
	}
	return s
}

//go:noinline
func holds(names []string, name string) bool {
	return slices.Contains(names, name)
}

// sorted sorts short lists in place: package sort would cost 20 KB.
func sorted(names []string) []string {
	for i := range names {
		for j := i; j > 0 && less(names[j], names[j-1]); j-- {
			names[j], names[j-1] = names[j-1], names[j]
		}
	}
	return names
}

// less orders letters of sections: A before B, 2 before 10.
func less(a, b string) bool {
	if len(a) != len(b) && a != "" && b != "" && digit(a[0]) && digit(b[0]) {
		return len(a) < len(b)
	}
	return a < b
}
