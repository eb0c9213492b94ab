package check

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// A check of a change examines everything. It reports a finding if the change touches the finding's run or one of
// its documents, or if the base does not have that finding. If the change touches no state, nothing is examined.

// A change records which runs and documents a change touches.
type change struct {
	*reader
	scope    *scope
	examiner *examiner
	own      []string      // stategate's own files and directories
	findAll  bool          // check everything even if the change touches no state
	failOn   wire.Severity // from this severity on, findings are looked up in the bases
}

// find walks what is checked. If the changed paths are known and none of them is state, it finds nothing.
func (c *change) find(ctx context.Context) (*discover.Found, error) {
	whole := !c.scope.changed
	if c.scope.changed && !c.findAll && c.bases.changesKnown() {
		touched, err := c.mayDecide()
		if err == nil && !touched {
			touched, err = c.touchesState(ctx)
		}
		if err != nil || !touched {
			return &discover.Found{}, err
		}
	}
	found, err := c.source.Find(ctx, c.scope.query())
	if err == nil && !whole {
		err = c.widen(found)
	}
	return found, err
}

// mayDecide reports whether a change may touch a file that affects all findings; see widen.
func (c *change) mayDecide() (bool, error) {
	paths, err := c.bases.changed()
	return slices.ContainsFunc(paths, func(p string) bool {
		name := path.Base(p)
		return name == ".gitignore" || name == ".gitmodules" ||
			slices.ContainsFunc(c.own, func(own string) bool { return slashpath.Holds(own, p) })
	}), err
}

// touchesState reports whether a change touches state: documents of runs, or entries in their place. The changed
// paths must be known.
func (c *change) touchesState(ctx context.Context) (bool, error) {
	paths, err := c.bases.changed()
	if err != nil {
		return false, err
	}
	q := c.scope.query()
	q.Only, q.Changed = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !c.scope.holds(p) }), true
	if len(q.Only) == 0 {
		return false, nil
	}
	found, err := c.source.Find(ctx, q)
	if err != nil {
		return false, err
	}
	if len(found.Failures)+len(found.Links)+len(found.Obstructions)+len(found.Near)+len(found.Nested) > 0 {
		return true, nil
	}
	for _, i := range found.Instances {
		run, err := c.read(ctx, i)
		if err != nil || c.touched(ctx, run) || isMerge(c.bases.list) && broughtIn(run) {
			return true, nil // examining it reports the error
		}
	}
	for n, b := range c.bases.list {
		if n > 0 && c.bases.parted == nil {
			break
		}
		gone, err := b.Gone(ctx, c.scope.query())
		if err != nil || len(gone.Instances) > 0 {
			return true, err
		}
	}
	return false, nil
}

// broughtIn reports whether a merge brings a run from one side to the other. The merge does not touch such a run,
// because it is the same as on one side, but its findings are counted as out of scope: that side may never have been
// checked.
func broughtIn(run *Run) bool {
	return slices.ContainsFunc(run.pairs, func(p *pair) bool {
		return p.Past.State != wire.BaseAt || !p.Past.Unchanged(run.Now)
	})
}

// widen puts everything in scope if the change touches a file that affects all findings: stategate's own files, or a
// file above a state directory that says what git ignores or does not enter.
func (c *change) widen(found *discover.Found) error {
	if !c.scope.changed {
		return nil
	}
	deciding := slices.Clone(c.own)
	above := map[string]bool{}
	for _, i := range found.Instances {
		for dir := i.Root; !above[dir]; dir = path.Dir(dir) {
			above[dir] = true
			deciding = append(deciding, slashpath.Join(dir, ".gitignore"), slashpath.Join(dir, ".gitmodules"))
		}
	}
	changed, err := c.differs(deciding)
	c.scope.changed = !changed
	return err
}

// differs reports whether any of the files differs from every base.
func (c *change) differs(names []string) (bool, error) {
	if c.bases.changesKnown() {
		paths, err := c.bases.changed()
		return slices.ContainsFunc(names, func(n string) bool {
			return slices.ContainsFunc(paths, func(p string) bool { return slashpath.Holds(n, p) })
		}), err
	}
	now, err := c.source.Tree()
	if err != nil {
		return false, err
	}
	for _, name := range names {
		same := func(b *source.Base) bool {
			was, err := b.Tree()
			return err != nil || sameFile(now, was, name)
		}
		if len(c.bases.list) > 0 && !slices.ContainsFunc(c.bases.list, same) {
			return true, nil
		}
	}
	return false, nil
}

// sameFile reports whether a file is the same in the working tree and in a commit, or is missing from both.
func sameFile(disk, commit tree.Tree, name string) bool {
	now, err := disk.Stat(name)
	was, wasErr := commit.Stat(name)
	if err != nil || wasErr != nil {
		return errors.Is(err, fs.ErrNotExist) == errors.Is(wasErr, fs.ErrNotExist)
	}
	if now.Kind != snapshot.Regular || was.Kind != snapshot.Regular {
		return now.Kind == was.Kind
	}
	content, err := disk.Read(name, now, maxDeciding)
	return err == nil && git.ObjectID("blob", content.Data, len(was.ID)) == was.ID
}

// maxDeciding limits how many bytes are read of a file that affects all findings. Baselines may be large.
const maxDeciding = 64 << 20

// A touch is the set of documents that a change touches in a state directory.
type touch struct {
	everything bool
	documents  map[string]bool // paths relative to the workspace
}

// touchOf returns the documents of a run that differ from every base.
func (c *change) touchOf(run *Run, touched bool) touch {
	t := touch{documents: map[string]bool{}}
	if !touched {
		return t
	}
	count := map[string]int{}
	for _, p := range run.pairs {
		changed, known := p.Past.Changed(run.Now)
		if !known || p.Past.Root != run.Now.Root {
			return touch{everything: true}
		}
		for _, name := range changed {
			count[name]++
		}
	}
	for name, n := range count {
		// if a merge drops one side's change, its document equals the other parent's
		if n == len(run.pairs) || c.bases.parted != nil {
			t.documents[slashpath.Join(run.Now.Root, name)] = true
		}
	}
	t.everything = len(t.documents) == 0
	return t
}

// holds reports whether the change touches a document, or something below a directory.
func (t touch) holds(name string) bool {
	if t.everything || t.documents[name] {
		return true
	}
	for d := range t.documents {
		if slashpath.Holds(name, d) {
			return true
		}
	}
	return false
}

// touches reports whether the change touches one of a run's documents, or one of the state directory's documents
// outside all runs.
func (t touch) touches(runs *result.Partition, root string, run *wire.Detection) bool {
	if t.everything {
		return true
	}
	for d := range t.documents {
		if runs.Holds(run, slashpath.Below(root, d)) {
			return true
		}
	}
	return false
}

// narrow removes findings that are not in scope. The policy has already set the severities.
func (c *change) narrow(ctx context.Context, r *result.Result, outcomes []Outcome) {
	if !c.scope.changed || len(c.bases.list) == 0 {
		return
	}
	by := map[discover.Instance]*Outcome{}
	for n := range outcomes {
		if outcomes[n].run != nil {
			by[outcomes[n].Instance] = &outcomes[n]
		}
	}
	failed := func(f result.Failure) bool {
		out := by[discover.Instance{Plugin: f.Plugin, Root: f.Root}]
		return out == nil || out.touched
	}
	r.Narrow(failed, func(i *result.Instance) func(*result.Diagnostic) bool {
		out := by[discover.Instance{Plugin: i.Plugin, Root: i.Root}]
		if out == nil { // the host found it in the place of state
			return func(*result.Diagnostic) bool { return i.Touched }
		}
		isNew, runs := c.newFindings(ctx, out), i.Partition()
		for _, run := range i.Runs() {
			if run.Self != nil && !out.touch.touches(runs, i.Root, run.Self) {
				i.PassOver(run.Self)
			}
		}
		return func(d *result.Diagnostic) bool {
			related := func(r result.Related) bool { return out.touch.holds(r.Path) }
			switch {
			case d.Found == nil:
				return i.Touched || out.touch.holds(d.Place.Path)
			case out.touch.touches(runs, i.Root, runs.RunOf(d)), out.touch.holds(d.Place.Path),
				slices.ContainsFunc(d.Related, related):
				return true
			}
			return d.Severity >= c.failOn && isNew(d.Found)
		}
	})
}

// newFindings returns a function that reports whether no base has a finding. Its first call examines the bases. A
// run that git ignores is not part of any commit, so a commit adds no findings to it.
func (c *change) newFindings(ctx context.Context, o *Outcome) func(*finding.Finding) bool {
	var has map[findingKey]bool
	return func(f *finding.Finding) bool {
		if o.run.Now.Ignored() && c.source.Kind() != wire.Worktree {
			return false
		}
		if has == nil {
			has = map[findingKey]bool{}
			for _, p := range o.run.pairs {
				if p.Past.State != wire.BaseAt {
					continue
				}
				v, err := c.examiner.examine(ctx, &pair{ActivePlugin: p.ActivePlugin, Now: &p.Past.Instance,
					Past: nothing(), source: wire.Commit, present: p.wasPresent})
				if err != nil {
					continue // the base's findings are unknown, so nothing is dropped
				}
				for n := range v.Findings {
					has[keyOf(&v.Findings[n])] = true
				}
			}
		}
		return !has[keyOf(f)]
	}
}
