package previous_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/source/previous"
)

// TestNoRegularFile: what is no file is not opened, since a named pipe would block for ever.
func TestNoRegularFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "last")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Skip("no links: " + err.Error())
	}
	if _, err := previous.Read(name); !errors.Is(err, previous.ErrDamaged) {
		t.Errorf("got %v", err)
	}
}
