package git

import (
	"context"
	"slices"
	"strings"
)

// Branches are the branches that a clone has of itself and of the remote origin.
type Branches struct {
	Current  string // the one that is checked out, "" if none is or it has no commit
	Upstream string // the branch that Current follows, as git names it for people; "" if there is none
	// the branch that changes are merged into, as far as the clone knows: the one that the remote origin points to;
	// else main, master or what init.defaultBranch names, whichever exists first; else the only branch; "" if none of
	// them is known, since the branch that is checked out may be anyone's
	Default string

	names []string // full
}

// Branches asks git for them, once for most of it.
func (r checkout) Branches(ctx context.Context) (*Branches, error) {
	out, _, err := r.run(ctx, "for-each-ref", "--format=%(HEAD)%(refname) %(symref) %(upstream:short)", "refs/heads",
		"refs/remotes/origin")
	if err != nil {
		return nil, err
	}
	b := &Branches{}
	for line := range strings.Lines(out) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line[1:], "\n"), " ")
		target, upstream, _ := strings.Cut(rest, " ")
		b.names = append(b.names, name)
		if name == "refs/remotes/origin/HEAD" {
			b.Default = strings.TrimPrefix(target, "refs/remotes/origin/")
		}
		if line[0] == '*' {
			b.Current, b.Upstream = strings.TrimPrefix(name, "refs/heads/"), upstream
		}
	}
	if b.Default == "" {
		b.Default, err = r.usualBranch(ctx, b)
	}
	return b, err
}

func (r checkout) usualBranch(ctx context.Context, b *Branches) (string, error) {
	for _, name := range []string{"main", "master"} {
		if b.has(name) {
			return name, nil
		}
	}
	configured, err := r.Config(ctx, "init.defaultBranch")
	switch {
	case err != nil:
		return "", err
	case configured != "" && b.has(configured):
		return configured, nil
	case len(b.names) == 0:
		return r.Branch(ctx), nil
	case len(b.names) == 1:
		return b.Current, nil
	}
	return "", nil
}

func (b *Branches) has(name string) bool {
	return slices.Contains(b.names, "refs/heads/"+name) || slices.Contains(b.names, "refs/remotes/origin/"+name)
}

// DefaultRev returns a revision for Default: the remote's branch, else the local one, or "" if neither exists.
func (b *Branches) DefaultRev() string {
	switch {
	case b.Default == "":
		return ""
	case slices.Contains(b.names, "refs/remotes/origin/"+b.Default):
		return "origin/" + b.Default
	case slices.Contains(b.names, "refs/heads/"+b.Default):
		return b.Default
	}
	return ""
}
