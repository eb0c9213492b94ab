package wire

import (
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

func TestGlobs(t *testing.T) {
	for _, c := range []struct{ glob, want string }{
		{"state.json", ""},
		{"**", ""},
		{"**/Literature", ""},
		{".ocr/sessions/*", ""},
		{"rounds/*/reviews/*-[0-9].md", ""},
		{"phases/*/{PHASE,ROUTE,BRIEFING,LOGBOOK}.md", ""},
		{"{,qa-outputs/}qa-diagnostic-state*.json", ""},
		{"rounds/*/", ""},
		{"[!a-z]*", ""},
		{"über?.md", ""},
		{"{a,b,c,d}{a,b,c,d}{a,b,c,d}", ""},
		{"*/*/*/*/*/*/*/*", ""},
		{"", `is empty, expected a pattern such as "*.json"`},
		{"/etc/passwd", "begins with a slash; globs are relative to a root"},
		{"{,a}/b", "begins with a slash; globs are relative to a root"},
		{"../a", `has the path element ".."; globs are relative to a root`},
		{"a/{b,..}/c", `has the path element ".."; globs are relative to a root`},
		{"./a", `has the path element "."; globs are relative to a root`},
		{"{.,a}./b", `has the path element ".."; globs are relative to a root`},
		{"a//b", "has an empty path element"},
		{"a//", "has an empty path element"},
		{`a\*`, "contains a backslash; paths are slash-separated, and [*] matches a star"},
		{"a\x1b[2J", "contains a control character"},
		{"a\xff", "is not UTF-8"},
		{"{a,{b,c}}", "nests braces; write out the alternatives"},
		{"{a,b", "opens a brace and does not close it"},
		{"a}", "closes a brace that is not open"},
		{strings.Repeat("{a,b}", 7), "stands for more than 64 alternatives; use several globs"},
		{strings.Repeat("{a,b}", 24), "stands for more than 64 alternatives; use several globs"},
		{"a**/b", `has "**" next to other text, where it would mean "*"; make it a separate path element`},
		{"*{*/b,c}", "has stars that meet at a brace; matchers disagree about what they mean"},
		{"a/{b,*}*", "has stars that meet at a brace; matchers disagree about what they mean"},
		{"*{,b}*/c", "has stars that meet at a brace; matchers disagree about what they mean"},
		{"{**,*}/{a,*}.{md,*}", ""},
		{"**/a/**/b/**/c/**", `has 4 times "**", expected at most 3`},
		{strings.Repeat("*a", 9), "has 9 stars, expected at most 8"},
		{"[a", "has a character class that is not closed, not opened, or in another"},
		{"a]", "has a character class that is not closed, not opened, or in another"},
		{"[a/b]", "has a character class that is not closed, not opened, or in another"},
		{"[]", "has an empty character class"},
		{"[!]", "has an empty character class"},
		{"[z-a]", `has a character class whose "-" is not between two ascending characters`},
		{"[^a-z]*", ""},
		{"[a-c-e]", `has a character class whose "-" is not between two ascending characters`},
		{"[a-]", `has a character class whose "-" is not between two ascending characters`},
		{"[-a]", `has a character class whose "-" is not between two ascending characters`},
		{strings.Repeat("a", 257), "has 257 bytes, expected at most 256"},
	} {
		err := CheckGlob(c.glob)
		if want := "glob " + shown(c.glob) + ": " + c.want; c.want == "" && err != nil || c.want != "" &&
			(err == nil || err.Error() != want) {
			t.Errorf("CheckGlob(%q) = %v, expected %q", c.glob, err, c.want)
		}
	}
}

// For every glob that CheckGlob accepts, the matcher must agree with matching its alternatives one by one.
func FuzzGlob(f *testing.F) {
	f.Add("{,a/}b-*.json", "a/b-1.json")
	f.Add("**/[!a-c]?/{x,y}", "1/2/dd/y")
	f.Add("[{,}]", "{")
	f.Add("{a[,]b}", "ab")
	f.Fuzz(func(t *testing.T, glob, path string) {
		if CheckGlob(glob) != nil {
			return
		}
		if !doublestar.ValidatePattern(glob) {
			t.Fatalf("the matcher refuses %q, which CheckGlob lets through", glob)
		}
		got, err := doublestar.Match(glob, path)
		if err != nil {
			t.Fatalf("Match(%q, %q): %v", glob, path, err)
		}
		want := false
		plain, _ := expand(glob)
		for _, p := range plain {
			ok, err := doublestar.Match(p, path)
			if err != nil {
				t.Fatalf("Match(%q, %q): %v", p, path, err)
			}
			want = want || ok
		}
		if got != want {
			t.Errorf("%q matches %q: %v, its alternatives: %v", glob, path, got, want)
		}
	})
}
