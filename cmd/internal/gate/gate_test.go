package gate

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestLimited: lines of progress are reported wherever they are cut, the rest is kept, and no more than the limit, also where io.Copy
// writes.
func TestLimited(t *testing.T) {
	for _, size := range []int{1, 3, 100} {
		var seen []string
		l := &limited{progress: func(done, total int) { seen = append(seen, fmt.Sprint(done, "/", total)) }}
		text := "1/12\nstategate: note: x\n12/12\n"
		for len(text) > 0 {
			n := min(size, len(text))
			if _, err := io.Copy(l, strings.NewReader(text[:n])); err != nil {
				t.Fatal(err)
			}
			text = text[n:]
		}
		if !slices.Equal(seen, []string{"1/12", "12/12"}) || l.kept.String() != "stategate: note: x\n" {
			t.Errorf("in steps of %d: %q, %q", size, seen, l.kept.String())
		}
	}
	l := &limited{}
	if _, err := io.Copy(l, io.LimitReader(endless{}, maxOutput+1)); err != nil || !l.over || l.kept.Len() > maxOutput {
		t.Errorf("%d bytes are kept, over is %v, %v", l.kept.Len(), l.over, err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
