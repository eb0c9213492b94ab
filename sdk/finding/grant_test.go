package finding_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

func TestDoubt(t *testing.T) {
	edit := func(op wire.Op, path string) []wire.Edit { return []wire.Edit{{Op: op, Range: wire.Range{Path: path}}} }
	safe := wire.Remedy{Title: "Tick it", Safety: wire.Safe, Subject: "r3", Fixes: []string{"open"},
		Edits: edit(wire.Replace, "plan.md")}
	restore := wire.Remedy{Title: "Restore r3", Safety: wire.Review, Subject: "r3",
		Edits: edit(wire.Restore, "old.md")}
	f2 := func(rule, subject string, s wire.Severity) finding.Finding {
		return finding.Finding{Diagnostic: wire.Diagnostic{Rule: rule, Subject: subject, Severity: s,
			Range: wire.Range{Path: "plan.md"}, Message: "wrong"}}
	}
	host := func(rule, path string) finding.Finding {
		f := f2(rule, "", wire.Error)
		f.Host, f.Range.Path = true, path
		return f
	}
	form := safe
	form.Fixes, form.Subject = []string{wire.RuleUnreadable}, ""
	own := f2("open", "r3", wire.Warning)
	both := own
	both.Remedies = []wire.Remedy{safe, restore}
	for _, c := range []struct {
		name   string
		f      *finding.Finding
		r      wire.Remedy
		others []finding.Finding
		want   string
	}{
		{"nothing else is wrong", &own, safe, nil, ""},
		{"an error of the subject", &own, safe, []finding.Finding{f2("denied", "r3", wire.Error)}, "[denied]"},
		{"a warning of the subject", &own, safe, []finding.Finding{f2("denied", "r3", wire.Warning)}, ""},
		{"an error of another subject", &own, safe, []finding.Finding{f2("denied", "r4", wire.Error)}, ""},
		{"an error that it ends", nil, safe, []finding.Finding{f2("open", "r3", wire.Error)}, ""},
		{"a document that cannot be read", &own, safe, []finding.Finding{host(wire.RuleUnreadable, "state.json")},
			"[" + wire.RuleUnreadable + "]"},
		{"a schema's error in the document", &own, safe, []finding.Finding{host(wire.RuleSchema, "plan.md")},
			"[" + wire.RuleSchema + "]"},
		{"a schema's error elsewhere", &own, safe, []finding.Finding{host(wire.RuleSchema, "state.json")}, ""},
		{"the document that it makes readable", nil, form, []finding.Finding{host(wire.RuleUnreadable, "plan.md")}, ""},
		{"another one that cannot be read", nil, form,
			[]finding.Finding{host(wire.RuleUnreadable, "plan.md"), host(wire.RuleUnreadable, "b.json")}, ""},
		{"beside what restores", &both, safe, nil, "the base can restore"},
		{"a remedy for review", &both, restore, []finding.Finding{f2("denied", "r3", wire.Error)}, ""},
	} {
		list := c.others
		if c.f != nil {
			list = append(slices.Clone(list), *c.f)
		}
		got := finding.ReviewReason(c.f, &c.r, list)
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, expected %q", c.name, got, c.want)
		}
	}
}

func TestWeight(t *testing.T) {
	of := func(s ...wire.Severity) []int {
		var list []finding.Finding
		for _, severity := range s {
			list = append(list, finding.Finding{Diagnostic: wire.Diagnostic{Severity: severity}})
		}
		return finding.Weight(list)
	}
	order := [][]int{of(), of(wire.Info), of(wire.Info, wire.Info), of(wire.Warning), of(wire.Warning, wire.Info),
		of(wire.Error)}
	if !slices.IsSortedFunc(order, slices.Compare[[]int]) {
		t.Errorf("they are not in order: %v", order)
	}
}
