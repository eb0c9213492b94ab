package sdktest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

var errLook = errors.New("disk on fire")

const lost = `The result is missing.

root: runs/a
-- state.json --
{"phase": "done", "updated": "2025-12-31T00:00:00Z"}
`

const draftText = `A draft.

root: runs/a
-- state.json --
{"phase": "draft", "updated": "2025-12-31T00:00:00Z"}
`

const finishedText = `A result.

root: runs/a
-- state.json --
{"phase": "done"}
-- result.md --
# Résult
`

const cutOff = `The state file is cut off.

root: runs/a
-- state.json (truncate 5) --
{"phase": "draft"}
`

// kit returns a kit for the changed toy and the fixture in text.
func kit(t *testing.T, change func(*sdk.Workflow), text string) (*fixture.Kit, *fixture.Fixture) {
	t.Helper()
	w := toy()
	if change != nil {
		change(w)
	}
	k, err := fixture.NewKit(w.Manifest(), fixture.Native(w))
	if err != nil {
		t.Fatal(err)
	}
	f, err := fixture.Load(fstest.MapFS{"x.txtar": {Data: []byte(text)}}, "x.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return k, f
}

// first replaces the Check of the toy's first rule.
func first(check func(*sdk.Pass) error) func(*sdk.Workflow) {
	return func(w *sdk.Workflow) { w.Rules[0].Check = check }
}

// finding makes the toy's first rule report one finding.
func finding(d sdk.Diagnostic) func(*sdk.Workflow) {
	return first(func(p *sdk.Pass) error {
		if d.Message == "" {
			d.Message = "wrong"
		}
		p.Report(d)
		return nil
	})
}

// remedied makes the toy's first rule report a missing result with one remedy.
func remedied(r sdk.Remedy) func(*sdk.Workflow) {
	return first(func(p *sdk.Pass) error {
		if p.Model.(*model).phase == "done" && p.Docs.Get("result.md") == nil && p.Docs.Known("result.md") {
			p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", "/phase"), Message: "no result",
				Remedies: []sdk.Remedy{r}})
		}
		return nil
	})
}

// detected changes the toy's detections.
func detected(change func(*sdk.Detection)) func(*sdk.Workflow) {
	return func(w *sdk.Workflow) {
		w.Detect = func(p *sdk.Pass) ([]sdk.Detection, error) {
			list, err := detect(p)
			for i := range list {
				change(&list[i])
			}
			return list, err
		}
	}
}

// brief gives the toy's detections a brief.
func brief(r sdk.Resume, state sdk.State) func(*sdk.Workflow) {
	return func(w *sdk.Workflow) {
		w.Resume = func(_ *sdk.Pass, d *sdk.Detection, _ []sdk.Diagnostic) { d.Resume, d.State = r, state }
	}
}

// TestTheKitRefuses breaks every law that a workflow can break, once.
func TestTheKitRefuses(t *testing.T) {
	looks := 0
	tests := []struct {
		name   string
		change func(*sdk.Workflow)
		text   string
		want   string
	}{
		{"a rule that cannot look", first(func(*sdk.Pass) error { return errLook }), draftText,
			"no function of the workflow fails: rule done-without-result: disk on fire"},
		{"a rule that panics", first(func(p *sdk.Pass) error { panic("at the disco") }), draftText,
			"no function of the workflow fails: rule done-without-result: panic: at the disco at refuse_test.go:"},
		{"a path that no glob allows", finding(sdk.Diagnostic{Range: sdk.At("secrets.txt")}), draftText,
			`a report says nothing that its manifest and request do not allow: diagnostic 0 (done-without-result): ` +
				`the path "secrets.txt" matches no declared document`},
		{"a severity above the declared", func(w *sdk.Workflow) {
			w.Rules[1].Check = func(p *sdk.Pass) error {
				p.Report(sdk.Diagnostic{Severity: sdk.Error, Message: "x"})
				return nil
			}
		}, draftText, `the severity error is above the declared warning`},
		{"half a character", finding(sdk.Diagnostic{Range: sdk.AtBytes("result.md", 3, 4)}), finishedText,
			`byte 4 of "result.md" is inside a character`},
		{"a manual remedy with edits", remedied(sdk.Remedy{Title: "Try", Steps: []string{"x"},
			Edits: []sdk.Edit{sdk.Remove("state.json")}}), lost,
			"a manual remedy has steps and no edits; make it with Advise"},
		{"a safe remedy with steps alone", remedied(sdk.Remedy{Title: "Try", Safety: sdk.Safe, Steps: []string{"x"}}),
			lost, "a remedy that is safe must have edits; use Advise for steps that a person follows"},
		{"a value that is set nowhere", remedied(sdk.Remedy{Title: "Try", Safety: sdk.Review,
			Edits: []sdk.Edit{sdk.Set("state.json", "", `"draft"`)}}), lost,
			`edit 0 (set): it has no pointer, which names the value in "state.json"; Create writes a whole document`},
		{"text that is not UTF-8", finding(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "found \xff"}),
			draftText,
			"a report survives encoding: before encoding says\n\tstate.json: error done-without-result: found \\xff"},
		{"a rule that counts its looks", first(func(p *sdk.Pass) error {
			looks++
			p.Report(sdk.Diagnostic{Message: "look " + strconv.Itoa(looks)})
			return nil
		}), draftText, "a second pass reports the same: the first pass says\n\t.: error done-without-result: look 1"},
		{"a presence that is kept in the model", func(w *sdk.Workflow) {
			w.AsksFor = []string{"**"}
			known := map[any]sdk.Presence{}
			w.Rules[0].Asks = true
			w.Rules[0].Check = func(p *sdk.Pass) error {
				if _, ok := known[p.Model]; !ok {
					known[p.Model] = p.Presence("src/a")
				}
				if known[p.Model] == sdk.Absent {
					p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "no src/a"})
				}
				return nil
			}
		}, "No source.\n\nroot: runs/a\npaths: docs/\n" + draftText[strings.Index(draftText, "--"):],
			"the model does not depend on when the answers arrive: the pass that begins with the answers says"},
		{"an absence that is not known", first(func(p *sdk.Pass) error {
			if p.Docs.Get("result.md") == nil {
				p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "no result"})
			}
			return nil
		}), finishedText,
			"no error is based on an unknown absence: while result.md exists but cannot be seen " +
				"(Docs.Known is false): state.json: error done-without-result: no result"},
		{"an error where nothing is known", first(func(p *sdk.Pass) error {
			if p.Docs.Get("result.md") == nil {
				p.Report(sdk.Diagnostic{Range: sdk.At("result.md"), Message: "no result"})
			}
			return nil
		}), draftText,
			"while all missing paths are unknown (Docs.Known is false): result.md: error " +
				"done-without-result: no result"},
		{"two findings that nothing tells apart", first(func(p *sdk.Pass) error {
			p.Report(sdk.Diagnostic{Range: sdk.AtLine("state.json", 1), Message: "one"})
			p.Report(sdk.Diagnostic{Range: sdk.AtLine("state.json", 1), Message: "two"})
			return nil
		}), draftText,
			`two findings in "state.json" have the subject "" and the key "", so no baseline can tell them apart: ` +
				`"one" and "two"; give each a unique Key`},
		{"two findings without a key", func(w *sdk.Workflow) {
			w.Rules[0] = check.Declare([]check.Rule[int]{{Name: "done-without-result", Severity: sdk.Error, Doc: "d",
				Find: func(r *check.Report, _ int) {
					r.Whole("state.json", "one")
					r.Whole("state.json", "two")
				}}}, func(*check.Report) (int, check.Needs) { return 0, 0 })[0]
		}, draftText, `findings that could be confused have keys: the rule done-without-result has several findings ` +
			`in "state.json" on the subject "" but gives them no key; set one for each, with Keyed or the ` +
			"`key`" + ` of a declared rule ("two")`},
		{"an option that is not declared", func(w *sdk.Workflow) {
			w.Options = `{"properties": {"words": {"type": "integer"}}}`
			w.Rules[0].Check = func(p *sdk.Pass) error {
				p.Options.Int("words", 7)
				p.Options.Bool("strcit", false)
				return nil
			}
		}, draftText, `the plugin reads the option "strcit", which Workflow.Options does not declare, so no ` +
			`configuration can set it; declare it there, or correct the call`},
		{"a finding in the files of one of two runs", func(w *sdk.Workflow) {
			w.Detect = func(*sdk.Pass) ([]sdk.Detection, error) {
				return []sdk.Detection{{Lifecycle: w.Lifecycles[0], Subject: "a", Files: []string{"state.json"}},
					{Lifecycle: w.Lifecycles[0], Subject: "b", Files: []string{"notes/**"}}}, nil
			}
			finding(sdk.Diagnostic{Range: sdk.At("state.json")})(w)
		}, draftText, `the finding of done-without-result in "state.json" does not name a run, but the file belongs to ` +
			`run ` +
			`"a"; specify it with Of`},
		{"a finding without the base that its rule needs", func(w *sdk.Workflow) {
			w.Rules[0].NeedsBase = true
			w.Check = func(p *sdk.Pass) error {
				p.Report(sdk.Diagnostic{Rule: "done-without-result", Message: "wrong"})
				return nil
			}
			w.Rules[0].Check = nil
		}, draftText, "the rule done-without-result declares needs_base but reports a finding without a base"},
		{"two detections of one subject", func(w *sdk.Workflow) {
			one := w.Detect
			w.Detect = func(p *sdk.Pass) ([]sdk.Detection, error) {
				list, err := one(p)
				return append(list, list...), err
			}
		}, draftText, `two detections have the lifecycle run and the subject ""; give each run a Subject of its own`},
		{"a brief that says a line twice", brief(sdk.Resume{Next: "rest", Skip: []string{"rest"}}, sdk.Active),
			draftText,
			`the brief of run says "rest" twice, as next and as skip`},
		{"a brief without a next action", brief(sdk.Resume{First: "settle it"}, sdk.Blocked), draftText,
			"run is in progress but has no next action; set it with brief.Do, even if the user must be asked"},
		{"a next action of two lines", brief(sdk.Resume{Next: strings.Repeat("resume ", 18)}, sdk.Active), draftText,
			"the brief of run has a next action of 126 characters, expected at most 120"},
		{"a brief with work left of what is finished", brief(sdk.Resume{Remaining: []string{"rest"}}, sdk.Finished),
			draftText,
			`the brief of run lists "rest" as remaining although the subject is finished`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, f := kit(t, test.change, test.text)
			_, err := k.Check(f)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the kit says\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

// TestTheKitWithdraws checks that a remedy that does not keep its promise is not offered, and that the plugin's
// author sees the reason.
func TestTheKitWithdraws(t *testing.T) {
	heals := []string{"done-without-result"}
	for _, test := range []struct {
		name   string
		change func(*sdk.Workflow)
		text   string
		want   string
	}{
		{"a remedy that does not fix its finding", remedied(sdk.Remedy{Title: "Touch", Safety: sdk.Safe, Fixes: heals,
			Edits: []sdk.Edit{sdk.Set("state.json", "/touched", "true")}}), lost,
			"withdrawn [done-without-result]: Touch: it does not fix: no result [done-without-result]"},
		{"a remedy that breaks something", remedied(sdk.Remedy{Title: "Smash", Safety: sdk.Safe, Fixes: heals,
			Edits: []sdk.Edit{sdk.Create("state.json", "{")}}), lost,
			"withdrawn [done-without-result]: Smash: it makes a new error: the document is not valid JSON"},
		{"a remedy that cannot be applied", remedied(sdk.Remedy{Title: "Unset", Safety: sdk.Safe, Fixes: heals,
			Edits: []sdk.Edit{sdk.Unset("state.json", "/nothing")}}), lost,
			`withdrawn [done-without-result]: Unset: it cannot be applied: unset state.json#/nothing: pointer ` +
				`"/nothing": there is no such value`},
		{"a remedy that makes the instance disappear",
			remedied(sdk.Remedy{Title: "Disown", Safety: sdk.Safe, Fixes: heals,
				Edits: []sdk.Edit{sdk.Set("state.json", "/phase", `"someone else's"`)}}), lost,
			"withdrawn [done-without-result]: Disown: afterwards the instance is declined"},
		{"a recovery that does not settle", func(w *sdk.Workflow) {
			w.Recover = func(p *sdk.Pass) ([]sdk.Remedy, error) {
				return []sdk.Remedy{{Title: "Add a note", Safety: sdk.Review,
					Edits: []sdk.Edit{sdk.Create("notes/{n}.md", "again\n")}}}, nil
			}
		}, draftText, "withdrawn: Add a note: it is proposed again after it was applied"},
		{"a recovery that does not fix its finding", func(w *sdk.Workflow) {
			w.Recover = func(p *sdk.Pass) ([]sdk.Remedy, error) {
				if len(p.Docs.Match("notes/*.md")) > 0 {
					return nil, nil
				}
				return []sdk.Remedy{{Title: "Shrug", Safety: sdk.Review, Fixes: []string{"unreadable-document"},
					Edits: []sdk.Edit{sdk.Create("notes/x.md", "oh\n"), sdk.Create("state.json", "[")}}}, nil
			}
		}, cutOff, "withdrawn: Shrug: it does not fix: the document is not valid JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			k, f := kit(t, test.change, test.text)
			l, err := k.LookAt(f)
			if err != nil {
				t.Fatal(err)
			}
			if got := l.Text(); !strings.Contains(got, test.want) || len(l.Withdrawn) != 1 || len(l.Recoveries) > 0 {
				t.Errorf("the kit says\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestTheKitRefusesVainQuestions checks that a plugin may ask only for paths that a document spec admits, and for
// all of those.
func TestTheKitRefusesVainQuestions(t *testing.T) {
	for want, ask := range map[string]func(*sdk.Pass){
		`looks for "missing.md"`:               func(p *sdk.Pass) { p.Docs.Get("missing.md") },
		`looks for "notes/a/b.md"`:             func(p *sdk.Pass) { p.Docs.Known("notes/a/b.md") },
		`looks for "result.md/"`:               func(p *sdk.Pass) { p.Docs.Get("result.md/") },
		`looks for "old/"`:                     func(p *sdk.Pass) { p.Docs.CompleteBelow("old") },
		`looks for "State.json"`:               func(p *sdk.Pass) { p.Base.Docs.Get("State.json") },
		`looks for "notes/*.txt"`:              func(p *sdk.Pass) { p.Docs.Match("notes/*.txt") },
		`looks for "{a,b}*/*.md"`:              func(p *sdk.Pass) { p.Docs.Match("{a,b}*/*.md") },
		`looks for "notes/[a-z]"`:              func(p *sdk.Pass) { p.Docs.Match("notes/[a-z]") },
		`Docs.Match: the glob "notes/[a.md" `:  func(p *sdk.Pass) { p.Docs.Match("notes/[a.md") },
		`sdk.Match: the glob "{notes,a/*.md" `: func(p *sdk.Pass) { sdk.Match("{notes,a/*.md", "a") },
		"": func(p *sdk.Pass) {
			p.Docs.Get("notes/a.md")
			p.Docs.Get("notes/")
			p.Docs.Known("result.md")
			p.Docs.CompleteBelow("notes/")
			for _, glob := range []string{"**/*.md", "notes/[!.]?{.md,x}", "{a,n}otes/*", "*", "**", "notes/**/*.md",
				"res?lt.[l-n]d", "notes/"} {
				p.Docs.Match(glob)
			}
		},
	} {
		k, f := kit(t, first(func(p *sdk.Pass) error { ask(p); return nil }), draftText)
		l, err := k.LookAt(f)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, b := range k.Breaches(l) {
			got += b.Error()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("the kit says\n%s\nwant\n%s", got, want)
		}
	}
}

// TestTheToyIsLawful checks the worlds in this file with the unchanged toy.
func TestTheToyIsLawful(t *testing.T) {
	for _, text := range []string{lost, draftText, finishedText, cutOff} {
		k, f := kit(t, nil, text)
		l, err := k.LookAt(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range k.Breaches(l) {
			t.Errorf("%s: %v", f.Doc, b)
		}
	}
}

// forgetful drops a report's validity interval.
type forgetful struct{ fixture.Examiner }

func (x forgetful) Examine(r *wire.Request) (*wire.Report, error) {
	report, err := x.Examiner.Examine(r)
	report.ValidUntil = instant.Time{}
	return report, err
}

// tired changes its answer after its first use.
type tired struct {
	fixture.Examiner
	used bool
}

func (x tired) Examine(r *wire.Request) (*wire.Report, error) {
	report, err := x.Examiner.Examine(r)
	if x.used && len(report.Detections) > 0 {
		report.Detections[0].Resume.Next = "rest"
	}
	return report, err
}

func (x tired) Fresh() (fixture.Examiner, error) { return x.Examiner, nil }

func TestTheKitRefusesExaminers(t *testing.T) {
	tests := []struct {
		name string
		wrap func(fixture.Examiner) fixture.Examiner
		want string
	}{
		{"a verdict that does not stand", func(x fixture.Examiner) fixture.Examiner { return forgetful{x} },
			"the verdict is valid for as long as it says: it claims to be valid from"},
		{"a plugin that tires", func(x fixture.Examiner) fixture.Examiner { return tired{x, true} },
			"a fresh plugin and a used one report the same: the used plugin says\n\t  next: rest\nthe fresh one " +
				"says\n\t  next: write result.md"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, f := kit(t, nil, draftText)
			k.Examiner = test.wrap(k.Examiner)
			_, err := k.Check(f)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the kit says\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

func TestGaps(t *testing.T) {
	looks := map[string]*fixture.Look{}
	var k *fixture.Kit
	for name, text := range map[string]string{"a": lost, "b": lost} {
		var f *fixture.Fixture
		k, f = kit(t, nil, text)
		l, err := k.LookAt(f)
		if err != nil {
			t.Fatal(err)
		}
		looks[name] = l
	}
	const want = `documents that no fixture contains: result.md, notes/*.md, notes/
rules that report in no fixture: state-stale
rules that report in every fixture: done-without-result
phases that no fixture observes: run/done
rules whose findings no fixture writes in full (rules: RULE in its header): done-without-result
fixtures that are alike: a and b
rules without a near miss (quiet: RULE in the header of a fixture): done-without-result, state-stale`
	if err := k.Gaps(looks); err == nil || err.Error() != want {
		t.Errorf("gaps\n%v\nwant\n%s", err, want)
	}
}

// TestUpdateIsStable writes a fixture twice and reads the result.
func TestUpdateIsStable(t *testing.T) {
	k, f := kit(t, nil, strings.Replace(lost, "root:", "after: all\nroot:", 1))
	l, err := k.LookAt(f)
	if err != nil {
		t.Fatal(err)
	}
	once, err := k.Update(f, l)
	if err != nil {
		t.Fatal(err)
	}
	again, err := fixture.Load(fstest.MapFS{"x.txtar": {Data: once}}, "x.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if l, err = k.Check(again); err != nil {
		t.Fatalf("what -update wrote does not check: %v\n%s", err, once)
	}
	if twice, err := k.Update(again, l); err != nil || string(twice) != string(once) {
		t.Errorf("the second -update writes\n%s\nafter\n%s", twice, once)
	}
}

// TestCounterexample checks that a counterexample in a damaged world names the fixture and the damage, needs few
// documents, and can be run again from its file.
func TestCounterexample(t *testing.T) {
	k, f := kit(t, first(func(p *sdk.Pass) error {
		if p.Docs.Get("result.md") == nil {
			return errLook
		}
		return nil
	}), finishedText+"-- notes/a.md --\na\n-- notes/b.md --\nb\n")
	dropThird := []byte{0, 0, 8, 2, 0, 0, 0, 0}
	world := fixture.Mutate([]fixture.World{f.World()}, dropThird, "")
	c := k.Try(world)
	if c == nil {
		t.Fatal("no law is broken")
	}
	if want := "from x.txtar, without result.md: law broken: "; !strings.HasPrefix(c.String(), want) {
		t.Errorf("it begins with %.60q, expected %q", c, want)
	}
	if len(c.World.Files) > 0 {
		t.Errorf("it keeps %d documents, and the law is broken without any", len(c.World.Files))
	}
	dir := t.TempDir()
	path, err := c.Save(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := fixture.LoadAll(os.DirFS(filepath.Dir(path)), ".")
	if err != nil {
		t.Fatal(err)
	}
	if c := k.Try(again[0].World()); c == nil || c.Law != "no function of the workflow fails" {
		t.Errorf("run again, it gives %v", c)
	}
	if f, err := fixture.LoadAll(os.DirFS(dir), "."); err == nil {
		t.Errorf("it is a fixture already: %v", f)
	}
}

// TestGapsOfAPlace checks fixtures whose findings no check of a repository would report, and whose remedies are
// never offered.
func TestGapsOfAPlace(t *testing.T) {
	smash := remedied(sdk.Remedy{Title: "Touch", Safety: sdk.Safe, Fixes: []string{"done-without-result"},
		Edits: []sdk.Edit{sdk.Set("state.json", "/touched", "true")}})
	for _, c := range []struct {
		name   string
		change func(*sdk.Workflow)
		want   string
	}{
		{"a root with a slip", func(w *sdk.Workflow) { w.Roots[0].Dir = "rums/*" },
			"fixtures whose root matches no root of the workflow (rums/*), so that it is found nowhere: a"},
		{"a marker with a slip", func(w *sdk.Workflow) { w.Roots[0].Markers = []string{"stat.json"} },
			"fixtures without a marker of a root, now and in the base, so that they are found nowhere: a"},
		{"a remedy that never fixes its finding", smash, "rules whose remedies are withdrawn in every fixture: " +
			"done-without-result (Touch: it does not fix: no result [done-without-result])"},
		{"a remedy outside of the documents", remedied(sdk.Remedy{Title: "Note it", Safety: sdk.Review,
			Edits: []sdk.Edit{sdk.Create("README.md", "x")}}),
			"remedies that a host shows only as manual steps: Note it ("},
		{"a rule that reads the base", first(func(p *sdk.Pass) error {
			if p.Base.State == sdk.BaseAt {
				p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "the base is there"})
			}
			return nil
		}), "rules that compare with the base without check.OnBase among their needs: done-without-result"},
		{"a brief that reads a file with a slip", func(w *sdk.Workflow) {
			resume := w.Resume
			w.Resume = func(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
				resume(p, d, found)
				d.Resume.ReadFirst = append(d.Resume.ReadFirst, "state.josn")
			}
		}, "files that a brief reads first and no fixture contains: state.josn"},
		{"a run whose files have a slip", detected(func(d *sdk.Detection) {
			d.Files = []string{"state.json", "stat.*"}
		}),
			"files of runs that no fixture contains: stat.*\n"},
		{"a run whose progress has no unit", detected(func(d *sdk.Detection) { d.Progress.Unit = "" }),
			"runs with Progress but without its Unit: run"},
		{"a finding of a run that nothing detects", finding(sdk.Diagnostic{Range: sdk.At("state.json"),
			Run: life.Named("b")}),
			"runs that findings name (Of, Blocks) and no fixture detects: run [b] (done-without-result)"},
		{"a schema that no document names", func(w *sdk.Workflow) { w.Schemas["stat"] = "{}" },
			"schemas that no document uses: stat"},
		{"features that are not required", func(w *sdk.Workflow) {
			w.AsksFor, w.Rules[1].NeedsBase, w.Requires = []string{"src/**"}, true, nil
			w.Documents[2].Probes = []sdk.Probe{{Name: "todo", Literal: "TODO"}}
		}, "features that the plugin uses without naming them in Requires: base (state-stale), clock (in a), " +
			"outline (result.md), paths (AsksFor src/**), probes (notes/*.md), summary (notes/*.md)\n"},
		{"a remedy that is less safe than it says", remedied(sdk.Remedy{Title: "Start over", Safety: sdk.Safe,
			Edits: []sdk.Edit{sdk.Create("state.json", `{"phase": "draft"}`)}}),
			"rules whose safe remedies need review in every fixture: done-without-result (Start over: it replaces, " +
				"moves or removes content that was not read)"},
		{"a rule without Doc", func(w *sdk.Workflow) { w.Rules[0].Doc = " " },
			"rules without Doc, which `stategate explain` shows: done-without-result"},
	} {
		k, f := kit(t, c.change, lost+"-- @base/state.json --\n{\"phase\": \"draft\"}\n")
		l, err := k.LookAt(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Gaps(map[string]*fixture.Look{"a": l}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: gaps\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
}
