// Package check is one run of the gate. It is a pipeline:
//
//	open      the source, the bases that it is compared with, the plugins, the workers    open.go, plugins.go, compare.go
//	find      the state directories of all plugins in one walk, and those that are lost   find.go, moved.go
//	read      each of them, beside its earlier states                                     run.go
//	examine   each in a worker, or take the verdict of an earlier check                   examine.go, paths.go
//	gather    the replies and the findings of the host into one result                    gather.go, replies.go
//
// The host makes findings of its own where a plugin sees nothing: lost.go, hidden.go, duplicate.go, merge.go and
// ignored.go, one subject each.
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

// Options say what to check and how.
type Options struct {
	Dir       string            // absolute: where relative paths begin
	Environ   []string          // of the calling process, for git
	Paths     []string          // restrict what is checked; none means Dir
	Workspace *source.Workspace // that Locate found for the three above; nil: Check locates it
	Plugins   []*plugin.Plugin  // in any order, no two of one name
	Failures  []result.Failure  // plugins that could not be read, to be reported with the rest
	Exclude   []string          // globs of directories that the walk prunes
	Policy    policy.Policy     // which findings count

	PluginOptions map[string]PluginOptions // by name of the plugin
	RefusePaths   []string                 // plugins that may not learn which paths the workspace has
	// texts of files of the working tree that an editor holds and has not saved, by absolute path
	Unsaved map[string]string

	Source wire.Source // the working tree, the index (and what git ignores in the working tree), or a commit
	Rev    string      // the commit, if that is the source
	Merge  string      // check what merging this commit into Rev would give, and report what git cannot merge

	// Compare says what transition rules compare with: a finding stands if it stands against every base.
	source.Compare

	Changed bool // report only what the change touches, and what no base has; needs a base
	// FailOn is the severity from which a finding is looked up in the bases before it is passed over
	FailOn  wire.Severity
	FindAll bool     // check all state directories although the change touches no state
	Own     []string // files and directories of stategate itself: a change of one has everything reported

	NoResume bool // leave out State and Resume of detections; checks that show the same fields share verdicts

	Now      time.Time // the time of this check
	Jobs     int       // workers at most; 0 is what worker.Jobs returns
	Limits   limits.Limits
	Patience time.Duration // how long a check may take as a whole; 0 is ten minutes
	CacheDir string        // absolute: of compiled plugins and verdicts, "" for none
	ReadOnly bool          // the cache is read and never written
	System   string        // absolute: of plugins that an administrator compiled, "" for none
	// directories and documents that are as an earlier check saw them are not read, see tree.Memory
	Recall   bool
	StateDir string          // absolute: of the journals of changes outside a repository, "" for none
	Version  string          // tells this build of the host from any other; "" keeps no verdicts
	Worker   []string        // the command line of a worker process; nil is this binary
	Reserve  *worker.Reserve // workers that were started before; nil for none
	// called with what a plugin wrote while it examined a state directory, one call at a time. No verdict of an earlier
	// check is used then. It may be nil.
	Output   func(plugin, root, text string)
	Progress func(done, total int) // called as state directories are finished, one call at a time; may be nil
}

// Workers configures the workers of a check.
func (o *Options) Workers() worker.Config {
	return worker.Config{Command: o.Worker, Jobs: cmp.Or(max(o.Jobs, 0), worker.Jobs()), Limits: o.Limits,
		CacheDir: o.CacheDir, ReadOnly: o.ReadOnly, System: o.System, Reserve: o.Reserve}
}

// source is how what is checked is opened.
func (o *Options) source() source.Options {
	return source.Options{Source: o.Source, Rev: o.Rev, Merge: o.Merge, Policy: o.Policy.ID,
		Limits: statefiles.DefaultLimits(o.Limits), Predecessors: o.Predecessors}
}

// Locate finds the workspace of a call. Outside a repository, the roots of plugins tell where its top is.
func Locate(ctx context.Context, o Options, plugins []*plugin.Plugin) (*source.Workspace, error) {
	return source.Locate(ctx, source.Call{Dir: o.Dir, Environ: o.Environ, Paths: o.Paths, Plugins: rootsOf(plugins),
		Unsaved: o.Unsaved, Source: o.Source, Predecessors: o.Predecessors})
}

// OpenFiles reads single files of what Check checks with the same options, or of a revision if from is not "".
func OpenFiles(ctx context.Context, o Options, from string) (*source.Files, error) {
	w, err := o.workspace(ctx)
	if err != nil {
		return nil, err
	}
	return w.OpenFiles(ctx, o.source(), from)
}

func (o *Options) workspace(ctx context.Context) (*source.Workspace, error) {
	if o.Workspace != nil {
		return o.Workspace, nil
	}
	return Locate(ctx, *o, o.Plugins)
}

// patience is how long a check may take as a whole, whatever its plugins may each.
const patience = 10 * time.Minute

// Check checks once. A *fault.UsageError says that the call was wrong. Everything that could not be checked is in
// Result.Failures.
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
	reportTwinRoots(r, c.losses.restorer, c.bases)
	if err := c.copies.report(ctx, outcomes, r); err != nil {
		return nil, err
	}
	noteUnanswered(r, outcomes, c.examiner.paths)
	c.finish(r)
	c.change.narrow(ctx, r, outcomes)
	if len(c.Options.Unsaved) == 0 { // an editor replaces all findings of a state directory
		result.Restrict(r.Instances, c.scope.Only)
	}
	c.remediesElsewhere(ctx, r, outcomes)
	return r, context.Cause(ctx)
}

// Roots finds what Check would examine, sorted by path and plugin, and asks no plugin. The workspace is an absolute
// path. Errors are those of Check.
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
