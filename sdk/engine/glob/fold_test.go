package glob

import (
	"slices"
	"strings"
	"testing"
)

func states(s *Set, path string) (parent, st State) {
	st = s.Start()
	for name := range strings.SplitSeq(path, "/") {
		parent, st = st, s.Step(st, name)
	}
	return parent, st
}

// TestFolded checks that a folded set matches the same names as the original set, and names that differ only in
// case.
func TestFolded(t *testing.T) {
	for _, c := range []struct {
		glob, path string
		plain      bool
		folded     string // the spelling, or "" if the folded set does not match either
	}{
		{".ocr/sessions/*", ".ocr/sessions/A", true, ".ocr/sessions/A"},
		{".ocr/sessions/*", ".OCR/Sessions/A", false, ".ocr/sessions/A"},
		{".ocr/sessions/*", ".ocr/\u017fession\u017f/A", false, ".ocr/sessions/A"},
		{".ocr/sessions/*", ".OCRX/sessions/A", false, ""},
		{"**/Caf\u00e9", "x/cafe\u0301", false, "x/Caf\u00e9"},
		{"**/{a,B}/*.MD", "x/y/b/Q.md", false, "x/y/B/*.MD"},
		{"**/{a,B}/*.MD", "b/b/B/Q.MD", true, "b/b/B/Q.MD"},
		{"[A-Z]x", "Ax", true, "Ax"},
		{"[A-Z]x", "ax", false, ""},
		{"**/**/**/**/z", "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y", false, ""},
	} {
		set, err := Compile([]string{"other", c.glob})
		if err != nil {
			t.Fatal(err)
		}
		folded := set.Folded()
		_, st := states(set, c.path)
		_, fold := states(folded, c.path)
		owners := slices.Collect(folded.Each(fold))
		if plain := set.Accepts(st); plain != c.plain || (len(owners) > 0) != (c.folded != "") || len(owners) > 0 &&
			owners[0] != 1 {
			t.Errorf("%q and %q: matches %v, folded %v", c.glob, c.path, plain, owners)
		}
		if spelled := set.Spell(1, c.path); c.folded != "" && !c.plain && spelled != c.folded {
			t.Errorf("%q spells %q as %q, want %q", c.glob, c.path, spelled, c.folded)
		}
	}
}

func TestFoldedFloats(t *testing.T) {
	set, err := Floating([]string{".ocr/x"})
	if err != nil {
		t.Fatal(err)
	}
	folded := set.Folded()
	if _, st := states(folded, "a/b/.Ocr"); folded.Idle(st) || !folded.Named(st) {
		t.Error("the name is passed over")
	}
	if _, st := states(folded, "a/b/ocr"); !folded.Idle(st) {
		t.Error("a name that is not the glob's counts")
	}
	if spelled := set.Spell(0, "a/.ocr/b/.OCR/X"); spelled != "a/.ocr/b/.ocr/x" {
		t.Errorf("spelled %q", spelled)
	}
}

func TestMiscased(t *testing.T) {
	set, err := Compile([]string{"state.json", "steps/*/PLAN.md", "{plan,Plan}.md", "*.txt", "dir/"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"state.json": "", "State.JSON": "state.json", "Steps": "steps", "steps": "", "plan.md": "", "Plan.md": "",
		"PLAN.md": "plan.md",
		"A.TXT":   "", "steps/x/plan.md": "PLAN.md", "steps/x/state.JSON": "", "DIR": "dir",
	} {
		parent, _ := states(set, path)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if got, _, last := set.Miscased(parent, name); got != want || got != "" && last != (got != "steps") {
			t.Errorf("%s: expected %q (last %v), want %q", path, got, last, want)
		}
	}
}
