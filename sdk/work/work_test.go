package work_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// A chore is a minimal item.
type chore struct {
	id, title, text string
	needs           []string
	parts           []*chore
}

func (c *chore) Key() string             { return c.id }
func (c *chore) Called() string          { return "chore " + c.id }
func (c *chore) Brief() string           { return c.id }
func (c *chore) Titled() string          { return c.title }
func (c *chore) Says() string            { return c.text }
func (c *chore) Is() status.Status       { return status.Of(c.text) }
func (c *chore) At() sdk.Range           { return sdk.At(c.id) }
func (c *chore) Assign(f *check.Finding) { f.About(c.id) }

// A house is a model: its chores and those of the base.
type house struct {
	chores []*chore
	twice  []work.Pair[*chore]
	undone []work.Pair[*chore]
	ticks  []work.Ticks[*chore]
	lost   []work.Loss[*chore]
}

var kind = work.Kind[*house, *chore]{
	Noun: "chore", Part: "step",
	Lists: func(h *house) [][]*chore { return [][]*chore{h.chores} },
	Needs: func(h *house, c *chore) (needs []work.Need[*chore]) {
		for _, id := range c.needs {
			n := work.Need[*chore]{ID: id, At: sdk.At(c.id + " needs " + id), Unclear: id == "hidden"}
			for _, other := range h.chores {
				if other.id == id {
					n.On, n.Exists = other, true
				}
			}
			needs = append(needs, n)
		}
		return needs
	},
	Parts:  func(c *chore) []*chore { return c.parts },
	Twice:  func(h *house) []work.Pair[*chore] { return h.twice },
	Apart:  func(c *chore) string { return say.Quote(c.title) },
	Undone: func(h *house) []work.Pair[*chore] { return h.undone },
	Ticks:  func(h *house) []work.Ticks[*chore] { return h.ticks },
	Lost:   func(h *house) []work.Loss[*chore] { return h.lost },
}

// lower completes each finding like a workflow would.
func lower(f *work.Found[*chore]) {
	if f.Item.id == "mild" {
		f.As(sdk.Info)
	}
}

// found runs all rules and returns their findings: severity, rule, location, key and message.
func found(t *testing.T, h *house) (list []string) {
	t.Helper()
	type find = func(r *check.Report, h *house, complete work.Complete[*chore])
	var rows []check.Rule[*house]
	for name, find := range map[string]find{
		work.DependencyMissing: kind.DependencyMissing, work.DependencyCircular: kind.DependencyCircular,
		work.DependencyOpen: kind.DependencyOpen, work.DoneWithOpenParts: kind.DoneWithOpenParts,
		work.OpenWithDoneParts: kind.OpenWithDoneParts, work.IDRepeated: kind.IDRepeated,
		work.TickLost: kind.TickLost, work.ItemLost: kind.ItemLost,
	} {
		rows = append(rows, check.Rule[*house]{Name: name, Severity: sdk.Error, Doc: "d", Why: "w", Fix: "f",
			Find: func(r *check.Report, h *house) { find(r, h, lower) }})
	}
	rules := check.Declare(rows, func(*check.Report) (*house, check.Needs) { return h, 0 })
	p := sdktest.Pass(&sdk.Workflow{}, &wire.Request{})
	for _, r := range rules {
		p.Report = func(d sdk.Diagnostic) {
			severity := "default"
			if d.Severity != 0 {
				severity = d.Severity.String()
			}
			parts := []string{severity, r.Name, d.Range.Path, d.Subject, d.Key, d.Message}
			list = append(list, strings.Join(parts, "|"))
		}
		if err := r.Check(p); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func TestFaultsAreFound(t *testing.T) {
	step := func(id, text string) *chore { return &chore{id: id, text: text} }
	sweep, mow := &chore{id: "a", title: "Sweep", text: "done"}, &chore{id: "b", title: "Mow", text: "to do"}
	for name, c := range map[string]struct {
		house house
		want  string
	}{
		"a need that does not exist": {house{chores: []*chore{{id: "a", text: "to do", needs: []string{"z"}}}},
			"default|dependency-missing|a needs z|a|z|chore a depends on z, which does not exist"},
		"a workflow lowers a finding": {house{chores: []*chore{{id: "mild", text: "to do", needs: []string{"z"}}}},
			"info|dependency-missing|mild needs z|mild|z|chore mild depends on z, which does not exist"},
		"a circle": {house{chores: []*chore{{id: "a", needs: []string{"b"}}, {id: "b", needs: []string{"a"}}}},
			"default|dependency-circular|a needs b|a|a → b → a|chores depend on each other in a circle: a → b → a"},
		"itself": {house{chores: []*chore{{id: "a", needs: []string{"a"}}}},
			"default|dependency-circular|a needs a|a|a → a|chore a depends on itself"},
		"done before what it needs": {house{chores: []*chore{{id: "a", text: "done", needs: []string{"b"}}, mow}},
			"default|dependency-open|a needs b|a||chore a is done, but depends on 1 chore that is not: b"},
		"done with an open part": {house{chores: []*chore{{id: "a", text: "done",
			parts: []*chore{step("a.1", "to do"), step("a.2", "done"), step("a.3", "cancelled")}}}},
			"default|done-with-open-parts|a|a||chore a is done, but 1 step of it is not: a.1"},
		"open with done parts": {house{chores: []*chore{{id: "a", text: "to do",
			parts: []*chore{step("a.1", "cancelled"), step("a.2", "done")}}}},
			"default|open-with-done-parts|a|a||chore a is to do, but all 2 of its steps are done"},
		"an id twice": {house{twice: []work.Pair[*chore]{{Was: sweep, Is: mow}}},
			`default|id-repeated|b|b||chore b appears twice: "Sweep" and "Mow"`},
		"a status rolled back, reported with its ticks": {house{undone: []work.Pair[*chore]{{Was: sweep, Is: mow}},
			ticks: []work.Ticks[*chore]{{Item: mow, Before: 2, Boxes: "steps"}}},
			"default|tick-lost|b|b||chore b is to do, but was done in the base"},
		"ticks rolled back": {house{ticks: []work.Ticks[*chore]{{Item: mow, Now: 1, Before: 2, Boxes: "steps",
			At: sdk.At("b")}}},
			"default|tick-lost|b|b|steps|chore b has 1 ticked steps; it had 2 in the base"},
		"a single loss": {house{lost: []work.Loss[*chore]{{Items: []*chore{mow}, At: sdk.At("list")}}},
			`default|item-lost|list|b||chore b is missing; in the base it is to do: "Mow"`},
		"many losses": {house{lost: []work.Loss[*chore]{{Items: []*chore{sweep, mow}, Of: 3, Many: true,
			At: sdk.At("list"), Assign: func(f *check.Finding) { f.About("all") }}}},
			"default|item-lost|list|all||2 of 3 chores from the base are missing: a, b"},
	} {
		if got := strings.Join(found(t, &c.house), "\n"); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

func TestHealthyChoresAreSilent(t *testing.T) {
	part := &chore{id: "a.1", text: "to do", needs: []string{"a"}}
	whole := func(text string, parts ...*chore) *chore { return &chore{id: "a", text: text, parts: parts} }
	needs := func(text string, ids ...string) *chore { return &chore{id: "a", text: text, needs: ids} }
	around := whole("to do", part)
	around.needs = []string{"a.1"}
	for name, chores := range map[string][]*chore{
		"a need with an unclear id":      {needs("done", "hidden")},
		"a part that names its whole":    {around, part},
		"a need that was given up":       {needs("done", "b"), {id: "b", text: "cancelled"}},
		"a need whose status is no word": {needs("done", "b"), {id: "b", text: "?"}},
		"all parts given up":             {whole("to do", &chore{id: "a.1", text: "cancelled"})},
		"a whole that is reviewed":       {whole("in review", &chore{id: "a.1", text: "done"})},
		"a part with an unknown status":  {whole("to do", &chore{text: "?"}, &chore{text: "done"})},
	} {
		if got := found(t, &house{chores: chores}); len(got) > 0 {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestMessages checks the messages for workflows that find a fault themselves.
func TestMessages(t *testing.T) {
	for got, want := range map[string]string{
		work.SayMissing("T1", "T8"):                  "T1 depends on T8, which does not exist",
		work.SayMissing("T1", "T8", "T9"):            "T1 depends on T8 and T9, which do not exist",
		work.SayCircle("plan", []string{"a", "a"}):   "plan a depends on itself",
		work.SayOpen("T1", "ticked", "T2", " (a:1)"): "T1 is ticked, but depends on T2, which is not (a:1)",
		work.SayUnticked("T1", " (a:1)"):             "T1 is not ticked, but was in the base (a:1)",
		work.SayGone(1, "task", "open"):              "1 task that was open in the base is missing",
		work.SayGone(2, "task", "ticked"):            "2 tasks that were ticked in the base are missing",
		work.SayAll(1, "step"):                       "its only step is",
		work.SayAll(3, "step"):                       "all 3 of its steps are",
		work.SayTicked(0, 1, "criterion"):            "its only criterion is not ticked",
		work.SayTicked(1, 1, "criterion"):            "1 of its 1 criterion is ticked",
		work.SayTicked(0, 3, "criterion"):            "none of its 3 criteria is ticked",
		work.SayTicked(2, 3, "criterion"):            "2 of its 3 criteria are ticked",
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
