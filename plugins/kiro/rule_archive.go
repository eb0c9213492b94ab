package kiro

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// inArchive reports whether a spec's directory is in an archive.
func inArchive(dir string) bool {
	above := path.Dir(dir)
	return strings.HasSuffix(above, ".spec-workflow/archive/specs") ||
		slices.Contains([]string{"archive", "archived", "_archive"}, path.Base(above))
}

// activeAndArchived reports an active spec of spec-workflow that is also in the archive. The tool archives a spec by
// moving its directory.
func activeAndArchived(r *check.Report, m *model) {
	const active, archive = ".spec-workflow/specs/", ".spec-workflow/archive/specs/"
	if !strings.Contains(r.Root, active) || len(m.docs.All()) == 0 {
		return
	}
	copied := strings.Replace(r.Root, active, archive, 1)
	for _, name := range []string{"tasks.md", "design.md", "requirements.md"} {
		if there := r.Presence(copied + "/" + name); there == sdk.Present {
			r.Whole(m.first(), "this spec is active, but "+copied+"/"+name+" also exists").
				Advise("Remove one of the copies", "If the spec is finished or abandoned, delete "+r.Root+
					". Otherwise, delete "+copied+".")
			return
		}
	}
}

// first returns the path of the document that describes the spec best.
func (m *model) first() string {
	for _, name := range []string{"tasks.md", "design.md", "requirements.md"} {
		if m.docs.Get(name) != nil {
			return name
		}
	}
	return m.docs.All()[0].Path
}

// archivedNotComplete reports the open tasks of an archived spec. spec-workflow archives any spec, even an abandoned
// one.
func archivedNotComplete(r *check.Report, m *model) {
	if open := m.open(); m.archived && len(open) > 0 {
		done, total := m.counts()
		r.At(open[0].At("tasks.md"), "the spec is archived, but only "+say.Int(done)+" of "+say.Count(total, "task")+
			" "+say.Are(done)+" ticked")
	}
}

// severalInProgress reports tasks of spec-workflow that are in progress at the same time. In Kiro and cc-sdd, that is
// normal: they work on several tasks in parallel.
func severalInProgress(r *check.Report, m *model) {
	if !strings.Contains(r.Root, ".spec-workflow/") || m.archived {
		return
	}
	var list []*task
	for _, t := range m.tasks {
		if t.InProgress() && !t.Cancelled && !t.HasParts() {
			list = append(list, t)
		}
	}
	if len(list) > 1 {
		r.At(list[1].At("tasks.md"), say.Count(len(list), "task")+" are in progress: "+textsOf(list))
	}
}
