package check

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// notApplicable names the plugins whose state a commit lacks because git ignores it: that is not the same as having no fault.
// State may lie at the top, and wherever an ignore rule names a directory of a root.
func (l *Session) notApplicable(ctx context.Context) {
	if l.Options.Source != wire.Commit || l.ignores == nil {
		return
	}
	a := &absence{Session: l, readers: []*git.Ignores{l.ignores}, disk: l.Anchor.Repo.Ignores(ctx)}
	defer a.disk.Close()
	if id := l.Options.Policy.ID; id != "" && id != l.result.Revision { // a change may also ignore what its policy does not
		own := l.Anchor.Repo.IgnoresOf(ctx, l.listing, l.objects, l.Options.CacheDir)
		defer own.Close()
		a.readers = append(a.readers, own)
	}
	err := a.read()
	for _, p := range l.result.Plugins {
		var list []string
		if err == nil {
			list, err = a.of(ctx, l.Parties[p.Name])
		}
		switch {
		case err != nil:
			l.fail(p.Name, "", fault.From(err, fault.Source))
			return
		case len(list) > 0:
			l.result.Unlooked = append(l.result.Unlooked, result.Unlooked{Plugin: p.Name,
				Why: "git ignores " + enumerated(list) + ", so the commit does not hold it; check the work tree (stategate check)"})
		}
	}
}

// enumerated joins the first few of a list.
func enumerated(list []string) string {
	const most = 3
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), strconv.Itoa(more)+" more")
	}
	return strings.Join(list, ", ")
}

// An absence finds what a commit cannot hold.
type absence struct {
	*Session
	readers []*git.Ignores // the rules that count for the commit
	disk    *git.Ignores   // and those for the work tree
	named   []string       // paths below the top that rules name, with wildcards
}

func (a *absence) read() error {
	for _, reader := range a.readers {
		rules, err := reader.Rules()
		if err != nil {
			return err
		}
		for _, r := range rules {
			a.named = append(a.named, r.Names())
		}
	}
	return nil
}

// of returns the places of a plugin's state that git ignores, each with the rule, and where the commit holds none.
func (a *absence) of(ctx context.Context, p *Party) (list []string, err error) {
	spots := spotsOf(p.Manifest)
	for _, base := range a.bases(spots) {
		only := a.within(spots, base)
		if len(only) == 0 {
			continue
		}
		some, err := a.ignored(spots, base)
		if err != nil {
			return nil, err
		}
		if len(some) > 0 {
			if held, err := a.holds(ctx, p, spots, base, only); err != nil {
				return nil, err
			} else if held {
				some = nil
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

// A spot is a root without braces, as it lies below some directory.
type spot struct {
	dir     string   // the glob
	names   []string // of dir, those that are spelled out
	above   int      // how many names of dir come before the first of them
	fixed   string   // what of dir comes before the first wildcard, "." for nothing
	samples []string // markers
}

// maxSamples bounds the markers of a plugin that git is asked about below each directory, and the directories.
const maxSamples = 256

func spotsOf(m *wire.Manifest) (list []spot) {
	left := maxSamples
	for _, r := range m.Roots {
		for _, dir := range glob.Alternatives(strings.TrimSuffix(r.Dir, "/")) {
			s := spotOf(dir)
			for _, marker := range r.Markers {
				for _, g := range glob.Alternatives(marker) {
					s.samples = append(s.samples, path.Join(glob.Sample(dir), inside(glob.Sample(g))))
				}
			}
			s.samples = s.samples[:min(len(s.samples), left)]
			left -= len(s.samples)
			list = append(list, s)
		}
	}
	return list
}

func spotOf(dir string) spot {
	s := spot{dir: dir, fixed: "."}
	wild := false
	for name := range strings.SplitSeq(dir, "/") {
		switch {
		case strings.ContainsAny(name, `*?[\`):
			wild = true
			if len(s.names) == 0 && name != "**" {
				s.above++
			}
		default:
			s.names = append(s.names, name)
			if !wild {
				s.fixed = slashpath.Join(s.fixed, name)
			}
		}
	}
	return s
}

// inside returns a file of a directory: git holds no others.
func inside(sample string) string {
	if strings.HasSuffix(sample, "/") {
		return sample + "x"
	}
	return sample
}

// bases returns the directories below which roots may be ignored, the top first.
func (a *absence) bases(spots []spot) []string {
	list := []string{"."}
	for _, named := range a.named {
		names := slices.DeleteFunc(strings.Split(named, "/"), func(n string) bool { return n == "**" || n == "" })
		for i, name := range names {
			for _, s := range spots {
				if len(s.names) == 0 || i < s.above || !speaks(name, s.names[0]) {
					continue
				}
				if base := path.Clean(glob.Sample(strings.Join(names[:i-s.above], "/"))); sound(base) && !slices.Contains(list, base) && len(list) < maxSamples {
					list = append(list, base)
				}
			}
		}
	}
	return list
}

// sound reports whether git can be asked about what lies in a directory that was made of a rule.
func sound(base string) bool {
	return len(base) < 1024 && !strings.ContainsRune(base, 0) && base != ".." && !strings.HasPrefix(base, "../")
}

// speaks reports whether one name of an ignore rule means a name of a root, and not just anything.
func speaks(pattern, name string) bool {
	fits, err := path.Match(pattern, name)
	return err == nil && fits && strings.Trim(pattern, "*") != ""
}

// within returns what of the spots below a directory was asked about.
func (a *absence) within(spots []spot, base string) (only []string) {
	for _, s := range spots {
		dir := slashpath.Join(base, s.fixed)
		for _, asked := range a.Anchor.Only {
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

// ignored returns the spots below a directory of which git ignores every marker, or some by a rule that names the root.
// Elsewhere than at the top only such a rule counts: that everything is ignored there has nothing to do with the plugin.
func (a *absence) ignored(spots []spot, base string) (list []string, err error) {
	for _, s := range spots {
		var samples []string
		for _, name := range s.samples {
			samples = append(samples, slashpath.Join(base, name))
		}
		for _, reader := range a.readers {
			rules, err := reader.Covered(samples)
			if err != nil {
				return nil, err
			}
			if rule, ok := s.decides(rules, base == "."); ok {
				list = append(list, slashpath.Join(base, s.dir)+" ("+rule.String()+")")
				break
			}
		}
	}
	return list, nil
}

// decides returns the rule for which a spot is ignored.
func (s spot) decides(rules []git.Rule, whatever bool) (git.Rule, bool) {
	for _, r := range rules {
		for name := range strings.SplitSeq(r.Names(), "/") {
			if slices.ContainsFunc(s.names, func(n string) bool { return speaks(name, n) }) {
				return r, true
			}
		}
	}
	if !whatever || len(rules) == 0 || slices.ContainsFunc(rules, func(r git.Rule) bool { return !r.Ignores() }) {
		return git.Rule{}, false
	}
	return rules[0], true
}

// holds reports whether the commit has an instance below a directory where a spot says.
func (a *absence) holds(ctx context.Context, p *Party, spots []spot, base string, only []string) (bool, error) {
	found, err := a.instances(ctx, p, discover.Query{Tree: a.tree, Only: only})
	if err != nil {
		return false, err
	}
	var globs []string
	for _, s := range spots {
		globs = append(globs, s.dir)
	}
	set, err := glob.Compile(globs)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(found, func(i discover.Instance) bool {
		st := set.Start()
		for name := range strings.SplitSeq(slashpath.Below(base, i.Root), "/") {
			st = set.Step(st, name)
		}
		ok := set.Accepts(st)
		return ok
	}), nil
}

func (a *absence) instances(ctx context.Context, p *Party, q discover.Query) ([]discover.Instance, error) {
	q.Plugins, q.Exclude = []discover.Plugin{{Name: p.Name, Roots: p.Manifest.Roots}}, a.Options.Exclude
	found, err := discover.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	return found.Instances, nil
}

// onDisk returns the instances in the work tree that git ignores and the commit lacks. Only what is spelled out is searched.
func (a *absence) onDisk(ctx context.Context, p *Party, only []string) (list []string, err error) {
	if a.Worktree == nil {
		return nil, nil
	}
	only = slices.DeleteFunc(slices.Clone(only), func(dir string) bool {
		_, err := a.Worktree.Mode(dir)
		return dir == "." || err != nil
	})
	if len(only) == 0 {
		return nil, nil
	}
	found, err := a.instances(ctx, p, discover.Query{Tree: a.Worktree, Only: only})
	if err != nil {
		return nil, err
	}
	disk := statefiles.Collector{Tree: a.Worktree, Ignores: a.disk, Limits: a.collector.Limits}
	for _, i := range found {
		if _, err := a.tree.Mode(i.Root); err == nil {
			continue
		}
		if now, err := disk.Read(ctx, p.specs, i.Root); err == nil && len(now.Files) > 0 && now.Ignored() {
			list = append(list, i.Root)
		}
	}
	return list, nil
}
