package slashpath

import "testing"

// TestJoin: a finding about a whole state directory has a location, even if that directory is the workspace itself.
func TestJoin(t *testing.T) {
	for _, c := range [][3]string{{".", "", "."}, {".", ".", "."}, {"a", "", "a"}, {"a", ".", "a"}, {".", "b", "b"},
		{"a", "b", "a/b"}, {".", "b/", "b/"}, {"a", "b/c/", "a/b/c/"}} {
		if got := Join(c[0], c[1]); got != c[2] {
			t.Errorf("Join(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
