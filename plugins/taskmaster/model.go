package taskmaster

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// A task is a task or a subtask in tasks.json.
type task struct {
	id      string // 5, or 5.2 for a subtask
	short   string // its last part
	title   string
	text    string // the status as written
	status  status.Status
	high    int // the priority: 2 for high, 1 for medium, 0 for low
	pointer string
	value   jsondoc.Value
	list    *list
	parent  *task
	subs    []*task
	needs   []need
}

// A need is a dependency.
type need struct {
	id      string // as written
	pointer string
	on      *task // nil if the task does not exist
}

// A list holds a tag's tasks.
type list struct {
	tag   string // "" if the file has no tags
	at    string // the pointer to the object with the tasks
	value jsondoc.Value
	tasks []*task
	all   []*task // with subtasks
	byID  map[string]*task
	twice []work.Pair[*task] // tasks with the same id
	run   sdk.RunName
}

// A model holds one revision of a project's tasks.
type model struct {
	docs    sdk.Docs
	home    bool // whether the layout is .taskmaster, not the older one
	read    bool // tasks.json exists and is readable
	lists   []*list
	current string // the current tag; "" if none is set
	base    *model
}

func look(docs sdk.Docs, home bool) *model {
	m := &model{docs: docs, home: home}
	if root, ok := object(docs.Get(statePath)); ok && home {
		m.current, _ = root.Get("currentTag").Text()
	}
	root, ok := object(docs.Get(tasksPath))
	if !ok {
		return m
	}
	m.read = true
	if root.Get("tasks").Kind() == jsondoc.Array {
		m.lists = append(m.lists, readList("", "", root))
	}
	m.readTags(root, "")
	m.readTags(root.Get("tags"), "/tags") // a variant in some projects
	for _, l := range m.lists {
		if l.run = life.Named(""); len(m.lists) > 1 {
			l.run = life.Named(l.tag)
		}
	}
	return m
}

func (m *model) readTags(v jsondoc.Value, at string) {
	if v.Kind() != jsondoc.Object {
		return
	}
	for _, member := range v.Members() {
		if member.Value.Get("tasks").Kind() != jsondoc.Array || at != "" && m.list(member.Key) != nil {
			continue
		}
		l := readList(member.Key, at+"/"+jsondoc.EscapeToken(member.Key), member.Value)
		if i := slices.IndexFunc(m.lists, func(o *list) bool { return o.tag == l.tag && l.tag != "" }); i >= 0 {
			if len(l.tasks) > len(m.lists[i].tasks) { // readers disagree on which value of a repeated key counts
				m.lists[i] = l
			}
		} else {
			m.lists = append(m.lists, l)
		}
	}
}

func object(d *sdk.Document) (jsondoc.Value, bool) {
	if !d.Readable() {
		return jsondoc.Value{}, false
	}
	doc, err := jsondoc.Parse(d.Text)
	if err != nil || doc.Root().Kind() != jsondoc.Object {
		return jsondoc.Value{}, false
	}
	return doc.Root(), true
}

func readList(tag, at string, value jsondoc.Value) *list {
	l := &list{tag: tag, at: at, value: value, byID: map[string]*task{}}
	for i, v := range value.Get("tasks").Elements() {
		if t := readTask(l, nil, v, at+"/tasks/"+strconv.Itoa(i)); t != nil {
			l.tasks = append(l.tasks, t)
		}
	}
	for _, t := range l.all {
		for i := range t.needs {
			t.needs[i].on = l.needed(t, t.needs[i].id)
		}
	}
	return l
}

func readTask(l *list, parent *task, v jsondoc.Value, pointer string) *task {
	if v.Kind() != jsondoc.Object {
		return nil
	}
	t := &task{pointer: pointer, value: v, list: l, parent: parent, short: idOf(v.Get("id")), high: 1}
	if t.title, _ = v.Get("title").Text(); strings.TrimSpace(t.title) == "" {
		t.title, _ = v.Get("description").Text()
		t.title, _, _ = strings.Cut(strings.TrimSpace(t.title), "\n")
	}
	t.text, _ = v.Get("status").Text()
	t.status = statusOf(t.text)
	switch priority, _ := v.Get("priority").Text(); priority {
	case "high", "critical":
		t.high = 2
	case "low":
		t.high = 0
	}
	if t.id = t.short; parent != nil && !strings.HasPrefix(t.short, parent.id+".") {
		t.id = parent.id + "." + t.short
	} else if parent != nil {
		t.short = t.short[len(parent.id)+1:]
	}
	l.all = append(l.all, t)
	switch first := l.byID[t.id]; {
	case first == nil || t.short == "":
		l.byID[t.id] = t
	case first.parent == parent: // otherwise their parents have the same id, which is reported
		l.twice = append(l.twice, work.Pair[*task]{Was: first, Is: t})
	}
	for i, d := range v.Get("dependencies").Elements() {
		at := pointer + "/dependencies/" + strconv.Itoa(i)
		t.needs = append(t.needs, need{id: cmp.Or(idOf(d), d.Raw()), pointer: at})
	}
	for i, s := range v.Get("subtasks").Elements() {
		if sub := readTask(l, t, s, pointer+"/subtasks/"+strconv.Itoa(i)); sub != nil {
			t.subs = append(t.subs, sub)
		}
	}
	return t
}

// idOf reads an id: 5, "5", 5.2 or "5.2". It returns "" if there is no number.
func idOf(v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.String:
		if text, _ := v.Text(); strings.ContainsAny(text, "0123456789") {
			return strings.TrimSpace(text)
		}
	case jsondoc.Number:
		return strings.TrimSuffix(v.Raw(), ".0")
	}
	return ""
}

// before reports whether a and b are numbers and a is smaller.
func before(a, b string) bool {
	x, err := strconv.Atoi(a)
	y, other := strconv.Atoi(b)
	return err == nil && other == nil && x < y
}

// needed returns the task that an id in t refers to. In a subtask, a plain number refers to a subtask of the same task.
// It refers to a task instead, as elsewhere in Task Master, if there is no such subtask, or if that subtask comes after
// t and a task with the number comes before t's parent.
func (l *list) needed(t *task, id string) *task {
	if t.parent != nil && !strings.Contains(id, ".") {
		sibling := l.byID[t.parent.id+"."+id]
		if sibling != nil && (l.byID[id] == nil || !before(t.short, id) || !before(id, t.parent.id)) {
			return sibling
		}
	}
	if on := l.byID[id]; on != nil {
		return on
	}
	// As a JSON number, 18.10 becomes 18.1.
	if on := l.byID[id+"0"]; on != nil && strings.Contains(id, ".") {
		return on
	}
	return nil
}

func (t *task) at() sdk.Range { return sdk.AtPointer(tasksPath, t.pointer) }

// At returns the location of the status, or of the task if it has none.
func (t *task) At() sdk.Range { return sdk.AtPointer(tasksPath, t.pointer+"/status") }

// set returns the edit that sets the task to a status.
func (t *task) set(to string) sdk.Edit { return sdk.SetText(tasksPath, t.pointer+"/status", to) }

// subject returns the subject of findings about the task.
func (t *task) subject() string {
	if t.list.tag == "" || t.list.tag == "master" {
		return t.id
	}
	return t.list.tag + ":" + t.id
}

func (t *task) name() string {
	if t.parent != nil {
		return "subtask " + t.id
	}
	return "task " + t.id
}

// Called returns the task's name in a finding. It includes the tag if there are several lists, because each list has a
// task 1.
func (t *task) Called() string {
	if tag := t.list.run.Subject; tag != "" {
		return t.name() + " of " + say.Quote(tag)
	}
	return t.name()
}

// statusOf reads a status. Ready and blocked tasks are pending, because Task Master derives both from the
// dependencies.
func statusOf(text string) status.Status {
	s := status.Of(text)
	if s == status.Ready || s == status.Blocked {
		return status.Open
	}
	return s
}

// underway reports whether a task is in progress or in review.
func (t *task) underway() bool { return t.status == status.InProgress || t.status == status.Review }

// open returns the subtasks with remaining work.
func (t *task) open() []*task {
	var left []*task
	for _, s := range t.subs {
		if s.status.Left() {
			left = append(left, s)
		}
	}
	return left
}

// done returns the subtasks that are done.
func (t *task) done() (list []*task) {
	for _, s := range t.subs {
		if s.status == status.Done {
			list = append(list, s)
		}
	}
	return list
}

// subsDone reports whether a task has subtasks and all of them are finished.
func (t *task) subsDone() bool {
	return len(t.subs) > 0 && !slices.ContainsFunc(t.subs, func(s *task) bool { return !s.status.Finished() })
}

// met reports whether all of a task's dependencies are finished.
func (t *task) met() bool {
	return !slices.ContainsFunc(t.needs, func(n need) bool { return n.on != nil && !n.on.status.Finished() })
}

// list returns a tag's list, or nil if there is none.
func (m *model) list(tag string) *list {
	for _, l := range m.lists {
		if l.tag == tag || l.tag == "" && tag == "master" || l.tag == "master" && tag == "" {
			return l
		}
	}
	return nil
}

// foreign returns why a tasks.json outside .taskmaster is not Task Master's, or "" if it is.
func (m *model) foreign() string {
	switch {
	case m.home:
		return ""
	case m.docs.Get(home+"/"+tasksPath) != nil:
		return "Task Master reads " + home + "/" + tasksPath + ", which is next to it"
	case m.docs.Get(".taskmasterconfig") != nil || len(m.docs.Match("tasks/task_*.{txt,md}")) > 0:
		return ""
	case m.base != nil && m.base.foreign() == "":
		return "" // it was Task Master's in the base
	case m.docs.Get(tasksPath) != nil && !m.read:
		return unreadForeign(m.docs.Get(tasksPath))
	}
	for _, l := range m.lists {
		for _, t := range l.tasks {
			if t.short != "" && t.value.Get("status").Exists() &&
				(t.value.Get("testStrategy").Exists() || t.value.Get("dependencies").Exists()) {
				return ""
			}
		}
	}
	return tasksPath + " has no task with an id, a status and dependencies"
}

// unreadForeign does the same as foreign for an unreadable list. A file without Task Master's keys belongs to another
// tool, but a file that cannot be decoded at all may be a list.
func unreadForeign(d *sdk.Document) string {
	for _, f := range d.Faults {
		if f.Kind == "encoding" {
			return ""
		}
	}
	ours := strings.Contains(d.Text, `"subtasks"`) && strings.Contains(d.Text, `"dependencies"`)
	for _, p := range d.Summary.Probes {
		ours = ours || p.Count > 0
	}
	if ours {
		return "" // cut short, in conflict, or too large
	}
	return tasksPath + " cannot be read, and nothing in it or next to it is from Task Master"
}
