package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// Heads returns the commits that the next one will come from: HEAD, and what is being merged into it. Before the first
// commit there are none.
func (r *Repo) Heads(ctx context.Context) ([]string, error) {
	head, status, err := r.run(ctx, "rev-parse", "--verify", "-q", "HEAD^{commit}")
	switch {
	case status == 1:
		return nil, nil
	case err != nil:
		return nil, err
	}
	ids := []string{strings.TrimSuffix(head, "\n")}
	merged, err := r.merged()
	if err != nil {
		return nil, err
	}
	ids = append(ids, merged...)
	for _, id := range ids {
		if !isID(id) {
			return nil, fault.Newf(fault.Source, "read HEAD and MERGE_HEAD of %s: found %.60q, want an object id: see git status", r.Top, id)
		}
	}
	return ids, nil
}

// merged reads MERGE_HEAD, of which rev-parse gives the first line only.
func (r *Repo) merged() ([]string, error) {
	f, err := os.Open(filepath.Join(r.Dir, "MERGE_HEAD"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Newf(fault.IO, "read what is being merged into %s: %v", r.Top, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return nil, fault.Newf(fault.IO, "read what is being merged into %s: %v", r.Top, err)
	}
	return strings.Fields(string(text)), nil
}

// MergeBase returns the best commit that two come from. If there is none, a shallow clone is a failure and any other a
// *UsageError.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	if !isID(a) || !isID(b) {
		return "", fmt.Errorf("find what %.60q and %.60q come from: not object ids", a, b)
	}
	out, status, err := r.run(ctx, "merge-base", a, b)
	switch id := strings.TrimSuffix(out, "\n"); {
	case err == nil && isID(id):
		return id, nil
	case err == nil:
		return "", r.failed("merge-base", fmt.Errorf("printed %.60q, want an object id", id), &tail{})
	case status != 1:
		return "", err
	case r.shallow(ctx):
		return "", r.tooShallow(fmt.Sprintf("the merge base of commits %.12s and %.12s", a, b))
	}
	return "", fault.Usagef("commits %.12s and %.12s have no common history: name another base", a, b)
}

// Lacks says why a commit that another one names cannot be read: that the clone is shallow, or else the error.
func (r *Repo) Lacks(ctx context.Context, id string, err error) error {
	if _, _, missing := r.run(ctx, "cat-file", "-e", id); missing != nil && r.shallow(ctx) {
		return r.tooShallow(fmt.Sprintf("commit %.12s", id))
	}
	return err
}

func (r *Repo) shallow(ctx context.Context) bool {
	out, _, err := r.run(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(out) == "true"
}

func (r *Repo) tooShallow(what string) *fault.Failure {
	return fault.Newf(fault.Source, "%s is not in %s, which is a shallow clone, so nothing can be compared with it: fetch more (git fetch --unshallow; in CI fetch-depth: 0 or GIT_DEPTH: 0)", what, r.Top)
}
