// Package check is one run of the gate: it finds the state directories of every plugin, has each examined in a
// worker and gathers what was found.
package check

import (
	"context"
	"slices"
	"time"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Options say what to look at and how.
type Options struct {
	Dir      string           // absolute: where relative paths begin
	Environ  []string         // of the calling process, for git
	Paths    []string         // restrict what is looked at; none means Dir
	Plugins  []*plugin.Plugin // in any order, no two of one name
	Failures []result.Failure // plugins that could not be read, to be reported with the rest
	Exclude  []string         // globs of directories that the walk prunes
	Policy   policy.Policy    // which findings count

	PluginOptions map[string]PluginOptions // by name of the plugin

	Source wire.Source // the work tree, the index (and what git ignores in the work tree), or a commit
	Rev    string      // the commit, if that is the source

	// Bases are revisions that transition rules compare with: a finding stands if it stands against every one. REV^@ is
	// every parent of REV, REV... the point where REV and what is checked parted. Predecessors adds what the source comes from: HEAD, and what is
	// being merged into it; of a commit its parents. Before the first commit there is none.
	Bases        []string
	Predecessors bool

	// Last compares instances of which no base has anything to say, because git ignores them, or because there is no
	// base, with the state when the gate was last open, and gives Result.Seen.
	Last bool

	Changed bool // look only at instances whose documents differ from those of every base

	Now      time.Time // the time of this look
	Jobs     int       // workers at most; 0 means the number of processors
	Limits   limits.Limits
	CacheDir string                // absolute: of compiled plugins and verdicts, "" for none
	ReadOnly bool                  // the cache is read and never written
	StateDir string                // absolute: of the journals of changes outside a repository, "" for none
	Index    *Index                // asked about already, for one look; nil if not
	Version  string                // tells this build of the host from any other; "" keeps no verdicts
	Worker   []string              // the command line of a worker process; nil is this binary
	Progress func(done, total int) // called as instances are finished, one call at a time; may be nil
	Reading  func(dir string)      // called before a directory is read, with its absolute path, some more than once, concurrently; may be nil
}

// Workers configures the workers of a check.
func (o *Options) Workers() worker.Config {
	return worker.Config{Command: o.Worker, Jobs: o.Jobs, Limits: o.Limits, CacheDir: o.CacheDir, ReadOnly: o.ReadOnly}
}

// Check looks:
//
//  1. locate the anchor and resolve the base revision,
//  2. find the instances of all plugins in one walk,
//  3. read each and have it examined, several at a time,
//  4. gather findings and failures in a fixed order.
//
// A *UsageError says that the call was wrong. Everything that could not be
// looked at is in Result.Failures.
func Check(ctx context.Context, o Options) (*result.Result, error) {
	l, err := NewSession(ctx, o)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	found, err := l.find(ctx)
	if err != nil {
		return nil, err
	}
	l.report(found)
	if err := l.obstructed(ctx, found); err != nil {
		return nil, err
	}
	l.interrupted()
	l.notApplicable(ctx)
	l.nothingAt(found)
	if err := l.follow(ctx, found); err != nil {
		return nil, err
	}
	if err := l.examine(ctx, slices.Concat(found.Instances, sortedInstances(l.gone), sortedInstances(l.unseen))); err != nil {
		return nil, err
	}
	l.elsewhere(ctx)
	return l.finish(), ctx.Err()
}
