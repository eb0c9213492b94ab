package legalmemo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A word is the meaning of a status.
type word uint8

const (
	noWord      word = iota // the status is missing
	unknownWord             // the status is not a known word
	complete
	inProgress
	pending
	blocked
	skipped
)

var wordNames = [...]string{noWord: "missing", unknownWord: "unknown", complete: "complete", inProgress: "in progress",
	pending: "pending", blocked: "blocked", skipped: "skipped"}

// vocabulary adds the words that only memo state files use.
var vocabulary = status.Vocabulary{Own: map[string]status.Status{
	"success": status.Done, "pass": status.Done, "passed": status.Done, "true": status.Done,
	"initialized": status.Open, "initialised": status.Open, "not_run": status.Open,
	"false": status.Open, "failed": status.Blocked, "error": status.Blocked,
	"not_evaluated": status.Cancelled, "gap": status.Cancelled,
}}

// meanings maps shared statuses to this workflow's words.
var meanings = [...]word{status.Unknown: unknownWord, status.Open: pending, status.Ready: pending,
	status.InProgress: inProgress, status.Review: inProgress, status.Done: complete, status.Cancelled: skipped,
	status.Blocked: blocked}

// open reports whether a phase's flag is neither done nor skipped.
func (w word) open() bool { return w != complete && w != skipped }

// left reports whether an item is known to be unfinished.
func (w word) left() bool { return w == pending || w == inProgress || w == blocked }

// same reports whether two values have the same meaning, in any notation.
func same(a, b value) bool { return jsondoc.EqualFunc(a, b, sameTime) }

// sameTime reports whether two texts may state the same time. One of them may lack the zone or the seconds.
func sameTime(a, b string) bool {
	x, whyX := instant.Loose(a)
	y, whyY := instant.Loose(b)
	return a == b || whyX == "" && whyY == "" && (x.At == y.At || x.Precision != y.Precision && !x.Before(y, 0) &&
		!y.Before(x, 0))
}

// num reads a number, which may be written as a string such as "~3,400 words".
func num(v value) (float64, bool) {
	if s, ok := v.Text(); ok {
		s = strings.TrimLeft(strings.TrimSuffix(strings.TrimSpace(s), " words"), "~ ")
		return decimal(strings.ReplaceAll(s, ",", ""))
	}
	return v.Float()
}

// decimal reads a text that is only a number.
func decimal(s string) (float64, bool) {
	doc, err := jsondoc.Parse(s)
	if err != nil {
		return 0, false
	}
	return doc.Root().Float()
}

// integer reads a whole number.
func integer(v value) (int, bool) {
	f, ok := num(v)
	return int(f), ok && f == float64(int64(f)) && abs(f) < 1<<30
}

func abs(f float64) float64 { return max(f, -f) }

// wordOf returns the meaning of a status: a string, a boolean, or a record with a status. "✅ COMPLETE" means
// COMPLETE.
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

func classify(s string) word {
	if w := meanings[vocabulary.Of(s)]; w != unknownWord || !strings.HasSuffix(foldStatus(s), "_blocked") {
		return w
	}
	return blocked
}

// foldStatus returns a status in lowercase with underscores, without the symbols around it.
func foldStatus(s string) string { return words.Fold(strings.TrimFunc(s, markdown.Symbol)) }

// begins reports whether a text starts with a prefix, in any letter case.
func begins(s, prefix string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= len(prefix) && words.Alike(s[:len(prefix)], prefix)
}

// upper returns a single letter in uppercase.
func upper(s string) string {
	if len(s) == 1 && s[0] >= 'a' && s[0] <= 'z' {
		return string(rune(s[0] &^ 0x20))
	}
	return s
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|32 >= 'a' && c|32 <= 'z' }

func alnum(c byte) bool { return digit(c) || letter(c) }

func capital(s string) bool { return len(s) == 1 && s[0] >= 'A' && s[0] <= 'Z' }

// norm makes names comparable: PHASE_2.5 becomes phase_2p5, IV-A becomes iv_a.
func norm(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			b = append(b, c|0x20)
		case alnum(c) || c >= 0x80:
			b = append(b, c)
		case c == '.' && i > 0 && i+1 < len(s) && digit(s[i-1]) && digit(s[i+1]):
			b = append(b, 'p')
		case len(b) > 0 && b[len(b)-1] != '_':
			b = append(b, '_')
		}
	}
	n := strings.TrimSuffix(string(b), "_")
	if rest, ok := strings.CutPrefix(n, "dimension_"); ok {
		return "dim_" + rest
	}
	return strings.TrimPrefix(n, "subsection_")
}

// template returns the template text that a value starts with: {…}, <…>, [ISO timestamp], [immediate next step].
func template(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && !strings.Contains(s[1:], "[") && len(s) > 2 &&
		letter(s[1]) {
		return s
	}
	return words.Placeholder(s)
}

// covering reports whether a guard covers everything, such as "all phases complete" or all_sections.
func covering(guard string) bool {
	said := "_" + norm(guard) + "_"
	return slices.ContainsFunc(strings.Fields("all complete completed finished entire none"),
		func(w string) bool { return strings.Contains(said, "_"+w+"_") })
}

// baseName returns the last element of a path.
func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// lastElement is baseName for paths that may end in a slash or come from another system.
func lastElement(path string) string {
	return baseName(strings.TrimRight(strings.ReplaceAll(strings.TrimSpace(path), `\`, "/"), "/"))
}

// figure formats a number without trailing zeros.
func figure(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// but returns the message that two figures differ.
func but(what string, n float64, other string, m float64) string {
	return what + " is " + figure(n) + ", but " + other + " is " + figure(m)
}

// plain returns a value as a message shows it.
func plain(v value) string {
	if s, ok := v.Text(); ok {
		return say.Quote(s)
	}
	if !v.Exists() {
		return "missing"
	}
	return say.Clip(strings.Join(strings.Fields(v.Raw()), " "))
}

// textsOf returns the strings in a list, or the string itself.
func textsOf(v value) []string {
	if s, ok := v.Text(); ok {
		return []string{s}
	}
	var list []string
	for _, e := range v.Elements() {
		if s, ok := e.Text(); ok {
			list = append(list, s)
		}
	}
	return list
}

// empty reports whether a value contains no information.
func empty(v value) bool {
	s, text := v.Text()
	return !v.Exists() || v.Kind() == jsondoc.Null || text && strings.TrimSpace(s) == ""
}

// nothing reports whether a value means "none": null, "null", "N/A".
func nothing(v value) bool {
	s, text := v.Text()
	return empty(v) || text && (words.Alike(strings.TrimSpace(s), "null") || !words.Real(s))
}

// list joins names, each shortened.
func list(names []string) string {
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = say.Clip(n)
	}
	return say.List(short)
}

func holds(names []string, name string) bool { return slices.Contains(names, name) }

// first returns the first element that a function accepts, or the zero value if there is none. Inlining it would make
// the guest larger.
//
//go:noinline
func first[T any](list []T, is func(T) bool) (found T) {
	for _, e := range list {
		if is(e) {
			return e
		}
	}
	return found
}

// keep returns the elements that a function accepts.
func keep[T any](list []T, is func(T) bool) (kept []T) {
	for _, e := range list {
		if is(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// gather returns the distinct texts that a function returns for the elements, without "".
func gather[T any](list []T, of func(T) string) (found []string) {
	for _, e := range list {
		if s := of(e); s != "" && !holds(found, s) {
			found = append(found, s)
		}
	}
	return found
}

// sorted sorts names in place, 2 before 10.
func sorted(names []string) []string {
	sortBy(names, func(s string) string { return s })
	return names
}

// sortBy sorts a short list by name. The slices package would cost 9 KB.
func sortBy[T any](list []T, name func(T) string) {
	for i := range list {
		for j := i; j > 0 && ordinal.Compare(name(list[j]), name(list[j-1])) < 0; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// leading reads the number at the start of a text, or 0 if there is none.
func leading(s string) (n int, rest string) {
	n, rest = words.Leading(s)
	return max(n, 0), rest
}

// span reads a range such as "40-80", also with an en dash and before other text.
func span(s string) (from, to int, ok bool) {
	s = strings.TrimSpace(s)
	from, rest := leading(s)
	behind := strings.TrimLeft(rest, " –-")
	to, after := leading(behind)
	return from, to, rest != s && strings.ContainsAny(rest[:len(rest)-len(behind)], "–-") && after != behind
}
