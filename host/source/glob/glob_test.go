package glob

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/stategate/stategate/sdk"
)

func run(s *Set, path string) State {
	st := s.Start()
	for n := range strings.SplitSeq(path, "/") {
		st = s.Step(st, n)
	}
	return st
}

// TestAgreesWithDoublestar holds every glob against every path: stepping says what matching the whole says, and so
// does the matcher of the plugins.
func TestAgreesWithDoublestar(t *testing.T) {
	globs := []string{"a", "a/b", "*", "**", "a/**", "**/b", "a/*/c", "a/**/c", "**/*.md", "{a,b}/c", "x{a,b/c}y", "a/{b,c/**}",
		"[ab]/?", `\*`, `a/[{]`, "a**", "**/a/**", "*/**/*", "[^a]*", "[!a]*", "[!a-c]?*", "é*", "{a,}b", `\{a,b\}`}
	paths := []string{"a", "b", "c", "a/b", "a/c", "a/b/c", "a/x/y/c", "x.md", "a/b/x.md", "xay", "xb/cy", "*", "a/{", "ab", "a/b/c/d", "éa",
		"b/c", ".", ".a", "a/.b", "{a,b}", "a b", "a\nb", "\xff", "a/\xff"}
	for _, g := range globs {
		s, err := Compile([]string{g})
		if err != nil {
			t.Errorf("Compile(%q): %v", g, err)
			continue
		}
		for _, p := range paths {
			want, err := doublestar.Match(g, p)
			if err != nil {
				t.Fatal(err)
			}
			if _, got := s.Accepts(run(s, p)); got != want {
				t.Errorf("%q against %q = %v, doublestar says %v", g, p, got, want)
			}
			if got := sdk.Match(g, p); utf8.ValidString(p) && got != want {
				t.Errorf("a plugin's %q against %q = %v, doublestar says %v", g, p, got, want)
			}
		}
	}
}

func TestFloating(t *testing.T) {
	s, err := Floating([]string{".ocr/sessions/*", "**", "{x,y}/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		want  []int
		named bool
	}{
		{"a", []int{1}, false},
		{".ocr", []int{1}, true},
		{"a/.ocr/sessions", []int{1}, true},
		{"a/.ocr/sessions/s", []int{0, 1}, true},
		{"a/.ocr/sessions/s/b", []int{1}, false},
		{"a/y", []int{1, 2}, true},
	} {
		var got []int
		st := run(s, c.path)
		s.Each(st, func(i int) bool { got = append(got, i); return true })
		if len(got) != len(c.want) || got[0] != c.want[0] || got[len(got)-1] != c.want[len(c.want)-1] {
			t.Errorf("%q matches %v, want %v", c.path, got, c.want)
		}
		if s.Named(st) != c.named {
			t.Errorf("Named(%q) = %v, want %v", c.path, !c.named, c.named)
		}
	}
	if !s.DirOnly(2) || s.DirOnly(0) {
		t.Error("DirOnly tells only the glob that ends in a slash")
	}
}

func TestBelow(t *testing.T) {
	s, err := Compile([]string{"state.json", "rounds/*/reviews/*.md", "any/**/*.md"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path                    string
		below, towards, besides bool
	}{
		{"state.json", false, false, false},
		{"rounds", true, true, false},
		{"rounds/r1", true, true, false},
		{"rounds/r1/reviews", true, true, true},
		{"rounds/r1/other", false, false, false},
		{"any", true, true, true},
		{"any/x", true, false, true},
		{"other", false, false, false},
	} {
		st := run(s, c.path)
		parent, last := s.Start(), c.path
		if i := strings.LastIndexByte(c.path, '/'); i > 0 {
			parent, last = run(s, c.path[:i]), c.path[i+1:]
		}
		_, towards := s.Towards(parent, last)
		_, besides := s.Beside(st)
		if s.Below(st) != c.below || towards != c.towards || besides != c.besides {
			t.Errorf("%q: below %v, towards %v, beside %v, want %v %v %v", c.path, s.Below(st), towards, besides, c.below, c.towards, c.besides)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ glob, want string }{
		{"", "name"}, {"/a", "name"}, {"a//b", "name"}, {"../a", "name"}, {"[a/]", "slash inside"}, {`a\/b`, "slash inside"}, {"\xff", "UTF-8"}, {"a/./b", "name"}, {"[", "malformed"}, {"{a", "malformed"}, {`a\`, "malformed"},
		{"{a,{b,c}}", "braces inside"}, {strings.Repeat("{a,b}", 11), "alternatives"}, {strings.Repeat("a/", 70) + "a", "names"},
	} {
		_, err := Compile([]string{c.glob})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Compile(%.20q) = %v, want an error about %q", c.glob, err, c.want)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, p := range []string{"a/b", "a*b/[x]{y}?", `back\slash`, "\xff"} {
		if ok, err := doublestar.Match(Escape(p), p); err != nil || !ok {
			t.Errorf("Escape(%q) = %q does not match it: %v", p, Escape(p), err)
		}
	}
	if ok, _ := doublestar.Match(Escape("a*"), "ab"); ok {
		t.Error(`Escape("a*") matches "ab"`)
	}
}

// FuzzMatch: for every glob that compiles, stepping and doublestar agree on every path. Left out are globs that end in
// "**": doublestar lets "a/**" match "a", but not "a*/**".
func FuzzMatch(f *testing.F) {
	f.Add("a/**/{b,c}*", "a/x/b")
	f.Add("[a-z]/?", "a/b")
	f.Add(`{\,,a}`, ",")
	f.Fuzz(func(t *testing.T, glob, path string) {
		if len(glob) > 60 || len(path) > 60 || strings.HasSuffix(glob, "/") || strings.Contains(glob, "/**") || strings.Contains(path, "//") || strings.Trim(path, "/") != path || path == "" || !utf8.ValidString(path) {
			return
		}
		s, err := Compile([]string{glob})
		if err != nil {
			return
		}
		want, err := doublestar.Match(glob, path)
		if err != nil {
			return
		}
		if _, got := s.Accepts(run(s, path)); got != want {
			t.Errorf("%q against %q = %v, doublestar says %v", glob, path, got, want)
		}
	})
}

func TestBeyond(t *testing.T) {
	set, err := Floating([]string{"{.rev,.rpt}/sessions/*", "kept/*"})
	if err != nil {
		t.Fatal(err)
	}
	state := func(path string) State {
		st := set.Start()
		for name := range strings.SplitSeq(path, "/") {
			st = set.Step(st, name)
		}
		return st
	}
	for _, c := range []struct {
		path, other string
		here, below bool
	}{
		{".rev", "a/.rev", false, false},
		{".rev", ".rpt", false, false}, // another choice of the braces
		{".rev", "data", false, true},
		{".rev/sessions", ".rev", false, true},
		{".rev/sessions/a", "b/.rpt/sessions/c", false, false},
		{".rev/sessions/a", "kept/a", true, false},
		{"data", ".rev", false, false},
	} {
		if here, below := set.Beyond(0, state(c.path), state(c.other)); here != c.here || below != c.below {
			t.Errorf("%s beyond %s: %t, %t", c.path, c.other, here, below)
		}
	}
}
