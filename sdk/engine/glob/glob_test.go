package glob

import (
	"slices"
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

// Three stars are equivalent to one, in any position.
func TestThreeStars(t *testing.T) {
	for _, path := range []string{"a/b", "ax/bx"} {
		if !Match("a***/{b,c}***", path) {
			t.Errorf("%s: no match", path)
		}
	}
}

// TestAgreesWithDoublestar matches every glob with every path: stepping, matching the whole path and the plugins'
// matcher must agree.
func TestAgreesWithDoublestar(t *testing.T) {
	globs := []string{"a", "a/b", "*", "**", "a/**", "**/b", "a/*/c", "a/**/c", "**/*.md", "{a,b}/c", "x{a,b/c}y",
		"a/{b,c/**}",
		"[ab]/?", `\*`, `a/[{]`, "a**", "**/a/**", "*/**/*", "[^a]*", "[!a]*", "[!a-c]?*", "é*", "{a,}b", `\{a,b\}`}
	paths := []string{"a", "b", "c", "a/b", "a/c", "a/b/c", "a/x/y/c", "x.md", "a/b/x.md", "xay", "xb/cy", "*", "a/{",
		"ab", "a/b/c/d", "éa",
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
			if got := s.Accepts(run(s, p)); got != want {
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
		st := run(s, c.path)
		if got := slices.Collect(s.Each(st)); !slices.Equal(got, c.want) {
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
		path           string
		below, towards bool
	}{
		{"state.json", false, false},
		{"rounds", true, true},
		{"rounds/r1", true, true},
		{"rounds/r1/reviews", true, true},
		{"rounds/r1/other", false, false},
		{"any", true, true},
		{"any/x", true, false},
		{"other", false, false},
	} {
		st := run(s, c.path)
		parent, last := s.Start(), c.path
		if i := strings.LastIndexByte(c.path, '/'); i > 0 {
			parent, last = run(s, c.path[:i]), c.path[i+1:]
		}
		towards := s.Towards(parent, last) >= 0
		if s.Below(st) != c.below || towards != c.towards {
			t.Errorf("%q: below %v, towards %v, want %v %v", c.path, s.Below(st), towards, c.below, c.towards)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ glob, want string }{
		{"", "name"}, {"/a", "name"}, {"a//b", "name"}, {"../a", "name"}, {"[a/]", "slash inside"},
		{`a\/b`, "slash inside"}, {"\xff", "UTF-8"}, {"a/./b", "name"}, {"[", "malformed"}, {"{a", "malformed"},
		{`a\`, "malformed"},
		{"{a,{b,c}}", "nested braces"}, {strings.Repeat("{a,b}", 11), "alternatives"},
		{strings.Repeat("a/", 70) + "a", "names"},
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

// FuzzMatch checks that for every glob that compiles, stepping and doublestar agree on every path. It skips globs
// that end in "**", because doublestar lets "a/**" match "a" but not "a*/**". It also skips "***", which in doublestar
// does not match the empty end of a text; stars that meet at a brace; and classes in paths of several names, because a
// doublestar class may match a slash.
func FuzzMatch(f *testing.F) {
	f.Add("a/**/{b,c}*", "a/x/b")
	f.Add("[a-z]/?", "a/b")
	f.Add(`{\,,a}`, ",")
	f.Add("a**/{b,c}*", "a/bx")
	f.Fuzz(func(t *testing.T, glob, path string) {
		if len(glob) > 60 || len(path) > 60 || strings.HasSuffix(glob, "/") || strings.Contains(glob, "/**") ||
			strings.Contains(glob, "***") || strings.Contains(glob, "*{") || strings.Contains(glob, "}*") ||
			strings.Contains(glob, "[") && strings.Contains(path, "/") || strings.Contains(path, "//") ||
			strings.Trim(path, "/") != path || path == "" || !utf8.ValidString(path) {
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
		if got := s.Accepts(run(s, path)); got != want {
			t.Errorf("%q against %q = %v, doublestar says %v", glob, path, got, want)
		}
	})
}

func TestRemaining(t *testing.T) {
	set, err := Floating([]string{"{.rev,.rpt}/sessions/*", "kept/*"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]uint64{
		".rev": 1 << 2, "a/.rpt": 1 << 2, ".rev/sessions": 1 << 1, ".rev/sessions/a": 1, "kept": 0, "kept/a": 0,
		"data": 0,
	} {
		if got := set.Remaining(0, run(set, path)); got != want {
			t.Errorf("%s: %b, want %b", path, got, want)
		}
	}
}
