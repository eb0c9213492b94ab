package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

// The documents that the plugin reads.
const (
	specPath  = "spec.md"
	planPath  = "plan.md"
	tasksPath = "tasks.md"
)

// A model holds one revision of the directory.
type model struct {
	docs              sdk.Docs
	spec, plan, tasks *sdk.Document    // nil if absent
	blank             [3]*sdk.Document // those of them that are still templates
	heads             []heading        // of tasks.md
	list              []task           // in the order of tasks.md
	idless            []*tasks.Task    // checkboxes without ids among tasks with ids; see besideTasks
	form              form
	numbered          map[int][]*task // tasks with plain ids, by number
	done, open, off   int
	pairing           *tasks.Pairing // with the base; nil until needed
	base              *model         // the earlier revision; nil if there is none

	claims       []claim // see wholeClaims
	sections     []claim // see sectionClaims
	claimsRead   bool
	sectionsRead bool

	anchors []string // see the function anchors
	owners  evidence.Owners[string]
	owned   bool // whether owners was filled
}

// A heading is a heading in tasks.md with its text.
type heading struct {
	markdown.Heading
	text string
}

// A form states how a document writes its tasks.
type form int

const (
	none     form = iota
	boxes         // checkboxes with ids
	headings      // headings with ids
	loose         // checkboxes without ids
)

func look(docs sdk.Docs, base *model) *model {
	m := &model{docs: docs, base: base, spec: docs.Get(specPath), plan: docs.Get(planPath), tasks: docs.Get(tasksPath)}
	for i, d := range []*sdk.Document{m.spec, m.plan, m.tasks} {
		if isTemplate(d) {
			m.blank[i] = d
		}
	}
	if !m.tasks.Readable() {
		return m
	}
	for _, h := range m.tasks.Outline().Headings() {
		m.heads = append(m.heads, heading{h, h.Text()})
	}
	m.list, m.idless, m.form = readBoxes(m.tasks.Outline(), m.heads, base)
	ticked := func(t task) bool { return t.Ticked }
	if m.blank[2] != nil && slices.ContainsFunc(m.list, ticked) {
		m.blank[2] = nil // the template's sample tasks are in use
	} else if m.blank[2] != nil {
		m.list, m.idless, m.form = nil, nil, none
	}
	m.reopen()
	m.numbered = map[int][]*task{}
	for i := range m.list {
		t := &m.list[i]
		m.numbered[t.number] = append(m.numbered[t.number], t)
		if t.ID != "" {
			t.needs = written.Needs(t.Task, t.Body(m.tasks))
		}
		switch {
		case t.state == off:
			m.off++
		case t.state == done:
			m.done++
		default:
			m.open++
		}
	}
	return m
}

// ticked reports whether anyone ticks the tasks: one is done, or there are checkboxes under their headings.
func (m *model) ticked() bool {
	return m.started() || slices.ContainsFunc(m.tasks.Outline().Tasks(),
		func(t markdown.Task) bool { return t.Start() > m.list[0].Start })
}

// total returns the number of tasks that are not dropped.
func (m *model) total() int { return m.done + m.open }

// openIDs returns the ids of the open tasks.
func (m *model) openIDs() []string {
	list := make([]string, 0, len(m.list))
	for i := range m.list {
		if t := &m.list[i]; t.state == open {
			list = append(list, t.ID)
		}
	}
	return list
}

// complete reports whether every task is ticked.
func (m *model) complete() bool { return m.done > 0 && m.open == 0 && len(m.openIDless()) == 0 }

// openIDless returns the unticked tasks without ids.
//
//go:noinline
func (m *model) openIDless() (list []*tasks.Task) {
	for _, t := range m.idless {
		if !t.Ticked && !t.Cancelled && t.Mark == "" {
			list = append(list, t)
		}
	}
	return list
}

// started reports whether a task is ticked.
func (m *model) started() bool { return m.done > 0 }

// unread reports whether tasks.md exists but is unreadable.
func (m *model) unread() bool { return m.tasks != nil && !m.tasks.Readable() }

// has reports whether a task has this id, even in a range or followed by a letter.
func (m *model) has(id string) bool {
	n := number(id)
	if n >= 0 && len(m.numbered[n]) > 0 {
		return true
	}
	for i := range m.list {
		t := &m.list[i]
		if n >= 0 && t.Last != "" && t.number <= n && n <= t.until ||
			t.ID == id || t.Last == id || n >= 0 && strings.HasPrefix(t.ID, id) && !digit(t.ID[len(id)]) ||
			strings.HasPrefix(id, t.ID) && !digit(id[len(t.ID)]) {
			return true
		}
	}
	return false
}

// of returns the only task with an id, or nil if there is none or more than one.
func (m *model) of(id string) (found *task) {
	for _, t := range m.numbered[number(id)] {
		if t.ID == id && t.Last == "" {
			if found != nil {
				return nil
			}
			found = t
		}
	}
	return found
}

// alone reports whether no other tool's documents are in the directory.
//
//go:noinline
func (m *model) alone() bool {
	return m.docs.Get("requirements.md") == nil && m.docs.Get("design.md") == nil
}

// ours reports whether a document is from Spec Kit. Tasks are not enough if another tool's documents are next to them.
func (m *model) ours(elsewhere bool) bool {
	if m.alone() && (m.form == boxes && !elsewhere || title(m.tasks, "tasks:", "task list:")) ||
		title(m.plan, "implementation plan") || title(m.spec, "feature specification") {
		return true
	}
	if m.plan.Readable() && m.plan.Outline().Find("Constitution Check", "Technical Context").OK() {
		return true
	}
	return m.spec.Readable() && (m.field("Feature Branch").OK() || len(requirements(m.spec)) > 0 ||
		m.spec.Outline().FindFunc(func(h markdown.Heading) bool {
			return strings.HasPrefix(lower(h.Text()),
				"user scenarios")
		}).OK())
}

// title reports whether a document's first heading begins with any of the given strings.
func title(d *sdk.Document, any ...string) bool {
	if list := d.Outline().Headings(); d.Readable() && len(list) > 0 {
		for _, prefix := range any {
			if strings.HasPrefix(lower(list[0].Text()), prefix) {
				return true
			}
		}
	}
	return false
}

// field returns a field at the top of spec.md.
//
//go:noinline
func (m *model) field(key string) markdown.Field {
	if !m.spec.Readable() {
		return markdown.Field{}
	}
	return m.spec.Outline().Head().Field(key)
}

func lower(text string) string { return words.Lower(text) }
