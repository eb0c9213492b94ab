package speckit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// resume writes the brief: the next task, and the files to read first.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	if b.First != "" {
		d.State = sdk.Blocked
	} else if m.complete() {
		d.State = sdk.Finished
		m.putOff(b)
		return
	}
	b.Read(specPath, planPath, tasksPath, "research.md", "data-model.md", "quickstart.md")
	m.beside(b)
	b.Warn(found, "tick-lost", "done-without-evidence")
	lost, doubted, denied := m.unticked(b, found), doubted(found), m.denied()
	switch {
	case m.unread():
		b.Do("make tasks.md readable; stategate cannot tell which tasks are done")
	case m.restore(found) != "":
		b.Do(m.restore(found))
	case m.complete():
		b.Do("fix the errors that block the feature; every task is ticked")
	case retired(lower(m.field("Status").Text())):
		d.State = sdk.Blocked
		b.DoWith("ask whether this feature is still to be implemented: its Status is \"", m.field("Status").Text(),
			"\"")
	case !m.started() && m.command(p) != "":
		b.Do(m.command(p))
	case m.open == 0 && len(m.openIDless()) > 0:
		t := m.openIDless()[0]
		b.DoWith("", t.Text, " (tasks.md:"+say.Int(t.Line)+"), then tick it")
		m.leaveIDless(b, 1)
	case m.total() == 0 && len(m.list) > 0:
		b.Do("resume a task in tasks.md, or end the feature; all " + say.Count(len(m.list), "task") +
			" are deferred or abandoned")
	case m.total() == 0 && len(m.heads) > 1:
		b.Do("continue tasks.md and give its tasks checkboxes with ids; stategate cannot tell which are done")
	case m.total() == 0:
		b.Do("write the tasks in tasks.md, which lists none")
	default:
		next := m.next()
		for i := range m.list {
			if t := &m.list[i]; t.state == open && t.blocked() {
				b.Know(say.Clip(t.title()) + " is blocked")
			}
		}
		m.putOff(b)
		for i := range found {
			if f := &found[i]; f.Rule == "done-without-evidence" {
				b.Verify(f.Message)
			}
		}
		maps.Copy(doubted, lost)
		maps.Copy(doubted, denied)
		t, there := &m.list[next], []string(nil)
		for _, o := range m.begun(p) {
			if !doubted[o.Line] {
				there = append(there, o.Name())
			}
		}
		if n := len(there); n > 0 {
			b.Verify("whether " + say.Count(n, "open task") + " whose files exist " + say.Are(n) + " done: " +
				say.List(there))
		}
		at, why := " (tasks.md:"+say.Int(t.Line)+")", ""
		switch {
		case lost[t.Line]:
			why = "it lost its tick"
		case slices.Contains(there, t.Name()):
			why = "its files exist"
		case len(there) > 1:
			why = "files of later tasks exist"
		case !m.started():
			why = m.toldDone()
		}
		switch {
		case t.blocked():
			b.DoWith("unblock ", t.title(), at)
		case denied[t.Line]:
			b.DoWith("check whether ", t.title(), at+" is done, and remove the wrong copy; only one copy is ticked")
		case why != "":
			b.DoWith("check whether ", t.title(), at+" is done, and tick it if so; "+why)
		default:
			b.DoWith("", t.title(), at+m.thenTick(t))
		}
		if t.phase != "" {
			b.Know("the task is in " + say.Clip(t.phase))
		}
		b.Rest(m.parts(next, doubted))
		m.leaveIDless(b, 0)
		if t.Boxed() {
			b.Closing = "tick each task in tasks.md when it is done and its files are written"
		}
	}
}

// retired reports whether a Status in lower case says that a feature is not continued. "Superseded in part" does not.
//
//go:noinline
func retired(text string) bool {
	return strings.HasPrefix(text, "superseded") && !strings.HasPrefix(text, "superseded in part") ||
		strings.HasPrefix(text, "cancel") || strings.HasPrefix(text, "abandoned") ||
		strings.HasPrefix(text, "deprecated")
}

// thenTick returns the end of the step for a task. A heading has no checkbox, but there may be some under it.
func (m *model) thenTick(t *task) string {
	switch {
	case t.Boxed() || strings.Contains(t.Raw, "[ ]"):
		return ", then tick it"
	case slices.ContainsFunc(m.tasks.Outline().Tasks(),
		func(b markdown.Task) bool { return t.Start < b.Start() && b.Start() < t.ItemEnd }):
		return ", then tick the checkboxes under it"
	}
	return ""
}

// restore returns the step that restores a lost document from the base, because it must not be written again. It
// returns "" if none was lost. Once a task is ticked, only tasks.md counts: work can continue without the other
// documents.
func (m *model) restore(found []sdk.Diagnostic) string {
	for i := range found {
		f := &found[i]
		if m.started() && cmp.Or(f.Key, f.Range.Path) != tasksPath {
			continue
		}
		path := cmp.Or(f.Key, f.Range.Path)
		switch f.Rule {
		case "document-lost":
			return "restore " + path + " from the base"
		case "document-cut-short":
			return "restore the end of " + path + " from the base"
		}
	}
	return ""
}

// unsettled reports whether a field in the plan's technical context is marked as unclear.
func (m *model) unsettled() bool {
	if !m.plan.Readable() {
		return false
	}
	for _, f := range m.plan.Outline().Document().Fields() {
		if strings.HasPrefix(strings.Trim(f.Text(), "[ "), "NEEDS CLARIFICATION") {
			return true
		}
	}
	return false
}

// leaveIDless adds the open tasks without an id to the remaining work, except the first skip ones.
func (m *model) leaveIDless(b *brief.Brief, skip int) {
	for _, t := range m.openIDless()[skip:] {
		b.Left(say.Clip(t.Text))
	}
}

// putOff lists the deferred tasks, which are neither done nor next.
func (m *model) putOff(b *brief.Brief) {
	var list []*task
	for i := range m.list {
		if t := &m.list[i]; t.isPutOff() {
			list = append(list, t)
		}
	}
	if len(list) == 1 {
		b.Know(say.Clip(list[0].title()) + " is deferred" + say.Line(m.tasks, list[0].Start))
	} else if len(list) > 1 {
		ids := make([]string, len(list))
		for i, t := range list {
			ids[i] = t.Name()
		}
		b.Know(say.Count(len(list), "task") + " are deferred: " + say.List(ids))
	}
}

// doubted returns the lines of ticked tasks that done-without-evidence reports: they may not be done.
func doubted(found []sdk.Diagnostic) map[int]bool {
	lines := map[int]bool{}
	for i := range found {
		if f := &found[i]; f.Rule == "done-without-evidence" && f.Severity != sdk.Info {
			lines[f.Range.Line] = true
			for _, also := range f.Related {
				lines[also.Range.Line] = true
			}
		}
	}
	return lines
}

// unticked adds one check for all tasks that lost their tick since the base, and returns their lines.
func (m *model) unticked(b *brief.Brief, found []sdk.Diagnostic) map[int]bool {
	lines := map[int]bool{}
	var ids []string
	for i := range found {
		f := &found[i]
		if f.Rule != "tick-lost" || f.Severity != sdk.Warning {
			continue
		}
		t := m.of(f.Key)
		if t == nil { // one finding for several reworded tasks
			b.Verify(f.Message)
			continue
		}
		lines[t.Line] = true
		ids = append(ids, t.Name())
	}
	if n := len(ids); n > 0 {
		b.Verify("whether " + say.Count(n, "task") + " that lost " + say.Verb(n, "its tick", "their ticks") +
			" since the base " + say.Are(n) + " done: " +
			say.List(ids))
	}
	return lines
}

// next returns the index of the open task to continue with: the first one that is not marked as blocked and does not
// depend on another open task, if there is one.
func (m *model) next() int {
	first, free := -1, -1
	for i := range m.list {
		t := &m.list[i]
		if t.state != open {
			continue
		}
		if first < 0 {
			first = i
		}
		if !t.blocked() {
			if !m.waits(t) {
				return i
			}
			if free < 0 {
				free = i
			}
		}
	}
	if free >= 0 {
		return free
	}
	return first
}

// waits reports whether a task depends on another open task.
func (m *model) waits(t *task) bool {
	return slices.ContainsFunc(t.needs, func(id string) bool {
		on := m.of(id)
		return on != nil && on != t && on.state == open
	})
}

// mostContracts limits the contracts that a brief lists.
const mostContracts = 8

// beside lists the contracts, which /speckit.implement reads, and the checklists with open items, which it asks about.
func (m *model) beside(b *brief.Brief) {
	contracts := m.docs.Match("contracts/**/*.{md,yaml,yml,json,ts,proto,graphql}")
	for i, d := range contracts {
		if i == mostContracts {
			b.Know(say.Int(len(contracts)-i) + " more contracts in contracts/")
			break
		}
		b.Read(d.Path)
	}
	if m.complete() {
		return
	}
	for _, c := range m.checklists() {
		if c.open > 0 {
			b.Verify(say.Int(c.open) + " of " + say.Count(c.open+c.done, "item") + " in " + c.path + " " +
				say.Are(c.open) + " open")
		}
	}
}

// parts lists the tasks in the phase of the next task, and one part for each other phase, without the doubted tasks.
// It also returns the next task's index in the list, or -1.
func (m *model) parts(next int, doubted map[int]bool) (at int, list []brief.Part) {
	var ids [off + 1][]string
	list, at = make([]brief.Part, 0, 32), -1 // a doubted next task is not in the list
	for i := 0; i < len(m.list); {
		phase, end := m.list[i].phase, i
		own := phase == m.list[next].phase
		for ; end < len(m.list) && m.list[end].phase == phase; end++ {
			t := &m.list[end]
			if doubted[t.Line] {
				continue
			}
			if end == next {
				at = len(list)
			}
			if !own && (t.state != off || t.isPutOff()) {
				ids[t.state] = append(ids[t.state], t.Name())
			} else if own && t.state != off {
				list = append(list, brief.Part{Title: t.title(), Done: t.state == done})
			}
		}
		for _, s := range []state{done, open} {
			if n := len(ids[s]); n > 0 {
				tasks := say.Count(n, "task")
				if left := len(ids[off]); s == done && left > 0 {
					tasks = say.Int(n) + " of " + say.Count(n+left, "task")
				}
				list = append(list, brief.Part{Title: say.Clip(cmp.Or(phase, "Without a phase")) + ", " + tasks + ": " +
					say.List(ids[s]), Done: s == done})
			}
		}
		for s := range ids {
			ids[s] = ids[s][:0]
		}
		i = end
	}
	return at, list
}

// blocked reports whether a task's title says that it is blocked.
func (t *task) blocked() bool {
	return blocks.Index(t.Title) >= 0
}

var blocks = words.ListOf("⛔", "BLOCKED by ", "BLOCKED on ")

// title returns a task's title with its id.
func (t *task) title() string {
	return strings.TrimSpace(t.ID + " " + t.Title)
}
