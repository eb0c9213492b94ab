package git

import (
	"bufio"
	"cmp"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Update describes a directory's last change.
type Update struct {
	At          time.Time // zero if unknown
	Uncommitted bool      // it contains uncommitted changes or ignored files
	By          string    // the last commit's author; "" if there is none
	Files       []string  // uncommitted files, slash-separated and relative to top; a new directory counts as one
}

// Updated returns when each directory was last changed. Directories are slash-separated and relative to top, which
// is the repository's top. If the working tree has changes in the directory, the time is that of the newest changed
// file. Otherwise it is the time of the last commit, as of rev, that changed the directory. Unchanged files do not
// count, because after a clone every file is new. Updated searches history for at most patience; times that it does
// not find by then are unknown. repo is nil outside a repository, and rev is "" for the working tree.
func Updated(ctx context.Context, patience time.Duration, repo *Repo, top, rev string,
	dirs []string) map[string]Update {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	t := &updates{repo: repo, top: top, times: map[string]Update{}, files: map[string][]string{}}
	for _, d := range dirs {
		t.times[d] = Update{}
	}
	if rev == "" {
		t.written(t.uncommitted(ctx))
	}
	if repo != nil {
		t.committed(ctx, rev)
	}
	return t.times
}

type updates struct {
	repo  *Repo
	top   string
	times map[string]Update
	files map[string][]string
}

// unknown lists the directories whose time is not known yet.
func (t *updates) unknown() (list []string) {
	for d, at := range t.times {
		if at.At.IsZero() {
			list = append(list, d)
		}
	}
	return list
}

// pathspecs returns a few directories that contain all those whose time is not known yet.
func (t *updates) pathspecs() []string {
	list := []string{"--"}
	for _, d := range t.unknown() {
		around := path.Dir(d)
		if around == "." {
			around = d
		}
		list = append(list, around)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// holder returns the directory that contains a path from git, or "" if none does.
func (t *updates) holder(name string) string {
	for ; ; name = path.Dir(name) {
		if _, found := t.times[name]; found {
			return name
		}
		if name == "." || name == "/" {
			return ""
		}
	}
}

// committed reads history backwards until it has found every directory whose time is not known yet. A directory
// that was never committed would make it read the whole history.
func (t *updates) committed(ctx context.Context, rev string) {
	if len(t.unknown()) == 0 {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	args := []string{"--literal-pathspecs", "log", "-z", "--format=%x01%ct %an", "--name-only", "--no-renames",
		"--no-ext-diff", "--no-show-signature", "--no-mailmap", "-O/dev/null",
		cmp.Or(rev, "HEAD")}
	cmd, _ := t.repo.command(ctx, append(args, t.pathspecs()...)...)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	at, by, missing := time.Time{}, "", len(t.unknown())
	for in := bufio.NewReader(out); missing > 0; {
		word, err := in.ReadString(0)
		if err != nil {
			break
		}
		word = strings.Trim(word, "\n\x00")
		if head, ok := strings.CutPrefix(word, "\x01"); ok {
			seconds, author, _ := strings.Cut(head, " ")
			by = author
			n, _ := strconv.ParseInt(seconds, 10, 64)
			at = time.Unix(n, 0)
		} else if d := t.holder(word); d != "" && t.times[d].At.IsZero() {
			t.times[d] = Update{At: at, By: by}
			missing--
		}
	}
	stop()
	_ = cmd.Wait()
}

// uncommitted lists the directories that differ from HEAD or contain ignored files.
func (t *updates) uncommitted(ctx context.Context) (list []string) {
	if t.repo == nil {
		for d := range t.times {
			list = append(list, d)
		}
		return list
	}
	args := []string{"--literal-pathspecs", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal",
		"--ignored=traditional", "--ignore-submodules=all"}
	out, err := t.repo.unfiltered(ctx, append(args, t.pathspecs()...)...)
	if err != nil {
		return nil
	}
	for entry := range strings.SplitSeq(out, "\x00") {
		if len(entry) < 4 {
			continue
		}
		name := strings.TrimSuffix(entry[3:], "/")
		if d := t.holder(name); d != "" {
			list = append(list, d)
			t.files[d] = append(t.files[d], name)
			continue
		}
		for d := range t.times { // an ignored directory that contains some of them
			if strings.HasPrefix(d, name+"/") {
				list = append(list, d)
			}
		}
	}
	return list
}

// written sets the directories' times to those of their newest files.
func (t *updates) written(dirs []string) {
	slices.Sort(dirs)
	for _, d := range slices.Compact(dirs) {
		newest := time.Time{}
		_ = filepath.WalkDir(filepath.Join(t.top, filepath.FromSlash(d)),
			func(_ string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() && e.Name() == ".git" {
					return fs.SkipDir
				}
				if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
					newest = info.ModTime()
				}
				return nil
			})
		t.times[d] = Update{At: newest, Uncommitted: t.repo != nil, Files: t.files[d]}
	}
}
