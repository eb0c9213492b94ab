package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// Heads returns the commits that the next commit will be based on: HEAD, and the commits being merged into it. It
// returns none before the first commit. If HEAD names a commit that cannot be read, that is a failure.
func (r revisions) Heads(ctx context.Context) ([]string, error) {
	head, status, err := r.object(ctx, "rev-parse", "--verify", "-q", "HEAD^{commit}")
	if status == 1 {
		return nil, r.unborn(ctx)
	}
	if err != nil {
		return nil, err
	}
	merged, err := r.merged()
	for _, id := range merged {
		if !isID(id) {
			err = fault.Newf(fault.Source, "read MERGE_HEAD of %s: found %.60q, expected an object id: see git status",
				r.Top, id)
		}
	}
	return append([]string{head}, merged...), err
}

// unborn returns nil if HEAD names a branch without commits. It returns a failure if HEAD's commit is missing or if
// its branch exists but has no valid object id.
func (r revisions) unborn(ctx context.Context) error {
	broken := func(why string) error {
		return fault.Newf(fault.Source, "HEAD of %s %s, so nothing can be compared with it; see git fsck, and restore "+
			"the branch: its last commits are listed in %s", r.Top, why, filepath.Join(r.Dir, "logs", "HEAD"))
	}
	id, status, err := r.run(ctx, "rev-parse", "--verify", "-q", "HEAD")
	switch {
	case err == nil:
		return broken(fmt.Sprintf("is %.12s, which is not a commit in this repository", id))
	case status != 1:
		return err
	}
	branch, status, err := r.run(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil && status < 0 {
		return err
	}
	common, failed := checkout(r).CommonDir(ctx)
	if failed != nil {
		return failed
	}
	branch = strings.TrimSuffix(branch, "\n")
	// Git does not distinguish an invalid ref from a missing one. An empty directory is a missing ref.
	at, failed := os.Lstat(filepath.Join(common, filepath.FromSlash(branch)))
	if err == nil && (errors.Is(failed, fs.ErrNotExist) || failed == nil && at.IsDir()) {
		return nil
	}
	return broken("names a branch whose ref is damaged")
}

// merged reads MERGE_HEAD directly, because rev-parse prints only its first line.
func (r revisions) merged() ([]string, error) {
	text, err := readStart(filepath.Join(r.Dir, "MERGE_HEAD"), 1<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Newf(fault.IO, "read MERGE_HEAD of %s: %v", r.Top, err)
	}
	return strings.Fields(string(text)), nil
}
