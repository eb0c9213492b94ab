package result

import (
	"testing"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// TestLeavesLess: a remedy that ends one warning and causes another is not applied unasked.
func TestLeavesLess(t *testing.T) {
	found := func(rules ...string) (list []finding.Finding) {
		for _, r := range rules {
			list = append(list, finding.Finding{Diagnostic: wire.Diagnostic{Rule: r, Severity: wire.Warning}})
		}
		return list
	}
	p := &Repaired{Chosen: []Offer{{Finding: &Diagnostic{Rule: "flow/row-missing"}}}}
	for name, c := range map[string]struct {
		was, is []finding.Finding
		want    bool
	}{
		"one warning less":    {was: found("row-missing", "open"), is: found("open"), want: true},
		"another in exchange": {was: found("row-missing"), is: found("row-open")},
		"one warning more":    {was: found("row-missing"), is: found("row-open", "row-late")},
	} {
		if got := p.LeavesLess(c.was, c.is); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
