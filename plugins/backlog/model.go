package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// A task is the file of a task or a draft.
type task struct {
	doc    *sdk.Document
	folder string // tasks, drafts, completed, archive/tasks, archive/drafts
	name   string // the file name
	id     string // as written; "" if there is none
	key    string // the id in the form that keyOf returns
	title  string
	text   string // the status as written
	status status.Status
	needs  []string // the ids of dependencies, as written
	parent string
	goal   string // the milestone
	front  *markdown.Front
	read   *boxes // set on first use
	subs   []*task
	active bool // not archived; the tool reuses the ids of archived tasks
	over   bool // done or abandoned
}

// boxes holds a task's two checkbox lists: its acceptance criteria and its definition of done.
type boxes struct{ criteria, done criteria }

// criteria counts one checkbox list.
type criteria struct {
	ticked, all int
	open        int      // the line of the first open criterion
	off         int      // criteria that are open and say why; all does not include them
	unmet       []string // the numbers of open criteria, as written: #6
	// the criteria that count
	list []*tasks.Task
}

// A model holds one revision of a backlog.
type model struct {
	docs     sdk.Docs
	files    map[string]*task // by path
	statuses []string         // from the configuration, in order
	done     string           // the status that means done
	digits   int              // the length that new numbers are padded to with zeros
	tasks    []*task          // all tasks, in the order of folders
	active   []*task          // the tasks that are not archived
	byKey    map[string]*task
	byNumber map[string]*task // the first task with a number, such as -7, and any prefix
	twice    []work.Pair[*task]
	unread   []*task // task files without a readable id
	base     *model

	rootConfig string // the path that the configuration has if it is in the project root
}

var configPaths = []string{"config.yml", "config.yaml"}

var folders = []string{"tasks", "completed", "drafts", "archive/tasks", "archive/drafts"}

// look reads one revision. It reuses the parsed front matter in other, which may be nil, for files with the same text.
func look(docs sdk.Docs, other *model) *model {
	m := &model{docs: docs, files: map[string]*task{}, byKey: map[string]*task{}, byNumber: map[string]*task{}}
	for _, path := range configPaths {
		if d := docs.Get(path); d.Readable() {
			if doc, err := jsondoc.Parse(d.Text); err == nil {
				for _, v := range doc.Root().Get("statuses").Elements() {
					if text, ok := v.Text(); ok {
						m.statuses = append(m.statuses, text)
					}
				}
				m.digits = min(max(words.Number(doc.Root().Get("zero_padded_ids").Raw()), 0), 9)
			}
		}
	}
	m.done = "Done"
	if i := slices.IndexFunc(m.statuses, func(s string) bool { return m.statusOf(s) == status.Done }); i >= 0 {
		m.done = m.statuses[i]
	}
	for _, folder := range folders {
		var list []*task
		for _, d := range docs.All() {
			name, ok := strings.CutPrefix(d.Path, folder)
			if !ok || !strings.HasPrefix(name, "/") || d.Dir || d.Need != sdk.Content {
				continue
			}
			t := readTask(d, folder, name[1:], other)
			m.files[d.Path] = t
			list = append(list, t)
		}
		// Documents arrive in alphabetical order, which is numerical among numbers of the same length.
		for length, taken := 0, 0; taken < len(list); length++ {
			for _, t := range list {
				if number := t.key[strings.LastIndexByte(t.key, '-')+1:]; strings.IndexByte(number+".", '.') == length {
					m.take(t)
					taken++
				}
			}
		}
	}
	for _, t := range m.tasks {
		if t.status = m.statusOf(t.text); t.draft() {
			t.status = status.Unknown
		}
		t.over = t.status.Finished() || t.folder == "completed" && !t.status.Left()
	}
	for _, t := range m.tasks {
		if !t.active {
			continue
		}
		m.active = append(m.active, t)
		if p := m.find(t.parent); p != nil && p != t {
			p.subs = append(p.subs, t)
		}
	}
	return m
}

// front returns a document's front matter. It reuses the one in m, which may be nil, if the text is the same.
func (m *model) front(d *sdk.Document) *markdown.Front {
	if m != nil {
		if t := m.files[d.Path]; t != nil && t.doc.Text == d.Text {
			return t.front
		}
	}
	front := markdown.FrontOf(d.Text)
	return &front
}

func file(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func (m *model) take(t *task) {
	if t.id == "" {
		if numbered(t.name) {
			m.unread = append(m.unread, t)
		}
		return
	}
	m.tasks = append(m.tasks, t)
	if prefix, number, _ := strings.Cut(t.key, "-"); m.byNumber["-"+number] == nil && !strings.Contains(number, "-") &&
		prefix != "draft" {
		m.byNumber["-"+number] = t
	}
	first := m.byKey[t.key]
	switch {
	case first == nil:
		m.byKey[t.key] = t
	case t.active && first.active:
		m.twice = append(m.twice, work.Pair[*task]{Was: first, Is: t})
	}
}

// draft reports whether a task is still a draft.
func (t *task) draft() bool {
	return t.folder == "drafts" || t.folder == "archive/drafts" || words.Alike(t.text, "draft")
}

// numbered reports whether a file name begins like a task's: "task-7 - NAME.md", "TASK-1.2.md".
func numbered(name string) bool { return nameKey(name) != "" }

// nameKey returns the key of the id that a file name begins with, or "" if there is none.
func nameKey(name string) string {
	return keyOf(strings.TrimSuffix(strings.SplitN(name, " ", 2)[0], ".md"))
}

// keyOf returns an id in a form for comparison: lowercase, without leading zeros in its numbers. It returns "" for
// other strings.
func keyOf(id string) string {
	id = words.Lower(strings.TrimSpace(id))
	prefix, number := "", id
	if i := strings.LastIndexByte(id, '-'); i >= 0 {
		prefix, number = id[:i], id[i+1:]
	}
	parts := strings.Split(number, ".")
	for i, p := range parts {
		if p == "" || strings.Trim(p, "0123456789") != "" {
			return ""
		}
		if parts[i] = strings.TrimLeft(p, "0"); parts[i] == "" {
			parts[i] = "0"
		}
	}
	if prefix == "" {
		prefix = "task"
	}
	return prefix + "-" + strings.Join(parts, ".")
}

// statusOf reads a status by its word or, if the word is unknown, by its position in the configuration. A ready task
// is open; a task in review or a blocked one is in progress. A draft has an unknown status.
func (m *model) statusOf(text string) status.Status {
	i, s := m.place(text), status.Of(text)
	switch {
	case words.Alike(text, "draft"):
		return status.Unknown
	case s == status.Ready || s == status.Unknown && i == 0:
		return status.Open
	case s == status.Unknown && i >= 0 && i == len(m.statuses)-1:
		return status.Done
	case s == status.Review || s == status.Blocked || s == status.Unknown && i > 0:
		return status.InProgress
	}
	return s
}

// place returns the index of a status in the configuration, or -1.
func (m *model) place(text string) int {
	return slices.IndexFunc(m.statuses,
		func(s string) bool { return words.Lower(s) == words.Lower(strings.TrimSpace(text)) })
}

// find returns the task with an id, in any folder, or nil if there is none. A project may change its prefix, so if no
// task has the id, find looks for its number. Drafts are numbered separately, so DRAFT-2 is never TASK-2.
func (m *model) find(id string) *task {
	key := keyOf(id)
	if t := m.byKey[key]; t != nil || key == "" || strings.HasPrefix(key, "draft-") {
		return t
	}
	return m.byNumber[key[strings.LastIndexByte(key, '-'):]]
}
