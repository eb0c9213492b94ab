package words_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/words"
)

func TestReal(t *testing.T) {
	for _, text := range []string{"", "-", "…", "None", "none.", "None (all met)", "None — done",
		"N/A", "no", "0", "No blockers", "Nichts", "Keine", "keine (alles fertig)", "无", "なし", "TBD", "Нет", "Aucun",
		"None currently", "none at this time", "Nothing so far", "No known blockers", "No open issues yet", "null",
		"Not applicable"} {
		if words.Real(text) {
			t.Errorf("%q says nothing", text)
		}
	}
	for _, text := range []string{"None of the dates checked", "two sources", "Nothingness", "no key", "10 items",
		"Keine Quelle gefunden", "None yet of the dates", "no time left", "No blockers were removed",
		"currently active", "nullable", "not applicable to phones"} {
		if !words.Real(text) {
			t.Errorf("%q says something", text)
		}
	}
}

func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"über", "u\u0308ber", true}, {"é", "e\u0301", true}, {"e\u0301", "é", true}, {"ấ", "a\u0302\u0301", true},
		{"한", "\u1112\u1161\u11ab", true}, {"が", "か\u3099", true},
		{"future", "future", true}, {"future", "futura", false}, {"uber", "über", false}, {"uber", "u\u0308ber", false},
		{"ä", "ö", false}, {"a", "ab", false}, {"", "a", false},
	} {
		if got := words.SameName(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: got %t, expected %t", c.a, c.b, got, c.same)
		}
	}
}

func TestPlaceholder(t *testing.T) {
	for text, want := range map[string]string{
		"{what accomplished}": "{what accomplished}", "{{name}} is": "{{name}}", "{path}": "{path}",
		"<your name>": "<your name>",
		"{":           "", "{}": "", "{1}": "", `{"a": 1}`: "", "<b>": "", "a {b}": "",
		"<https://x y>": "<https://x y>",
		"{ö}":           "{ö}",
	} {
		if got := words.Placeholder(text); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
}

func TestElision(t *testing.T) {
	for _, line := range []string{"[... rest of the table unchanged ...]", "<!-- remaining rows unchanged -->",
		"| ... | ... | … |", "| 7 | ... | ... | High | ... |", "[...]", "...", "… existing entries …",
		"[Supporting papers unchanged]",
		"| [... 23 more rows ...] |  |  |", "(remaining papers omitted for brevity)", "// ... rest of file ...",
		"*[Other sections remain the same]*"} {
		if !words.Elision(line) {
			t.Errorf("%q leaves something out", line)
		}
	}
	for _, line := range []string{"", "The remaining rows are unchanged.", "- [ ] Leave existing rows unchanged",
		"| 3 | Baker 2020 | ... |", "| 1 | ... | ... |", "| -- | -- |", "[Existing review](x.md) is unchanged",
		"... and so on", "(see the other table)",
		"<!-- Status: Candidate, Included -->", "[1] Existing methods, previous work.", "Data not shown (n = 3)"} {
		if words.Elision(line) {
			t.Errorf("%q leaves nothing out", line)
		}
	}
}

func TestList(t *testing.T) {
	l := words.ListOf("skipped", "not needed", "skip", "n/a", "推迟")
	for text, want := range map[string]int{"": -1, "skip": 0, "ski": -1, "it is not needed": 6, "no, n/a": 4, "已推迟": 3,
		"needed": -1, "SKIP": -1, "a skipped n/a": 2} {
		if got := l.Index(text); got != want || l.Begin(text) != (want == 0) {
			t.Errorf("%q: found at %d, at the beginning %v, expected %d", text, got, l.Begin(text), want)
		}
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{"In-Progress": "in_progress", " **DONE** ": "done",
		"in  progress": "in_progress", "": "", "Ü": "Ü", "__a__": "a"} {
		if got := words.Fold(text); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
}

func Example() {
	fmt.Println(words.Real("None (all met)"), words.Real("one library"),
		words.Mentions("Timed out.", "timeout", "timed out"))
	fmt.Println(words.First("R1_DONE, finally"), words.Number("12 phases"))
	// Output:
	// false true true
	// R1_DONE 12
}

func TestLeading(t *testing.T) {
	for text, want := range map[string]struct {
		n    int
		rest string
	}{
		"": {-1, ""}, "a1": {-1, "a1"}, "12 of 13": {12, " of 13"}, "007": {7, ""}, "999999999": {999999999, ""},
		"1000000000": {-1, "1000000000"}, "-1": {-1, "-1"},
	} {
		if n, rest := words.Leading(text); n != want.n || rest != want.rest {
			t.Errorf("Leading(%q) = %d, %q; want %d, %q", text, n, rest, want.n, want.rest)
		}
	}
}

func TestListAnyCase(t *testing.T) {
	l := words.ListOf("requirement", "req", "r1", "x", "требование").AnyCase()
	for text, want := range map[string]int{
		"": -1, "Requirement 2": 0, "the REQ": 4, "  rEq": 2, "re": -1, "R1": 0, "r": -1, "aX": 1, "X": 0,
		"é требование": 3, "Требование": -1, "ret": -1,
	} {
		if got := l.Index(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if exact := words.ListOf("req"); exact.Index("REQ") != -1 || exact.Index("a req") != 2 {
		t.Error("a list without AnyCase regards case")
	}
}

func TestSpaced(t *testing.T) {
	check := func(text string) {
		if got, want := words.Spaced(text), strings.Join(strings.Fields(text), " "); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
	for r := range rune(0x20000) {
		check("a" + string(r) + "b")
	}
	for _, text := range []string{"", " ", "a", "a b", " a", "a ", "a  b", "a\tb", "a —\u00a0b", "a\xc2", "\xe2\x80",
		"\xff\u3000"} {
		check(text)
	}
}
