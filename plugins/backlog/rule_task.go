package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// pagesRepeated compares the ids of documents and decisions. An id comes from the front matter or, if there is none,
// from the file name.
func pagesRepeated(r *check.Report, m *model) {
	first := map[string]sdk.Range{}
	for _, d := range m.docs.Match("{docs,decisions}/**/*.md") {
		id, at := "", sdk.At(d.Path)
		if name := file(d.Path); numbered(name) {
			id, _, _ = strings.Cut(strings.TrimSuffix(name, ".md"), " ")
		}
		if len(d.Summary.Probes) == 1 && d.Summary.Probes[0].Count == 1 {
			probe := d.Summary.Probes[0]
			id, at = strings.Trim(strings.TrimPrefix(probe.LastText, "id:"), " '\""), sdk.AtLine(d.Path, probe.LastLine)
		}
		key := keyOf(id)
		if !strings.HasPrefix(key, "doc-") && !strings.HasPrefix(key, "decision-") {
			continue
		}
		if other, ok := first[key]; ok {
			r.At(at, id+" appears twice: "+other.Path+" and "+d.Path).
				About(key).Keyed(d.Path).See(other, "the other page")
			continue
		}
		first[key] = at
	}
}

func idUnlikeName(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if key := nameKey(t.name); key != "" && key != t.key && t.active {
			r.At(t.at("id"), "the id is "+t.id+", but the file is "+t.name).About(t.key).Keyed(t.doc.Path)
		}
	}
}

func taskUnreadable(r *check.Report, m *model) {
	for _, t := range m.unread {
		if t.doc.Readable() && t.active {
			f := r.Whole(t.doc.Path, t.doc.Path+" is named like a task, but has no front matter with an id").Keyed(
				t.doc.Path)
			if was := m.before(t); was == nil || was.id == "" {
				f.As(sdk.Warning)
			} else {
				f.Offer(sdk.Review, "Restore "+t.doc.Path+" from the base", sdk.Restore(t.doc.Path))
			}
			f.Advise("Write the front matter", "Begin the file with ---, id, title, status and ---, or rename it.")
		}
	}
	for _, t := range m.active {
		if t.front.Closed {
			m.keyRepeated(r, t)
		} else if t.front.Lines > 0 && !m.cutOff(r, t) {
			f := r.Whole(t.doc.Path, "the front matter of "+t.doc.Path+" has no closing ---").Keyed(t.doc.Path).
				Offer(sdk.Review, "Close the front matter", t.closeFront()...).
				Advise("Close the front matter", "Write --- on a separate line after the last field.")
			if was := m.before(t); was == nil || was.id == "" || !was.front.Closed {
				f.As(sdk.Warning)
			}
		}
	}
	m.nested(r)
}

// nested reports the files that are named like tasks and are in directories below tasks, which Backlog.md ignores.
func (m *model) nested(r *check.Report) {
	list := slices.DeleteFunc(m.docs.Match("tasks/*/**/*.md"), func(d *sdk.Document) bool {
		return !numbered(file(d.Path))
	})
	if n := len(list); n > 0 {
		r.Whole(list[0].Path, "Backlog.md does not read "+say.Count(n, "file")+" in directories below tasks that "+
			say.Are(n)+" named like "+say.Verb(n, "a task", "tasks")+", such as "+list[0].Path).Keyed("nested").
			As(sdk.Info).Advise("Move the tasks", "Move current tasks to tasks, and leave or archive the others.")
	}
}

// keyRepeated reports a key that appears twice in the front matter, as after a merge that kept both sides.
func (m *model) keyRepeated(r *check.Report, t *task) {
	second := t.repeated()
	if second == nil {
		return
	}
	f := r.AtLine(t.doc.Path, second.Line, t.doc.Path+" has two "+say.Quote(second.Key)+" lines in its front matter").
		See(t.at(second.Key), "the first one").Keyed(t.doc.Path).
		Advise("Keep one of the two lines", "Remove the line that is wrong.")
	if was := m.before(t); was != nil && was.repeated() != nil {
		f.As(sdk.Warning)
	}
}

// repeated returns the first entry of the front matter that has the key of an earlier entry, or nil if there is none.
func (t *task) repeated() *markdown.Entry {
	for i := range t.front.Entries {
		if e := &t.front.Entries[i]; t.front.Get(e.Key) != e {
			return e
		}
	}
	return nil
}

// cutOff reports a file that ends within its front matter, although the base has all of it.
func (m *model) cutOff(r *check.Report, t *task) bool {
	if was := m.before(t); was == nil || !was.front.Closed || t.closeFront() != nil {
		return false
	}
	if found := r.CutShort(t.doc.Path); found != nil {
		found[0].About(t.key)
		return true
	}
	f := r.CutAtLine(t.doc.Path)
	if f != nil {
		f.About(t.key)
	}
	return f != nil
}

// before returns a task file's base version, or nil if there is none.
func (m *model) before(t *task) *task {
	if m.base == nil {
		return nil
	}
	return m.base.files[t.doc.Path]
}

// expected describes the statuses that a task may have.
func (m *model) expected() string {
	if len(m.statuses) == 0 {
		return "To Do, In Progress or Done"
	}
	return "one of " + say.List(m.statuses)
}

func statusUnknown(r *check.Report, m *model) {
	for _, t := range m.tasks {
		said := words.Says(t.text)
		if t.folder != "tasks" || said && (len(m.statuses) == 0 || m.place(t.text) >= 0 ||
			words.Alike(t.text, "draft")) {
			continue
		}
		f := r.At(t.at("status"), say.Wrong("the status of "+t.id, say.Quote(t.text), m.expected())).About(t.key)
		if t.status == status.Cancelled {
			f.As(sdk.Info)
		} else if said {
			f.As(sdk.Warning)
		}
	}
}

// completedNotDone offers to set a task to done only if its criteria or the base show that it is.
func completedNotDone(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if !t.shelved() {
			continue
		}
		f := r.At(t.at("status"), t.id+" is in completed, but its status is "+say.Quote(t.text)).About(t.key)
		was := m.before(t)
		proved := t.met() || was != nil && was.status == status.Done
		if proved {
			f.Offer(sdk.Review, "Set "+t.id+" to "+m.done, t.set(m.done)...)
		}
		f.Offer(sdk.Review, "Move "+t.id+" back to tasks", sdk.Move(t.doc.Path, "tasks/"+t.name))
		if !proved {
			f.Advise("Finish the task", "If the task is done, tick its acceptance criteria and set its status to "+
				m.done+".")
		}
	}
}

// criteriaMet reports tasks that have not begun, according to their status, although all of their checkboxes are
// ticked. If only a task's subtasks are all done, it reports the task as info, because the task may have work of its
// own.
func criteriaMet(r *check.Report, m *model) {
	claimed := m.claimed()
	for _, t := range m.tasks {
		if t.folder == "tasks" && t.status == status.Open && t.subsDone() && !slices.Contains(claimed, t) {
			r.At(t.at("status"), t.id+" is "+say.Quote(t.text)+", but "+work.SayAll(len(t.subs), "subtask")+" done").
				About(t.key).Keyed("subtasks").As(sdk.Info)
		}
	}
	for _, t := range claimed {
		if !m.wasDone(t) { // tick-lost reports the others
			all := "all its acceptance criteria are"
			if t.boxes().all == 1 {
				all = "its only acceptance criterion is"
			}
			r.At(t.at("status"), t.id+" is "+say.Quote(t.text)+", but "+all+" ticked").About(t.key).
				Offer(sdk.Review, "Set "+t.id+" to "+m.done, t.set(m.done)...)
		}
	}
}

// claimed returns the tasks that have not begun, according to their status, but whose checkboxes are all ticked. It
// returns none if there are several such tasks and no other one has an open checkbox: then the project writes its
// criteria ticked.
func (m *model) claimed() (list []*task) {
	others := 0
	for _, t := range m.tasks {
		if t.folder == "tasks" && t.status == status.Open {
			if t.met() {
				list = append(list, t)
			} else if tasks.MayBeOpen(t.doc.Text) {
				others++
			}
		}
	}
	if work.Never(others, len(list)) {
		return nil
	}
	return list
}

// wasDone reports whether a task was done in the base.
func (m *model) wasDone(t *task) bool {
	if m.base == nil {
		return false
	}
	was := m.base.byKey[t.key]
	return was != nil && was.status == status.Done && t.like(was)
}

// met reports whether a task has acceptance criteria, and all of its checkboxes are ticked.
func (t *task) met() bool {
	if !strings.Contains(t.doc.Text, "[x]") {
		return false // reading the boxes takes longer
	}
	b := t.lists()
	return b.criteria.all > 0 && b.criteria.open == 0 && b.criteria.off == 0 && b.done.open == 0
}

// criteriaOpen reports done tasks with open criteria. Whether a task without any tick is a fault depends on the ticks
// in other done tasks.
func criteriaOpen(r *check.Report, m *model) {
	var fresh, bare []*task // tasks without a tick: those that this change finished, and the others
	kept, idle := 0, 0      // tasks with ticks; tasks without a tick that are no longer in tasks
	for _, t := range m.tasks {
		if t.status != status.Done {
			continue
		}
		now := m.finishes(t)
		switch {
		case !tasks.MayBeOpen(t.doc.Text): // all are ticked
			if strings.Contains(t.doc.Text, "[x]") && !now {
				kept++
			}
		case t.boxes().ticked > 0:
			if !now {
				kept++
			}
		case t.active && t.boxes().all > 0 && m.unticked(t): // partlyDone reports it
		case t.boxes().all == 0 || t.explained(t.boxes().unmet):
		case t.folder != "tasks":
			idle++
		case now:
			fresh = append(fresh, t)
		default:
			bare = append(bare, t)
		}
		if tasks.MayBeOpen(t.doc.Text) && t.active {
			m.partlyDone(r, t)
		}
	}
	for _, t := range fresh {
		if !work.Never(kept, len(bare)+idle) {
			r.AtLine(t.doc.Path, t.boxes().open, t.id+" is done, but "+t.criteria()).About(t.key).
				See(t.at("status"), "its status").As(sdk.Warning)
		}
	}
	if len(bare) > 0 && work.Habit(kept, kept+len(bare)+idle) {
		r.AtLine(bare[0].doc.Path, bare[0].boxes().open, say.Count(len(bare), "done task")+" "+say.Has(len(bare))+
			" no ticked acceptance criterion, unlike "+say.Int(kept)+" others: "+work.Briefs(bare)).
			Keyed("never ticked").As(sdk.Info)
	}
}

// finishes reports whether this change sets a task to done, or adds a done task to an existing backlog.
func (m *model) finishes(t *task) bool {
	if m.base == nil || len(m.base.tasks) == 0 {
		return false
	}
	was := m.base.find(t.id)
	if was == nil || !t.like(was) { // renumbered, or new
		i := slices.IndexFunc(m.base.tasks, func(o *task) bool { return o.title == t.title })
		if i < 0 {
			return true
		}
		was = m.base.tasks[i]
	}
	return was.status != status.Done && was.folder != "completed"
}

// partlyDone reports a done task with both ticked and open criteria.
func (m *model) partlyDone(r *check.Report, t *task) {
	if c := t.boxes(); c.partly() || c.all > 0 && m.unticked(t) {
		f := r.AtLine(t.doc.Path, c.open, t.id+" is done, but "+only(c)+t.criteria()).About(t.key).See(t.at("status"),
			"its status")
		switch {
		case m.unticked(t):
			was := m.base.byKey[t.key]
			n := was.boxes().ticked
			f.Message += "; " + say.Int(n) + " " + say.Were(n) + " in the base"
			f.Offer(sdk.Review, "Tick these criteria again",
				t.tickAgain(was)...).Advise("Tick or remove the open criteria", "Tick met "+
				"criteria. Remove abandoned ones, with the reason.")
		case t.explained(c.unmet):
			f.As(sdk.Info)
		case 4*c.ticked < c.all || t.putAway(m.base):
			f.As(sdk.Warning) // the project hardly uses the checkboxes
		}
	}
	if c := t.lists().done; c.partly() && !t.putAway(m.base) {
		f := r.AtLine(t.doc.Path, c.open, t.id+" is done, but only "+say.Int(c.ticked)+" of the "+say.Int(c.all)+
			" checkboxes in its definition of done "+say.Are(c.ticked)+" ticked").
			About(t.key).Keyed("definition of done").As(sdk.Warning)
		if t.explained(c.unmet) {
			f.As(sdk.Info)
		}
	}
}

// putAway reports whether a task is among the completed ones, and already was before this change.
func (t *task) putAway(base *model) bool {
	return t.folder == "completed" && (base == nil || base.files[t.doc.Path] != nil)
}

// unticked reports whether a task has fewer ticked criteria than in the base, where it was also done.
func (m *model) unticked(t *task) bool {
	if m.base == nil {
		return false
	}
	was := m.base.byKey[t.key]
	return was != nil && was.title == t.title && was.status == status.Done &&
		was.boxes().ticked > t.boxes().ticked && was.boxes().all <= t.boxes().all
}

// tickAgain returns the edits that tick the criteria that were ticked in the base.
func (t *task) tickAgain(was *task) (edits []sdk.Edit) {
	tasks.Pair(was.boxes().list, t.boxes().list).Unticked(func(before, c *tasks.Task) {
		edits = append(edits, c.TickAgain(t.doc.Path, before, was.doc.Text)...)
	})
	return edits
}

// only returns the word that precedes the count of ticked criteria in a message, or "" if the count is 0.
func only(c *criteria) string {
	if c.ticked == 0 {
		return ""
	}
	return "only "
}

func (t *task) criteria() string {
	c := t.boxes()
	return work.SayTicked(c.ticked, c.all, "acceptance criterion")
}
