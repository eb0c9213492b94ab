package check

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/presence"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Session is one run of Check.
type Session struct {
	Options   Options
	Workspace *Workspace
	Worktree  *tree.Worktree           // nil where there is none
	Plugins   map[string]*ActivePlugin // by name

	tree    tree.Tree     // what is checked
	rules   tree.Ignorer  // what is ignored in tree; nil if nothing is
	ignores *ignore.Rules // nil outside a repository
	objects *git.Objects  // nil if none are needed
	listing *git.Listing  // of the index or commit that is checked
	index   *indexAnswers // if that is checked
	merge   *git.Merge    // with Options.Merge: what is checked
	bases   []base        // earlier revisions
	// against the first base; nil if there is none, and for the work tree, of which git would read every file
	changes func() ([]git.Change, error)
	// against the second parent of a merge; nil where changes is, and for anything else
	mergedIn func() ([]git.Change, error)
	// of the bases, if they are the two parents of a merge; nil for anything else
	mergeBases func() ([]base, error)
	found      *discover.Found                        // by the walk
	moved      map[discover.Instance]string           // where it was in the bases
	lost       map[discover.Instance]*statefiles.Past // what is found no more, as it was
	cancel     func()                                 // ends what git is still asked
	collector  *statefiles.Collector
	pool       *worker.Pool
	presence   *presence.Witness            // of what is checked
	witnesses  map[string]*presence.Witness // of the bases, by commit
	witnessing sync.Mutex
	asking     func() asking   // which state directories may ask for paths
	partly     []*comparison   // of which some questions were not answered
	verdicts   *cache.Verdicts // nil if none are kept
	memory     *tree.Memory    // of the work tree; nil for none
	misses     atomic.Int32    // verdicts that were not known
	replies    atomic.Int64    // bytes of all replies
	result     *result.Result
}

// An ActivePlugin is one that takes part in a check.
type ActivePlugin struct {
	*plugin.Plugin
	specs *snapshot.Specs
	key   func() string // see pluginKey
}

// NewSession opens what is checked and what it is compared with. Close it.
func NewSession(ctx context.Context, o Options) (*Session, error) {
	if o.Jobs <= 0 {
		o.Jobs = worker.Jobs()
	}
	s := &Session{Options: o, Plugins: map[string]*ActivePlugin{}, witnesses: map[string]*presence.Witness{},
		result: &result.Result{Source: o.Source}}
	s.asking = sync.OnceValue(s.countAsking)
	s.result.Failures = append(s.result.Failures, o.Failures...)
	if err := s.enlist(); err != nil {
		return nil, err
	}
	var err error
	if s.Workspace, err = o.workspace(ctx); err != nil {
		return nil, err
	}
	if err := s.Workspace.refuseBare(o.Source); err != nil {
		return nil, err
	}
	s.result.Workspace = s.Workspace.Path
	ctx, s.cancel = context.WithCancel(ctx)
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// open opens what is checked, what it is compared with and what is known of it.
func (s *Session) open(ctx context.Context) (err error) {
	if s.pool, err = worker.NewPool(s.Options.Workers()); err != nil {
		return err
	}
	if !s.Workspace.Git {
		if s.Worktree, err = s.Workspace.disk(); err != nil {
			return err
		}
	}
	s.openIgnores(ctx)
	if err := s.openSource(ctx); err != nil {
		return err
	}
	s.openVerdicts()
	return s.refuseMissingPaths()
}

// enlist takes the plugins in, ordered by name.
func (s *Session) enlist() error {
	globs := 0
	for _, p := range s.Options.Plugins {
		if other := s.Plugins[p.Name]; other != nil {
			return fault.Usagef("two plugins are called %s: %s and %s; leave one out", p.Name, other.Origin, p.Origin)
		}
		specs, err := snapshot.CompileSpecs(p.Manifest.Documents)
		n := alternatives(p.Manifest, mostGlobs+1)
		if globs += n; err == nil && globs > mostGlobs {
			globs -= n
			err = fmt.Errorf("the globs of all plugins have more than %d alternatives; disable a plugin, or have it "+
				"use * where names are alike", mostGlobs)
		}
		if err != nil {
			s.fail(p.Name, "", fault.Newf(fault.ABI, "the manifest is refused: %v", err))
			continue
		}
		s.Plugins[p.Name] = &ActivePlugin{p, specs, sync.OnceValue(func() string { return s.pluginKey(p) })}
		s.result.Plugins = append(s.result.Plugins, p)
	}
	slices.SortFunc(s.result.Plugins, func(a, b *plugin.Plugin) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// mostGlobs bounds the globs of roots, markers and exceptions, braces written out: each name that the walk meets is
// held against them.
const mostGlobs = 2000

// alternatives counts the globs by which a plugin's state is found, up to about most.
func alternatives(m *wire.Manifest, most int) (n int) {
	for _, r := range m.Roots {
		n += len(glob.Alternatives(r.Dir))
		for _, g := range slices.Concat(r.Markers, r.Except) {
			if n += len(glob.Alternatives(g)); n >= most {
				return n
			}
		}
	}
	return n
}

// openIgnores opens the ignore rules of the work tree. Without git everything is walked.
func (s *Session) openIgnores(ctx context.Context) {
	switch repo := s.Workspace.Repo; {
	case repo == nil || s.Options.Source == wire.Commit:
	case repo.Installed():
		s.ignores = ignore.New(ctx, repo, s.Worktree)
	default:
		s.note("git is not installed, so files that it would ignore are checked, too")
	}
}

func (s *Session) query(t tree.Tree) discover.Query {
	return discover.Query{Tree: t, Only: s.Workspace.Only, Plugins: rootsOf(s.result.Plugins),
		Exclude: s.Options.Exclude}
}

// find walks the tree. If git cannot be asked for ignore rules, the walk records a failure and visits more.
func (s *Session) find(ctx context.Context) error {
	s.found = &discover.Found{}
	q := s.query(s.tree)
	q.Ignores = s.rules
	only, known, err := s.onlyChanged()
	if known {
		q.Only, q.Changed = only, true
	}
	if err != nil || known && len(only) == 0 {
		return err
	}
	found, err := discover.Find(ctx, q)
	if err != nil {
		return err
	}
	if s.ignores != nil && s.ignores.Broken() != nil {
		s.collector.Ignores = nil
	}
	s.found, s.result.Excluded = found, found.Excluded
	for _, f := range found.Failures {
		s.fail("", f.Path, f.Failure)
	}
	return nil
}

func (s *Session) fail(plugin, root string, f *fault.Failure) {
	s.result.Failures = append(s.result.Failures, result.Failure{Plugin: plugin, Root: root, Failure: *f})
}

func (s *Session) note(notices ...string) { s.result.Notices = append(s.result.Notices, notices...) }

// Close ends the workers and what git is still asked. If verdicts cannot be written, the next run examines again, which
// is no failure.
func (s *Session) Close() {
	defer s.cancel()
	if s.pool != nil {
		s.pool.Close()
	}
	if s.memory != nil {
		s.verdicts.KeepSeen(s.memory.Encode(s.result.Whole))
	}
	if s.verdicts != nil {
		_ = s.verdicts.Close()
	}
	if s.objects != nil {
		s.objects.Close()
	}
	if s.merge != nil {
		s.merge.Close()
	}
}

// Journal returns the directory of the journals of a workspace: git's own one for its work
// tree, or one below Options.StateDir that is named by the workspace; "" if there is neither.
func (s *Session) Journal() string {
	switch {
	case s.Workspace.Repo != nil:
		return filepath.Join(s.Workspace.Repo.Dir, "stategate")
	case s.Options.StateDir == "":
		return ""
	}
	return filepath.Join(s.Options.StateDir, result.ID(s.Workspace.Path))
}

// interrupted notices that what is checked may be half changed.
func (s *Session) interrupted() {
	if dir := s.Journal(); dir != "" && journal.Pending(dir) {
		s.note("an earlier repair was interrupted or is still running; run `stategate recover` to roll it back")
	}
}

// nothingAt notes each place without state that the check is restricted to: an open gate says nothing about it.
func (s *Session) nothingAt() {
	f := s.found
	if s.Workspace.IsWhole() || s.Options.Changed ||
		len(f.Failures)+len(f.Links)+len(f.Nested)+len(f.Excluded)+len(s.result.Instances) > 0 {
		return
	}
	for _, only := range s.Workspace.Only {
		if !slices.ContainsFunc(f.Instances, func(i discover.Instance) bool { return related(only, i.Root) }) {
			top := ""
			if s.Options.Dir != s.Workspace.Path {
				top = " (the workspace begins at " + s.Workspace.Path + ")"
			}
			s.note("no workflow state found in " + only + top)
		}
	}
}

// finish puts everything in order.
func (s *Session) finish() *result.Result {
	r := s.result
	byRoot := func(rootA, pluginA, rootB, pluginB string) int {
		return cmp.Or(discover.ComparePaths(rootA, rootB), strings.Compare(pluginA, pluginB))
	}
	slices.SortStableFunc(r.Instances, func(a, b result.Instance) int {
		return byRoot(a.Root, a.Plugin, b.Root,
			b.Plugin)
	})
	slices.SortStableFunc(r.Declined, func(a, b result.Declined) int {
		return byRoot(a.Root, a.Plugin, b.Root,
			b.Plugin)
	})
	slices.SortStableFunc(r.Failures, func(a, b result.Failure) int {
		return cmp.Or(strings.Compare(a.Plugin, b.Plugin), discover.ComparePaths(a.Root, b.Root),
			strings.Compare(string(a.Kind)+a.Message, string(b.Kind)+b.Message))
	})
	// Whole: what was not met is not there. A commit lacks the state that git ignores.
	r.Whole = len(r.Failures) == 0 && !s.Options.Changed && s.Options.Source != wire.Commit && s.Workspace.IsWhole()
	s.Options.Policy.Apply(r, s.rulesOf, s.Options.Now)
	slices.Sort(r.Notices)
	r.Notices = slices.Compact(r.Notices)
	return r
}

func (s *Session) rulesOf(plugin string) []wire.Rule {
	if p := s.Plugins[plugin]; p != nil {
		return p.Manifest.Rules
	}
	return nil
}
