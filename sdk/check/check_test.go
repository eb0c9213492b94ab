package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
)

// A model holds the words in note.md.
type model struct{ words []string }

const written check.Needs = 1 // note.md has words

var rules = []check.Rule[*model]{
	{Name: "too-long", Group: "note", Severity: sdk.Error, Needs: written, Hides: []string{"shouting"}, Doc: "d",
		Why: "w", Fix: "f", Replaces: []string{"long"}, Find: func(r *check.Report, m *model) {
			if len(m.words) > 3 {
				r.Whole("note.md", "note.md is too long").See(sdk.AtLine("note.md", 1), "it begins here").
					Offer(sdk.Review, "Keep a word", sdk.Create("note.md", "a\n")).Offer(sdk.Review,
					"Nothing").Advise("Shorten it", "drop a word")
			}
		}},
	{Name: "shouting", Severity: sdk.Warning, Needs: written, Doc: "d", Fix: "Write it in lower case.",
		Advice: "Calm down", Find: func(r *check.Report, m *model) {
			for _, w := range m.words {
				if strings.ToUpper(w) == w {
					r.At(sdk.AtLine("note.md", 1), w+" is in capitals").About("note").Keyed("capitals").As(sdk.Info)
				}
			}
		}},
}

var life = &sdk.Lifecycle{Name: "note", Doc: "d", Phases: []*sdk.Phase{{Name: "open", Number: 1, Doc: "d"}}}

var workflow = &sdk.Workflow{
	Name: "notes", Version: "1.0.0", Doc: "d", Roots: []sdk.Root{{Dir: ".notes/*", Markers: []string{"note.md"}}},
	Documents: []sdk.DocumentSpec{{Glob: "note.md", Need: sdk.Content}}, Lifecycles: []*sdk.Lifecycle{life},
	Rules: check.Declare(rules, func(r *check.Report) (*model, check.Needs) {
		m := &model{}
		if d := r.Docs.Get("note.md"); d != nil {
			m.words = strings.Fields(d.Text)
		}
		if len(m.words) == 0 {
			return m, 0
		}
		return m, written
	}),
	Detect: func(*sdk.Pass) ([]sdk.Detection, error) { return []sdk.Detection{{Lifecycle: life}}, nil },
}

func TestFindings(t *testing.T) {
	for text, want := range map[string]string{
		"a b c": "",
		"a A b A": "too-long: note.md is too long\nshouting [note]: A is in capitals\nshouting [note]: A is in " +
			"capitals\n",
		"":          "",
		"a b c d e": "too-long: note.md is too long\n",
	} {
		if got := sdktest.Findings(t, workflow, sdktest.Files{"note.md": text}, nil); got != want {
			t.Errorf("%q: got %s", text, got)
		}
	}
}

func TestFindingsAreBuiltStepByStep(t *testing.T) {
	list := sdktest.Look(t, workflow, sdktest.Files{"note.md": "a A b A"}, nil).Report.Diagnostics
	long, first, second := list[0], list[1], list[2]
	if len(long.Related) != 1 || len(long.Remedies) != 2 || long.Remedies[0].Fixes[0] != "too-long" ||
		len(long.Remedies[1].Steps) != 1 {
		t.Errorf("the finding is %+v", long)
	}
	if first.Key != "capitals" || second.Key != "capitals#2" || first.Severity != sdk.Info {
		t.Errorf("the findings are %+v and %+v", first, second)
	}
	if len(long.Remedies) != 2 || len(first.Remedies) != 1 || first.Remedies[0].Title != "Calm down" ||
		first.Remedies[0].Steps[0] != "Write it in lower case." {
		t.Errorf("the advice of a rule is for findings without a remedy: %+v and %+v", long.Remedies, first.Remedies)
	}
}

// TestTooManyFindings checks that a rule with more findings than the limit fails instead of silently dropping the
// rest.
func TestTooManyFindings(t *testing.T) {
	for words, want := range map[int]string{
		1000: "<nil>",
		1001: "found 1001 findings, expected at most 1000 for one rule; report findings with the same cause only once",
	} {
		pass := sdktest.Pass(workflow, &wire.Request{Documents: []wire.Document{
			{Path: "note.md", Text: strings.Repeat("A ", words)}}})
		reported := 0
		pass.Report = func(sdk.Diagnostic) { reported++ }
		if got := fmt.Sprint(workflow.Rules[1].Check(pass)); got != want || reported != words && want == "<nil>" {
			t.Errorf("%d words: got %q and %d findings, want %q", words, got, reported, want)
		}
	}
}

// TestAsOff checks that a rule cannot hide a finding by setting its severity to Off.
func TestAsOff(t *testing.T) {
	w := *workflow
	w.Rules = check.Declare([]check.Rule[int]{{Name: "hidden", Severity: sdk.Warning, Doc: "d",
		Find: func(r *check.Report, _ int) { r.Whole("note.md", "x").As(sdk.Off) }}},
		func(*check.Report) (int, check.Needs) { return 0, 0 })
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "As(sdk.Off) hides a finding") {
			t.Errorf("got %s", got)
		}
	}()
	w.Rules[0].Check(&sdk.Pass{})
}

// TestOnBase checks that a rule that compares with the base declares it and does not run without one.
func TestOnBase(t *testing.T) {
	w := *workflow
	w.Rules = check.Declare([]check.Rule[int]{{Name: "changed", Severity: sdk.Warning, Doc: "d", Why: "w", Fix: "f",
		Needs: check.OnBase, SeverityIf: "Warning if it is new.", OffByDefault: true, URL: "https://example.org",
		Find: func(r *check.Report, _ int) {
			now, was := r.Docs.Get("note.md"), r.Base.Docs.Get("note.md")
			if now.Readable() && was.Readable() && strings.Contains(was.Text, "b") && !strings.Contains(now.Text, "b") {
				r.Whole("note.md", "changed")
			}
		}}}, func(*check.Report) (int, check.Needs) { return 0, 0 })
	if r := w.Manifest().Rules[0]; !r.NeedsBase || !r.OffByDefault || r.URL == "" || r.SeverityIf == "" {
		t.Errorf("the manifest says %+v", r)
	}
	note := sdktest.Files{"note.md": "a"}
	if got := sdktest.Findings(t, &w, note, nil); got != "" {
		t.Errorf("without a base: got %s", got)
	}
	if got := sdktest.Findings(t, &w, note, sdktest.Files{"note.md": "b"}); got != "changed: changed\n" {
		t.Errorf("with another base: got %s", got)
	}
}

// TestCutShort distinguishes lines that were cut off from changes that may be intentional.
func TestCutShort(t *testing.T) {
	const base = "# Plan\n- [x] write it\n- [ ] read it aloud\n- [ ] print it\n"
	cut := *workflow
	cut.Rules = check.Declare([]check.Rule[int]{{Name: "cut-short", Severity: sdk.Error, Doc: "d", Why: "w", Fix: "f",
		Find: func(r *check.Report, _ int) { r.CutShort("note.md") }}},
		func(r *check.Report) (int, check.Needs) { return 0, 0 })
	for text, want := range map[string]bool{
		"# Plan\n- [x] write it\n- [x] read it al": true, // within a word
		"# Plan\r\n* [x] write it\r\n* [ ] read i": true, // written in another style
		// between two words, and the title differs
		"# My plan\n- [x] write it\n- [ ] read it":                 true,
		"# Plan\n- [x] write it\n":                                 false, // whole lines were removed
		"# Plan\n- [x] write it\n- [ ] read it aloud\n- [ ] print": false, // the base ends with this line
		"# Plan\n- [ ] rea":                                        false, // the line above it differs from the base
		base:                                                       false,
	} {
		if got := sdktest.Findings(t, &cut, sdktest.Files{"note.md": text},
			sdktest.Files{"note.md": base}); got != "" != want {
			t.Errorf("%q: got %q, expected a finding: %v", text, got, want)
		}
	}
}

// TestCutAtLine distinguishes a document that ends with a line of the base from one that ends in other text, or that
// is complete.
func TestCutAtLine(t *testing.T) {
	const base = "# Plan\n- [x] write it\n- [ ] read it aloud\n- [ ] print it\n"
	cut := *workflow
	cut.Rules = check.Declare([]check.Rule[int]{{Name: "cut-short", Severity: sdk.Error, Doc: "d", Why: "w", Fix: "f",
		Find: func(r *check.Report, _ int) {
			if r.CutShort("note.md") == nil {
				r.CutAtLine("note.md")
			}
		}}},
		func(r *check.Report) (int, check.Needs) { return 0, 0 })
	for text, want := range map[string]bool{
		"# Plan\n- [x] write it\n":                       true,
		"# Plan\n* [ ] write it\n":                       true, // written in another style
		"# My plan\n- [x] write it\n- [ ] read it aloud": true,
		"# Plan\n- [x] write it\n- [ ] sing it\n":        false,
		base: false,
	} {
		if got := sdktest.Findings(t, &cut, sdktest.Files{"note.md": text},
			sdktest.Files{"note.md": base}); got != "" != want {
			t.Errorf("%q: got %q, expected a finding: %v", text, got, want)
		}
	}
}

// TestCutShortYAML checks that a comparison with the base detects a YAML document that was cut off. Without the base,
// half of a YAML document is still valid.
func TestCutShortYAML(t *testing.T) {
	const base = "# sprint\nstatus:\n  one: done\n  two: in-progress\n  three: backlog\nlist:\n  - apple\n  - pear\n"
	cut := *workflow
	cut.Documents = []sdk.DocumentSpec{{Glob: "note.yaml", Format: sdk.YAML, Need: sdk.Content}}
	cut.Roots = []sdk.Root{{Dir: workflow.Roots[0].Dir, Markers: []string{"note.yaml"}}}
	cut.Rules = check.Declare([]check.Rule[int]{{Name: "cut-short", Severity: sdk.Error, Doc: "d", Why: "w", Fix: "f",
		Find: func(r *check.Report, _ int) { r.CutShort("note.yaml") }}},
		func(r *check.Report) (int, check.Needs) { return 0, 0 })
	for text, want := range map[string]string{
		"# sprint\nstatus:\n  one: done\n  two: in-pro"://
		"note.yaml ends partway through a line of the base (note.yaml:4); the rest is missing",
		"status:\n  one: done\n  two:":                                                       "(note.yaml:4)",
		"status:\n    one: \"done\"\n    two: in-progress\n    three: backlog\nlist:\n- app": "(note.yaml:7)",
		// whole lines were removed
		"status:\n  one: done\n  two: in-progress\n": "",
		// another value
		"status:\n  one: done\n  two: review\n": "",
		// the base ends with this line
		"# sprint\nstatus:\n  one: done\n  two: in-progress\n  three: backlog\nlist:\n  - apple\n  - pea\n": "",
		base + "  - plum\n": "",
		base:                "",
	} {
		got := sdktest.Findings(t, &cut, sdktest.Files{"note.yaml": text}, sdktest.Files{"note.yaml": base})
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func ExampleDeclare() {
	r := check.Declare(rules, nil)[0]
	fmt.Println(r.Name, r.Group, r.Severity, r.Why, r.Hides[0].Name, r.Replaces)
	// Output: too-long note error w shouting [long]
}

// TestKept checks that Kept ignores bullets, checkboxes and heading levels, and counts headings only in a document
// that has no other text.
func TestKept(t *testing.T) {
	for _, c := range []struct {
		was, other string
		kept, all  int
	}{
		{"# Plan\n\n- [ ] Write the parser\n* Test it\n", "## Other\n\n- [x] Write the parser\n", 1, 2},
		{"# Plan\n## Goal\n", "### Goal\n", 1, 2},
		{"---\n***\n", "text\n", 0, 0},
		{"Write the parser\n", "", 0, 1},
	} {
		was := &sdk.Document{Need: sdk.Content, Text: c.was}
		other := &sdk.Document{Need: sdk.Content, Text: c.other}
		if kept, all := check.Kept(was, other); kept != c.kept || all != c.all {
			t.Errorf("%q in %q: %d of %d, want %d of %d", c.was, c.other, kept, all, c.kept, c.all)
		}
	}
}

// TestEmptied checks that a plan is lost if only a word or its first lines remain, but not if another plan replaced
// it, however short.
func TestEmptied(t *testing.T) {
	const plan = "# Plan\n\nWe parse the file line by line.\nThe parser keeps comments.\nIt reports each fault.\n\n" +
		"## Tests\n\nEach fault has a test that shows it.\n"
	for now, want := range map[string]string{
		plan:                                     "",
		"":                                       " is empty",
		"# Plan\n\n## Tests\n":                   " has only titles left",
		"hi\n":                                   " lost most of its text",
		"# Plan\r\n\r\n- TBD\r\n":                " lost most of its text",
		"# Plan\n\nThe parser keeps comments.\n": " lost most of its text",
		"# Parser\n\nUse the library.\n":         "",
		"# Plan\n\nWe parse the file line by line. Done.\n": "",
	} {
		is := &sdk.Document{Need: sdk.Content, Text: now}
		if how := check.Emptied(is, &sdk.Document{Need: sdk.Content, Text: plan}); how != want {
			t.Errorf("%q: %q, want %q", now, how, want)
		}
	}
	if how := check.Emptied(&sdk.Document{Need: sdk.Content, Text: "hi"}, nil); how != "" {
		t.Errorf("without a base: %q", how)
	}
}
