package status_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/words/status"
)

// TestForms checks the package with the table of forms.
func TestForms(t *testing.T) {
	forms, err := status.Forms()
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]func(string) string{
		"value":   func(text string) string { return status.Of(text).String() },
		"title":   title,
		"note":    func(text string) string { return choose(status.DefersWork(text), "cancelled") },
		"heading": heading,
		"line":    func(text string) string { return choose(status.Line(strings.ReplaceAll(text, "*", "")), "done") },
	}
	for _, f := range forms {
		if of := read[f.Place]; of == nil {
			t.Errorf("testdata/forms.txt:%d: unknown place %q; use value, title, note, heading or line", f.Line,
				f.Place)
		} else if got := of(f.Text); got != f.Meaning {
			t.Errorf("testdata/forms.txt:%d: %s %q is %s, expected %s", f.Line, f.Place, f.Text, got, f.Meaning)
		}
	}
}

func title(text string) string {
	if strings.HasPrefix(text, "~~") { // struck out, which package tasks recognizes
		return "cancelled"
	}
	return choose(status.GivenUp(text), "cancelled", choose(status.Optional(text), "optional"))
}

func heading(text string) string {
	off := strings.HasPrefix(text, "~~") && strings.HasSuffix(text, "~~") ||
		status.GivenUp(text) || status.DefersWork(text) || status.FutureSection(text)
	return choose(status.Title(text, text), "done", choose(off, "cancelled",
		choose(status.OptionalSection(text), "optional")))
}

// choose returns meaning if holds is true, or else other, which defaults to "open".
func choose(holds bool, meaning string, other ...string) string {
	if holds {
		return meaning
	}
	return strings.Join(append(other, "open")[:1], "")
}

func TestOwnWordsComeBeforeSharedOnes(t *testing.T) {
	v := status.Vocabulary{Own: map[string]status.Status{"contexted": status.InProgress, "planned": status.Open}}
	for value, want := range map[string]status.Status{
		"Contexted (2026-01-02)": status.InProgress, "planned": status.Open, "done": status.Done,
		"plan": status.Unknown,
	} {
		if got := v.Of(value); got != want {
			t.Errorf("%q is %s, expected %s", value, got, want)
		}
	}
}

func TestClosedListKnowsOwnWordsOnly(t *testing.T) {
	v := status.Vocabulary{Own: map[string]status.Status{"done": status.Done}, Only: true}
	if got := v.Of("✅ Done (2026-01-02)"); got != status.Done {
		t.Errorf("got %s", got)
	}
	if got := v.Of("complete"); got != status.Unknown {
		t.Errorf("complete is none of the list, got %s", got)
	}
}

// TestDecomposedAccents covers accents that a file system or an editor writes as separate characters.
func TestDecomposedAccents(t *testing.T) {
	if got := status.Of("Termine\u0301"); got != status.Done {
		t.Errorf("got %s", got)
	}
}

func TestValuesThatHoldNothing(t *testing.T) {
	for _, value := range []string{"", " ", "->", "→", "~~", "**", "(", "\n", "✅→", "\xff", "%", "1", "100%%",
		"done\xff"} {
		status.Of(value) // must return
	}
}

func BenchmarkOf(b *testing.B) {
	for b.Loop() {
		status.Of("In Progress (since Monday)")
	}
}

// TestWordsOfSeveralParts checks that reading stops exactly when no known word continues.
func TestWordsOfSeveralParts(t *testing.T) {
	own := status.Vocabulary{Own: map[string]status.Status{"gone_to_print": status.Done}}
	for text, want := range map[string]status.Status{
		"won't do": status.Cancelled, "not yet started": status.Open, "ready for dev (2026-01-02)": status.Ready,
		"merged into main": status.Done, "gone to print": status.Done, "gone to sleep": status.Unknown,
		"a\u0300 faire": status.Open, "phase 2 done": status.Unknown,
	} {
		if got := own.Of(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}
