package vet_test

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/engine/vet"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// workflow returns a workflow that reports a count n above 1 in state.json n-1 times. The findings have the given
// remedies or, if n is above 10, one remedy each, which sets a lower count. The workflow also reports odd notes.
func workflow(remedies ...sdk.Remedy) *sdk.Workflow {
	life := &sdk.Lifecycle{Name: "run", Doc: "A run.", Phases: []*sdk.Phase{{Name: "one", Title: "One", Doc: "One."}}}
	return &sdk.Workflow{
		Name: "toy", Version: "1.0.0", Doc: "A toy.",
		Roots: []sdk.Root{{Dir: ".toy/*", Markers: []string{"state.json"}}},
		Documents: []sdk.DocumentSpec{
			{Glob: "state.json", Format: sdk.JSON, Need: sdk.Content},
			{Glob: "notes/*.json", Format: sdk.JSON, Need: sdk.Content},
			{Glob: "old/**", Need: sdk.Listed}, {Glob: "notes/"},
			{Glob: ".marks/*.md", Format: sdk.Markdown, Need: sdk.Content},
			{Glob: "log.jsonl", Format: sdk.JSONLines, Need: sdk.Content},
		},
		Lifecycles: []*sdk.Lifecycle{life},
		Rules: []*sdk.Rule{
			{Name: "count", Doc: "The count is more than 1.", Severity: sdk.Error, Check: func(p *sdk.Pass) error {
				n, ok := count(p)
				for i := int64(1); ok && i < n; i++ {
					given := remedies
					if n > 10 {
						given = []sdk.Remedy{{Title: "Set it", Safety: sdk.Safe,
							Edits: []sdk.Edit{sdk.Set("state.json", "/count", strconv.FormatInt(n-i, 10))}}}
					}
					p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", "/count"),
						Key: strconv.FormatInt(n-i, 10), Message: "count", Remedies: given})
				}
				return nil
			}},
			{Name: "odd", Doc: "A note is odd.", Severity: sdk.Error, Check: func(p *sdk.Pass) error {
				for _, d := range p.Docs.Match("notes/*.json") {
					if strings.Contains(d.Text, "odd") && d.Readable() {
						p.Report(sdk.Diagnostic{Range: sdk.At(d.Path), Message: "odd"})
					}
				}
				return nil
			}},
		},
		Detect: func(p *sdk.Pass) ([]sdk.Detection, error) {
			if n, _ := count(p); n < 0 {
				return nil, sdk.NotMine("it counts down")
			}
			return []sdk.Detection{{Lifecycle: life, Observed: life.Phases[0]}}, nil
		},
	}
}

func count(p *sdk.Pass) (int64, bool) {
	doc, err := jsondoc.Parse(p.Docs.Get("state.json").Text)
	if err != nil {
		return 0, false
	}
	return doc.Root().Get("count").Int()
}

// world is an instance whose state has a list; the list in the base has one entry fewer.
func world(state string) snapshot.Input {
	file := func(path, text string, spec int) snapshot.File {
		return snapshot.File{Path: path, Size: int64(len(text)), Data: []byte(text), Spec: spec}
	}
	return snapshot.Input{
		Root: ".toy/a", Name: "a", Now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC),
		Files: []snapshot.File{file("state.json", state, 0), file("notes/bad.json", "{", 1),
			file("notes/good.json", "{}", 1), {Path: "old/x", Spec: 2}, file("log.jsonl", `{"n": 1}`, 5)},
		Base: snapshot.InputBase{State: wire.BaseAt, Root: ".toy/a", Files: []snapshot.File{
			file("state.json", `{"count": 1, "list": [{"n": 1.0}]}`, 0), file("notes/gone.json", "{}", 1),
			{Path: "old/y", Spec: 2}}},
	}
}

// vetted tries a workflow's remedies and checks that the report itself does not change.
func vetted(t *testing.T, w *sdk.Workflow, in snapshot.Input,
	change func(*vet.Vetter)) (*wire.Report, []vet.Withdrawn) {
	t.Helper()
	m := w.Manifest()
	b, err := snapshot.NewBuilder(m)
	if err != nil {
		t.Fatal(err)
	}
	b.MaxContent = vet.MaxBytes
	request, err := b.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	v := &vet.Vetter{Manifest: m, Builder: b, Ask: fixture.Native(w).Examine}
	report, err := v.Ask(request)
	if err != nil {
		t.Fatal(err)
	}
	if refused, err := snapshot.Sift(m, request, report, v.Limits); err != nil || len(refused) > 0 {
		t.Fatal(err, refused)
	}
	if change != nil {
		change(v)
	}
	before := string(wire.EncodeReport(report))
	out, withdrawn := v.Report(in, request, report)
	if string(wire.EncodeReport(report)) != before {
		t.Error("it changes the report that it is given")
	}
	return out, withdrawn
}

const state = `{"count": 2, "list": [{"n": 1}, {"n": 2}]}`

func TestReport(t *testing.T) {
	one := sdk.Set("state.json", "/count", "1")
	for name, c := range map[string]struct {
		state string
		edits []sdk.Edit
		want  string // the granted safety, or the beginning of the reason why the remedy was withdrawn
	}{
		"it fixes its finding": {state, []sdk.Edit{one}, "safe"},
		"it does not fix its finding": {state, []sdk.Edit{sdk.Set("state.json", "/other", "1")},
			"it does not fix: count [count]"},
		"it makes an error": {state, []sdk.Edit{one, sdk.Set("notes/good.json", "/odd", "1")},
			"it makes a new error: odd [odd]"},
		"of what could not be read": {state, []sdk.Edit{one, sdk.Create("notes/bad.json", "{}")}, "review"},
		"it cannot be made": {state, []sdk.Edit{sdk.Unset("state.json", "/none")},
			"it cannot be applied: "},
		"it sets a value in JSON Lines": {state, []sdk.Edit{one, sdk.Set("log.jsonl", "/0/n", "2")},
			"it cannot be applied: set log.jsonl#/0/n: the document is JSON Lines; replace the line"},
		"it replaces a line of JSON Lines": {state,
			[]sdk.Edit{one, sdk.Replace(sdk.AtLine("log.jsonl", 1), `{"n": 2}`)}, "safe"},
		"it makes the instance another's": {state, []sdk.Edit{sdk.Set("state.json", "/count", "-1")},
			"afterwards the instance is declined: it counts down"},
		"it doubles an entry of the base": {state, []sdk.Edit{one, sdk.Set("state.json", "/list/-", `{"n":1e0}`)},
			"the base has "},
		"it adds an entry": {state, []sdk.Edit{one, sdk.Set("state.json", "/list/-", `{"n":3}`)},
			"safe"},
		"it drops an entry of the base":   {state, []sdk.Edit{one, sdk.Unset("state.json", "/list/0")}, "review"},
		"it changes an entry of the base": {state, []sdk.Edit{one, sdk.Set("state.json", "/list/0/n", "5")}, "safe"},
		"it drops an entry of its own":    {state, []sdk.Edit{one, sdk.Unset("state.json", "/list/1")}, "review"},
		"it writes an entry in other words": {state,
			[]sdk.Edit{one, sdk.Replace(sdk.AtPointer("state.json", "/list/0"), `{"n": 10e-1}`)}, "safe"},
		"it replaces an existing document": {state, []sdk.Edit{sdk.Create("state.json", `{"list": [{"n": 1}]}`)},
			"review"},
		"it makes a document":             {state, []sdk.Edit{one, sdk.Create("notes/{n}.json", "{}")}, "safe"},
		"it restores a document":          {state, []sdk.Edit{one, sdk.Restore("notes/gone.json")}, "safe"},
		"it restores what is only listed": {state, []sdk.Edit{one, sdk.Restore("old/y")}, "safe"},
		"it removes what was not read":    {state, []sdk.Edit{one, sdk.Remove("old/x")}, "review"},
		"it removes what was read":        {state, []sdk.Edit{one, sdk.Remove("notes/good.json")}, "safe"},
		"it sets aside":                   {state, []sdk.Edit{one, sdk.Aside("notes/good.json", "old")}, "safe"},
		"it moves beside": {state,
			[]sdk.Edit{one, sdk.Move("notes/good.json", "notes/good.json.old")}, "safe"},
		"it moves a directory": {state, []sdk.Edit{one, sdk.Move("notes/", "notes-2/")}, "manual"},
		"it moves to another name": {state, []sdk.Edit{one, sdk.Move("notes/good.json", "good.txt")},
			"manual"},
		"it brings what was not read": {state, []sdk.Edit{one, sdk.Move("old/x", "notes/x.json")},
			"it cannot be applied: the bytes of notes/x.json were not read"},
		"it moves the instance":         {state, []sdk.Edit{one, sdk.MoveRoot(".toy/b")}, "review"},
		"it moves the instance nowhere": {state, []sdk.Edit{one, sdk.MoveRoot(".toy/a")}, "it cannot be applied: "},
		"another file":                  {state, []sdk.Edit{one, sdk.Create("Makefile", "all:")}, "manual"},
		"a dot file":                    {state, []sdk.Edit{one, sdk.Create("old/.envrc", "")}, "manual"},
		"a dot file that is named":      {state, []sdk.Edit{one, sdk.Create(".marks/x.md", "")}, "safe"},
		"a dot file below a star":       {state, []sdk.Edit{one, sdk.Create("notes/.x.json", "{}")}, "manual"},
	} {
		t.Run(name, func(t *testing.T) {
			w := workflow(sdk.Remedy{Title: "Do it", Safety: sdk.Safe, Edits: c.edits})
			out, withdrawn := vetted(t, w, world(c.state), nil)
			got := ""
			for _, r := range out.Diagnostics[0].Remedies {
				got = r.Safety.String()
				if (r.Safety == wire.Manual) != (len(r.Edits) == 0 && len(r.Steps) > 1) {
					t.Errorf("got %+v", r)
				}
			}
			if len(withdrawn) > 0 {
				got = withdrawn[0].Why
			}
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, expected %q", got, c.want)
			}
		})
	}
}

// TestInstead checks that a remedy that writes a document without content of the base is offered for review, but not
// next to a remedy that restores the content.
func TestInstead(t *testing.T) {
	rebuild := sdk.Remedy{Title: "Rebuild", Safety: sdk.Safe,
		Edits: []sdk.Edit{sdk.Set("state.json", "/count", "1"), sdk.Create("notes/list.json", `{"list": []}`)}}
	restore := sdk.Remedy{Title: "Restore", Safety: sdk.Review,
		Edits: []sdk.Edit{sdk.Set("state.json", "/count", "1"), sdk.Restore("notes/list.json")}}
	in := world(state)
	text := `{"list": ["a"]}`
	in.Base.Files = append(in.Base.Files, snapshot.File{Path: "notes/list.json", Size: int64(len(text)),
		Data: []byte(text), Spec: 1})
	for name, c := range map[string]struct {
		list []sdk.Remedy
		want string
	}{
		"alone":          {[]sdk.Remedy{rebuild}, "Rebuild review"},
		"beside it":      {[]sdk.Remedy{restore, rebuild}, "Restore review"},
		"in other order": {[]sdk.Remedy{rebuild, restore}, "Restore review"},
	} {
		out, _ := vetted(t, workflow(c.list...), in, nil)
		if list := out.Diagnostics[0].Remedies; len(list) != 1 || list[0].Title+" "+list[0].Safety.String() != c.want {
			t.Errorf("%s: got %+v", name, list)
		}
	}
}

// TestLane checks when dotfile names belong to the workflow.
func TestLane(t *testing.T) {
	manifest := func(dir, glob string) *wire.Manifest {
		return &wire.Manifest{Roots: []wire.Root{{Dir: dir}},
			Documents: []wire.DocumentSpec{{Glob: glob, Need: wire.Content}}}
	}
	for _, c := range []struct {
		dir, glob, root, path string
		want                  bool
	}{
		{".toy/*", "*.json", ".toy/a", "state.json", true},
		{".toy/*", "*.json", "packages/.x/.toy/a", "state.json", true},
		{".toy/*", "*.json", ".toy/.a", "state.json", false},
		{"**", "**", ".husky", "pre-commit", false},
		{"*", "*", ".husky", "pre-commit", false},
		{".", "**", ".", ".envrc", false},
		{".", "**", ".", "a/b.md", true},
		{".", "{.toy,b}/**", ".", ".toy/x", true},
		{".", ".toy/*.md", ".", ".toy/x.md", true},
		{".", "**", ".", ".git/hooks/x", false},
		{".toy", "**", ".toy", "a/.GIT/x", false},
		{".toy", "rounds/*/final.md", ".toy", "rounds/1/", true},
		{".toy", "rounds/*/final.md", ".toy", "other/1/", false},
		{".toy", "**/final.md", ".toy", "rounds/", false},
	} {
		edits := []wire.Edit{{Op: wire.Aside, Range: wire.Range{Path: c.path}, To: "old"}}
		if why := vet.Outside(manifest(c.dir, c.glob), c.root, edits); (why == "") != c.want {
			t.Errorf("%+v: got %q", c, why)
		}
	}
}

func TestWhatCannotBeExamined(t *testing.T) {
	w := workflow(sdk.Remedy{Title: "Do it", Safety: sdk.Safe, Edits: []sdk.Edit{sdk.Set("state.json", "/count", "1")}})
	_, withdrawn := vetted(t, w, world(state), func(v *vet.Vetter) {
		v.Ask = func(*wire.Request) (*wire.Report, error) { return nil, errors.New("trap") }
	})
	if len(withdrawn) != 1 || withdrawn[0].Why != "afterwards trap" {
		t.Errorf("got %+v", withdrawn)
	}
}

// TestBudget checks that the number of tried remedies is always the same if there are many, and that remedies skipped
// for lack of time say so and limit the report's validity.
func TestBudget(t *testing.T) {
	many := world(fmt.Sprintf(`{"count": %d}`, 2*vet.MaxTries))
	first, _ := vetted(t, workflow(), many, nil)
	granted, advice := 0, 0
	for _, d := range first.Diagnostics {
		for _, r := range d.Remedies {
			if r.Safety != wire.Manual {
				granted++
			} else if advice++; !strings.Contains(r.Steps[0], "tries at most 64") {
				t.Errorf("got %q", r.Steps)
			}
		}
	}
	if granted > vet.MaxTries || advice < 2 {
		t.Errorf("%d are granted and %d are advice", granted, advice)
	}
	if again, _ := vetted(t, workflow(), many, nil); !reflect.DeepEqual(first, again) {
		t.Error("another time others are granted")
	}

	w := workflow(sdk.Remedy{Title: "Do it", Safety: sdk.Safe, Edits: []sdk.Edit{sdk.Set("state.json", "/count", "1")}})
	slow := func(budget time.Duration) func(*vet.Vetter) {
		return func(v *vet.Vetter) { v.Took, v.Budget = 2*time.Second, budget }
	}
	out, _ := vetted(t, w, world(state), slow(time.Minute))
	if r := out.Diagnostics[0].Remedies[0]; r.Safety != wire.Safe {
		t.Errorf("with enough time, got %+v", r)
	}
	out, _ = vetted(t, w, world(state), slow(vet.MaxTime))
	if r := out.Diagnostics[0].Remedies[0]; r.Safety != wire.Manual ||
		!strings.Contains(r.Steps[0], "at most 2s") {
		t.Errorf("got %+v", r)
	}
	if out.ValidUntil.Sub(out.ValidFrom) != instant.Second {
		t.Errorf("it stands from %s to %s, expected one second", out.ValidFrom, out.ValidUntil)
	}
	large := world(strings.Replace(state, "{", "{"+strings.Repeat(" ", vet.MaxBytes/2), 1))
	out, _ = vetted(t, workflow(
		sdk.Remedy{Title: "First", Safety: sdk.Safe, Edits: []sdk.Edit{sdk.Set("state.json", "/count", "1")}},
		sdk.Remedy{Title: "Second", Safety: sdk.Safe, Edits: []sdk.Edit{sdk.Set("state.json", "/count", "0")}},
	), large, nil)
	if list := out.Diagnostics[0].Remedies; len(list) != 2 || list[0].Safety != wire.Safe ||
		!strings.Contains(list[1].Steps[0], "16 MiB") {
		t.Errorf("got %+v", list)
	}
}

// TestBudgetGoesToErrorsFirst checks that an error's remedy is tried before a recovery option for an info, and that
// an option for an error is tried before the remedies of infos. Both are tried if the budget allows.
func TestBudgetGoesToErrorsFirst(t *testing.T) {
	one := []sdk.Edit{sdk.Set("state.json", "/count", "1")}
	long := func(p *sdk.Pass) bool {
		doc, err := jsondoc.Parse(p.Docs.Get("state.json").Text)
		return err == nil && doc.Root().Get("list").Len() > 1
	}
	w := workflow(sdk.Remedy{Title: "Set it", Safety: sdk.Safe, Edits: one})
	w.Rules = append(w.Rules, &sdk.Rule{Name: "list", Doc: "The list is long.", Severity: sdk.Info,
		Check: func(p *sdk.Pass) error {
			if long(p) {
				p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", "/list"), Message: "list"})
			}
			return nil
		}})
	fixes := "list"
	w.Recover = func(p *sdk.Pass) ([]sdk.Remedy, error) {
		if !long(p) {
			return nil, nil
		}
		return []sdk.Remedy{{Title: "Shorten it", Safety: sdk.Review, Fixes: []string{fixes},
			Edits: []sdk.Edit{sdk.Unset("state.json", "/list"), sdk.Set("state.json", "/count", "1")}}}, nil
	}
	for _, c := range []struct{ size, fixes, remedy, option string }{
		{"small", "list", "safe", "review"},
		{"large", "list", "safe", "manual"},
		{"large", "count", "manual", "review"},
	} {
		in := world(state)
		if c.size == "large" {
			in = world(strings.Replace(state, "{", "{"+strings.Repeat(" ", vet.MaxBytes/2), 1))
		}
		fixes = c.fixes
		out, _ := vetted(t, w, in, nil)
		remedy, option := out.Diagnostics[0].Remedies[0].Safety.String(), out.Recoveries[0].Safety.String()
		if remedy != c.remedy || option != c.option {
			t.Errorf("%s, the option fixes %s: the remedy is %s and the option is %s; expected %s and %s", c.size,
				c.fixes, remedy, option, c.remedy, c.option)
		}
	}
}

// TestTime checks that the outcome of an edit that writes the current time is valid only for that time, unless
// every time in the documents is long past.
func TestTime(t *testing.T) {
	w := workflow(sdk.Remedy{Title: "Do it", Safety: sdk.Safe,
		Edits: []sdk.Edit{sdk.Set("state.json", "/count", "1"), sdk.Set("state.json", "/at", `"${now}"`)}})
	for at, ever := range map[string]bool{
		`"2026-03-07T12:00:00Z"`: true, `"2026-03-10T11:59:00Z"`: false, `"2027-01-01"`: false,
		`"20260310T120000Z"`: false,
		"1772000000":         true, "1773144000": false, "1773144000123": false, `"1"`: true,
		"12345678901234567890": true,
	} {
		out, _ := vetted(t, w, world(`{"count": 2, "at": `+at+`}`), nil)
		if out.ValidUntil.IsZero() != ever {
			t.Errorf("%s: it stands from %s to %s", at, out.ValidFrom, out.ValidUntil)
		}
	}
}
