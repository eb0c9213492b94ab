package sdk_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// TestFilesBelowAnyName checks that for any directory name, the host accepts the glob and the glob matches the
// directory's files.
func TestFilesBelowAnyName(t *testing.T) {
	for _, dir := range []string{"changes/add-login", "changes/a*[b]{c}?", `changes/a\\xff`, "changes/\x01", "ä/ö",
		"changes/" + strings.Repeat("ö", 127), "changes/" + strings.Repeat("a", 255)} {
		glob := sdk.FilesBelow(dir)
		if err := wire.CheckGlob(glob); err != nil {
			t.Errorf("FilesBelow(%q): %v", dir, err)
		}
		if !sdk.Match(glob, dir+"/specs/a/spec.md") {
			t.Errorf("FilesBelow(%q) is %q, which does not match its files", dir, glob)
		}
	}
	if glob := sdk.FilesBelow("changes/add-login"); sdk.Match(glob, "changes/add-login-2/tasks.md") {
		t.Errorf("%q matches the files of another change", glob)
	}
}
