package glob

import (
	"slices"
	"strings"
	"testing"
)

func TestSample(t *testing.T) {
	for in, want := range map[string][]string{
		"state.json": {"state.json"}, "rounds/*/reviews/*.md": {"rounds/x/reviews/x.md"}, "{a,b}/c": {"a/c", "b/c"},
		"**/*.md": {"x.md"}, "scans/**": {"scans/x"},
		"phases/*/": {"phases/x/"}, "**/": {"x/"}, "a[bc]?": {"abx"}, "a[^b]": {"ax"}, `a\*b`: {"a*b"},
		"{,x/}y": {"y", "x/y"}, "[": nil, ".ocr/sessions/*/": {".ocr/sessions/x/"},
	} {
		var got []string
		for _, alternative := range Alternatives(in) {
			s := Sample(alternative)
			got = append(got, s)
			set, err := Compile([]string{in})
			if err != nil {
				t.Fatal(err)
			}
			st := set.Start()
			for name := range strings.SplitSeq(strings.TrimSuffix(s, "/"), "/") {
				st = set.Step(st, name)
			}
			if !set.Accepts(st) {
				t.Errorf("%q does not match its sample %q", in, s)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("samples of %q = %q, want %q", in, got, want)
		}
	}
}
