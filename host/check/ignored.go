package check

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// reportIgnored lists the plugins whose state a commit lacks because git ignores it, so that missing state does not
// pass as clean. State may be at the top, and wherever an ignore rule names a root's directory. If the answer is
// unknown, it reports a failure.
func reportIgnored(ctx context.Context, c *Checker,
	failures []result.Failure) (list []result.Declined, _ []result.Failure) {
	commit, ok := c.source.(*source.Commit)
	if !ok {
		return nil, failures
	}
	a := &ignoredState{Checker: c}
	var err error
	if a.files, err = c.source.Tree(); err == nil {
		if a.readers, err = commit.Rules(); err == nil {
			err = a.readRules()
		}
	}
	for _, p := range c.Plugins.sorted() {
		var ignored []string
		if err == nil {
			ignored, err = a.of(ctx, c.Plugins[p.Name])
		}
		switch {
		case err != nil:
			return list, append(failures, failure(p.Name, "", fault.From(err, fault.Source)))
		case len(ignored) > 0:
			list = append(list, result.Declined{Plugin: p.Name, Why: "git ignores " + enumerated(ignored, 3) +
				", so the commit does not contain it; check the working tree (stategate check)"})
		}
	}
	return list, failures
}

// An ignoredState finds state that a commit cannot contain.
type ignoredState struct {
	*Checker
	files   tree.Tree       // the commit's files
	readers []*ignore.Rules // the rules that apply to the commit
	named   [][]string      // the path components that rules name, including wildcards
}

func (a *ignoredState) readRules() error {
	for _, reader := range a.readers {
		rules, err := reader.All()
		if err != nil {
			return err
		}
		for _, r := range rules {
			names := slices.DeleteFunc(strings.Split(r.Names(), "/"),
				func(n string) bool { return n == "**" || n == "" })
			a.named = append(a.named, names)
		}
	}
	return nil
}

// of returns the locations of a plugin's state that git ignores, each with the rule that ignores it, unless the commit
// has state there.
func (a *ignoredState) of(ctx context.Context, p *ActivePlugin) (list []string, err error) {
	locations := locationsOf(p.Manifest)
	for _, base := range a.namedDirs(locations) {
		only := a.below(locations, base)
		if len(only) == 0 {
			continue
		}
		some, err := a.ignored(locations, base)
		if err != nil {
			return nil, err
		}
		if len(some) > 0 {
			found, err := a.findIn(ctx, p, a.files, only)
			if err != nil {
				return nil, err
			}
			for _, l := range locations {
				set, err := glob.Compile([]string{l.dir})
				is := func(i discover.Instance) bool { return set.Matches(slashpath.Below(base, i.Root)) }
				if err == nil && slices.ContainsFunc(found, is) {
					some = nil
				}
			}
		}
		if len(some) == 0 {
			if some, err = a.onDisk(ctx, p, only); err != nil {
				return nil, err
			}
		}
		list = append(list, some...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// A location is a manifest root with its braces expanded, relative to some directory.
type location struct {
	dir     string
	names   []string // components of dir, except "**"
	first   int      // index of the first component without wildcards, or their number if there is none
	fixed   string   // the part of dir before the first wildcard; "." if there is none
	samples []string // sample paths of markers
}

// maxSamples limits how many of a plugin's markers git is asked about below each directory, and how many directories.
const maxSamples = 256

func locationsOf(m *wire.Manifest) (list []location) {
	left := maxSamples
	for _, r := range m.Roots {
		for _, dir := range glob.Alternatives(strings.TrimSuffix(r.Dir, "/")) {
			l := newLocation(dir)
			for _, marker := range r.Markers {
				for _, g := range glob.Alternatives(marker) {
					sample := path.Join(glob.Sample(dir), glob.Sample(g))
					if strings.HasSuffix(g, "/") {
						sample += "/x" // git tracks only files
					}
					l.samples = append(l.samples, sample)
				}
			}
			l.samples = l.samples[:min(len(l.samples), left)]
			left -= len(l.samples)
			list = append(list, l)
		}
	}
	return list
}

func isWild(name string) bool { return strings.ContainsAny(name, `*?[\`) }

func newLocation(dir string) location {
	all := strings.Split(dir, "/")
	wild := append(all, "*")
	fixed := path.Join(all[:slices.IndexFunc(wild, isWild)]...)
	names := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return n == "**" })
	first := slices.IndexFunc(append(slices.Clone(names), ""), func(n string) bool { return !isWild(n) })
	return location{dir: dir, names: names, first: first, fixed: cmp.Or(fixed, ".")}
}

// namedDirs returns the directories below which roots may be ignored, starting with the top.
func (a *ignoredState) namedDirs(locations []location) []string {
	list := []string{"."}
	for _, names := range a.named {
		for i, name := range names {
			for _, l := range locations {
				if l.first == len(l.names) || i < l.first || !mentions(name, l.names[l.first]) {
					continue
				}
				base := path.Clean(glob.Sample(strings.Join(names[:i-l.first], "/")))
				usable := len(base) < 1024 && !strings.ContainsRune(base, 0) && base != ".." &&
					!strings.HasPrefix(base, "../")
				if usable && !slices.Contains(list, base) && len(list) < maxSamples {
					list = append(list, base)
				}
			}
		}
	}
	return list
}

// mentions reports whether a component of an ignore rule matches a root's name and is more than asterisks.
func mentions(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok && strings.Trim(pattern, "*") != ""
}

// below returns the parts of the locations below base that are in the check's scope.
func (a *ignoredState) below(locations []location, base string) (only []string) {
	for _, l := range locations {
		dir := slashpath.Join(base, l.fixed)
		for _, asked := range a.Workspace.Only {
			switch {
			case slashpath.Holds(asked, dir):
				only = append(only, dir)
			case slashpath.Holds(dir, asked):
				only = append(only, asked)
			}
		}
	}
	return only
}

// ignored returns the locations below a directory where git ignores every marker, or where it ignores some markers
// by a rule that names the root. Below the top, only a rule that names the root counts, because a directory that is
// ignored as a whole says nothing about the plugin.
func (a *ignoredState) ignored(locations []location, base string) (list []string, err error) {
	for _, l := range locations {
		var samples []string
		for _, name := range l.samples {
			samples = append(samples, slashpath.Join(base, name))
		}
		for _, reader := range a.readers {
			rules, err := reader.Covered(samples)
			if err != nil {
				return nil, err
			}
			if rule := l.ignoredBy(rules, base == "."); rule != nil {
				list = append(list, slashpath.Join(base, l.dir)+" ("+rule.String()+")")
				break
			}
		}
	}
	return list, nil
}

// ignoredBy returns the rule that ignores a location, or nil if there is none.
func (l *location) ignoredBy(rules []ignore.Rule, whatever bool) *ignore.Rule {
	for i := range rules {
		for name := range strings.SplitSeq(rules[i].Names(), "/") {
			if slices.ContainsFunc(l.names, func(n string) bool { return !isWild(n) && mentions(name, n) }) {
				return &rules[i]
			}
		}
	}
	if !whatever || len(rules) == 0 || slices.ContainsFunc(rules, func(r ignore.Rule) bool { return !r.Ignores() }) {
		return nil
	}
	return &rules[0]
}

func (a *ignoredState) findIn(ctx context.Context, p *ActivePlugin, files tree.Tree,
	only []string) ([]discover.Instance, error) {
	found, err := discover.Find(ctx, discover.Query{Tree: files, Only: only, Exclude: a.Options.Exclude,
		Plugins: []discover.Plugin{{Name: p.Name, Roots: p.Manifest.Roots}}})
	if err != nil {
		return nil, err
	}
	return found.Instances, nil
}

// onDisk returns the state directories in the working tree that git ignores and the commit lacks. It searches only
// locations without wildcards.
func (a *ignoredState) onDisk(ctx context.Context, p *ActivePlugin, only []string) (list []string, err error) {
	if a.Disk == nil {
		return nil, nil
	}
	only = slices.DeleteFunc(slices.Clone(only), func(dir string) bool {
		_, err := a.Disk.Stat(dir)
		return dir == "." || err != nil
	})
	if len(only) == 0 {
		return nil, nil
	}
	found, err := a.findIn(ctx, p, a.Disk, only)
	if err != nil {
		return nil, err
	}
	worktree, err := a.Workspace.OpenWorktree(ctx, a.Options.source())
	if err != nil {
		return nil, err
	}
	defer worktree.Close()
	for _, i := range found {
		if _, err := a.files.Stat(i.Root); err == nil {
			continue
		}
		if now, err := worktree.Read(ctx, p.specs, i.Root); err == nil && len(now.Files) > 0 && now.Ignored() {
			list = append(list, i.Root)
		}
	}
	return list, nil
}
