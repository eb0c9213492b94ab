package sandbox

import (
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int
		write []string
		want  string
	}{
		{"empty", 16, nil, ""},
		{"fits", 16, []string{"panic: ", "boom"}, "panic: boom"},
		{"exactly full", 8, []string{"abcdefgh"}, "abcdefgh"},
		{"beginning and end", 8, []string{"abcdefgh", "ij"}, "ab" + leftOut + "efghij"},
		{"one long write", 8, []string{"abcdefghijklmnopqrst"}, "ab" + leftOut + "opqrst"},
		{"byte by byte", 8, strings.Split("abcdefghijklmnopqrst", ""), "ab" + leftOut + "opqrst"},
		{"nothing allowed", 0, []string{"abc"}, leftOut},
	} {
		tail := NewTail(c.limit)
		for _, w := range c.write {
			if n, err := tail.Write([]byte(w)); n != len(w) || err != nil {
				t.Fatalf("%s: Write(%q) = %d, %v", c.name, w, n, err)
			}
		}
		if got := tail.String(); got != c.want {
			t.Errorf("%s: kept %q, want %q", c.name, got, c.want)
		}
	}
}
