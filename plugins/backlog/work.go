package backlog

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// shared implements the task rules that other workflows also have. They ignore archived tasks.
var shared = work.Kind[*model, *task]{
	Noun: "task", Part: "subtask",
	Lists: func(m *model) [][]*task { return [][]*task{m.active} },
	Needs: func(m *model, t *task) (needs []work.Need[*task]) {
		if t.folder == "completed" {
			return nil
		}
		for _, id := range t.needs {
			n := work.Need[*task]{ID: id, At: t.at("dependencies"), On: m.find(id)}
			n.Exists = n.On != nil && n.On.active
			n.Unclear = t.folder != "tasks" || !m.lacks(id) && (n.On == nil || !t.status.Left())
			needs = append(needs, n)
		}
		return needs
	},
	Parts:  func(t *task) []*task { return t.subs },
	Twice:  func(m *model) []work.Pair[*task] { return m.twice },
	Apart:  func(t *task) string { return t.doc.Path },
	Undone: (*model).undone,
	Ticks:  (*model).ticksLost,
	Lost: func(m *model) (losses []work.Loss[*task]) {
		for _, over := range []bool{false, true} {
			lost := m.gone(over)
			if len(lost) >= many {
				losses, lost = append(losses, work.Loss[*task]{Items: lost, At: sdk.At("tasks/"), Many: true,
					Assign: func(f *check.Finding) { f.About("") }}), nil
			}
			for _, t := range lost {
				losses = append(losses, work.Loss[*task]{Items: []*task{t}, At: sdk.At(t.doc.Path)})
			}
		}
		return losses
	},
}

func (t *task) Key() string { return t.key }

func (t *task) Called() string { return t.id }

func (t *task) Brief() string { return t.id + " (" + say.Clip(t.text) + ")" }

func (t *task) Titled() string { return t.title }

func (t *task) Says() string { return say.Quote(t.text) }

// Is returns the status. It is unknown for an unfinished task in completed: completed-not-done reports that task, so
// no other rule should compare it.
func (t *task) Is() status.Status {
	if t.folder == "completed" && t.status.Left() {
		return status.Unknown
	}
	return t.status
}

func (t *task) At() sdk.Range { return t.at("status") }

// Assign sets the subject of a finding.
func (t *task) Assign(f *check.Finding) { f.About(t.key) }

type found = work.Found[*task]

func idRepeated(r *check.Report, m *model) {
	next := 0
	shared.IDRepeated(r, m, func(f *found) {
		first, second := f.Others[0], f.Item
		f.Range = second.at("id")
		f.Keyed(second.doc.Path).See(first.at("id"), "the other task")
		if first.id != second.id {
			f.Message = first.id + " and " + second.id + " are the same id: " + first.doc.Path + " and " +
				second.doc.Path
		}
		if first.over && second.over || first.folder == "drafts" || second.folder == "drafts" {
			f.As(sdk.Warning)
		}
		m.renumber(f, &next)
	})
}

func doneEarly(r *check.Report, m *model) { shared.DoneWithOpenParts(r, m, nil) }

// needMissing also reports a dependency on an archived task, because Backlog.md does not search the archive.
func needMissing(r *check.Report, m *model) {
	shared.DependencyMissing(r, m, func(f *found) {
		if on := m.find(f.Key); on != nil {
			f.Message = f.Item.id + " depends on " + f.Key + ", which is in " + on.folder
			f.See(on.at("id"), "the archived task").Keyed(on.key).As(sdk.Warning)
			return
		}
		if m.base != nil {
			if was := m.base.find(f.Key); was != nil && m.docs.Get(was.doc.Path) == nil {
				f.Offer(sdk.Review, "Restore "+was.id+" from the base", sdk.Restore(was.doc.Path)).
					Advise("Correct the dependency", "Correct the dependency, or remove it.")
			}
		}
		if f.Keyed(keyOf(f.Key)); f.Item.over {
			f.As(sdk.Warning)
		}
	})
}

func needCircular(r *check.Report, m *model) {
	shared.DependencyCircular(r, m, func(f *found) {
		f.Keyed("")
		if !slices.ContainsFunc(append(f.Others, f.Item), func(t *task) bool { return !t.over }) {
			f.As(sdk.Warning)
		}
	})
}

func needOpen(r *check.Report, m *model) { shared.DependencyOpen(r, m, nil) }

// taskLost reports many lost open tasks as an error. A single lost task and lost finished tasks are warnings, because
// they may have been deleted on purpose.
func taskLost(r *check.Report, m *model) {
	shared.ItemLost(r, m, func(f *found) {
		was, title := f.Item, "Restore "+f.Item.doc.Path
		if len(f.Others) > 0 {
			title = "Restore the tasks"
		}
		if len(f.Others) == 0 || was.over {
			f.As(sdk.Warning)
		}
		if was.over && was.status != status.Cancelled {
			f.About("") // as in earlier versions, so that accepted findings stay accepted
			if len(f.Others) == 0 {
				f.Message = work.SayGone(1, "task", "done") + ": " + was.Brief()
			}
		}
		var edits []sdk.Edit
		for _, was := range append([]*task{was}, f.Others...) {
			is := m.byKey[was.key]
			if is != nil && is.active && len(f.Others) == 0 {
				f.Message = was.id + " is another task now; in the base it is " + was.Says() + ": " +
					say.Quote(was.title)
				f.See(is.at("id"), "the task that has the id now").Advise("Check whether the old task is lost",
					"If it lives on under another id or as part of another task, accept the finding.",
					"If it is lost, give the new task the next free number, then restore "+was.doc.Path+".")
			}
			if is != nil && (is.active || len(f.Others) > 0) {
				return
			}
			edits = append(edits, sdk.Restore(was.doc.Path))
		}
		f.Offer(sdk.Review, title, edits...)
	})
}

func reopened(r *check.Report, m *model) {
	shared.TickLost(r, m, func(f *found) {
		if len(f.Others) > 0 { // otherwise its criteria lost ticks
			f.Offer(sdk.Review, "Set "+f.Item.id+" to "+m.done, f.Item.set(m.done)...)
		}
	})
}

// undone returns the tasks that were done in the base and are open now.
func (m *model) undone() (list []work.Pair[*task]) {
	for _, p := range m.pairs() {
		if p.Was.status == status.Done && p.Is.status.Left() {
			list = append(list, p)
		}
	}
	return list
}

// ticksLost returns the tasks with fewer ticked criteria than in the base. Other rules check tasks that were done
// there.
func (m *model) ticksLost() (list []work.Ticks[*task]) {
	for _, p := range m.pairs() {
		if p.Was.status == status.Done || p.Was.doc.Text == p.Is.doc.Text {
			continue
		}
		if now, before := p.Is.boxes().ticked, p.Was.boxes().ticked; before > now {
			list = append(list, work.Ticks[*task]{Item: p.Is, Now: now, Before: before,
				Boxes: "acceptance criteria", At: p.Is.at("status")})
		}
	}
	return list
}

// pairs returns the base's active tasks that still exist, each with its current version.
func (m *model) pairs() (list []work.Pair[*task]) {
	for _, was := range m.base.tasks {
		if is := m.now(was); was.active && is != nil {
			list = append(list, work.Pair[*task]{Was: was, Is: is})
		}
	}
	return list
}

// now returns the present version of a base task, or nil if it is missing or hidden, or if another task has its id.
func (m *model) now(was *task) *task {
	is := m.files[was.doc.Path]
	if is == nil || is.key != was.key {
		if is = m.find(was.id); !m.docs.Known(was.doc.Path) {
			return nil
		}
	}
	if is == nil || !is.like(was) {
		return nil
	}
	return is
}
