package git

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// revisions are questions about what names commits, and how they come from each other.
type revisions struct{ *process }

// Commit returns the object id of the commit that a revision names. A revision that names none is a *fault.UsageError,
// but a failure if the clone is shallow and may lack it; anything else that goes wrong is a failure of kind source.
func (r revisions) Commit(ctx context.Context, revision string) (string, error) {
	if revision == "" || strings.ContainsRune(revision, 0) || strings.HasPrefix(revision, "^") {
		return "", fault.Usagef("%q is not a valid revision; use a commit, branch or tag", revision)
	}
	id, status, err := r.object(ctx, "rev-parse", "--verify", "-q", "--end-of-options", revision+"^{commit}")
	if status != 1 {
		return id, err
	}
	if r.shallow(ctx) {
		return "", r.tooShallow(fmt.Sprintf("revision %q", revision))
	}
	return "", fault.Usagef("revision %q names no commit of %s: see git log --all, or fetch it", revision, r.Top)
}

// Named is Commit for a revision that the user names: one that is Unambiguous.
func (r revisions) Named(ctx context.Context, revision string) (string, error) {
	if revision != "HEAD" {
		if err := r.Unambiguous(ctx, revision); err != nil {
			return "", err
		}
	}
	return r.Commit(ctx, revision)
}

// Switch returns the argument for git switch to check out the commit that a revision names: the branch of that name,
// or the commit itself; nothing if it is HEAD.
func (r revisions) Switch(ctx context.Context, revision, id string) []string {
	heads, err := r.Heads(ctx)
	if err == nil && len(heads) > 0 && heads[0] == id {
		return nil
	}
	if !strings.HasPrefix(revision, "-") {
		if _, _, err := r.run(ctx, "show-ref", "--verify", "-q", "refs/heads/"+revision); err == nil {
			return []string{revision}
		}
	}
	return []string{"--detach", id[:min(len(id), 12)]}
}

// Unambiguous refuses a name that is that of a tag and of a branch, say: git takes the tag, and who may push tags
// would choose. Object ids and what is more than a name pass.
func (r revisions) Unambiguous(ctx context.Context, revision string) error {
	if isID(revision) || strings.ContainsAny(revision, "^~:@{*?[\\ ") || strings.HasPrefix(revision, "refs/") ||
		strings.HasPrefix(revision, "-") {
		return nil
	}
	out, _, err := r.run(ctx, "for-each-ref", "--format=%(refname)", "refs/tags/"+revision, "refs/heads/"+revision,
		"refs/remotes/"+revision)
	if err != nil {
		return err
	}
	var names []string
	for name := range strings.Lines(out) {
		// a directory of refs lists what is in it
		if name = strings.TrimSuffix(name, "\n"); strings.HasSuffix(name, "/"+revision) {
			names = append(names, name)
		}
	}
	if len(names) > 1 {
		return fault.Usagef("revision %q is ambiguous: %s; use the whole name", revision,
			strings.Join(names, " and "))
	}
	return nil
}

// A Ref is a name of a commit.
type Ref struct {
	Name string // short, as people write it
	Kind string // branch, tag or remote branch
}

// Refs returns the branches and tags of the repository, sorted by their full names; at most so many.
func (r revisions) Refs(ctx context.Context, most int) ([]Ref, error) {
	out, _, err := r.run(ctx, "for-each-ref", "--format=%(refname) %(refname:short)", fmt.Sprintf("--count=%d", most),
		"refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{"heads": "branch", "tags": "tag", "remotes": "remote branch"}
	var list []Ref
	for line := range strings.Lines(out) {
		full, short, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		parts := strings.SplitN(full, "/", 3)
		if ok && len(parts) == 3 && !strings.HasSuffix(full, "/HEAD") {
			list = append(list, Ref{short, kinds[parts[1]]})
		}
	}
	return list, nil
}

func isID(s string) bool {
	return longAsID(s) && strings.Trim(s, "0123456789abcdef") == ""
}

// IsBranch reports whether a revision names a branch, here or of a remote. HEAD is the commit that is checked out,
// whatever branch that is.
func (r revisions) IsBranch(ctx context.Context, revision string) (bool, error) {
	if revision == "HEAD" || revision == "@" || strings.HasPrefix(revision, "-") {
		return false, nil
	}
	name, status, err := r.run(ctx, "rev-parse", "--verify", "-q", "--symbolic-full-name", revision)
	if status == 1 {
		return false, nil
	}
	return strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/remotes/"), err
}

// Ahead counts the commits of HEAD that a revision does not have. It is 0 if there is no such revision.
func (r revisions) Ahead(ctx context.Context, revision string) (n int) {
	out, _, err := r.run(ctx, "rev-list", "--count", revision+"..HEAD")
	if err == nil {
		n, _ = strconv.Atoi(strings.TrimSpace(out))
	}
	return n
}

// Between lists the ids of the commits that one revision has and another one, from, has not: parents first.
func (r revisions) Between(ctx context.Context, from, to string) ([]string, error) {
	a, err := r.Commit(ctx, from)
	if err != nil {
		return nil, err
	}
	b, err := r.Commit(ctx, to)
	if err == nil {
		_, err = r.MergeBases(ctx, a, b) // a clone that lacks what lies between would list a part
	}
	if err != nil {
		return nil, err
	}
	out, _, err := r.run(ctx, "rev-list", "--reverse", "--topo-order", a+".."+b)
	return strings.Fields(out), err
}

// Newest returns the newest commits that a revision comes from and itself, the oldest first, at most n.
func (r revisions) Newest(ctx context.Context, revision string, n int) ([]string, error) {
	id, err := r.Commit(ctx, revision)
	if err != nil {
		return nil, err
	}
	out, _, err := r.run(ctx, "rev-list", "--reverse", "--topo-order", "--max-count="+strconv.Itoa(n), id)
	return strings.Fields(out), err
}

// MergeBases returns the best commits that one and a merge of the others come from, none if their histories have
// nothing in common. In a shallow clone that is a failure, because it is not known.
func (r revisions) MergeBases(ctx context.Context, a string, others ...string) ([]string, error) {
	b := others[0]
	if slices.ContainsFunc(append([]string{a}, others...), func(id string) bool { return !isID(id) }) {
		return nil, fmt.Errorf("find what %.60q and %.60q come from: not object ids", a, others)
	}
	out, status, err := r.run(ctx, append([]string{"merge-base", "--all", a}, others...)...)
	switch {
	case status == 1 && r.shallow(ctx):
		return nil, r.tooShallow(fmt.Sprintf("the merge base of commits %.12s and %.12s", a, b))
	case status == 1:
		return nil, nil
	}
	ids := strings.Fields(out)
	if err == nil && (len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return !isID(id) })) {
		err = r.failed("merge-base", fmt.Errorf("printed %.60q, want object ids", out), &tail{})
	}
	return ids, err
}
