package print

import (
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
	} {
		if got := Safe(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzSafe(f *testing.F) {
	f.Add("\x1b]0;title\a")
	f.Add("::error")
	f.Fuzz(func(t *testing.T, s string) {
		got := Safe(s)
		if !utf8.ValidString(got) || strings.Contains(got, "##[") || strings.HasPrefix(strings.TrimSpace(got), "::") {
			t.Fatalf("%q becomes %q", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q keeps %U", s, r)
			}
		}
		if again := Safe(got); again != got {
			t.Fatalf("%q becomes %q, then %q", s, got, again)
		}
	})
}
