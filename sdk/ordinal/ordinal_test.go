package ordinal_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stategate/stategate/sdk/ordinal"
)

func TestLeading(t *testing.T) {
	for name, want := range map[string][2]string{
		"02-01-plan.md": {"02-01", "plan.md"}, "2.1 Parse": {"2.1", "Parse"}, "12A: Fix": {"12A", "Fix"},
		"3. Write": {"3", "Write"},
		"10":       {"10", ""}, "1.2.3": {"1.2.3", ""}, "3rd try": {"", "3rd try"}, "plan": {"", "plan"}, "": {"", ""},
		"7b-x": {"7b", "x"}, "2.": {"2", ""},
	} {
		if number, rest := ordinal.Leading(name); number != want[0] || rest != want[1] {
			t.Errorf("%q: got %q and %q, expected %q", name, number, rest, want)
		}
	}
}

func ExampleCompare() {
	names := []string{"R10", "R9", "2.10", "2.9", "12A", "12", "plan-part10.md", "plan-part2.md"}
	slices.SortFunc(names, ordinal.Compare)
	fmt.Println(names)
	// Output: [2.9 2.10 12 12A R9 R10 plan-part2.md plan-part10.md]
}
