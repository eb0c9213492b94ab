package print

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/result"
)

func diffOf(t *testing.T, changes ...result.FileChange) string {
	t.Helper()
	var b strings.Builder
	if err := Diff(&b, changes, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDiffOnATerminal: a terminal shows the two lines that name a changed file, and git's own line only if there are
// no others.
func TestDiffOnATerminal(t *testing.T) {
	for want, c := range map[string]result.FileChange{
		"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n":    {From: "a", To: "a", Before: []byte("x\n"), After: []byte("y\n")},
		"diff --git a/a b/a\nnew file mode 100644\n": {To: "a"},
	} {
		var b strings.Builder
		if err := Diff(&b, []result.FileChange{c}, Options{Width: 80}); err != nil || b.String() != want {
			t.Errorf("%v, got %q, want %q", err, b.String(), want)
		}
	}
}

func TestDiff(t *testing.T) {
	tests := []struct {
		name   string
		change result.FileChange
		want   string
	}{
		{"changed", result.FileChange{From: "s/a.md", To: "s/a.md", Before: []byte("1\n2\n3\n4\n5\n6\n"),
			After: []byte("1\n2\n3\n4\n5\nsix\n")},
			"diff --git a/s/a.md b/s/a.md\n--- a/s/a.md\n+++ b/s/a.md\n@@ -3,4 +3,4 @@\n 3\n 4\n 5\n-6\n+six\n"},
		{"new", result.FileChange{To: "a", After: []byte("x\n")},
			"diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n"},
		{"new and empty", result.FileChange{To: "a"}, "diff --git a/a b/a\nnew file mode 100644\n"},
		{"removed", result.FileChange{From: "a", Before: []byte("x\n")},
			"diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"},
		{"moved", result.FileChange{From: "a", To: "b/c", Before: []byte("x\n"), After: []byte("x\n")},
			"diff --git a/a b/b/c\nsimilarity index 100%\nrename from a\nrename to b/c\n"},
		{"moved unread", result.FileChange{From: "a", To: "b", Unread: true},
			"diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n"},
		{"moved and changed", result.FileChange{From: "a", To: "b", Before: []byte("x\n"), After: []byte("y\n")},
			"diff --git a/a b/b\nrename from a\nrename to b\n--- a/a\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n"},
		{"removed unread", result.FileChange{From: "a", Unread: true},
			"stategate: its bytes were not read, so this part cannot be applied\ndiff --git a/a b/a\ndeleted file " +
				"mode 100644\n"},
		{"without a last line ending", result.FileChange{From: "a", To: "a", Before: []byte("x"), After: []byte("y")},
			"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline " +
				"at end of file\n"},
		{"tabs and line endings stay", result.FileChange{From: "a", To: "a", Before: []byte("\tx\r\n"),
			After: []byte("\ty\r\n")},
			"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\tx\r\n+\ty\r\n"},
		{"a name with blanks", result.FileChange{From: "a b", To: "a b", Before: []byte("x\n"), After: []byte("y\n")},
			"diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n"},
		{"a name to be quoted", result.FileChange{To: "\x1b\"ü\u202e"},
			"diff --git \"a/\\033\\\"\\303\\274\\342\\200\\256\" \"b/\\033\\\"\\303\\274\\342\\200\\256\"\nnew file " +
				"mode 100644\n"},
		{"a directory is made", result.FileChange{To: "d/"}, "stategate: create the directory d/\n"},
		{"an empty directory goes", result.FileChange{From: "d/"}, "stategate: remove the empty directory d/\n"},
		{"a directory moves", result.FileChange{From: "d/", To: "e/"},
			"stategate: move the directory d/ to e/ with everything in it; this part cannot be applied\n"},
	}
	for _, test := range tests {
		if got := diffOf(t, test.change); got != test.want {
			t.Errorf("%s: it is\n%s\nexpected\n%s", test.name, got, test.want)
		}
	}
}

// TestDiffHostile: bytes that a terminal or a CI log would obey are escaped, and the part with them says that it does
// not apply.
func TestDiffHostile(t *testing.T) {
	const note = "stategate: shown with escapes, so this part cannot be applied\n"
	for name, text := range map[string]string{
		"escape":        "\x1b[31m\n",
		"bidirectional": "a\u202eb\n",
		"not UTF-8":     "\xff\n",
		"C1":            "\u009b\n",
		"return":        "a\rb\n",
		"command":       "##[error]\n",
		"hidden":        "x\u200b\n",
	} {
		got := diffOf(t, result.FileChange{From: "a", To: "a", Before: []byte("x\n"), After: []byte(text)})
		if !strings.HasPrefix(got, note) || strings.Contains(got, strings.TrimSpace(text)) {
			t.Errorf("%s: it is\n%q", name, got)
		}
	}
	got := diffOf(t, result.FileChange{From: "a", To: "a", Before: []byte("::warning::x\n1\n"),
		After: []byte("::warning::x\n2\n")})
	for line := range strings.Lines(got) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("a CI log obeys %q", line)
		}
	}
}

// TestDiffOrder: an old entry is removed before something new takes its name, as patch requires.
func TestDiffOrder(t *testing.T) {
	got := diffOf(t,
		result.FileChange{To: "state.json", After: []byte("{}\n")},
		result.FileChange{From: "state.json", To: "state.lost.json", Before: []byte("{\n"), After: []byte("{\n")})
	if strings.Index(got, "rename from") > strings.Index(got, "new file") {
		t.Errorf("it is\n%s", got)
	}
}

// TestDiffLineNumbers: two changes in one hunk, with equal lines between them, shift the next hunk by exactly the lines
// that they add.
func TestDiffLineNumbers(t *testing.T) {
	var before, after strings.Builder
	for i := range 30 {
		fmt.Fprintln(&before, i)
		fmt.Fprintln(&after, i)
		if i == 2 || i == 5 || i == 25 {
			fmt.Fprintln(&after, "new")
		}
	}
	got := diffOf(t, result.FileChange{From: "a", To: "a", Before: []byte(before.String()),
		After: []byte(after.String())})
	for _, want := range []string{"@@ -1,9 +1,11 @@\n", "@@ -24,6 +26,7 @@\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
}

// TestDiffColor: lines are colored by their meaning.
func TestDiffColor(t *testing.T) {
	var b strings.Builder
	if err := Diff(&b, []result.FileChange{{From: "a", To: "a", Before: []byte("x\n"), After: []byte("y\n")}},
		Options{Color: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{red + "-x" + reset, green + "+y" + reset, cyan + "@@ -1 +1 @@" + reset} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q lacks %q", b.String(), want)
		}
	}
}
