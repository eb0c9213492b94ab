package sdktest_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// TestKeyless checks that a rule without a key is reported if a second line or value gives a second finding, even
// though no fixture has two, and that a key or the item's own subject is enough.
func TestKeyless(t *testing.T) {
	const text = "A draft.\n\nroot: runs/a\n-- state.json --\n{\"phase\": \"draft\", \"steps\": [{\"id\": \"s1\"}], " +
		"\"by\": {\"ann\": 1}}\n-- result.md --\n# R\n\n- [ ] What?\n"
	lines := func(each func(*check.Finding, string)) func(*check.Report) {
		return func(r *check.Report) {
			for _, item := range r.Docs.Get("result.md").Outline().Document().Items() {
				text := item.Own().Text()
				each(r.AtLine("result.md", item.Line(), "open: "+text), text)
			}
		}
	}
	state := func(r *check.Report) jsondoc.Value {
		doc, err := jsondoc.Parse(r.Docs.Get("state.json").Text)
		if err != nil {
			t.Fatal(err)
		}
		return doc.Root()
	}
	for name, c := range map[string]struct {
		find func(*check.Report)
		want string // "" if the rule distinguishes its findings
	}{
		"a line": {lines(func(*check.Finding, string) {}),
			`done-without-result (in a, if result.md has the line "- [ ] What?" twice)`},
		"a line of a run": {lines(func(f *check.Finding, _ string) { f.About("a") }),
			`done-without-result (in a, if result.md has the line "- [ ] What?" twice)`},
		"a line with a key":          {lines(func(f *check.Finding, text string) { f.Keyed(text) }), ""},
		"a line whose item is named": {lines(func(f *check.Finding, text string) { f.About(text) }), ""},
		"an item named in another form": {lines(func(f *check.Finding, text string) {
			f.About("question-" + strings.ToLower(text[:4]))
		}), ""},
		"the first line only": {func(r *check.Report) { r.AtLine("result.md", 3, "open") }, ""},
		"an element": {func(r *check.Report) {
			for _, step := range state(r).Get("steps").Elements() {
				r.At(sdk.AtPointer("state.json", step.Get("id").Pointer()), "a step")
			}
		}, "done-without-result (in a, if state.json has a value like /steps/0 twice)"},
		"an element whose id is the subject": {func(r *check.Report) {
			for _, step := range state(r).Get("steps").Elements() {
				id, _ := step.Get("id").Text()
				r.At(sdk.AtPointer("state.json", step.Pointer()), "a step").About(id)
			}
		}, ""},
		"a member": {func(r *check.Report) {
			for _, m := range state(r).Get("by").Members() {
				r.At(sdk.AtPointer("state.json", m.Value.Pointer()), "a person")
			}
		}, "done-without-result (in a, if state.json has a value like /by/ann twice)"},
		"a field": {func(r *check.Report) { r.At(sdk.AtPointer("state.json", "/phase"), "a phase") }, ""},
	} {
		k, f := kit(t, func(w *sdk.Workflow) {
			detected(func(d *sdk.Detection) { d.Subject = "a" })(w)
			w.Rules[0] = check.Declare([]check.Rule[int]{{Name: "done-without-result", Severity: sdk.Warning, Doc: "d",
				Find: func(r *check.Report, _ int) { c.find(r) }}},
				func(*check.Report) (int, check.Needs) { return 0, 0 })[0]
		}, text)
		l, err := k.LookAt(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Report.Diagnostics) != 1 {
			t.Errorf("%s: got %d findings, expected one: %+v", name, len(l.Report.Diagnostics), l.Report.RuleFailures)
		}
		err = k.Gaps(map[string]*fixture.Look{"a": l})
		_, got, _ := strings.Cut(err.Error(), "rules that can give two findings no key, so that accepting one accepts "+
			"the other; set it with Keyed: ")
		if got, _, _ = strings.Cut(got, "\n"); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
