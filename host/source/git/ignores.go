package git

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/fault"
)

// ignoreFile is the name of the files that hold ignore rules.
const ignoreFile = ".gitignore"

// maxIgnoreFile is the greatest ignore file that is read, in bytes.
const maxIgnoreFile = 1 << 20

// Ignores decides which paths git ignores, by the rules of the ".gitignore" files in a tree and by the user's own. What
// git tracks is not ignored, whatever the rules say: the index is listed if there is a rule for a path. It is safe for concurrent
// use.
type Ignores struct {
	repo    *Repo
	ctx     context.Context
	tree    files
	own     func() (*ownRules, error)
	mu      sync.Mutex
	rules   map[string][]Rule // of the ignore file in a directory
	above   map[string]Rule   // by directory: the rule for which it and all that is in it is ignored
	tracked *Listing          // nil until it is needed
	broken  error             // git cannot be asked
}

// files are what is known of the tree that ignore files are read from.
type files interface {
	read(name string) ([]byte, error) // nil if there is no such file
	isDir(name string) bool
	isLink(name string) bool
}

// ownRules are those outside of the tree, and how names are compared.
type ownRules struct {
	rules []Rule // the last one that matches decides
	fold  bool   // without regard to case
}

// Ignores returns the rules for the work tree, which there has to be. What git is asked for them ends with ctx.
func (r *Repo) Ignores(ctx context.Context) *Ignores {
	return r.ignores(ctx, onDisk(r.Top), "--show-toplevel")
}

// IgnoresOf returns the rules as the files of a commit have them, whatever is in the work tree; the user's own hold as well. The
// objects stay the caller's to close.
func (r *Repo) IgnoresOf(ctx context.Context, l *Listing, objects *Objects) *Ignores {
	return r.ignores(ctx, inCommit{l, objects})
}

func (r *Repo) ignores(ctx context.Context, tree files, needs ...string) *Ignores {
	g := &Ignores{repo: r, ctx: ctx, tree: tree, rules: map[string][]Rule{}, above: map[string]Rule{".": {}}}
	g.own = sync.OnceValues(func() (*ownRules, error) { return r.ownRules(ctx, needs) })
	go g.own()
	return g
}

type onDisk string

func (top onDisk) lstat(name string) (os.FileInfo, error) {
	return os.Lstat(filepath.Join(string(top), filepath.FromSlash(name)))
}

// read takes a file that it may not read for none, as git does.
func (top onDisk) read(name string) ([]byte, error) {
	if info, err := top.lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	text, _ := readStart(filepath.Join(string(top), filepath.FromSlash(name)), maxIgnoreFile)
	return text, nil
}

func (top onDisk) isDir(name string) bool {
	info, err := top.lstat(name)
	return err == nil && info.IsDir()
}

func (top onDisk) isLink(name string) bool {
	info, err := top.lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

type inCommit struct {
	*Listing
	objects *Objects
}

// read follows no link, as git does not.
func (c inCommit) read(name string) ([]byte, error) {
	f, ok := c.Find(name)
	if !ok || !strings.HasPrefix(f.Mode, "100") {
		return nil, nil
	}
	o, err := c.objects.Read(f.ID, maxIgnoreFile)
	switch {
	case errors.Is(err, ErrMissing):
		return nil, fault.Newf(fault.Source, "read %s: its bytes are not in this clone: fetch them", f.Path)
	case err == nil && o.Data == nil:
		return nil, fault.Newf(fault.Limit, "read %s: it has %d bytes, expected %d at most", f.Path, o.Size, maxIgnoreFile)
	}
	return o.Data, err
}

func (c inCommit) isDir(name string) bool {
	from, to := c.Within(name)
	return from < to
}

func (c inCommit) isLink(name string) bool {
	f, ok := c.Find(name)
	return ok && f.Mode == "120000"
}

// ownRules reads the file that the user's configuration names and info/exclude, which comes before it.
func (r *Repo) ownRules(ctx context.Context, needs []string) (*ownRules, error) {
	out, _, err := r.run(ctx, append([]string{"rev-parse", "--git-path", "info/exclude"}, needs...)...)
	if err != nil {
		return nil, err
	}
	exclude, _, _ := strings.Cut(out, "\n")
	out, status, err := r.run(ctx, "config", "--type=path", "-z", "--get-regexp", `^core\.(excludesfile|ignorecase)$`)
	if err != nil && status != 1 {
		return nil, err
	}
	own := &ownRules{}
	s := Settings{Environ: r.environ}
	named := filepath.Join(cmp.Or(s.get("XDG_CONFIG_HOME"), filepath.Join(s.get("HOME"), ".config")), "git", "ignore")
	for entry := range strings.SplitSeq(out, "\x00") {
		switch key, value, set := strings.Cut(entry, "\n"); key {
		case "core.excludesfile":
			named = value
		case "core.ignorecase":
			own.fold = !set || slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
		}
	}
	for _, name := range []string{named, exclude} {
		if full := absolute(r.Top, name); name != "" && filepath.IsAbs(full) {
			if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
				text, _ := readStart(full, maxIgnoreFile)
				own.rules = append(own.rules, parseRules(name, ".", text)...)
			}
		}
	}
	return own, nil
}

// Tracked sets what git tracks, for a caller that has listed it already. Call it before Ask.
func (g *Ignores) Tracked(l *Listing) { g.tracked = l }

// Broken returns the error that Ask returns from now on, nil if there is none.
func (g *Ignores) Broken() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.broken
}

// Ask returns for each path, slash-separated below the top, whether git ignores it. What is behind a link or in a submodule is
// not. An error is final.
func (g *Ignores) Ask(paths []string) ([]bool, error) {
	rules, err := g.Covered(paths)
	g.mu.Lock()
	defer g.mu.Unlock()
	answers := make([]bool, len(rules))
	for i, r := range rules {
		if answers[i] = r.Ignores(); err == nil && answers[i] {
			if g.tracked == nil {
				g.tracked, err = g.repo.Index(g.ctx)
			}
			answers[i] = err == nil && !g.tracked.Holds(paths[i])
		}
	}
	if g.broken = cmp.Or(g.broken, err); g.broken != nil {
		return nil, g.broken
	}
	return answers, nil
}

// Covered returns for each path the rule about it, tracked or not: what is written there tomorrow is ignored.
func (g *Ignores) Covered(paths []string) ([]Rule, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ctx.Err() != nil {
		return nil, g.repo.failed("config", g.ctx.Err(), &tail{})
	}
	list := make([]Rule, len(paths))
	for i, p := range paths {
		rule, err := g.rule(p)
		if err != nil {
			return nil, err
		}
		list[i] = rule
	}
	return list, nil
}

// rule returns the rule about a path: that of a directory above it which is ignored, or else its own.
func (g *Ignores) rule(name string) (Rule, error) {
	rule, err := g.ignored(path.Dir(name))
	if err != nil || rule.Ignores() {
		return rule, err
	}
	if rule, err = g.last(name, func() bool { return g.tree.isDir(name) }); !rule.Ignores() {
		return rule, err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if g.tree.isLink(dir) {
			return Rule{}, err
		}
	}
	return rule, err
}

// ignored returns the rule for which a directory is ignored.
func (g *Ignores) ignored(dir string) (Rule, error) {
	if rule, known := g.above[dir]; known {
		return rule, nil
	}
	rule, err := g.ignored(path.Dir(dir))
	if err == nil && !rule.Ignores() {
		rule, err = g.last(dir, func() bool { return !g.tree.isLink(dir) })
	}
	if !rule.Ignores() {
		rule = Rule{}
	}
	g.above[dir] = rule
	return rule, err
}

// last returns the last rule that matches a path, of the nearest file that has any.
func (g *Ignores) last(name string, isDir func() bool) (Rule, error) {
	own, err := g.own()
	if err != nil {
		return Rule{}, err
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		list, err := g.in(dir)
		if err != nil {
			return Rule{}, err
		}
		if rule := lastOf(list, name, own.fold, isDir); rule.Pattern != "" || dir == "." {
			if rule.Pattern == "" {
				rule = lastOf(own.rules, name, own.fold, isDir)
			}
			return rule, nil
		}
	}
}

// in returns the rules of the ignore file in a directory.
func (g *Ignores) in(dir string) ([]Rule, error) {
	list, known := g.rules[dir]
	if !known {
		name := path.Join(dir, ignoreFile)
		text, err := g.tree.read(name)
		if err != nil {
			return nil, err
		}
		list = parseRules(name, dir, text)
		g.rules[dir] = list
	}
	return list, nil
}

// Rules returns every rule of the ignore files that a commit holds, and those outside of it. It is for finding out what is meant
// to be ignored; which of them count where is for Covered to say.
func (g *Ignores) Rules() (list []Rule, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	own, err := g.own()
	c, ok := g.tree.(inCommit)
	if err != nil || !ok {
		return nil, err
	}
	for _, f := range c.Files {
		if path.Base(f.Path) == ignoreFile {
			some, err := g.in(path.Dir(f.Path))
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
		}
	}
	return append(list, own.rules...), nil
}
