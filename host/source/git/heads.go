package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// Heads returns the commits that the next one will come from: HEAD, and what is being merged into it. Before the first
// commit there are none.
func (r *Repo) Heads(ctx context.Context) ([]string, error) {
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
			err = fault.Newf(fault.Source, "read MERGE_HEAD of %s: found %.60q, want an object id: see git status", r.Top, id)
		}
	}
	return append([]string{head}, merged...), err
}

// merged reads MERGE_HEAD, of which rev-parse prints the first line only.
func (r *Repo) merged() ([]string, error) {
	text, err := readStart(filepath.Join(r.Dir, "MERGE_HEAD"), 1<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Newf(fault.IO, "read what is being merged into %s: %v", r.Top, err)
	}
	return strings.Fields(string(text)), nil
}

// MergeBase returns the best commit that two come from. If there is none, a shallow clone is a failure and any other a
// *fault.UsageError.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	if !isID(a) || !isID(b) {
		return "", fmt.Errorf("find what %.60q and %.60q come from: not object ids", a, b)
	}
	id, status, err := r.object(ctx, "merge-base", a, b)
	if status != 1 {
		return id, err
	}
	if r.shallow(ctx) {
		return "", r.tooShallow(fmt.Sprintf("the merge base of commits %.12s and %.12s", a, b))
	}
	return "", fault.Usagef("commits %.12s and %.12s have no common history: name another base", a, b)
}

// Lacks returns why a commit that another one names cannot be read: that the clone is shallow, or else the error.
func (r *Repo) Lacks(ctx context.Context, id string, err error) error {
	if _, _, missing := r.run(ctx, "cat-file", "-e", id); missing != nil && r.shallow(ctx) {
		return r.tooShallow(fmt.Sprintf("commit %.12s", id))
	}
	return err
}

func (r *Repo) shallow(ctx context.Context) bool {
	is, _ := r.line(ctx, "rev-parse", "--is-shallow-repository")
	return is == "true"
}

func (r *Repo) tooShallow(what string) *fault.Failure {
	return fault.Newf(fault.Source, "%s is not in %s, which is a shallow clone, so nothing can be compared with it: fetch more (git fetch --unshallow; in CI fetch-depth: 0 or GIT_DEPTH: 0)", what, r.Top)
}
