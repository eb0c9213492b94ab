// Package check implements one check of the gate. It is a pipeline:
//
//	open     open the source, its bases, the plugins and the workers         open.go, plugins.go, compare.go
//	find     find all plugins' state directories in one walk, and lost ones  find.go, moved.go
//	read     read each one together with its earlier states                  run.go
//	examine  examine each one in a worker, or reuse an earlier verdict       examine.go, intersect.go, paths.go
//	gather   combine the replies and the host's findings into one result     gather.go, replies.go
//
// The host reports problems that no plugin can see itself. Each kind has its own file: lost.go, hidden.go,
// duplicate.go, merge.go and ignored.go.
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
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// Options configure a check.
type Options struct {
	Dir       string            // absolute; relative paths are resolved against it
	Environ   []string          // the calling process's environment, for git
	Home      string            // the user's home directory, which is not searched as a whole; "" if unknown
	Paths     []string          // restrict what is checked; empty means Dir
	Workspace *source.Workspace // found by Locate from the three fields above; if nil, Check locates it
	Plugins   []*plugin.Plugin  // in any order, with unique names
	Failures  []result.Failure  // plugins that could not be read; they are reported with the other failures
	Exclude   []string          // globs of directories that the walk skips
	Policy    policy.Policy     // decides which findings count

	PluginOptions map[string]PluginOptions // by plugin name
	RefusePaths   []string                 // plugins that must not learn which paths the workspace has
	// the unsaved contents of working-tree files that are open in an editor, by absolute path
	Unsaved map[string]string

	Source wire.Source // the working tree, the index (and what git ignores in the working tree), or a commit
	Rev    string      // the commit, if Source is a commit
	Merge  string      // check the result of merging this commit into Rev, and report what git cannot merge

	// Compare chooses what transition rules compare with. A finding is reported if it exists in every comparison.
	source.Compare

	Changed bool // report only what the change touches and what no base has; needs a base
	// FailOn is a severity. Before the check drops an out-of-scope finding of this severity or worse, it looks
	// the finding up in the bases.
	FailOn  wire.Severity
	FindAll bool     // check all state directories even if the change touches no state
	Own     []string // stategate's own files and directories; if one of them changes, everything is reported

	Patient  bool // someone waits for remedies, so trying them may take longer
	NoResume bool // omit State and Resume from detections; only checks that agree on this share verdicts

	Now      time.Time // the time of this check
	Jobs     int       // maximum number of workers; 0 means worker.Jobs()
	Limits   limits.Limits
	Patience time.Duration // limits the whole check; 0 means ten minutes
	CacheDir string        // absolute; holds compiled plugins and verdicts; "" if there is no cache
	ReadOnly bool          // read the cache, but never write it
	// skip directories and documents that have not changed since an earlier check read them; see tree.Memory
	Recall   bool
	StateDir string          // absolute; holds the journals of changes outside a repository; "" if there is none
	Version  string          // identifies this build of the host; "" keeps no verdicts
	Worker   []string        // the worker's command line; nil runs this binary
	Reserve  *worker.Reserve // workers that are already running; nil if there are none
	// Output receives what a plugin prints while it examines a state directory, one call at a time. It may be nil. If
	// it is set, the check ignores cached verdicts.
	Output   func(plugin, root, text string)
	Progress func(done, total int) // called after each state directory, one call at a time; may be nil
}

// Workers returns the check's worker configuration.
func (o *Options) Workers() worker.Config {
	return worker.Config{Command: o.Worker, Jobs: cmp.Or(max(o.Jobs, 0), worker.Jobs()), Limits: o.Limits,
		CacheDir: o.CacheDir, ReadOnly: o.ReadOnly, Reserve: o.Reserve}
}

func (o *Options) source() source.Options {
	return source.Options{Source: o.Source, Rev: o.Rev, Merge: o.Merge, Policy: o.Policy.ID,
		Limits: statefiles.DefaultLimits(o.Limits)}
}

// Locate finds the workspace of a call. Outside a repository, the plugins' roots determine its top directory.
func Locate(o Options, plugins []*plugin.Plugin) (*source.Workspace, error) {
	return source.Locate(source.Call{Dir: o.Dir, Environ: o.Environ, Paths: o.Paths, Plugins: rootsOf(plugins),
		Unsaved: o.Unsaved, Source: o.Source})
}

// OpenFiles opens a source to read single files: the revision that from names or, if from is "", the source that
// Check would check with the same options.
func OpenFiles(ctx context.Context, o Options, from string) (*source.Files, error) {
	w, err := o.workspace()
	if err != nil {
		return nil, err
	}
	return w.OpenFiles(ctx, o.source(), from)
}

func (o *Options) workspace() (*source.Workspace, error) {
	if o.Workspace != nil {
		return o.Workspace, nil
	}
	return Locate(*o, o.Plugins)
}

// patience is the maximum duration of a whole check, regardless of the time that each plugin may
// take.
const patience = 10 * time.Minute

// Check runs one check. A *fault.UsageError reports a usage error. Result.Failures lists everything that could not be
// checked.
func Check(ctx context.Context, o Options) (*result.Result, error) {
	most := cmp.Or(o.Patience, patience)
	ctx, end := context.WithTimeoutCause(ctx, most,
		fault.Newf(fault.Timeout, "the check took longer than %v; check some PATHs at a time, or exclude "+
			"directories in the configuration", most))
	defer end()
	c, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	r := c.newResult()
	defer func() { c.close(r.Whole) }()

	found, err := c.change.find(ctx)
	if err != nil {
		return nil, err
	}
	r.Changed = c.scope.changed
	if r.OwnChanged, err = c.change.differs(c.change.own); err != nil {
		return nil, err
	}
	if err := c.reportPlaces(ctx, found, r); err != nil {
		return nil, err
	}
	c.examiner.shareOut(found.Instances, c.Plugins, c.bases)
	lost, err := c.copies.findLost(ctx, found, r)
	if err != nil {
		return nil, err
	}
	if err := c.examiner.checkOptions(ctx, r); err != nil {
		return nil, err
	}
	runs := slices.Concat(found.Instances, sorted(maps.Keys(lost)))
	outcomes := c.examineAll(runs, func(i discover.Instance) Outcome {
		if was := lost[i]; was != nil {
			return c.losses.lostRun(ctx, found, i, was)
		}
		return c.Examine(ctx, i)
	})
	gather(r, outcomes)
	reportTwinRoots(r, found, c.losses.restorer, c.bases)
	if err := c.copies.report(ctx, outcomes, r); err != nil {
		return nil, err
	}
	noteUnanswered(r, outcomes)
	c.finish(r)
	c.change.narrow(ctx, r, outcomes)
	countBrought(c, r, outcomes)
	if len(c.Options.Unsaved) == 0 { // an editor replaces all of a state directory's findings
		result.Restrict(r.Instances, c.scope.Only)
	}
	c.remediesElsewhere(ctx, r, outcomes)
	return r, context.Cause(ctx)
}

// Roots returns what Check would examine, sorted by path and plugin, without running any plugin. workspace is an
// absolute path. It fails like Check.
func Roots(ctx context.Context, o Options) (workspace string, roots []discover.Instance, err error) {
	c, err := Open(ctx, o)
	if err != nil {
		return "", nil, err
	}
	defer c.Close()
	found, err := c.change.find(ctx)
	if err != nil {
		return "", nil, err
	}
	return c.Workspace.Path, found.Instances, nil
}
