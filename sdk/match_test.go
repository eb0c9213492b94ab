package sdk_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		glob, name string
		want       bool
	}{
		{"state.json", "state.json", true},
		{"rounds/*/reviews/*-[0-9].md", "rounds/round-1/reviews/principal-1.md", true},
		{"rounds/*/reviews/*-[0-9].md", "rounds/round-1/reviews/principal-10.md", false},
		{"**/final.md", "final.md", true},
		{"**/final.md", "rounds/round-1/final.md", true},
		{"rounds/**", "rounds/round-1/", true},
		{"rounds/*/", "rounds/round-1/", true},
		{"rounds/*", "rounds/round-1/final.md", false},
		{"[^a]?", "\u00fcb", true},
		{"[!a]?", "\u00fcb", true},
		{"[!a]x", "bx", true},
		{"[!a]x", "ax", false},
		{"[a!]x", "!x", true},
		{"notes/[!.]*.{md,txt}", "notes/b.txt", true},
		{"notes/[!.]*.{md,txt}", "notes/.b.txt", false},
		{"{,old/}state.json", "old/state.json", true},
		{"{,old/}state.json", "state.json", true},
		{"{a,b}/{c,d/**}", "b/d/e/f", true},
		{"{a,b}/{c,d/**}", "b/e", false},
		{"[{]a[,}]", "{a,", true},
		{`\{a,b\}`, "{a,b}", true},
	} {
		if got := sdk.Match(c.glob, c.name); got != c.want {
			t.Errorf("Match(%q, %q) is %v, want %v", c.glob, c.name, got, c.want)
		}
	}
}

// TestMalformedGlobsPanic checks that a malformed glob panics instead of matching nothing.
func TestMalformedGlobsPanic(t *testing.T) {
	for _, glob := range []string{"[a", "a]", "[]", "[!]", "[z-a]", "[-a]", "[a-]", "[a-c-e]", "[a/b]", "{a", "a}",
		"{a,{b,c}}", `a\`, `a\/b`} {
		for name, call := range map[string]func(){
			"sdk.Match":  func() { sdk.Match(glob, "b") },
			"Docs.Match": func() { sdk.Docs{}.Match(glob) },
		} {
			if why := panicOf(call); !strings.HasPrefix(why, name+`: the glob "`+glob+`" `) {
				t.Errorf("%s(%q) panics with %q, want a panic that names the call and the glob", name, glob, why)
			}
		}
	}
}

func panicOf(f func()) (why string) {
	defer func() { why, _ = recover().(string) }()
	f()
	return ""
}

// FuzzMatch compares globs with the host's matcher: every glob that a manifest may contain is well formed here, and
// every well-formed glob means the same to both.
func FuzzMatch(f *testing.F) {
	for _, s := range [][2]string{
		{"*-[0-9].md", "principal-1.md"}, {"a*b*c", "abbcbc"}, {"[^a-c]?", "db"}, {"[!a-c]?", "ab"}, {`\*[\]]`, "*]"},
		{"[]a]", "]"}, {"[-]", "-"}, {"[a", "a"},
		{"*\u00fc?", "x\u00fc\xff"}, {`a\`, "a"}, {"**", "a"}, {"[a-]", "a"}, {"{a,b}/**/c", "a/x/c"},
		{"{a/,}b{c,?}", "bc"}, {"[{]{x,[,]}", "{,"}, {"a/**/b", "a/b"},
		{"**/*.md", "a/b.md"}, {"a/*/", "a/b/"}, {"{[}],a}", "}"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, glob, name string) {
		if len(glob) > 60 || len(name) > 60 || name == "" || strings.Contains(glob, "//") || !utf8.ValidString(glob) ||
			!utf8.ValidString(name) {
			return
		}
		got, malformed := false, panicOf(func() { sdk.Match(glob, name) })
		if malformed != "" {
			if wire.CheckGlob(glob) == nil {
				t.Errorf("a manifest may contain %q; %s", glob, malformed)
			}
			return
		}
		got = sdk.Match(glob, name)
		if want, err := doublestar.Match(glob, name); err != nil || got != want && !quirk(glob, name) {
			t.Errorf("Match(%q, %q) is %v; the host's matcher returns %v, %v", glob, name, got, want, err)
		}
	})
}

// quirk reports whether the host's matcher may differ: for a "**" that a manifest may not contain, for "a*/**",
// which matches "a" here like "a/**" does, and for a class that matches a slash, which no path element contains.
func quirk(glob, name string) bool {
	return strings.Contains(glob, "**") && (wire.CheckGlob(glob) != nil || strings.Contains(glob, "/**")) ||
		strings.Contains(glob, "[") && strings.Contains(name, "/")
}
