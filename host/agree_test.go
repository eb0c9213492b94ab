package host

import (
	"slices"
	"testing"

	"github.com/stategate/stategate/host/examine"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

func finding(rule, key string, severity wire.Severity) snapshot.Finding {
	return snapshot.Finding{Diagnostic: wire.Diagnostic{Rule: rule, Key: key, Severity: severity}}
}

// TestAgreed: a finding stands as often as it stands against every base, and as mildly as against any.
func TestAgreed(t *testing.T) {
	first := &examine.Reply{
		Findings:     []snapshot.Finding{finding("a", "", wire.Error), finding("a", "", wire.Error), finding("b", "1", wire.Error), finding("c", "", wire.Info)},
		RuleFailures: []wire.RuleFailure{{Rule: "r", Message: "x"}},
	}
	second := &examine.Reply{
		Findings:     []snapshot.Finding{finding("c", "", wire.Error), finding("a", "", wire.Warning), finding("b", "2", wire.Error)},
		RuleFailures: []wire.RuleFailure{{Rule: "r", Message: "x"}, {Rule: "s", Message: "y"}},
		Failure:      "z",
	}
	got := agreed([]*examine.Reply{first, second})
	want := []snapshot.Finding{finding("a", "", wire.Warning), finding("c", "", wire.Info)}
	if !slices.EqualFunc(got.Findings, want, func(a, b snapshot.Finding) bool { return a.Rule == b.Rule && a.Severity == b.Severity }) {
		t.Errorf("agreed on %+v, want %+v", got.Findings, want)
	}
	if len(got.RuleFailures) != 2 || got.Failure != "z" {
		t.Errorf("what could not be looked at is %+v, %q", got.RuleFailures, got.Failure)
	}
	if len(first.Findings) != 4 || first.Findings[0].Severity != wire.Error {
		t.Error("the reply itself was changed")
	}
	if alone := agreed([]*examine.Reply{first}); len(alone.Findings) != 4 {
		t.Errorf("alone it is %+v", alone.Findings)
	}
}
