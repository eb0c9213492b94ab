package say_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

func Example() {
	plan := &sdk.Document{Path: "plan.md", Text: "# Plan\n\n- [ ] R1\n"}
	fmt.Println(say.Wrong("phase", say.Quote("run"), say.Or("plan", "execute", "verify")))
	fmt.Println(say.Was("iterations_used of R3", "2", "3", say.Line(plan, 8)))
	fmt.Println(say.Count(1, "phase") + ", " + say.Count(2, "entry") + ", " + say.Count(3, "day"))
	fmt.Println(say.List(strings.Fields("a b c d e f g h")))
	// Output:
	// phase is "run"; expected plan, execute or verify
	// iterations_used of R3 is 2; it was 3 in the base (plan.md:3)
	// 1 phase, 2 entries, 3 days
	// a, b, c, d, e, f and 2 more
}

func TestClip(t *testing.T) {
	const longest = 80 // bytes
	for _, text := range []string{strings.Repeat("ä", 60), strings.Repeat("x", longest),
		strings.Repeat("x", longest+1)} {
		got := say.Clip(text)
		if whole := len(text) <= longest; !utf8.ValidString(got) || whole != (got == text) ||
			len(got) > longest+len("…") {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if say.And() != "" || say.And("a") != "a" || say.And("a", "b") != "a and b" || say.Line(nil, 3) != "" {
		t.Error("nothing is said of nothing")
	}
}

func TestWord(t *testing.T) {
	for text, want := range map[string]string{
		"v1.2/a_b-c": "v1.2/a_b-c", "列表": "列表",
		"": "''", "two words": "'two words'", "$(ls)": "'$(ls)'", "it's": `'it'\''s'`,
	} {
		if got := say.Word(text); got != want {
			t.Errorf("Word(%q) = %s, expected %s", text, got, want)
		}
	}
}
