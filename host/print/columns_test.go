package print

import "testing"

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "安全": 4, "é": 1, "e\u0301": 1, "█░": 2, "a安": 3} {
		if got := Columns(text); got != want {
			t.Errorf("%q: %d columns, want %d", text, got, want)
		}
	}
}

// TestCut: a text is cut between characters, and the cut is marked.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text                string
		n                   int
		first, middle, last string
	}{
		{"abcdef", 6, "abcdef", "abcdef", "abcdef"},
		{"abcdef", 5, "abcd…", "ab…ef", "…cdef"},
		{"abcdef", 4, "abc…", "a…ef", "…def"},
		{"abcdef", 1, "…", "…", "…"},
		{"abcdef", 0, "", "", ""},
		{"安全安全", 8, "安全安全", "安全安全", "安全安全"},
		{"安全安全", 7, "安全安…", "安…全", "…全安全"},
		{"安全安全", 6, "安全…", "安…全", "…安全"},
		{"ae\u0301io", 3, "ae\u0301…", "a…o", "…io"},
	} {
		if got := firstColumns(c.text, c.n); got != c.first {
			t.Errorf("the first %d of %q are %q, want %q", c.n, c.text, got, c.first)
		}
		if got := middleColumns(c.text, c.n); got != c.middle {
			t.Errorf("%q without its middle is %q in %d columns, want %q", c.text, got, c.n, c.middle)
		}
		if got := lastColumns(c.text, c.n); got != c.last {
			t.Errorf("the last %d of %q are %q, want %q", c.n, c.text, got, c.last)
		}
	}
}
