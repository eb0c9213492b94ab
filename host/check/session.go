package check

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/previous"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// A Session is one run of Check.
type Session struct {
	Options   Options
	jobs      int
	Anchor    *discover.Anchor
	tree      tree.Walkable  // what is looked at
	Worktree  *tree.Worktree // nil where there is none
	rules     tree.Ignorer   // what is ignored in tree; nil if nothing is
	ignores   *git.Ignores   // nil outside a repository
	objects   *git.Objects   // nil if none are needed
	listing   *git.Listing   // of the index or commit that is looked at
	bases     []*tree.Commit
	moved     map[discover.Instance]string // where it lay in the bases
	gone      map[discover.Instance]bool   // the bases have it
	unseen    map[discover.Instance]bool   // it was seen last
	near      []discover.Near              // names that differ in case from where state is kept
	last      previous.Record              // the state when the gate was last open
	nested    []string                     // repositories below the anchor, which are not entered
	seen      *seen                        // with Options.Last: what this look sees
	started   workers
	early     *asked                       // of the index, before this look
	changes   func() ([]git.Change, error) // against the first base; nil if there is none
	cancel    func()                       // ends what git is still asked
	collector *statefiles.Collector
	Parties   map[string]*Party // by name of the plugin
	verdicts  *cache.Verdicts   // nil if none are kept
	result    *result.Result
}

// A Party is a plugin that takes part in a look.
type Party struct {
	*plugin.Plugin
	specs *statefiles.Specs
}

func NewSession(ctx context.Context, o Options) (*Session, error) {
	l := &Session{Options: o, jobs: o.Jobs, Parties: map[string]*Party{}, result: &result.Result{Source: wire.Worktree}}
	if l.jobs <= 0 {
		l.jobs = runtime.GOMAXPROCS(0)
	}
	l.result.Failures = append(l.result.Failures, o.Failures...)
	if err := l.enlist(); err != nil {
		return nil, err
	}
	var err error
	if l.Anchor, err = o.locate(l.roots()); err != nil {
		return nil, err
	}
	if err := o.refuseBare(l.Anchor); err != nil {
		return nil, err
	}
	l.result.Anchor = l.Anchor.Path
	l.early = o.Index.take(l.Anchor.Repo)
	if !l.Anchor.Git {
		if l.Worktree, err = tree.OpenWorktree(l.Anchor.Path); err != nil {
			return nil, err
		}
	}
	ctx, l.cancel = context.WithCancel(ctx)
	if err := l.open(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// open opens what is checked, what it is compared with and what is known of it.
func (l *Session) open(ctx context.Context) error {
	l.openIgnores(ctx)
	if err := l.openSource(ctx); err != nil {
		return err
	}
	l.openVerdicts()
	return l.onlyWhatIs()
}

// enlist takes the plugins in, ordered by name.
func (l *Session) enlist() error {
	for _, p := range l.Options.Plugins {
		if other := l.Parties[p.Name]; other != nil {
			return fault.Usagef("two plugins are called %s: %s and %s; leave one out", p.Name, other.Origin, p.Origin)
		}
		specs, err := statefiles.Compile(p.Manifest.Documents)
		if err != nil {
			l.fail(p.Name, "", fault.Newf(fault.ABI, "the manifest is refused: %v", err))
			continue
		}
		l.Parties[p.Name] = &Party{p, specs}
		l.result.Plugins = append(l.result.Plugins, p)
	}
	slices.SortFunc(l.result.Plugins, func(a, b *plugin.Plugin) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

func (l *Session) roots() []discover.Plugin {
	var list []discover.Plugin
	for _, p := range l.result.Plugins {
		list = append(list, discover.Plugin{Name: p.Name, Roots: p.Manifest.Roots})
	}
	return list
}

// openIgnores asks git what it ignores. Without git everything is walked.
func (l *Session) openIgnores(ctx context.Context) {
	switch repo := l.Anchor.Repo; {
	case repo == nil:
	case repo.Installed():
		l.ignores = repo.Ignores(ctx)
	default:
		l.result.Notices = append(l.result.Notices, "git is not installed, so files that it would ignore are checked, too")
	}
}

// reading reports directories below the anchor to whoever watches them.
func (l *Session) reading() func(dir string) {
	if l.Options.Reading == nil {
		return nil
	}
	return func(dir string) { l.Options.Reading(filepath.Join(l.Anchor.Path, filepath.FromSlash(dir))) }
}

// find walks the tree. The walk says it if git could not be asked what it ignores; then more is seen rather than less.
func (l *Session) find(ctx context.Context) (*discover.Found, error) {
	q := discover.Query{Tree: l.tree, Ignores: l.rules, Only: l.Anchor.Only, Plugins: l.roots(), Exclude: l.Options.Exclude, Listed: l.reading()}
	only, known, err := l.onlyChanged()
	switch {
	case err != nil:
		return nil, err
	case known && len(only) == 0:
		return &discover.Found{}, nil
	case known:
		q.Only, q.Changed = only, true
	}
	found, err := discover.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	if l.ignores != nil && l.ignores.Broken() != nil {
		l.collector.Ignores = nil
	}
	if again, err := l.intended(ctx, found); err != nil || !again {
		return found, err
	}
	return discover.Find(ctx, q)
}

// report takes over what the walk itself has to say.
func (l *Session) report(found *discover.Found) {
	l.result.Excluded = found.Excluded
	for _, f := range found.Failures {
		l.fail("", f.Path, f.Failure)
	}
}

func (l *Session) fail(plugin, root string, f *fault.Failure) {
	l.result.Failures = append(l.result.Failures, result.Failure{Plugin: plugin, Root: root, Failure: *f})
}

func (l *Session) Close() {
	defer l.cancel()
	l.started.close()
	l.closeVerdicts()
	if l.ignores != nil {
		l.ignores.Close()
	}
	if l.objects != nil {
		l.objects.Close()
	}
	if l.Worktree != nil {
		l.Worktree.Close()
	}
}

// JournalDir returns the directory of an anchor's journals: git's own one for its work
// tree, or one below stateDir that is named by the anchor; "" if there is neither.
func JournalDir(a *discover.Anchor, stateDir string) string {
	switch {
	case a.Repo != nil:
		return filepath.Join(a.Repo.Dir, "stategate")
	case stateDir == "":
		return ""
	}
	return filepath.Join(stateDir, result.ID(a.Path))
}

func (l *Session) Journal() string { return JournalDir(l.Anchor, l.Options.StateDir) }

// interrupted notices that what is checked may be half changed.
func (l *Session) interrupted() {
	if dir := l.Journal(); dir != "" && journal.Pending(dir) {
		l.result.Notices = append(l.result.Notices, "an earlier repair was interrupted or is still running; run `stategate recover` to finish it or roll it back")
	}
}

// finish puts everything in order.
func (l *Session) finish() *result.Result {
	slices.SortStableFunc(l.result.Instances, func(a, b result.Instance) int {
		if c := discover.ComparePaths(a.Root, b.Root); c != 0 {
			return c
		}
		return strings.Compare(a.Plugin, b.Plugin)
	})
	slices.SortStableFunc(l.result.Failures, func(a, b result.Failure) int {
		if c := strings.Compare(a.Plugin, b.Plugin); c != 0 {
			return c
		}
		if c := discover.ComparePaths(a.Root, b.Root); c != 0 {
			return c
		}
		return strings.Compare(string(a.Kind)+a.Message, string(b.Kind)+b.Message)
	})
	slices.SortStableFunc(l.result.Declined, func(a, b result.Declined) int {
		if c := discover.ComparePaths(a.Root, b.Root); c != 0 {
			return c
		}
		return strings.Compare(a.Plugin, b.Plugin)
	})
	if l.seen != nil {
		l.result.Seen = l.seen
	}
	l.result.Whole = l.whole()
	l.Options.Policy.Apply(l.result, l.rulesOf, l.Options.Now)
	slices.Sort(l.result.Notices)
	l.result.Notices = slices.Compact(l.result.Notices)
	return l.result
}

func (l *Session) rulesOf(plugin string) []wire.Rule {
	if p := l.Parties[plugin]; p != nil {
		return p.Manifest.Rules
	}
	return nil
}

// whole reports whether everything was checked, so that what was not met is not
// there. A commit lacks the state that git ignores.
func (l *Session) whole() bool {
	return len(l.result.Failures) == 0 && !l.Options.Changed && l.Options.Source != wire.Commit && len(l.Anchor.Only) == 1 && l.Anchor.Only[0] == "."
}
