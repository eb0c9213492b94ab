package last_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/last"
)

// TestNoRegularFile: what is no file is not opened, since a named pipe would block for ever.
func TestNoRegularFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "last")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Skip("no links: " + err.Error())
	}
	if _, err := last.Read(name); !errors.Is(err, last.ErrDamaged) {
		t.Errorf("got %v", err)
	}
}
