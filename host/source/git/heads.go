package git

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// Heads returns the commits that the next commit will be based on: HEAD, and the commits being merged into it. It
// returns none before the first commit.
func (r revisions) Heads(ctx context.Context) ([]string, error) {
	head, status, err := r.object(ctx, "rev-parse", "--verify", "-q", "HEAD^{commit}")
	if status == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	merged, err := r.merged()
	for _, id := range merged {
		if !isID(id) {
			err = fault.Newf(fault.Source, "read MERGE_HEAD of %s: found %.60q, want an object id: see git status",
				r.Top, id)
		}
	}
	return append([]string{head}, merged...), err
}

// merged reads MERGE_HEAD directly, because rev-parse prints only its first line.
func (r revisions) merged() ([]string, error) {
	text, err := readStart(filepath.Join(r.Dir, "MERGE_HEAD"), 1<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Newf(fault.IO, "read MERGE_HEAD of %s: %v", r.Top, err)
	}
	return strings.Fields(string(text)), nil
}
