package host

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/apply"
	"github.com/stategate/stategate/host/cache"
	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/discover"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/git"
	"github.com/stategate/stategate/host/last"
	"github.com/stategate/stategate/host/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// A look is one run of Check.
type look struct {
	options   Options
	jobs      int
	anchor    *discover.Anchor
	tree      tree.Walkable    // what is looked at
	worktree  *tree.Worktree   // nil where there is none
	rules     discover.Ignorer // what is ignored in tree; nil if nothing is
	ignores   *git.Ignores     // nil outside a repository
	objects   *git.Objects     // nil if none are needed
	listing   *git.Listing     // of the index or commit that is looked at
	bases     []*tree.Commit
	moved     map[discover.Instance]string // where it lay in the bases
	gone      map[discover.Instance]bool   // the bases have it
	unseen    map[discover.Instance]bool   // it was seen last
	last      last.Record                  // what was seen when the gate was last open
	seen      *seen                        // with Options.Last: what this look sees
	started   workers
	early     *asked                       // of the index, before this look
	changes   func() ([]git.Change, error) // against the first base; nil if there is none
	cancel    func()                       // ends what git is still asked
	collector *collect.Collector
	parties   map[string]*party // by name of the plugin
	verdicts  *cache.Verdicts   // nil if none are kept
	memory    *Memory           // nil if nothing is remembered
	result    *Result
}

// A party is a plugin that takes part in a look.
type party struct {
	*Plugin
	specs *collect.Specs
}

func newLook(ctx context.Context, o Options) (*look, error) {
	l := &look{options: o, jobs: o.Jobs, parties: map[string]*party{}, result: &Result{Source: wire.Worktree}}
	if l.jobs <= 0 {
		l.jobs = runtime.GOMAXPROCS(0)
	}
	l.result.Failures = append(l.result.Failures, o.Failures...)
	if err := l.enlist(); err != nil {
		return nil, err
	}
	var err error
	if l.anchor, err = o.locate(l.roots()); err != nil {
		return nil, err
	}
	if err := o.refuseBare(l.anchor); err != nil {
		return nil, err
	}
	l.result.Anchor = l.anchor.Path
	l.early = o.Index.take(l.anchor.Repo)
	if !l.anchor.Git {
		if l.worktree, err = tree.OpenWorktree(l.anchor.Path); err != nil {
			return nil, err
		}
	}
	ctx, l.cancel = context.WithCancel(ctx)
	if err := l.open(ctx); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// open opens what is looked at, what it is compared with and what is known of it.
func (l *look) open(ctx context.Context) error {
	l.openIgnores(ctx)
	if err := l.openSource(ctx); err != nil {
		return err
	}
	l.openVerdicts()
	l.openMemory()
	return l.onlyWhatIs()
}

// enlist takes the plugins in, ordered by name.
func (l *look) enlist() error {
	for _, p := range l.options.Plugins {
		if other := l.parties[p.Name]; other != nil {
			return usagef("two plugins are called %s: %s and %s; leave one out", p.Name, other.Origin, p.Origin)
		}
		specs, err := collect.Compile(p.Manifest.Documents)
		if err != nil {
			l.fail(p.Name, "", failure.Newf(failure.ABI, "the manifest is refused: %v", err))
			continue
		}
		l.parties[p.Name] = &party{p, specs}
		l.result.Plugins = append(l.result.Plugins, p)
	}
	slices.SortFunc(l.result.Plugins, func(a, b *Plugin) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

func (l *look) roots() []discover.Plugin {
	var list []discover.Plugin
	for _, p := range l.result.Plugins {
		list = append(list, discover.Plugin{Name: p.Name, Roots: p.Manifest.Roots})
	}
	return list
}

// openIgnores asks git what it ignores. Without git everything is walked.
func (l *look) openIgnores(ctx context.Context) {
	switch repo := l.anchor.Repo; {
	case repo == nil:
	case repo.Installed():
		l.ignores = repo.Ignores(ctx)
	default:
		l.result.Notices = append(l.result.Notices, "git is not installed, so that what it would ignore is looked at, too")
	}
}

// find walks the tree. The walk says it if git could not be asked what it ignores; then more is seen rather than less.
func (l *look) find(ctx context.Context) (*discover.Found, error) {
	q := discover.Query{Tree: l.tree, Ignores: l.rules, Only: l.anchor.Only, Plugins: l.roots(), Exclude: l.options.Exclude, Listed: l.options.Listed}
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
func (l *look) report(found *discover.Found) {
	l.result.Excluded = found.Excluded
	for _, f := range found.Failures {
		l.fail("", f.Path, f.Failure)
	}
}

func (l *look) fail(plugin, root string, f *failure.Failure) {
	l.result.Failures = append(l.result.Failures, Failure{Plugin: plugin, Root: root, Failure: *f})
}

func (l *look) close() {
	defer l.cancel()
	l.started.close()
	l.closeVerdicts()
	if l.ignores != nil {
		l.ignores.Close()
	}
	if l.objects != nil {
		l.objects.Close()
	}
	if l.worktree != nil {
		l.worktree.Close()
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
	return filepath.Join(stateDir, hash(a.Path))
}

func (l *look) journal() string { return JournalDir(l.anchor, l.options.StateDir) }

// interrupted notices that what is looked at may be half changed.
func (l *look) interrupted() {
	if dir := l.journal(); dir != "" && apply.Pending(dir) {
		l.result.Notices = append(l.result.Notices, "a change of this tree was interrupted, or is being made just now: `stategate recover` takes it back, or finishes it")
	}
}

// finish puts everything in order.
func (l *look) finish() *Result {
	slices.SortStableFunc(l.result.Instances, func(a, b Instance) int {
		if c := discover.ComparePaths(a.Root, b.Root); c != 0 {
			return c
		}
		return strings.Compare(a.Plugin, b.Plugin)
	})
	slices.SortStableFunc(l.result.Failures, func(a, b Failure) int {
		if c := strings.Compare(a.Plugin, b.Plugin); c != 0 {
			return c
		}
		if c := discover.ComparePaths(a.Root, b.Root); c != 0 {
			return c
		}
		return strings.Compare(string(a.Kind)+a.Message, string(b.Kind)+b.Message)
	})
	slices.SortStableFunc(l.result.Declined, func(a, b Declined) int {
		if c := discover.ComparePaths(a.Root, b.Root); c != 0 {
			return c
		}
		return strings.Compare(a.Plugin, b.Plugin)
	})
	if l.seen != nil {
		l.result.Seen = l.seen
	}
	l.result.Whole = l.whole()
	l.options.Policy.Apply(l.result, l.rulesOf, l.options.Now)
	slices.Sort(l.result.Notices)
	l.result.Notices = slices.Compact(l.result.Notices)
	return l.result
}

func (l *look) rulesOf(plugin string) []wire.Rule {
	if p := l.parties[plugin]; p != nil {
		return p.Manifest.Rules
	}
	return nil
}

// whole reports whether everything was looked at, so that what was not met is not
// there. A commit lacks the state that git ignores.
func (l *look) whole() bool {
	return len(l.result.Failures) == 0 && !l.options.Changed && l.options.Source != wire.Commit && len(l.anchor.Only) == 1 && l.anchor.Only[0] == "."
}

// usage turns the errors of packages that know a wrong call into a *UsageError.
func usage(err error) error {
	var wrong interface{ Usage() bool }
	if errors.As(err, &wrong) && wrong.Usage() {
		return usagef("%v", err)
	}
	return err
}
