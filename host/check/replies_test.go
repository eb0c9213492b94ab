package check

import (
	"slices"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestRuleFailures: rules that fail for the same reason are one failure, and every reason is reported.
func TestRuleFailures(t *testing.T) {
	var list []wire.RuleFailure
	for _, rule := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		list = append(list, wire.RuleFailure{Rule: rule, Message: "panic: shared"})
	}
	list = append(list[:1], append([]wire.RuleFailure{{Rule: "own", Message: "no luck"}}, list[1:]...)...)
	want := []string{"rules a, b, c, d, e and 2 more: panic: shared", "rule own: no luck"}
	if got := ruleFailures(list); !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
}
