package status_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/words/status"
)

// TestForms runs the table of forms through the package.
func TestForms(t *testing.T) {
	forms, err := status.Forms()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		if f.Place != "value" {
			continue
		}
		if got := status.Of(f.Text).String(); got != f.Meaning {
			t.Errorf("testdata/forms.txt:%d: value %q is %s, expected %s", f.Line, f.Text, got, f.Meaning)
		}
	}
}

func TestOwnWordsComeBeforeSharedOnes(t *testing.T) {
	v := status.Vocabulary{Own: map[string]status.Status{"contexted": status.InProgress, "planned": status.Open}}
	for value, want := range map[string]status.Status{
		"Contexted (2026-01-02)": status.InProgress, "planned": status.Open, "done": status.Done, "plan": status.Unknown,
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

// TestDecomposedAccents: a file system, or an editor, may write an accent as a character of its own.
func TestDecomposedAccents(t *testing.T) {
	if got := status.Of("Termine\u0301"); got != status.Done {
		t.Errorf("got %s", got)
	}
}

func TestValuesThatHoldNothing(t *testing.T) {
	for _, value := range []string{"", " ", "->", "→", "~~", "**", "(", "\n", "✅→", "\xff", "%", "1", "100%%", "done\xff"} {
		status.Of(value) // it returns
	}
}

func BenchmarkOf(b *testing.B) {
	for b.Loop() {
		status.Of("In Progress (since Monday)")
	}
}
