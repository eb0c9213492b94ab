package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/work"
)

func activeAndArchived(r *check.Report, m *model) {
	for _, a := range m.active {
		old := m.archivedAs(a)
		if old == nil {
			continue
		}
		text := a.dir + " is also archived, as " + old.dir
		early := m.early(old)
		if early != "" {
			text += ", where " + early
		}
		copied := old.copied(a)
		f := r.Whole(a.main(), text).Of(a.run()).See(sdk.At(old.main()), "the archived change")
		switch {
		case copied > 0 && early != "":
			f.Advise("Keep the open change", "Copy the text that only "+old.dir+" has to "+a.dir+".",
				"Remove "+old.dir+".").
				Advise("Keep the archived change", "If the change was abandoned, remove "+a.dir+".")
		case copied == len(a.docs):
			var edits []sdk.Edit
			for _, d := range a.docs {
				edits = append(edits, sdk.Remove(d.Path))
			}
			f.Offer(sdk.Review, "Remove the copy "+a.dir, edits...)
		case copied > 0:
			f.Advise("Keep one copy of the change", "Compare "+a.dir+" with "+old.dir+
				", and keep the newer text in the archive.", "Remove "+a.dir+".")
		default:
			f.As(sdk.Warning).Advise("Remove the leftover copy, or rename the second change",
				"Compare "+a.dir+" with "+old.dir+". If that has all of its text, remove "+a.dir+".",
				"If it is another change, rename it.")
		}
	}
}

// early says why an archived change was archived too early, or returns "" if it was not. A change was archived too
// early if it has open tasks, or if no spec contains any of its delta.
func (m *model) early(c *change) string {
	if c.open > 0 {
		return say.Count(c.open, "task") + " " + say.Are(c.open) + " open"
	}
	for _, x := range c.deltas {
		if missing, found := m.unfolded(c, x); len(missing) > 0 && found == 0 && m.docs.Known(x.spec()) {
			return "its delta is not in " + x.spec()
		}
	}
	return ""
}

// main returns the path of a change's most important document.
func (c *change) main() string {
	for _, file := range []string{"proposal.md", "tasks.md"} {
		if d := c.has(file); d != nil {
			return d.Path
		}
	}
	return c.docs[0].Path
}

// copied counts the documents of a that c also has, with the same text.
func (c *change) copied(a *change) (n int) {
	for _, d := range a.docs {
		if c.copies(a, d) {
			n++
		}
	}
	return n
}

// doubled reports whether a change was archived too early and an open copy of it remains. active-and-archived reports
// such a change, and advises removing the archived copy.
func (m *model) doubled(c *change) bool {
	return m.early(c) != "" && slices.ContainsFunc(m.active, func(a *change) bool {
		return m.archivedAs(a) == c && c.copied(a) > 0
	})
}

// archivedAs returns the last archived change with an open change's name, or nil if there is none.
func (m *model) archivedAs(a *change) (last *change) {
	for _, c := range m.archived {
		if c.name == a.name {
			last = c
		}
	}
	return last
}

// copies reports whether c has a copy of d, a document of a.
func (c *change) copies(a *change, d *sdk.Document) bool {
	return same(d, c.has(d.Path[len(a.dir)+1:]))
}

// same reports whether two documents are known to have the same text. The text of a listed document is unknown.
func same(a, b *sdk.Document) bool {
	return a != nil && b != nil && a.Digest != "" && a.Digest == b.Digest
}

// completeNotArchived skips copies of archived changes: they must not be archived again, and active-and-archived
// reports them.
func completeNotArchived(r *check.Report, m *model) {
	for _, c := range m.active {
		if old := m.archivedAs(c); !c.complete() || old != nil && old.copied(c) > 0 {
			continue
		}
		steps := []string{"Check that the work is deployed.", "Run `openspec archive " + say.Word(c.subject()) + "`."}
		for _, x := range c.deltas {
			if x.doc.Readable() && m.docs.Known(x.spec()) && len(m.untargeted(c, x)) > 0 {
				steps = slices.Insert(steps, 0, "Correct "+x.doc.Path+", which `openspec archive` refuses: "+
					x.spec()+" lacks a requirement that it changes.")
			}
		}
		f := r.Whole(c.list.Path, "every task of "+c.name+" is ticked ("+say.Int(c.done)+" of "+say.Int(c.total())+
			"), but the change is not in changes/archive").Of(c.run()).
			Advise("Archive the change", steps...)
		switch {
		case r.Base.State == sdk.BaseNew:
			f.As(sdk.Info)
		case m.base != nil:
			if was := find(m.base.active, c.dir); was == nil || !was.complete() {
				f.As(sdk.Info)
			}
		}
	}
}

// fresh reports whether a change was archived since the base.
func (m *model) fresh(c *change) bool { return m.base != nil && find(m.base.archived, c.dir) == nil }

func archivedWithOpenTasks(r *check.Report, m *model) {
	for _, c := range m.archived {
		if c.open == 0 || c.list == nil || m.doubled(c) {
			continue
		}
		r.AtLine(c.list.Path, c.openLine, c.name+" is archived, but "+c.left()).Of(c.run()).
			Advise("Tick or move the open tasks", "Tick the finished tasks in "+c.list.Path+".",
				"Move the others to an open change, or strike them out with the reason.")
	}
}

// left states how many of a change's tasks are open.
func (c *change) left() string {
	if c.done == 0 {
		return work.SayTicked(0, c.total(), "task")
	}
	return say.Int(c.open) + " of its " + say.Count(c.total(), "task") + " " + say.Are(c.open) +
		" not ticked; the last unticked one is on line " + say.Int(c.openLine)
}

// ownSchema is OpenSpec's built-in schema.
const ownSchema = "spec-driven"

// schemaUnknown reports a schema that is not in the project. The schema may be in the user's own directory, outside the
// repository, so the finding is a warning only if the name resembles a known one.
func schemaUnknown(r *check.Report, m *model) {
	known := []string{ownSchema}
	for _, d := range m.docs.Match("schemas/*/schema.yaml") {
		known = append(known, strings.Split(d.Path, "/")[1])
	}
	for _, c := range m.active {
		path := "schemas/" + c.schema + "/schema.yaml"
		if c.schema == "" || slices.Contains(known, c.schema) || !m.docs.Known(path) {
			continue
		}
		text := c.name + " names the schema " + say.Quote(c.schema) + ", but " + path + " does not exist"
		near := words.Nearest(c.schema, known)
		if near != "" {
			text += "; did you mean " + say.Quote(near) + "?"
		}
		f := r.At(sdk.AtPointer(c.dir+"/.openspec.yaml", "/schema"), text).Of(c.run())
		if near == "" {
			f.As(sdk.Info)
		} else {
			f.Offer(sdk.Review, "Use the schema "+near, sdk.SetText(c.dir+"/.openspec.yaml", "/schema", near))
		}
		f.Advise("Correct or add the schema", "Correct the schema, or add it as openspec/"+path+".")
	}
}
