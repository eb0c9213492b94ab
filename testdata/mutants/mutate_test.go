package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestMutants checks every kind of change, and that every run finds a file's mutants in the same order.
func TestMutants(t *testing.T) {
	const text = `package p

import "fmt"

var table = []struct{ a, b string }{
	{"x", "y"},
	{
		a: "z", b: "w",
	},
}

func f(s string, n int) bool {
	n++
	if s == "done" && n < 7 {
		fmt.Println(n)
		return true
	}
	switch s {
	case "open":
		return false
	}
	k := n
	return k > 1
}
`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte("package p\n\nconst c = 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := mutantsOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.what)
		if string(m.source()) == text {
			t.Errorf("%s changes nothing", m)
		}
	}
	want := []string{
		"the row is dropped", "the row is dropped", "dropped: n++", "the condition is negated", "== becomes !=",
		`"done" becomes another word`,
		"&& becomes ||", "< becomes <=", "7 becomes 8", "dropped: fmt.Println(n)", "dropped: return true",
		`"open" becomes another word`,
		"dropped: return false", "dropped: return k > 1", "> becomes >=", "1 becomes 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestEquivalents checks that the list contains only existing changes, each once.
func TestEquivalents(t *testing.T) {
	known, err := readEquivalents("# why\na.go: x: y\n\n  b.go: x: y\n")
	if err != nil || len(known) != 2 || !known["b.go: x: y"] {
		t.Errorf("got %v, %v", known, err)
	}
	if _, err := readEquivalents("a\na\n"); err == nil {
		t.Error("a line that stands twice is taken")
	}
	if _, err := readEquivalents(equivalents); err != nil {
		t.Error(err)
	}
}
