package git

import (
	"context"
	"slices"
	"strings"
)

// Branches holds a clone's local branches and those of the remote origin.
type Branches struct {
	Current  string // the checked-out branch; "" if there is none or it has no commit
	Upstream string // Current's upstream, with git's short name; "" if there is none
	// Default is the branch that changes are merged into, as far as the clone knows. It is the target of origin's
	// HEAD, or else the first existing branch among main, master and init.defaultBranch, or else the only branch.
	// It is "" if none of these is known, because the checked-out branch may be any branch.
	Default string

	names []string // full names
}

// Branches asks git for the branches. A single call of git answers most of it.
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

// DefaultRev returns a revision for Default: the remote branch, or else the local one, or "" if neither exists.
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
