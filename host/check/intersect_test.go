package check

import (
	"slices"
	"testing"

	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

func sampleFinding(rule, key string, severity wire.Severity) finding.Finding {
	return finding.Finding{Diagnostic: wire.Diagnostic{Rule: rule, Key: key, Severity: severity}}
}

// TestIntersect: a finding is reported as many times as it exists against every base, with the lowest severity
// against any.
func TestIntersect(t *testing.T) {
	first := &exchange.Reply{
		Findings: []finding.Finding{sampleFinding("a", "", wire.Error), sampleFinding("a", "", wire.Error),
			sampleFinding("b", "1", wire.Error), sampleFinding("c", "", wire.Info)},
		Report: wire.Report{RuleFailures: []wire.RuleFailure{{Rule: "r", Message: "x"}}},
	}
	second := &exchange.Reply{
		Findings: []finding.Finding{sampleFinding("c", "", wire.Error), sampleFinding("a", "", wire.Warning),
			sampleFinding("b", "2", wire.Error)},
		Report: wire.Report{RuleFailures: []wire.RuleFailure{{Rule: "r", Message: "x"}, {Rule: "s", Message: "y"}},
			Failure: "z"},
	}
	got := intersect([]verdict{{Reply: first}, {Reply: second}})
	want := []finding.Finding{sampleFinding("a", "", wire.Warning), sampleFinding("c", "", wire.Info)}
	if !slices.EqualFunc(got.Findings, want, func(a, b finding.Finding) bool {
		return a.Rule == b.Rule &&
			a.Severity == b.Severity
	}) {
		t.Errorf("got %+v, want %+v", got.Findings, want)
	}
	if len(got.RuleFailures) != 2 || got.Failure != "z" {
		t.Errorf("what could not be checked is %+v, %q", got.RuleFailures, got.Failure)
	}
	if len(first.Findings) != 4 || first.Findings[0].Severity != wire.Error {
		t.Error("the reply itself was changed")
	}
	if alone := intersect([]verdict{{Reply: first}}); len(alone.Findings) != 4 {
		t.Errorf("alone it is %+v", alone.Findings)
	}
}
