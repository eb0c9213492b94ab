package print

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSafe(t *testing.T) {
	for in, want := range map[string]string{
		"plain: text # 1":          "plain: text # 1",
		"a\x1b[31mb":               `a\x1b[31mb`,
		"a\nb\tc\r":                `a\nb\tc\r`,
		"\u202egpj.exe":            `\u{202e}gpj.exe`,
		"\u009b31m":                `\x9b31m`,
		"bad \xff byte":            `bad \xff byte`,
		"::error file=x::y":        `\x3a:error file=x::y`,
		"  ::set-output":           `  \x3a:set-output`,
		"x ##[error]y":             `x #\x23[error]y`,
		"安全 sécurité 👩‍👧":          "安全 sécurité 👩‍👧",
		"\u2066hidden\u2069\ufeff": `\u{2066}hidden\u{2069}\u{feff}`,
		"tag \U000e0041":           `tag \u{e0041}`,

		"a\U000e0100\U000e01ef":                        `a\u{e0100}\u{e01ef}`,
		"\u3164\u115f\u1160\uffa0":                     `\u{3164}\u{115f}\u{1160}\u{ffa0}`,
		"\u2800\u034f\u180b\u180f":                     `\u{2800}\u{34f}\u{180b}\u{180f}`,
		"\u17b4\u17b5\U0001d159":                       `\u{17b4}\u{17b5}\u{1d159}`,
		"\u2764\ufe0f 1\ufe0f\u20e3":                   "\u2764\ufe0f 1\ufe0f\u20e3",
		"e\u0301\u0302\u0303\u0304\u0305\u0306 \u0301": "e\u0301\u0302\u0303\u0304\\u{305}\\u{306} \u0301",
		"a\u200db\u200c\u200d":                         `a\u{200d}b\u{200c}\u{200d}`,
		"\u0645\u200c\u200c\u0646":                     "\u0645\u200c\\u{200c}\u0646",
		"##vso[task.x a=b]c":                           `#\x23vso[task.x a=b]c`,
		"a ###teamcity[x] ##Az":                        `a ##\x23teamcity[x] #\x23Az`,
		"## Title ## ####":                             "## Title ## ####",
	} {
		if got := Safe(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// obeyed matches what Azure, TeamCity or GitHub obeys anywhere in a line.
var obeyed = regexp.MustCompile(`##[[A-Za-z]`)

func FuzzSafe(f *testing.F) {
	f.Add("\x1b]0;title\a")
	f.Add("::error")
	f.Fuzz(func(t *testing.T, s string) {
		got := Safe(s)
		if !utf8.ValidString(got) || obeyed.MatchString(got) || strings.HasPrefix(strings.TrimSpace(got), "::") {
			t.Fatalf("%q becomes %q", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point) {
				t.Fatalf("%q keeps %U", s, r)
			}
		}
		if again := Safe(got); again != got {
			t.Fatalf("%q becomes %q, then %q", s, got, again)
		}
	})
}
