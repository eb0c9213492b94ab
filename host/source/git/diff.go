package git

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A Change is one path that differs between a commit and what came after it.
type Change struct {
	Path string
	Old  File // without a Path; an ID of zeros if the path is new
	Gone bool // the path is no longer there
}

// ChangedInIndex returns what differs between a commit and the index, sorted by path. Names that are only intended to be added are
// not in it. Renames are a path that is gone and a new one.
func (r *Repo) ChangedInIndex(ctx context.Context, id string) ([]Change, error) {
	return r.diff(ctx, "diff-index", "--cached", "--ita-invisible-in-index", id)
}

// ChangedInCommit returns what differs between two commits, sorted by path.
func (r *Repo) ChangedInCommit(ctx context.Context, old, now string) ([]Change, error) {
	return r.diff(ctx, "diff-tree", "-r", old, now)
}

func (r *Repo) diff(ctx context.Context, subcommand string, args ...string) (list []Change, err error) {
	args = append([]string{subcommand, "--raw", "--no-abbrev", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=none"}, args...)
	out, _, err := r.run(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	for out != "" {
		c, rest, ok := change(out)
		if !ok {
			return nil, r.failed(subcommand, fmt.Errorf("printed %.120q, want modes, object ids, status and path", out), &tail{})
		}
		list, out = append(list, c), rest
	}
	return list, nil
}

// change reads ":MODE MODE ID ID STATUS\0PATH\0".
func change(out string) (c Change, rest string, ok bool) {
	head, rest, ok := strings.Cut(out, "\x00")
	name, rest, ok2 := strings.Cut(rest, "\x00")
	fields := strings.Fields(strings.TrimPrefix(head, ":"))
	if !ok || !ok2 || len(fields) != 5 || !isID(fields[2]) || !cleanPath(name) {
		return Change{}, "", false
	}
	return Change{Path: name, Old: File{Mode: fields[0], ID: fields[2]}, Gone: fields[4] == "D"}, rest, true
}

// Before returns the listing that changes have led to l from. One that a checkout could not write is a *fault.Failure, as it is
// for Repo.Tree.
func (l *Listing) Before(changes []Change) (*Listing, error) {
	if len(changes) == 0 {
		return l, nil
	}
	changed := make(map[string]bool, len(changes))
	for _, c := range changes {
		changed[c.Path] = true
	}
	before := l.Without(changed)
	for _, c := range changes {
		if f := (File{Path: c.Path, Mode: c.Old.Mode, ID: c.Old.ID}); strings.Trim(f.ID, "0") != "" {
			before.Files = append(before.Files, f)
		}
	}
	before.sort()
	before.Files = slices.Compact(before.Files)
	for _, c := range changes {
		why := before.wrong(c.Path)
		if kept, ok := l.Find(c.Path); ok && c.Gone && !IsEmpty(kept.ID) { // what is only intended to be added is gone all the same
			why = occursTwice
		}
		if why != "" {
			return nil, unwritable("diff", c.Path, why)
		}
	}
	return before, nil
}

// wrong says why no checkout writes a path as it is, if it is a file.
func (l *Listing) wrong(name string) string {
	if _, is := l.Find(name); !is {
		return ""
	}
	from, to := l.Within(name)
	twice := from < to || l.search(name)+1 < len(l.Files) && l.Files[l.search(name)+1].Path == name
	for dir := path.Dir(name); dir != "." && !twice; dir = path.Dir(dir) {
		_, twice = l.Find(dir)
	}
	switch {
	case twice:
		return occursTwice
	case IsOwn(name):
		return namedLikeGit
	}
	return ""
}

// Without returns the listing without some paths.
func (l *Listing) Without(paths map[string]bool) *Listing {
	return &Listing{Files: slices.DeleteFunc(slices.Clone(l.Files), func(f File) bool { return paths[f.Path] })}
}

// Lost lists what is gone, as it was.
func Lost(changes []Change) *Listing {
	l := &Listing{}
	for _, c := range changes {
		if c.Gone {
			l.Files = append(l.Files, File{Path: c.Path, Mode: c.Old.Mode, ID: c.Old.ID})
		}
	}
	l.sort()
	return l
}
