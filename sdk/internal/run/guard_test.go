package run

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// A panic is reported at the author's file, even if it occurs in a function that the author called.
func TestPanicNamesTheAuthorsLine(t *testing.T) {
	var list []int
	for name, f := range map[string]func() error{
		"own":     func() error { list[3] = 1; return nil },
		"sdk":     func() error { (*sdk.Lifecycle)(nil).Phase("a"); return nil },
		"jsondoc": func() error { (*jsondoc.Lines)(nil).Position(1); return nil },
	} {
		err, panicked := guard(f)
		if !panicked || err == nil || !strings.Contains(err.Error(), " at guard_test.go:") {
			t.Errorf("%s: panicked %v, error %v, expected one at guard_test.go", name, panicked, err)
		}
	}
}
