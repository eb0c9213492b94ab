package declare_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/sdktest"
)

// list returns a feature list of 200 features, about 90 KB.
func list(evidence string) string {
	var b strings.Builder
	b.WriteString("{\"features\": [")
	for i := range 200 {
		status, needs := "passing", ""
		if i >= 120 {
			status = "not_started"
		}
		if i > 0 {
			needs = fmt.Sprintf("%q", fmt.Sprintf("f%d", i-1))
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `
  {"id": "f%d", "title": "Feature number %d", "description": %q, "status": %q,
    "depends_on": [%s], "verification": %q, "evidence": %q}`, i, i, strings.Repeat("A user can. ", 12), status,
			needs, strings.Repeat("pytest ", 9), evidence)
	}
	return b.String() + "\n]}\n"
}

// BenchmarkFeatures checks a list of 200 features in which one changed.
func BenchmarkFeatures(b *testing.B) {
	text, err := os.ReadFile("gallery/features.yaml")
	if err != nil {
		b.Fatal(err)
	}
	w := workflow(b, string(text))
	now := sdktest.Files{"feature_list.json": list("12 tests")}
	base := sdktest.Files{"feature_list.json": list("13 tests")}
	look := sdktest.Look(b, w, now, base)
	x := fixture.Native(w)
	for b.Loop() {
		r := *look.Request
		if report, err := x.Examine(&r); err != nil || len(report.Diagnostics) > 0 {
			b.Fatal(err, report.Diagnostics)
		}
	}
}
