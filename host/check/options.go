package check

import (
	"cmp"
	"context"
	"time"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// Options configure a check.
type Options struct {
	Subject
	Rules
	Report
	Resources

	Now time.Time // the time of this check
}

// Subject says what is checked, and what it is compared with.
type Subject struct {
	Dir       string            // absolute; relative paths are resolved against it
	Environ   []string          // the calling process's environment, for git
	Home      string            // the user's home directory, which is not searched as a whole; "" if unknown
	Paths     []string          // restrict what is checked; empty means Dir
	Workspace *source.Workspace // found by Locate from the fields above; if nil, Check locates it
	// the unsaved contents of working-tree files that are open in an editor, by absolute path
	Unsaved map[string]string

	Source wire.Source // the working tree, the index (and what git ignores in the working tree), or a commit
	Rev    string      // the commit, if Source is a commit
	Merge  string      // check the result of merging this commit into Rev, and report what git cannot merge

	// Compare chooses what transition rules compare with. A finding is reported if it exists in every comparison.
	source.Compare
}

// Rules say which plugins judge the state, and which of their findings count.
type Rules struct {
	Plugins  []*plugin.Plugin // in any order, with unique names
	Failures []result.Failure // plugins that could not be read; they are reported with the other failures
	Exclude  []string         // globs of directories that the walk skips
	Policy   policy.Policy    // decides which findings count
	Own      []string         // stategate's own files and directories; if one of them changes, everything is reported

	PluginOptions map[string]PluginOptions // by plugin name
	RefusePaths   []string                 // plugins that must not learn which paths the workspace has
}

// Report says which findings and details the result has.
type Report struct {
	Changed bool // report only what the change touches and what no base has; needs a base
	// FailOn is a severity. Before the check drops an out-of-scope finding of this severity or worse, it looks
	// the finding up in the bases.
	FailOn   wire.Severity
	FindAll  bool // check all state directories even if the change touches no state
	Patient  bool // someone waits for remedies, so trying them may take longer
	NoResume bool // omit State and Resume from detections; only checks that agree on this share verdicts
}

// Resources say what the check may use, and who follows its work.
type Resources struct {
	Jobs     int // maximum number of workers; 0 means worker.Jobs()
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
func (r *Resources) Workers() worker.Config {
	return worker.Config{Command: r.Worker, Jobs: cmp.Or(max(r.Jobs, 0), worker.Jobs()), Limits: r.Limits,
		CacheDir: r.CacheDir, ReadOnly: r.ReadOnly, Reserve: r.Reserve}
}

func (o *Options) source() source.Options {
	return source.Options{Source: o.Source, Rev: o.Rev, Merge: o.Merge, Policy: o.Policy.ID,
		Limits: statefiles.DefaultLimits(o.Limits)}
}

// Locate finds the workspace of a call. Outside a repository, the plugins' roots determine its top directory.
func Locate(s Subject, plugins []*plugin.Plugin) (*source.Workspace, error) {
	return source.Locate(source.Call{Dir: s.Dir, Environ: s.Environ, Paths: s.Paths, Plugins: rootsOf(plugins),
		Unsaved: s.Unsaved, Source: s.Source})
}

func (o *Options) workspace() (*source.Workspace, error) {
	if o.Workspace != nil {
		return o.Workspace, nil
	}
	return Locate(o.Subject, o.Plugins)
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
