package snapshot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

func TestDoubt(t *testing.T) {
	edit := func(op wire.Op, path string) []wire.Edit { return []wire.Edit{{Op: op, Range: wire.Range{Path: path}}} }
	safe := wire.Remedy{Title: "Tick it", Safety: wire.Safe, Subject: "r3", Heals: []string{"open"}, Edits: edit(wire.Replace, "plan.md")}
	restore := wire.Remedy{Title: "Bring it back", Safety: wire.Review, Subject: "r3", Edits: edit(wire.Restore, "old.md")}
	finding := func(rule, subject string, s wire.Severity) snapshot.Finding {
		return snapshot.Finding{Diagnostic: wire.Diagnostic{Rule: rule, Subject: subject, Severity: s, Range: wire.Range{Path: "plan.md"}, Message: "wrong"}}
	}
	host := func(rule, path string) snapshot.Finding {
		f := finding(rule, "", wire.Error)
		f.Host, f.Range.Path = true, path
		return f
	}
	form := safe
	form.Heals, form.Subject = []string{wire.RuleUnreadable}, ""
	own := finding("open", "r3", wire.Warning)
	both := own
	both.Remedies = []wire.Remedy{safe, restore}
	for _, c := range []struct {
		name   string
		f      *snapshot.Finding
		r      wire.Remedy
		others []snapshot.Finding
		want   string
	}{
		{"nothing else is wrong", &own, safe, nil, ""},
		{"an error of the subject", &own, safe, []snapshot.Finding{finding("denied", "r3", wire.Error)}, "[denied]"},
		{"a warning of the subject", &own, safe, []snapshot.Finding{finding("denied", "r3", wire.Warning)}, ""},
		{"an error of another subject", &own, safe, []snapshot.Finding{finding("denied", "r4", wire.Error)}, ""},
		{"an error that it ends", nil, safe, []snapshot.Finding{finding("open", "r3", wire.Error)}, ""},
		{"a document that cannot be read", &own, safe, []snapshot.Finding{host(wire.RuleUnreadable, "state.json")}, "[" + wire.RuleUnreadable + "]"},
		{"a schema's error in the document", &own, safe, []snapshot.Finding{host(wire.RuleSchema, "plan.md")}, "[" + wire.RuleSchema + "]"},
		{"a schema's error elsewhere", &own, safe, []snapshot.Finding{host(wire.RuleSchema, "state.json")}, ""},
		{"the document that it makes readable", nil, form, []snapshot.Finding{host(wire.RuleUnreadable, "plan.md")}, ""},
		{"another one that cannot be read", nil, form, []snapshot.Finding{host(wire.RuleUnreadable, "plan.md"), host(wire.RuleUnreadable, "b.json")}, ""},
		{"beside what restores", &both, safe, nil, "gives up"},
		{"a remedy for review", &both, restore, []snapshot.Finding{finding("denied", "r3", wire.Error)}, ""},
	} {
		list := c.others
		if c.f != nil {
			list = append(slices.Clone(list), *c.f)
		}
		got := snapshot.Doubt(c.f, &c.r, list)
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, expected %q", c.name, got, c.want)
		}
	}
}

func TestWeight(t *testing.T) {
	of := func(s ...wire.Severity) []int {
		var list []snapshot.Finding
		for _, severity := range s {
			list = append(list, snapshot.Finding{Diagnostic: wire.Diagnostic{Severity: severity}})
		}
		return snapshot.Weight(list)
	}
	order := [][]int{of(), of(wire.Info), of(wire.Info, wire.Info), of(wire.Warning), of(wire.Warning, wire.Info), of(wire.Error)}
	if !slices.IsSortedFunc(order, slices.Compare[[]int]) {
		t.Errorf("they are not in order: %v", order)
	}
}
