package sdktest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

const based = "-- @base/state.json --\n{\"phase\": \"draft\"}\n"

// TestMistakesAreTold lists mistakes in using the kit, each with the kit's first message.
func TestMistakesAreTold(t *testing.T) {
	calls := 0
	header := func(line string) string { return strings.Replace(draftText, "root:", line+"\nroot:", 1) }
	for _, test := range []struct {
		name   string
		change func(*sdk.Workflow)
		text   string
		want   string // the beginning
	}{
		{"a path is asked for and none is declared", first(func(p *sdk.Pass) error {
			p.Presence("src/a.go")
			return nil
		}), draftText, `law broken: a plugin asks only for documents and options that it declares: the plugin asks ` +
			`whether "src/a.go" exists, but Workflow.AsksFor declares no path`},
		{"something is kept between looks, and noticed late", first(func(p *sdk.Pass) error {
			if calls++; calls > 4 {
				p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "again"})
			}
			return nil
		}), draftText, "law broken: a second pass reports the same: "},
		{"an undeclared phase changes the verdict, too", func(w *sdk.Workflow) {
			w.Detect = func(*sdk.Pass) ([]sdk.Detection, error) {
				return []sdk.Detection{{Lifecycle: life, Observed: &sdk.Phase{Name: "begun"}}}, nil
			}
		}, draftText, "law broken: a report says nothing that its manifest and request do not allow: detection 0"},
		{"a document comes without its text", func(w *sdk.Workflow) {
			w.Documents[0].Need, w.Documents[0].Schema = sdk.Listed, ""
		}, draftText, "the plugin reads state.json but gets no text: \"state.json\" has the need listed, not " +
			"sdk.Content"},
		{"JSON is read as text", func(w *sdk.Workflow) { w.Documents[0].Format, w.Documents[0].Schema = sdk.Text, "" },
			draftText, "the document \"state.json\" has the format text, so nothing reads it as json; declare its " +
				"Format"},
		{"JSON Lines are read as JSON", func(w *sdk.Workflow) {
			w.Documents = append(w.Documents,
				sdk.DocumentSpec{Glob: "log.jsonl", Format: sdk.JSON, Need: sdk.Content})
		}, draftText, "the document \"log.jsonl\" has the format json, so nothing reads it as jsonlines; declare its " +
			"Format"},
		{"look-alikes are not declined", func(w *sdk.Workflow) {
			w.Detect = func(*sdk.Pass) ([]sdk.Detection, error) { return nil, nil }
		}, draftText + "-- @want --\ndeclined: state.json has a phase of another tool\n",
			"the Detect function returns neither " +
				"a detection nor an error, so the host reports the documents here; decline them with sdk.NotMine"},
		{"look-alikes are declined without a reason", func(w *sdk.Workflow) {
			w.Detect = func(*sdk.Pass) ([]sdk.Detection, error) { return nil, sdk.NotMine("") }
		}, draftText, "law broken: no function of the workflow fails: detect: sdk.NotMine has no reason; give one " +
			"that a person can verify"},
		{"a finding is at a value that there is not", finding(sdk.Diagnostic{
			Severity: sdk.Info, Range: sdk.AtPointer("state.json", "/fase")}), draftText,
			"the finding of done-without-result is at /fase, which state.json does not have"},
		{"Markdown comes without its outline", func(w *sdk.Workflow) {
			w.Documents[1].Format = sdk.Text
			first(func(p *sdk.Pass) error { p.Docs.Get("result.md").Outline(); return nil })(w)
		}, finishedText, "the document \"result.md\" has the format text, so nothing reads it as markdown; declare " +
			"its Format\nthe plugin reads the outline of result.md but gets none: "},
		{"a rule is misspelled in quiet", nil, header("quiet: done-without-resullt"),
			"the header names \"done-without-resullt\", which is " +
				"not a rule of toy (did you mean done-without-result?)"},
		{"a rule is misspelled in rules", nil, header("rules: state-stal"),
			"the header names \"state-stal\", which is not a rule of toy (did you mean state-stale?)"},
		{"paths are given and the workflow asks for none", nil, header("paths: src/a.go") + "-- @want --\nrun: " +
			"claimed draft, observed draft, consistent, active, 1/2 phases\n  next: write result.md\n",
			"paths: the workflow asks for no paths; declare AsksFor, or remove the line"},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls = 0
			k, f := kit(t, test.change, test.text)
			if _, err := k.Check(f); err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("the kit says\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

// TestRulesAreSeparatedByCommas checks that commas are allowed ("quiet: a, b"), because people write them.
func TestRulesAreSeparatedByCommas(t *testing.T) {
	for _, line := range []string{"quiet: done-without-result, state-stale", "quiet: done-without-result,state-stale",
		"quiet: done-without-result state-stale"} {
		_, f := kit(t, nil, strings.Replace(draftText, "root:", line+"\nroot:", 1))
		if got := strings.Join(f.Header.Quiet, " "); got != "done-without-result state-stale" {
			t.Errorf("%s: got %q", line, got)
		}
	}
}

// TestABaseIsNewOrHasDocuments checks that a fixture with both is refused, because only one can be intended.
func TestABaseIsNewOrHasDocuments(t *testing.T) {
	text := strings.Replace(draftText, "root:", "base: new\nroot:", 1) + based
	_, err := fixture.Load(fstest.MapFS{"x.txtar": {Data: []byte(text)}}, "x.txtar")
	if err == nil || !strings.Contains(err.Error(), "base: new means that the base has no such directory") {
		t.Errorf("got %v", err)
	}
}

// TestASectionOfJSONLinesIsEditedByLine checks that a pointer is refused in an edit of JSON Lines, which are edited
// by line.
func TestASectionOfJSONLinesIsEditedByLine(t *testing.T) {
	files := fstest.MapFS{
		"a.txtar": {Data: []byte("One.\n\nroot: runs/a\n-- log.jsonl --\n{\"a\": 1}\n")},
		"b.txtar": {Data: []byte("Two.\n\nroot: runs/a\nfrom: a.txtar\n-- log.jsonl (edit) --\nset /0/a 2\n")},
	}
	_, err := fixture.Load(files, "b.txtar")
	const want = "section log.jsonl: edit: set /0/a 2: the document is JSON Lines; replace the line"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	files["b.txtar"].Data = []byte(strings.Replace(string(files["b.txtar"].Data), "set /0/a 2",
		`replace "1" "2"`, 1))
	if _, err := fixture.Load(files, "b.txtar"); err != nil {
		t.Errorf("a replaced line: %v", err)
	}
}

// TestAFixtureOfAnotherName checks that a fixture that would not be tested because of its name is reported.
func TestAFixtureOfAnotherName(t *testing.T) {
	files := fstest.MapFS{"a.txtar": {Data: []byte(draftText)}, "b.txt": {Data: []byte(draftText + "-- @want --\n")},
		"known-breaches.txt": {Data: []byte("# none\n")}}
	_, err := fixture.LoadAll(files, ".")
	const want = "b.txt has a @want section but is not tested; rename it so that it ends in .txtar"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestOneMistakeIsToldOnce checks that two fixtures explain a rule that always panics, and that the others refer to
// them.
func TestOneMistakeIsToldOnce(t *testing.T) {
	k, f := kit(t, first(func(p *sdk.Pass) error { panic("in " + p.Name) }), draftText)
	for i, want := range []string{"panic: in a at", "panic: in b at", "law broken: no function of the workflow " +
		"fails; see x"} {
		f.Header.Name = string(rune('a' + i))
		_, err := k.Check(f)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "@want") {
			t.Errorf("the kit says\n%v\nwant\n%s", err, want)
		}
	}
	if !k.Told("no function of the workflow fails") || k.Told("a recovery option is final") {
		t.Error("the kit does not know what it told")
	}
}

// TestCounterexamplesAreNotForgotten checks that a saved counterexample keeps the test failing, even if the fuzzer
// printed PASS.
func TestCounterexamplesAreNotForgotten(t *testing.T) {
	bad := first(func(*sdk.Pass) error { return errLook })
	k, f := kit(t, bad, draftText)
	dir := t.TempDir()
	path, err := k.Try(f.World()).Save(dir)
	if err != nil {
		t.Fatal(err)
	}
	said := func(k *fixture.Kit) string {
		list, err := k.Saved(dir)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(list, "\n")
	}
	if got := said(k); !strings.Contains(got, "broken/no-function-of-the-workflow-fails.txtar: law broken: ") {
		t.Errorf("while the law is broken: got %q", got)
	}
	fixed, _ := kit(t, nil, draftText)
	if got := said(fixed); !strings.Contains(got, "it breaks no law now; move it to "+dir+" to keep it as a fixture") {
		t.Errorf("afterwards: got %q", got)
	}
	if err := os.Rename(path, filepath.Join(dir, "kept.txtar")); err != nil {
		t.Fatal(err)
	}
	if got := said(fixed); got != "" {
		t.Errorf("without one: got %q", got)
	}
}

// TestRootsThatAreEverywhere checks that a plugin is refused if it would treat every directory with notes as a run.
func TestRootsThatAreEverywhere(t *testing.T) {
	k, _ := kit(t, func(w *sdk.Workflow) {
		w.Roots = append(w.Roots, sdk.Root{Dir: "**", Markers: []string{"*.md", "plan.md"}})
	}, draftText)
	const want = "roots that match any directory; specify a directory in Dir, or a file in Markers: ** with *.md"
	if err := k.Roots(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if k, _ = kit(t, nil, draftText); k.Roots() != nil {
		t.Errorf("a root with a directory: got %v", k.Roots())
	}
}

// TestASlipInAnEdit checks that an edit does not create a value's missing parent. If the result is unexpected, the
// message mentions new members that resemble existing ones.
func TestASlipInAnEdit(t *testing.T) {
	for line, want := range map[string]string{
		"set /phas/x 1": "set /phas/x 1: the document has no member /phas (did you mean phase?)",
		"set /fase/x 1": "set /fase/x 1: the document has no member /fase, expected one of phase, updated",
		`set /phas "done"`: "section state.json: the document has no member /phas (did you mean phase?)\n" +
			"the result differs",
		`set /by "ann"`:     "the result differs",
		`set /phase "done"`: "the result differs",
	} {
		files := fstest.MapFS{"a.txtar": {Data: []byte(draftText)}, "b.txtar": {Data: []byte("Two.\n\nroot: runs/a\n" +
			"from: a.txtar\n-- state.json (edit) --\n" + line + "\n-- @want --\n")}}
		f, err := fixture.Load(files, "b.txtar")
		if err == nil {
			k, _ := kit(t, nil, draftText)
			_, err = k.Compare(f)
		}
		const place = "fixture b.txtar: section state.json: edit: "
		if err == nil || !strings.HasPrefix(strings.TrimPrefix(err.Error(), place), want) {
			t.Errorf("%s: got %v, want %s", line, err, want)
		}
	}
}

// TestASlipInASectionsName checks that the fixture with the misspelled section is reported before those that use it.
func TestASlipInASectionsName(t *testing.T) {
	files := fstest.MapFS{
		"a.txtar":    {Data: []byte("Two.\n\nroot: runs/a\nfrom: done.txtar\n-- state.json (edit) --\nset /phase 2\n")},
		"b.txtar":    {Data: []byte("Three.\n\nroot: runs/a\nfrom: done.txtar\n")},
		"done.txtar": {Data: []byte("One.\n\nroot: runs/a\n-- state.jsno --\n{}\n")},
	}
	k, _ := kit(t, nil, draftText)
	all, err := fixture.LoadAll(files, ".")
	const want = "fixture done.txtar: section state.jsno matches no document spec of toy (did you mean state.json?); " +
		"if that is intended, mark it (foreign)\nfixture a.txtar: section state.json: it edits a document that from " +
		"does not provide; it provides state.jsno"
	if err = fixture.Explain(k.Manifest, all, err); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// stopped is an examiner that is interrupted after some requests.
type stopped struct {
	fixture.Examiner
	left   int
	cancel func()
}

func (s *stopped) Examine(r *wire.Request) (*wire.Report, error) {
	if s.left--; s.left < 0 {
		s.cancel()
		return nil, context.Canceled
	}
	return s.Examiner.Examine(r)
}

// TestAnInterruptedTestSavesNothing interrupts a test at many moments. None may produce a counterexample.
func TestAnInterruptedTestSavesNothing(t *testing.T) {
	all, err := fixture.LoadAll(os.DirFS("."), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	reached := false
	for n := 100; n < 20000; n += 100 {
		k, _ := kit(t, nil, draftText)
		ctx, cancel := context.WithCancel(t.Context())
		dir := t.TempDir()
		x := &stopped{k.Examiner, n, cancel}
		k.Examiner = x
		c := k.Conform(ctx, dir, all, false, "test")
		cancel()
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Fatalf("stopped after %d requests, it saved %s", n, files[0])
		}
		reached = reached || c.Damaged > 0
		if x.left >= 0 {
			break // the test ended before the interruption
		}
	}
	if !reached {
		t.Error("it was stopped in no damaged world")
	}
}
