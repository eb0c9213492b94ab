package check

import (
	"slices"
	"testing"

	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// TestDiffering: a document that only one side has is listed, whichever side that is.
func TestDiffering(t *testing.T) {
	file := func(name, data string) snapshot.File {
		return snapshot.File{Path: name, Size: int64(len(data)), Data: []byte(data)}
	}
	a := []snapshot.File{file("a", "1"), file("b", "1"), file("c", "1")}
	b := []snapshot.File{file("b", "1"), file("c", "2"), file("d", "1")}
	if got, want := Differing("run", a, b), []string{"run/a", "run/c", "run/d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
