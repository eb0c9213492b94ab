package openspec

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// archivedNotFolded compares archived deltas with the specs. A later archived change may have altered a requirement, so
// a delta that was archived before the base counts as not folded in only if no spec contains any of it.
func archivedNotFolded(r *check.Report, m *model) {
	for _, c := range m.archived {
		for _, x := range c.deltas {
			fresh := m.fresh(c)
			missing, found := m.unfolded(c, x)
			if len(missing) == 0 || found > 0 && !fresh || !m.docs.Known(x.spec()) || m.doubled(c) {
				continue
			}
			path, where, reworded := x.spec(), " contains none of its delta", fresh && m.reworded(x)
			switch {
			case m.byCap[x.capability] == nil:
				where = " does not exist"
			case found > 0:
				where = " lacks a part of its delta"
			case !slices.ContainsFunc(missing, func(n name) bool {
				return m.byCap[x.capability].find(fold(n.text)) == nil
			}):
				where = " does not contain its changes"
			case reworded:
				where = " has new text that names no requirement of the delta"
			}
			f := r.AtLine(x.doc.Path, missing[0].line,
				c.name+" is archived, but "+path+where+": "+say.List(quoted(missing))+" (line "+
					say.Int(missing[0].line)+")").Of(c.run()).Keyed(x.capability)
			if dir := "changes/" + c.name; fresh && found == 0 && !reworded && !c.skips &&
				find(m.base.active, dir) != nil && find(m.active, dir) == nil &&
				!slices.ContainsFunc(x.added,
					func(q *requirement) bool { return m.byCap[x.capability].find(q.key()) != nil }) {
				f.Advise("Move the change back and archive it", "Move "+c.dir+" back to "+dir+".",
					"When its tasks are done, run `openspec archive "+say.Word(c.name)+"`, which folds the delta into "+
						"the spec.")
			}
			apply := "Apply "
			if !fresh {
				apply = "Check with git log -S that the spec never had it. Then apply "
			}
			f.Advise("Fold the delta into the spec",
				apply+x.doc.Path+" to "+path+", as `openspec archive` does without --skip-specs.",
				c.giveUp(found > 0))
			switch {
			case !fresh:
				f.As(sdk.Info)
			case found > 0 || c.givenUp() || !m.complete || reworded:
				f.As(sdk.Warning)
			}
		}
	}
}

// spec returns the path of the spec that a delta changes.
func (x *delta) spec() string { return "specs/" + x.capability + "/spec.md" }

// givenUp reports whether an archived change shows that it was abandoned: it has open tasks, it has cancelled tasks but
// no finished ones, or it states that it changes no spec.
func (c *change) givenUp() bool { return c.skips || c.open > 0 || c.marked > 0 && c.done == 0 }

// giveUp returns the step that marks an archived change's delta, or a part of it, as abandoned.
func (c *change) giveUp(part bool) string {
	if part {
		return "If that part was abandoned, remove it from the delta."
	}
	return "If the change was abandoned, remove the delta and set `skip_specs: true` in " + c.dir + "/.openspec.yaml."
}

func quoted(list []name) []string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = say.Quote(n.text)
	}
	return texts
}
