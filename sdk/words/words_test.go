package words_test

import (
	"fmt"
	"testing"

	"github.com/stategate/stategate/sdk/words"
)

func TestReal(t *testing.T) {
	for _, text := range []string{"", "-", "…", "None", "none.", "None (all met)", "None — done", "N/A", "no", "0", "No blockers", "Nichts", "Keine", "keine (alles fertig)", "无", "なし", "TBD", "Нет", "Aucun"} {
		if words.Real(text) {
			t.Errorf("%q says nothing", text)
		}
	}
	for _, text := range []string{"None of the dates checked", "two sources", "Nothingness", "no key", "10 items", "Keine Quelle gefunden"} {
		if !words.Real(text) {
			t.Errorf("%q says something", text)
		}
	}
}

func TestPlaceholder(t *testing.T) {
	for text, want := range map[string]string{
		"{what accomplished}": "{what accomplished}", "{{name}} is": "{{name}}", "{path}": "{path}", "<your name>": "<your name>",
		"{": "", "{}": "", "{1}": "", `{"a": 1}`: "", "<b>": "", "a {b}": "", "<https://x y>": "<https://x y>", "{ö}": "{ö}",
	} {
		if got := words.Placeholder(text); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{"In-Progress": "in_progress", " **DONE** ": "done", "in  progress": "in_progress", "": "", "Ü": "Ü", "__a__": "a"} {
		if got := words.Fold(text); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
}

func TestConflict(t *testing.T) {
	const merge = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> theirs\n"
	for text, want := range map[string]int{
		merge: 0, "# A\r\n<<<<<<< HEAD\r\n=======\r\n>>>>>>> b\r\n": 5, "```\n" + merge + "```\n": -1, "<<<<<<< HEAD\n": -1,
		"Title\n=======\n": -1, "see <<<<<<< HEAD\n=======\n>>>>>>> b\n": -1, "```\n" + merge + "```\n" + merge: 48,
	} {
		if start, end := words.Conflict(text); start != want || start >= 0 && text[start:end] != "<<<<<<< HEAD" {
			t.Errorf("%q: got %d to %d, expected %d", text, start, end, want)
		}
	}
}

func Example() {
	fmt.Println(words.Real("None (all met)"), words.Real("one library"), words.Mentions("Timed out.", "timeout", "timed out"))
	fmt.Println(words.First("R1_DONE, finally"), words.Number("12 phases"))
	// Output:
	// false true true
	// R1_DONE 12
}
