package yamledit_test

import (
	"testing"

	"github.com/stategate/stategate/host/yamledit"
)

func TestAdd(t *testing.T) {
	for _, c := range []struct {
		name, text, entry string
		path              []string
		want              string // "" if it must be edited by hand
	}{
		{"an empty file", "", "a: 1\n", nil, "a: 1\n"},
		{"a byte order mark", "\ufeffa: 1", "b: 2\n", nil, "\ufeffa: 1\n\nb: 2\n"},
		{"what is missing of the path", "a:\n  b: 1\n", "- x\n", []string{"a", "c", "d"},
			"a:\n  c:\n    d:\n      - x\n  b: 1\n"},
		{"a key without a value", "a: # none\nb: 1\n", "- x\n", []string{"a"}, "a: # none\n  - x\nb: 1\n"},
		{"comments stay with items", "a:\n  # one\n  - 1\n", "- 2\n", []string{"a"}, "a:\n  - 2\n  # one\n  - 1\n"},
		{"a member of an item", "a:\n  - b: 1 # one\n", "c: 2\n", []string{"a", "0"}, "a:\n  - c: 2\n    b: 1 # one\n"},
		{"brackets", "a: [ 1, 2 ]\n", "- x\n- y\n", []string{"a"}, "a: [ x, y, 1, 2 ]\n"},
		{"empty brackets", "a: {} # none\n", "b: 1\n", []string{"a"}, "a: {b: 1} # none\n"},
		{"JSON in lines", "{\n\t\"a\": 1\n}\n", "b:\n  c: x\n", nil, "{\n\t\"b\": {\"c\": \"x\"},\n\t\"a\": 1\n}\n"},
		{"CRLF", "a: 1\r\nb: 2", "c: 3\n", nil, "a: 1\r\nb: 2\r\n\r\nc: 3\r\n"},
		{"the last document", "a: 1\n---\nb:\n- 1\n", "- 2\n", []string{"b"}, "a: 1\n---\nb:\n- 2\n- 1\n"},
		{"an anchor", "a: &x\n  - 1\nb: *x\n", "- 2\n", []string{"a"}, ""},
		{"an alias", "a: &x [1]\nb: *x\n", "- 2\n", []string{"b"}, ""},
		{"a list is not a mapping", "a:\n  - 1\n", "b: 2\n", []string{"a"}, ""},
		{"a scalar", "a: b\n", "- 2\n", []string{"a"}, ""},
		{"a question mark", "? a\n: - 1\n", "- 2\n", []string{"a"}, ""},
		{"an end", "a: 1\n...\n", "b: 2\n", nil, ""},
		{"a text", "a: |\n  b\n", "- 2\n", []string{"a"}, ""},
	} {
		f, err := yamledit.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(c.name, err)
		}
		got := ""
		if f, err = f.Add(c.entry, c.path...); err == nil {
			got = string(f.Text)
		}
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestSet(t *testing.T) {
	f, err := yamledit.Parse([]byte("a:\n  - b: \"old\" # old\n    c: o\\x6cd\n"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Set("new", "a", "0", "b")
	if err != nil || string(g.Text) != "a:\n  - b: \"new\" # old\n    c: o\\x6cd\n" {
		t.Errorf("got %v, %v", g, err)
	}
	for _, path := range [][]string{{"a"}, {"a", "1"}, {"x"}} {
		if _, err := f.Set("new", path...); err == nil {
			t.Errorf("%v was set", path)
		}
	}
	if _, err := f.Set("x: y", "a", "0", "c"); err == nil {
		t.Error("a scalar became a mapping")
	}
}
