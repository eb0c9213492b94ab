package host

import (
	"path/filepath"

	"github.com/stategate/stategate/host/discover"
)

// Journal gives the directory of the journals of an anchor outside a repository.
func Journal(stateDir, anchor string) string {
	l := &look{anchor: &discover.Anchor{Path: filepath.Clean(anchor)}, options: Options{StateDir: stateDir}}
	return journalOf(l)
}
