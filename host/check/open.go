package check

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// A Checker has opened what is checked and what it is compared with, and has workers ready. Close it.
type Checker struct {
	Options   Options
	Workspace *source.Workspace
	Disk      *tree.Worktree // files of the working tree, whatever is checked; nil in a git directory
	Plugins   Plugins

	source   source.Source
	bases    *bases
	examiner *examiner
	failures []result.Failure // of plugins that do not take part
	memory   *tree.Memory     // of the working tree; nil for none
	cancel   func()           // ends what git is still asked
}

// Open opens what is checked and what it is compared with.
func Open(ctx context.Context, o Options) (*Checker, error) {
	c := &Checker{Options: o, cancel: func() {}}
	var err error
	var refused []result.Failure
	if c.Plugins, refused, err = activate(&o); err != nil {
		return nil, err
	}
	c.failures = append(append(c.failures, o.Failures...), refused...)
	if c.Workspace, err = o.workspace(ctx); err != nil {
		return nil, err
	}
	ctx, c.cancel = context.WithCancel(ctx)
	if err := c.open(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// open has git asked for all that it will be asked for as early as can be: it answers while others are at work.
func (c *Checker) open(ctx context.Context) (err error) {
	o := c.Options.source()
	o.Recall = c.recalls
	src, err := c.Workspace.Open(ctx, o)
	if err != nil {
		return err
	}
	c.source = src
	pool, err := worker.NewPool(c.Options.Workers())
	if err != nil {
		return err
	}
	c.examiner = newExaminer(&c.Options, c.Workspace, pool, c.Plugins)
	if c.Disk, err = c.Workspace.Disk(); err != nil {
		return err
	}
	if c.bases, err = openBases(ctx, c.source, &c.Options); err != nil {
		return err
	}
	files, err := c.source.Tree()
	if err != nil {
		return err
	}
	c.openVerdicts()
	return c.refuseMissingPaths(files)
}

// openVerdicts opens the verdicts of earlier checks. Where there is no place for them, everything is examined anew; the
// worker says why when it finds no place for compiled plugins either.
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

// maxReread is how many state directories are read when it turns out that their verdicts are not known; later ones are
// at once.
const maxReread = 16

// recalls reports whether digests do for now. What is compared is compared byte for byte.
func (c *Checker) recalls() bool {
	return c.bases != nil && len(c.bases.list) == 0 && c.examiner.misses.Load() < maxReread
}

// refuseMissingPaths refuses a PATH that is neither in the tree that is checked nor on disk.
func (c *Checker) refuseMissingPaths(files tree.Tree) error {
	if c.Options.Source == wire.Worktree {
		return nil
	}
	for _, p := range c.Workspace.Only {
		if _, err := files.Stat(p); err == nil {
			continue
		}
		if c.Disk == nil {
			return fault.Usagef("path %q is not in the %s: name a file or directory that is", p, c.Options.Source)
		}
		if _, err := c.Disk.Stat(p); err != nil {
			return fault.Usagef("path %q is neither in the %s nor in the work tree: name a file or directory that is",
				p, c.Options.Source)
		}
	}
	return nil
}

// Close ends the workers and what git is still asked.
func (c *Checker) Close() { c.close(false) }

// close also keeps what was seen of the working tree, as a whole or not. If verdicts cannot be written, the next check
// examines again, which is no failure.
func (c *Checker) close(whole bool) {
	defer c.cancel()
	if c.examiner != nil {
		c.examiner.pool.Close()
		if v := c.examiner.verdicts; v != nil {
			if c.memory != nil {
				v.KeepSeen(c.memory.Encode(whole))
			}
			_ = v.Close()
		}
	}
	if c.source != nil {
		c.source.Close()
	}
}

// partial reports whether there may be state directories that are not checked.
func (c *Checker) partial() bool { return c.Options.Changed || !c.Workspace.IsWhole() }

// shell is the one in which the commands are typed that the findings print.
func (c *Checker) shell() advice.Shell { return advice.In(c.Options.Dir, c.Workspace.Path) }

// Journal returns the directory of the journals of a workspace: git's own one for its working tree, or one below
// Options.StateDir that is named by the workspace; "" if there is neither.
func (c *Checker) Journal() string {
	switch dir := c.Workspace.GitDir(); {
	case dir != "":
		return filepath.Join(dir, "stategate")
	case c.Options.StateDir == "":
		return ""
	}
	return filepath.Join(c.Options.StateDir, result.ID(c.Workspace.Path))
}

// worktree returns a checker of the whole working tree, compared with the same bases by the same workers. It keeps no
// verdicts. Close its source.
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
	w.source, w.examiner = disk, newExaminer(&w.Options, w.Workspace, c.examiner.pool, c.Plugins)
	return &w, nil
}
