package git

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/suggest"
)

// revisions answers which commits revisions name, and how commits are related.
type revisions struct{ *process }

// Commit returns the object id of the commit that a revision names. If there is no such commit, the error is a
// *fault.UsageError. If the clone is shallow and may lack the commit, the error is a failure. Any other error
// is a failure of kind source.
func (r revisions) Commit(ctx context.Context, revision string) (string, error) {
	if revision == "" || strings.ContainsRune(revision, 0) || strings.HasPrefix(revision, "^") {
		return "", fault.Usagef("%q is not a valid revision; use a commit, branch or tag", revision)
	}
	id, status, err := r.object(ctx, "rev-parse", "--verify", "-q", "--end-of-options", revision+"^{commit}")
	if status != 1 {
		return id, err
	}
	if r.shallow(ctx) {
		return "", r.tooShallow(fmt.Sprintf("revision %q", revision), r.fetch(ctx, "--unshallow ", revision))
	}
	otherwise := "see git log --all, or fetch it"
	if fetch := r.fetch(ctx, "", revision); fetch != "" {
		otherwise = "fetch it: " + fetch
	}
	return "", fault.Usagef("revision %q does not name a commit in %s: %s", revision, r.Top,
		suggest.Or(revision, r.names(ctx), otherwise))
}

// fetch returns the command that fetches the branch of origin that a revision names, or "" if it names none. flag ends
// with a space unless it is "".
func (r *process) fetch(ctx context.Context, flag, revision string) string {
	branch, remote := strings.CutPrefix(strings.TrimPrefix(revision, "refs/remotes/"), "origin/")
	if !remote || strings.ContainsAny(branch, "~^:@{ ") {
		return ""
	}
	if url, _ := r.line(ctx, "config", "--get", "remote.origin.url"); url == "" {
		return ""
	}
	return "git fetch " + flag + "origin " + shell.Word("+refs/heads/"+branch+":refs/remotes/origin/"+branch)
}

// names returns names of branches and tags that an unknown revision may misspell.
func (r revisions) names(ctx context.Context) (list []string) {
	const most, longest = 1000, 200 // comparing names takes time
	refs, _ := r.Refs(ctx, most)
	for _, ref := range refs {
		if len(ref.Name) <= longest {
			list = append(list, ref.Name)
		}
	}
	return list
}

// Named is like Commit for a revision from the user, which must be Unambiguous.
func (r revisions) Named(ctx context.Context, revision string) (string, error) {
	if revision != "HEAD" {
		if err := r.Unambiguous(ctx, revision); err != nil {
			return "", err
		}
	}
	return r.Commit(ctx, revision)
}

// Switch returns the argument that makes git switch check out the commit that a revision names: the branch with that
// name, or the commit itself. It returns nil if the commit is HEAD.
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

// Unambiguous rejects a name that has several meanings, such as a tag and a branch. Git would choose the tag, so
// anyone who can push tags could choose the commit. Object ids, and revisions that are more than a name, are
// accepted.
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
		// for a directory of refs, show-ref lists its content
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

// BranchName returns a name of a branch that Unambiguous accepts: the short name, or the full name if a tag has
// the same short name.
func (r revisions) BranchName(ctx context.Context, short string) string {
	if r.Unambiguous(ctx, short) == nil {
		return short
	}
	for _, full := range []string{"refs/heads/" + short, "refs/remotes/" + short} {
		if _, _, err := r.run(ctx, "show-ref", "--verify", "-q", full); err == nil {
			return full
		}
	}
	return short
}

// A Ref is a name of a commit.
type Ref struct {
	Name string // short, as people write it
	Kind string // "branch", "tag" or "remote branch"
}

// Refs returns at most most of the repository's branches and tags, sorted by their full names.
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

// IsBranch reports whether a revision names a local or remote branch. HEAD stands for the checked-out commit rather
// than for a branch.
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

// Ahead counts the commits in HEAD that are not in a revision. It returns 0 if there is no such revision.
func (r revisions) Ahead(ctx context.Context, revision string) (n int) {
	out, _, err := r.run(ctx, "rev-list", "--count", revision+"..HEAD")
	if err == nil {
		n, _ = strconv.Atoi(strings.TrimSpace(out))
	}
	return n
}

// Between lists the ids of the commits that are in revision to but not in revision from, parents first.
func (r revisions) Between(ctx context.Context, from, to string) ([]string, error) {
	a, err := r.Commit(ctx, from)
	if err != nil {
		return nil, err
	}
	b, err := r.Commit(ctx, to)
	if err == nil {
		_, err = r.MergeBases(ctx, a, b) // a clone that lacks commits in between would list only some of them
	}
	if err != nil {
		return nil, err
	}
	out, _, err := r.run(ctx, "rev-list", "--reverse", "--topo-order", a+".."+b)
	return strings.Fields(out), err
}

// Newest returns at most n of a revision's newest commits, including itself, oldest first.
func (r revisions) Newest(ctx context.Context, revision string, n int) ([]string, error) {
	id, err := r.Commit(ctx, revision)
	if err != nil {
		return nil, err
	}
	out, _, err := r.run(ctx, "rev-list", "--reverse", "--topo-order", "--max-count="+strconv.Itoa(n), id)
	return strings.Fields(out), err
}

// MergeBases returns the merge bases of one commit and a merge of the others, or none if their histories are
// unrelated. In a shallow clone, finding none is a failure, because they may be missing.
func (r revisions) MergeBases(ctx context.Context, a string, others ...string) ([]string, error) {
	b := others[0]
	if slices.ContainsFunc(append([]string{a}, others...), func(id string) bool { return !isID(id) }) {
		return nil, fmt.Errorf("find the merge base of %.60q and %.60q: not object ids", a, others)
	}
	out, status, err := r.run(ctx, append([]string{"merge-base", "--all", a}, others...)...)
	switch {
	case status == 1 && r.shallow(ctx):
		return nil, r.tooShallow(fmt.Sprintf("the merge base of commits %.12s and %.12s", a, b), "")
	case status == 1:
		return nil, nil
	}
	ids := strings.Fields(out)
	if err == nil && (len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return !isID(id) })) {
		err = r.failed("merge-base", fmt.Errorf("printed %.60q, expected object ids", out), &tail{})
	}
	return ids, err
}

func (r *process) shallow(ctx context.Context) bool {
	is, _ := r.line(ctx, "rev-parse", "--is-shallow-repository")
	return is == "true"
}

// tooShallow reports what a shallow clone lacks. fetch is the command that fetches it, or "" for the whole history.
func (r *process) tooShallow(what, fetch string) *fault.Failure {
	return fault.Newf(fault.Source, "%s is not in %s, which is a shallow clone, so nothing can be compared with it: "+
		"fetch more (%s; in CI fetch-depth: 0 or GIT_DEPTH: 0)", what, r.Top,
		cmp.Or(fetch, "git fetch --unshallow"))
}
