package sdk_test

import (
	"path"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
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
	} {
		if got := sdk.Match(c.glob, c.name); got != c.want {
			t.Errorf("Match(%q, %q) is %v, want %v", c.glob, c.name, got, c.want)
		}
	}
}

// FuzzMatch holds one segment against path.Match.
func FuzzMatch(f *testing.F) {
	for _, s := range [][2]string{
		{"*-[0-9].md", "principal-1.md"}, {"a*b*c", "abbcbc"}, {"[^a-c]?", "db"}, {`\*[\]]`, "*]"}, {"[]a]", "]"}, {"[-]", "-"}, {"[a", "a"},
		{"*\u00fc?", "x\u00fc\xff"}, {`a\`, "a"}, {"**", "a"}, {"[a-]", "a"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, glob, name string) {
		if strings.Contains(glob+name, "/") || strings.Contains(glob, "**") {
			return
		}
		want, err := path.Match(glob, name)
		if got := sdk.Match(glob, name); got != (want && err == nil) {
			t.Errorf("Match(%q, %q) is %v; path.Match says %v, %v", glob, name, got, want, err)
		}
	})
}
