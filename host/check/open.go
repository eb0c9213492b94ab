package check

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// A Checker is an opened check: the source, the bases and the workers are ready. Close it after use.
type Checker struct {
	Options   Options
	Workspace *source.Workspace
	Disk      *tree.Worktree // the working tree's files, whatever is checked; nil in a git directory
	Plugins   Plugins

	*reader
	scope    *scope
	change   *change
	examiner *examiner
	merges   *merges
	copies   *copies
	losses   *losses
	failures []result.Failure // of plugins that do not take part
	memory   *tree.Memory     // of the working tree; nil if there is none
	closers  []func()         // in the order of opening
}

// Open opens what is checked and what it is compared with.
func Open(ctx context.Context, o Options) (*Checker, error) {
	c := &Checker{Options: o}
	var err error
	var refused []result.Failure
	if c.Plugins, refused, err = activate(&o); err != nil {
		return nil, err
	}
	c.failures = append(append(c.failures, o.Failures...), refused...)
	if c.Workspace, err = o.workspace(); err != nil {
		return nil, err
	}
	if err := refuseEverything(c.Workspace, &o.Subject); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx) // ends the git processes that are still running
	c.closers = append(c.closers, cancel)
	if err := c.open(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// refuseEverything refuses to search the whole file system or the user's whole home directory, which would take
// minutes, unless it is a repository.
func refuseEverything(w *source.Workspace, s *Subject) error {
	name := ""
	switch {
	case w.Repo != nil || s.Source != wire.Worktree || !slices.Contains(w.Only, "."):
		return nil
	case filepath.Dir(w.Path) == w.Path:
		name = "the root of the file system"
	case s.Home != "" && w.Path == git.Resolved(s.Home):
		name = "the home directory"
	default:
		return nil
	}
	return fault.Usagef("%s is %s, not a repository; change to the directory of a project, or pass it as PATH", w.Path,
		name)
}

// open starts all git queries as early as possible, so that git answers them while the rest is being opened.
func (c *Checker) open(ctx context.Context) (err error) {
	o := c.Options.source()
	o.Recall = func() bool { return c.bases.recallable() && c.examiner.misses.Load() < maxReread }
	src, err := c.Workspace.Open(ctx, o)
	if err != nil {
		return err
	}
	c.closers = append(c.closers, src.Close)
	pool, err := worker.NewPool(c.Options.Workers())
	if err != nil {
		return err
	}
	c.closers = append(c.closers, pool.Close)
	if c.Disk, err = c.Workspace.Disk(); err != nil {
		return err
	}
	b, err := openBases(ctx, src, c.Options.Compare)
	if err != nil {
		return err
	}
	c.connect(src, b, pool)
	files, err := src.Tree()
	if err != nil {
		return err
	}
	c.openVerdicts()
	return refuseMissingPaths(c.Workspace.Only, c.Options.Source, files, c.Disk)
}

// connect creates the pipeline's stages.
func (c *Checker) connect(src source.Source, b *bases, pool *worker.Pool) {
	c.reader = &reader{src, b, c.Plugins}
	c.scope = &scope{Workspace: c.Workspace, dir: c.Options.Dir, named: len(c.Options.Paths) > 0,
		exclude: c.Options.Exclude, changed: c.Options.Changed, plugins: c.Plugins}
	c.examiner = newExaminer(&c.Options, c.scope, src, pool)
	c.change = &change{c.reader, c.scope, c.examiner, c.Options.Own, c.Options.FindAll, c.Options.FailOn}
	c.merges = &merges{b, c.examiner, c.scope}
	c.copies = &copies{c.reader, c.examiner, c.scope}
	c.losses = &losses{c.reader, c.examiner, c.merges,
		restorer{advice.In(c.Options.Dir, c.Workspace.Path), c.Options.Source, c.Disk}}
}

// maxReread is the number of missing verdicts after which documents are read right away instead of on demand.
const maxReread = 16

// openVerdicts opens the verdicts of earlier checks. Without a cache directory, everything is examined again. If
// the worker also cannot cache compiled plugins, it reports why.
func (c *Checker) openVerdicts() {
	o := &c.Options
	if o.CacheDir == "" || o.Version == "" {
		return
	}
	v, err := cache.OpenVerdicts(o.CacheDir, cache.WorkspaceName(c.Workspace.Path), o.ReadOnly)
	if err != nil {
		return
	}
	c.examiner.verdicts = v
	if c.Disk != nil && o.Recall {
		c.memory = c.Disk.Recall(v.Seen(), time.Now())
	}
}

// refuseMissingPaths rejects a PATH that is neither in the checked tree nor on disk.
func refuseMissingPaths(only []string, kind wire.Source, files tree.Tree, disk *tree.Worktree) error {
	if kind == wire.Worktree {
		return nil
	}
	for _, p := range only {
		if _, err := files.Stat(p); err == nil {
			continue
		}
		if disk == nil {
			return fault.Usagef("path %q is not in the %s; use a file or directory that is", p, kind)
		}
		if _, err := disk.Stat(p); err != nil {
			return fault.Usagef("path %q is neither in the %s nor in the working tree", p, kind)
		}
	}
	return nil
}

// Close ends the workers and the git processes that are still running.
func (c *Checker) Close() { c.close(false) }

// close also saves the statuses and digests that the check saw in the working tree; whole reports whether it saw
// everything. Failing to write verdicts is not an error, because the next check examines everything again.
func (c *Checker) close(whole bool) {
	if c.examiner != nil && c.examiner.verdicts != nil {
		if c.memory != nil {
			c.examiner.verdicts.KeepSeen(c.memory.Encode(whole))
		}
		_ = c.examiner.verdicts.Close()
	}
	for _, end := range slices.Backward(c.closers) {
		end()
	}
}

// Journal returns the workspace's journal directory. It is inside git's directory for the working tree. Outside
// a repository, it is below Options.StateDir and named after the workspace. Journal returns "" if neither
// directory exists.
func (c *Checker) Journal() string {
	switch dir := c.Workspace.GitDir(); {
	case dir != "":
		return filepath.Join(dir, "stategate")
	case c.Options.StateDir == "":
		return ""
	}
	return filepath.Join(c.Options.StateDir, result.ID(c.Workspace.Path))
}

// worktree returns a checker for the whole working tree that uses the same bases and workers. It keeps no verdicts.
// The caller closes its source.
func (c *Checker) worktree(ctx context.Context) (*Checker, error) {
	if c.Disk == nil {
		return nil, errors.New("there is no working tree")
	}
	w := *c
	w.Options.Source, w.Options.Version, w.Options.Changed = wire.Worktree, "", false
	w.Workspace, w.memory = c.Workspace.Whole(), nil
	disk, err := w.Workspace.OpenWorktree(ctx, w.Options.source())
	if err != nil {
		return nil, err
	}
	w.connect(disk, c.bases, c.examiner.pool)
	return &w, nil
}
