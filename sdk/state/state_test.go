package state_test

import (
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/state"
)

var spec = state.Spec{Fields: []state.Field{
	{At: "/phase", Kind: state.Word, Words: []string{"draft", "in_review", "done"},
		Aliases: map[string]string{"finished": "done"}},
	{At: "/current", Also: "cur"},
	{At: "/created", Kind: state.Moment, Base: state.Kept, Must: func(d *state.Doc) bool { return d.Has("/items") }},
	{At: "/updated", Kind: state.Moment, After: "/created", Base: state.Advances},
	{At: "/items/*/runs", Kind: state.Count, Most: 99, Base: state.Rises},
	{At: "/items/*/ok", Kind: state.Flag},
	{At: "/title"},
}}

// A model holds the state now and in the base.
type model struct{ now, base *state.Doc }

const needsBase check.Needs = 1

var rules = []check.Rule[*model]{
	{Name: "unknown", Severity: sdk.Error, Doc: "d", Find: func(r *check.Report, m *model) {
		m.now.Unknown(r, func(*state.Value) string { return "draft" }, "/phase")
	}},
	{Name: "noncanonical", Severity: sdk.Warning, Doc: "d",
		Find: func(r *check.Report, m *model) { m.now.Noncanonical(r) }},
	{Name: "missing", Severity: sdk.Warning, Doc: "d", Find: func(r *check.Report, m *model) {
		m.now.Missing(r, func(*state.Field) string { return `"2026-01-01T10:00:00Z"` })
	}},
	{Name: "malformed", Severity: sdk.Error, Doc: "d", Find: func(r *check.Report, m *model) { m.now.Malformed(r) }},
	{Name: "future", Severity: sdk.Warning, Doc: "d",
		Find: func(r *check.Report, m *model) { m.now.InFuture(r, instant.Minute) }},
	{Name: "order", Severity: sdk.Error, Doc: "d", Find: func(r *check.Report, m *model) { m.now.OutOfOrder(r) }},
	{Name: "rewritten", Severity: sdk.Error, Doc: "d", Needs: needsBase,
		Find: func(r *check.Report, m *model) { m.now.Rewritten(r, m.base, nil) }},
	{Name: "fell", Severity: sdk.Error, Doc: "d", Needs: needsBase,
		Find: func(r *check.Report, m *model) { m.now.Fell(r, m.base, nil) }},
	{Name: "stood", Severity: sdk.Warning, Doc: "d", Needs: needsBase,
		Find: func(r *check.Report, m *model) { m.now.NotAdvanced(r, m.base) }},
}

var life = &sdk.Lifecycle{Name: "item", Doc: "d", Phases: []*sdk.Phase{{Name: "draft", Number: 1, Doc: "d"}}}

var workflow = &sdk.Workflow{
	Name: "items", Version: "1.0.0", Doc: "d", Requires: []string{"base", "clock"},
	Roots:      []sdk.Root{{Dir: ".items/*", Markers: []string{"state.json"}}},
	Documents:  []sdk.DocumentSpec{{Glob: "state.json", Format: sdk.JSON, Need: sdk.Content}},
	Lifecycles: []*sdk.Lifecycle{life},
	Prepare: func(p *sdk.Pass) (any, error) {
		return &model{spec.Read("state.json", p.Docs.Get("state.json")),
			spec.Read("state.json", p.Base.Docs.Get("state.json"))}, nil
	},
	Detect: func(p *sdk.Pass) ([]sdk.Detection, error) { return []sdk.Detection{{Lifecycle: life}}, nil },
	Rules: check.Declare(rules, func(r *check.Report) (*model, check.Needs) {
		m := r.Model.(*model)
		r.Finish = func(edits []sdk.Edit) []sdk.Edit { return m.now.Touch(r.Pass, edits) }
		if m.base.OK {
			return m, needsBase
		}
		return m, 0
	}),
}

func TestFindings(t *testing.T) {
	for _, c := range []struct{ now, base, want string }{
		{now: `{"phase": "draft", "created": "2026-01-01 10:00 UTC", "updated": "2026-01-01", "title": "T"}`},
		{now: `{"phase": "run"}`, want: "unknown: phase is \"run\"; expected draft, in_review or done\n"},
		{now: `{"phase": "In-Review"}`, want: "noncanonical: phase is \"In-Review\"; expected in_review\n"},
		{now: `{"phase": "finished"}`, want: "noncanonical: phase is \"finished\"; expected done\n"},
		{now: `{"phase": "draft", "items": {}}`, want: "missing: state.json has no created\n"},
		{now: `{"created": "soon"}`, want: "malformed: created is not a time; found \"soon\", expected a time such " +
			"as 2026-01-16T10:00:00Z\n"},
		{now: `{"created": "2026-01-02T12:00:00Z"}`,
			want: "future: created is 2026-01-02T12:00:00Z, which is in the future\n"},
		{now: `{"created": "2026-01-01T10:00:00Z", "updated": "2026-01-01T09:00:00Z"}`,
			want: "order: updated is 2026-01-01T09:00:00Z, before created, which is 2026-01-01T10:00:00Z\n"},
		{
			now: `{"created": "2026-01-01T11:00:00+01:00"}`, base: `{"created": "2026-01-01T10:00:00Z"}`,
		},
		{
			now: `{"created": "2026-01-01T11:00:00Z"}`, base: "{\n\"created\": \"2026-01-01T10:00:00Z\"}",
			want: "rewritten: created is \"2026-01-01T11:00:00Z\"; it was \"2026-01-01T10:00:00Z\" in the base " +
				"(state.json:2)\n",
		},
		{
			now:  `{"created": "2026-01-01", "items": {"a": {"runs": 2}, "b": {"runs": 3.0}}}`,
			base: `{"created": "2026-01-01", "items": {"b": {"runs": 3}, "a": {"runs": 3}}}`,
			want: "fell [a]: runs of a is 2; it was 3 in the base (state.json:1)\n",
		},
		{
			now:  `{"created": "2026-01-01", "items": {"a": {"runs": "?"}}}`,
			base: `{"created": "2026-01-01", "items": {"a": {"runs": 3}}}`,
			want: "fell [a]: runs of a is \"?\"; it was 3 in the base (state.json:1)\n",
		},
		{
			now: `{"title": "T"}`, base: `{"title": "T", "created": "2026-01-01"}`,
			want: "rewritten: created is missing; it was \"2026-01-01\" in the base (state.json:1)\n",
		},
		{
			now: `{"created": null}`, base: "{\n\"created\": \"2026-01-01\"}",
			want: "rewritten: created is missing; it was \"2026-01-01\" in the base (state.json:2)\n",
		},
		{now: `{"title": "T"}`, base: `{"title": "T", "created": "soon"}`},
		{
			now:  `{"items": {"a": {"ok": true}}, "created": "2026-01-01"}`,
			base: `{"created": "2026-01-01", "items": {"a": {"runs": 3}}}`,
			want: "fell [a]: runs of a is missing; it was 3 in the base (state.json:1)\n",
		},
		{now: `{"items": {"b": {"runs": 1}}, "created": "2026-01-01"}`,
			base: `{"created": "2026-01-01", "items": {"a": {"runs": 3}}}`},
		{
			now:  `{"updated": "2026-01-01T10:00:00.0Z", "title": "a"}`,
			base: `{"title": "a", "updated": "2026-01-01T10:00:00Z"}`,
		},
		{
			now:  `{"updated": "2026-01-01T10:00:00Z", "title": "b"}`,
			base: `{"title": "a", "updated": "2026-01-01T10:00:00Z"}`,
			want: "stood: title changed; updated is 2026-01-01T10:00:00Z, not later than in the base (state.json:1)\n",
		},
	} {
		var base sdktest.Files
		if c.base != "" {
			base = sdktest.Files{"state.json": c.base}
		}
		if got := sdktest.Findings(t, workflow, sdktest.Files{"state.json": c.now}, base); got != c.want {
			t.Errorf("%s after %s:\n got %s\nwant %s", c.now, c.base, got, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	d := spec.Read("state.json", &sdk.Document{Need: sdk.Content,
		Text: `{"phase": "DONE", "cur": "a", "items": {"a/b": {"runs": 100, "ok": true}, "c": {"runs": 4e0, "ok": ` +
			`null}}}`})
	if v := d.Get("/phase"); !v.OK() || v.Canonical() != "done" || v.Place != 2 || v.Alias {
		t.Errorf("phase is %+v", v)
	}
	if v := d.Get("/current"); v.Text != "a" || v.Pointer != "/cur" {
		t.Errorf("current is %+v", v)
	}
	if v := d.Get("/items/a~1b/runs"); v.OK() || v.Int != -1 || v.Why == "" || v.Subject != "a/b" {
		t.Errorf("100 runs are more than the field allows: %+v", v)
	}
	if v := d.Get("/items/c/runs"); v.Int != 4 || v.Name() != "runs of c" {
		t.Errorf("runs of c are %+v", v)
	}
	if d.Has("/items/c/ok") || d.Get("/nothing").OK() || len(d.Keys("/items")) != 2 {
		t.Error("null is nothing, and there are two items")
	}
	list := state.Spec{Fields: []state.Field{{At: "/log/*/at", Kind: state.Moment}}}
	d = list.Read("state.json", &sdk.Document{Need: sdk.Content,
		Text: `{"log": [{"at": "soon"}, 7, {"at": "2026-01-01"}]}`})
	if v := d.Get("/log/2/at"); !v.OK() || v.Name() != "at of 2" || len(d.List) != 2 || d.List[0].OK() {
		t.Errorf("of three elements two have a time, the last a readable one: %+v", v)
	}
	if d := spec.Read("state.json", nil); d.OK || d.Has("/phase") || d.Keys("/items") != nil {
		t.Error("a document that is absent has nothing")
	}
}
