// Package ignore decides which paths git ignores.
package ignore

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

const fileName = ".gitignore"

// maxFile is the maximum size in bytes of an ignore file that is read.
const maxFile = 1 << 20

// Rules are the rules in a tree's ".gitignore" files and the user's own rules. They are safe for concurrent use.
type Rules struct {
	repo *git.Repo
	ctx  context.Context
	tree tree.Tree
	own  func() (*ownRules, error)

	mu      sync.Mutex
	lists   map[string][][]Rule // by directory: the files whose rules apply in it, the nearest last
	above   map[string]Rule     // by directory: the rule that ignores it with everything in it
	tracked *git.Listing        // nil until it is needed
	broken  error               // git cannot be asked
}

// ownRules holds the rules that are outside the tree.
type ownRules struct {
	rules []Rule
	fold  bool // names are compared without regard to case
}

// New returns the rules of a tree's files and the user's own, in git's order of precedence. Git processes that read
// the user's own rules end with ctx.
func New(ctx context.Context, repo *git.Repo, t tree.Tree) *Rules {
	r := newRules(ctx, repo, t)
	r.own = sync.OnceValues(func() (*ownRules, error) {
		sources, fold, err := repo.IgnoreSources(ctx, tree.OnDisk(t) != nil)
		own := &ownRules{fold: fold}
		for _, s := range sources {
			own.rules = append(own.rules, parse(s.Name, ".", s.Text)...)
		}
		return own, err
	})
	go r.own()
	return r
}

func newRules(ctx context.Context, repo *git.Repo, t tree.Tree) *Rules {
	return &Rules{repo: repo, ctx: ctx, tree: t, lists: map[string][][]Rule{},
		above: map[string]Rule{".": {}}}
}

// InTree returns only the rules of a tree's files, which are the same in every clone. repo is nil outside a
// repository. For a commit or the index, it assumes that git does not track the paths in question.
func InTree(ctx context.Context, repo *git.Repo, t tree.Tree) *Rules {
	r := newRules(ctx, repo, t)
	r.own = func() (*ownRules, error) { return &ownRules{}, nil }
	if tree.OnDisk(t) == nil || repo == nil {
		r.tracked = &git.Listing{}
	}
	return r
}

// Tracked sets the files that git tracks, for a caller that has already listed them. It must be called before
// Ask.
func (r *Rules) Tracked(l *git.Listing) { r.tracked = l }

// Broken returns the error that Ask returns from now on, or nil if there is none.
func (r *Rules) Broken() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.broken
}

// Ask implements tree.Ignorer. Tracked files are never ignored; the index is listed if a rule matches a path. Paths
// behind a link or in a submodule are not ignored either. After an error, every later call returns it again.
func (r *Rules) Ask(paths []string) ([]bool, error) {
	rules, err := r.Covered(paths)
	r.mu.Lock()
	defer r.mu.Unlock()
	answers := make([]bool, len(rules))
	for i, rule := range rules {
		if answers[i] = rule.Ignores(); err == nil && answers[i] {
			if r.tracked == nil {
				r.tracked, err = r.repo.Index(r.ctx)
			}
			answers[i] = err == nil && !r.tracked.Holds(paths[i])
		}
	}
	if r.broken = cmp.Or(r.broken, err); r.broken != nil {
		return nil, r.broken
	}
	return answers, nil
}

// Covered returns the rule that applies to each path, slash-separated and relative to the top, whether or not the
// path is tracked. The rule decides whether a new file at that path would be ignored.
func (r *Rules) Covered(paths []string) ([]Rule, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.ctx.Err(); err != nil {
		return nil, fault.Newf(fault.Cancelled, "read the ignore rules: %v", err)
	}
	list := make([]Rule, len(paths))
	for i, p := range paths {
		rule, err := r.about(p)
		if err != nil {
			return nil, err
		}
		list[i] = rule
	}
	return list, nil
}

// about returns the rule that applies to a path: the rule that ignores a directory above it, or else its
// own rule.
func (r *Rules) about(name string) (Rule, error) {
	rule, err := r.ignored(path.Dir(name))
	if err != nil || rule.Ignores() {
		return rule, err
	}
	e, failed := tree.Entry{}, error(nil)
	stat := sync.OnceFunc(func() { e, failed = r.tree.Stat(name) })
	rule, err = r.last(name, func() bool { stat(); return e.Walkable() })
	if rule.Ignores() {
		if stat(); errors.Is(failed, tree.ErrNotDirectory) {
			rule = Rule{} // behind a link
		}
	}
	return rule, err
}

func (r *Rules) ignored(dir string) (Rule, error) {
	if rule, known := r.above[dir]; known {
		return rule, nil
	}
	rule, err := r.ignored(path.Dir(dir))
	if err == nil && !rule.Ignores() {
		rule, err = r.last(dir, func() bool {
			e, err := r.tree.Stat(dir)
			return err != nil || e.Kind != snapshot.Symlink
		})
	}
	if !rule.Ignores() {
		rule = Rule{}
	}
	r.above[dir] = rule
	return rule, err
}

// last returns the last matching rule from the nearest file that has one.
func (r *Rules) last(name string, isDir func() bool) (Rule, error) {
	files, err := r.in(path.Dir(name))
	if err != nil || len(files) == 0 {
		return Rule{}, err
	}
	own, err := r.own()
	if err != nil {
		return Rule{}, err
	}
	for _, list := range slices.Backward(files) {
		if rule := lastOf(list, name, own.fold, isDir); rule.Pattern != "" {
			return rule, nil
		}
	}
	return Rule{}, nil
}

// in returns the rule files that apply in a directory: the user's own, and the ignore files in it and above it.
func (r *Rules) in(dir string) (files [][]Rule, err error) {
	if files, known := r.lists[dir]; known {
		return files, nil
	}
	var list []Rule
	if dir != "." {
		files, err = r.in(path.Dir(dir))
	} else if own, failed := r.own(); failed != nil {
		err = failed
	} else if len(own.rules) > 0 {
		files = [][]Rule{own.rules}
	}
	if err == nil {
		list, err = r.read(dir)
	}
	if err != nil {
		return nil, err
	}
	if len(list) > 0 {
		files = append(slices.Clip(files), list)
	}
	r.lists[dir] = files
	return files, nil
}

// read returns the rules of a directory's ignore file. Like git, it ignores a file that it may not read, and does not
// follow a link.
func (r *Rules) read(dir string) (list []Rule, err error) {
	name := path.Join(dir, fileName)
	e, err := r.tree.Stat(name)
	if err == nil && e.Kind == snapshot.Regular {
		var c tree.Content
		c, err = r.tree.Read(name, e, maxFile)
		switch {
		case errors.Is(err, tree.ErrNotFetched):
			return nil, tree.Failure(name, err)
		case err == nil && c.Data == nil:
			return nil, fault.Newf(fault.Limit, "read %s: it has %d bytes, expected at most %d", name, c.Size, maxFile)
		}
		list = parse(name, dir, c.Data)
	}
	var f *fault.Failure
	if errors.As(err, &f) {
		return nil, err
	}
	return list, nil
}

// All returns every rule in a commit's ignore files, and the user's own rules. They show what is meant to be ignored;
// Covered decides which rule applies to a path.
func (r *Rules) All() (list []Rule, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	own, err := r.own()
	commit, ok := r.tree.(*tree.Listed)
	if err != nil || !ok {
		return nil, err
	}
	for _, f := range commit.Files {
		if path.Base(f.Path) == fileName {
			some, err := r.read(path.Dir(f.Path))
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
		}
	}
	return append(list, own.rules...), nil
}
