package git

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An IgnoreSource is a file of ignore rules outside of any tree.
type IgnoreSource struct {
	Name string // as git prints it
	Text []byte
}

// maxIgnoreFile is the greatest ignore file that is read, in bytes.
const maxIgnoreFile = 1 << 20

// IgnoreSources returns the user's own ignore files, of which a later one has more weight, and whether names that differ in
// case are one. A repository that git does not trust is a failure, and so is one without a work tree where there has to be one.
func (r *Repo) IgnoreSources(ctx context.Context, worktree bool) (list []IgnoreSource, fold bool, err error) {
	args := []string{"rev-parse", "--git-path", "info/exclude"}
	if worktree {
		args = append(args, "--show-toplevel")
	}
	paths, _, err := r.run(ctx, args...)
	if err != nil {
		return nil, false, err
	}
	out, status, err := r.run(ctx, "config", "--type=path", "-z", "--get-regexp", `^core\.(excludesfile|ignorecase)$`)
	if err != nil && status != 1 {
		return nil, false, err
	}
	s := Settings{Environ: r.environ}
	named := filepath.Join(cmp.Or(s.get("XDG_CONFIG_HOME"), filepath.Join(s.get("HOME"), ".config")), "git", "ignore")
	for entry := range strings.SplitSeq(out, "\x00") {
		switch key, value, set := strings.Cut(entry, "\n"); key {
		case "core.excludesfile":
			named = value
		case "core.ignorecase":
			fold = !set || slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
		}
	}
	exclude, _, _ := strings.Cut(paths, "\n")
	for _, name := range []string{named, exclude} {
		full := absolute(r.Top, name)
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
			text, _ := readStart(full, maxIgnoreFile)
			list = append(list, IgnoreSource{name, text})
		}
	}
	return list, fold, nil
}
