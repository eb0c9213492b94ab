// Package check is one run of the gate: it finds the state directories of every plugin, has each examined in a
// worker and gathers what was found.
package check

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/wire"
)

// Options say what to check and how.
type Options struct {
	Dir       string           // absolute: where relative paths begin
	Environ   []string         // of the calling process, for git
	Paths     []string         // restrict what is checked; none means Dir
	Workspace *Workspace       // that Locate found for the three above; nil: Check locates it
	Plugins   []*plugin.Plugin // in any order, no two of one name
	Failures  []result.Failure // plugins that could not be read, to be reported with the rest
	Exclude   []string         // globs of directories that the walk prunes
	Policy    policy.Policy    // which findings count

	PluginOptions map[string]PluginOptions // by name of the plugin
	RefusePaths   []string                 // plugins that may not learn which paths the workspace has
	// texts of files of the work tree that an editor holds and has not saved, by absolute path
	Unsaved map[string]string

	Source wire.Source // the work tree, the index (and what git ignores in the work tree), or a commit
	Rev    string      // the commit, if that is the source
	Merge  string      // check what merging this commit into Rev would give, and report what git cannot merge

	// Bases are revisions that transition rules compare with: a finding stands if it stands against every one. REV^@ is
	// every parent of REV, REV... the merge base of REV and what is checked. Predecessors adds what the source comes
	// from: HEAD, and what is being merged into it; of a commit its parents. Before the first commit there is none.
	Bases        []string
	Predecessors bool

	Changed bool // check only state directories whose documents differ from those of every base

	NoResume bool // State and Resume of detections are not shown; what is shown alike shares verdicts

	Now      time.Time // the time of this check
	Jobs     int       // workers at most; 0 is what worker.Jobs returns
	Limits   limits.Limits
	Patience time.Duration // how long a check may take as a whole; 0 is ten minutes
	CacheDir string        // absolute: of compiled plugins and verdicts, "" for none
	ReadOnly bool          // the cache is read and never written
	System   string        // absolute: of plugins that an administrator compiled, "" for none
	// directories and documents that are as an earlier check saw them are not read, see tree.Memory
	Recall   bool
	StateDir string                // absolute: of the journals of changes outside a repository, "" for none
	Version  string                // tells this build of the host from any other; "" keeps no verdicts
	Worker   []string              // the command line of a worker process; nil is this binary
	Reserve  *worker.Reserve       // workers that were started before; nil for none
	Progress func(done, total int) // called as state directories are finished, one call at a time; may be nil
}

// Workers configures the workers of a check.
func (o *Options) Workers() worker.Config {
	return worker.Config{Command: o.Worker, Jobs: o.Jobs, Limits: o.Limits, CacheDir: o.CacheDir, ReadOnly: o.ReadOnly,
		System: o.System, Reserve: o.Reserve}
}

func (o *Options) workspace(ctx context.Context) (*Workspace, error) {
	if o.Workspace != nil {
		return o.Workspace, nil
	}
	return Locate(ctx, *o, o.Plugins)
}

// patience is how long a check may take as a whole, whatever its plugins may each.
const patience = 10 * time.Minute

// Check checks once:
//
//  1. open what is checked and what it is compared with,
//  2. find the state directories of all plugins in one walk, and those that are lost,
//  3. read each and have it examined, several at a time,
//  4. gather findings and failures in a fixed order.
//
// A *fault.UsageError says that the call was wrong. Everything that could not be checked is in Result.Failures.
func Check(ctx context.Context, o Options) (*result.Result, error) {
	most := cmp.Or(o.Patience, patience)
	ctx, end := context.WithTimeoutCause(ctx, most,
		fault.Newf(fault.Timeout, "the check took longer than %v: check some PATHs at a time, or exclude "+
			"directories in the configuration", most))
	defer end()
	s, err := NewSession(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.find(ctx); err != nil {
		return nil, err
	}
	if err := s.obstructed(ctx); err != nil {
		return nil, err
	}
	s.interrupted()
	s.notApplicable(ctx)
	s.nothingAt()
	if err := s.findLost(ctx); err != nil {
		return nil, err
	}
	if err := s.examine(ctx, slices.Concat(s.found.Instances, sorted(maps.Keys(s.lost)))); err != nil {
		return nil, err
	}
	s.remediesOfIndex(ctx)
	s.unlooked()
	return s.finish(), context.Cause(ctx)
}

// Roots finds what Check would examine, sorted by path and plugin, and asks no plugin. The workspace is an absolute
// path. Errors are those of Check.
func Roots(ctx context.Context, o Options) (workspace string, roots []discover.Instance, err error) {
	s, err := NewSession(ctx, o)
	if err != nil {
		return "", nil, err
	}
	defer s.Close()
	if err := s.find(ctx); err != nil {
		return "", nil, err
	}
	return s.Workspace.Path, s.found.Instances, nil
}
