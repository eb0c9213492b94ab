package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

// A model holds the contents of one revision of a spec.
type model struct {
	plan
	docs   sdk.Docs
	wants  *requirements
	bug    map[string]bool // the dotted numbers in bugfix.md if there is no requirements.md
	stub   bool            // requirements.md is the placeholder that cc-sdd's spec-init writes
	spec   *sdk.Document   // spec.json
	whole  jsondoc.Value   // the root value of spec.json
	root   jsondoc.Value   // whole if it is an object; otherwise missing
	phase  string          // from spec.json, or ""
	at     string          // pointer to the phase: /phase, or /status if there is no /phase
	claims *sdk.Phase      // the phase that spec.json names; nil if the word is unknown
	base   *model
	pairs  *tasks.Pairing // pairs tasks with the base's; nil until first used
	owners evidence.Owners[*task]
	owned  bool // owners is filled

	archived bool    // the spec is in an archive: it is not continued
	wreckage []wreck // nil until first used
}

// A plan holds the contents of tasks.md.
type plan struct {
	list     *sdk.Document // nil if it is missing or unreadable
	heads    []markdown.Heading
	tasks    []*task
	wide     bool               // the text has a wide colon
	depends  bool               // a line may name dependencies
	blocks   bool               // a line has Blocked:
	graph    bool               // there may be a dependency graph
	refs     map[*task][]string // the requirements that tasks name; filled as needed
	byNumber map[string][]*task // filled on first use
}

func planOf(d *sdk.Document) plan {
	heads := d.Outline().Headings()
	return plan{
		list: d, heads: heads, tasks: readTasks(d),
		wide: strings.Contains(d.Text, "："), depends: form.MayNeed(d.Text),
		blocks: strings.Contains(d.Text, "Blocked:"), graph: strings.Contains(d.Text, `"waves"`),
	}
}

// look reads one revision. beside is a revision that was read before, or nil. Documents that are the same in both are
// parsed only once.
func look(docs sdk.Docs, beside *model) *model {
	m := &model{docs: docs, spec: docs.Get("spec.json")}
	if d := docs.Get("tasks.md"); d.Readable() {
		if beside != nil && beside.list != nil && beside.list.Text == d.Text {
			m.plan = beside.plan
		} else {
			m.plan = planOf(d)
		}
	}
	switch d := docs.Get("requirements.md"); {
	case d.Readable():
		if beside != nil && beside.wants != nil && beside.wants.doc.Text == d.Text {
			m.wants = beside.wants
		} else {
			m.wants = readRequirements(d)
		}
		m.stub = len(m.wants.list) == 0 && isStub(d.Text)
	case d == nil:
		if bug := docs.Get("bugfix.md"); bug.Readable() {
			m.bug = map[string]bool{}
			for _, id := range numbersIn(bug.Text) {
				m.bug[id] = true
			}
		}
	}
	if m.spec != nil && m.spec.Readable() {
		if doc, err := jsondoc.Parse(m.spec.Text); err == nil {
			m.whole = doc.Root()
		}
		if m.whole.Kind() == jsondoc.Object {
			m.root, m.at = m.whole, "/phase"
			if m.phase, _ = m.root.Get("phase").Text(); m.phase == "" {
				if m.phase, _ = m.root.Get("status").Text(); m.phase != "" {
					m.at = "/status"
				}
			}
			m.claims = phaseOf(m.phase)
		}
	}
	return m
}

// phaseOf returns the phase that a word in spec.json stands for, or nil if the word is unknown. cc-sdd writes
// initialized, requirements-generated, design-generated and tasks-generated; people and agents write the other words.
func phaseOf(word string) *sdk.Phase {
	w := words.Fold(word)
	if misspelt(w) != "" {
		return nil
	}
	over := has(w, []string{"complet", "done", "finished", "implemented", "deployed", "shipped", "released"}) &&
		!has(w, []string{"partial", "incomplete", "not_", "nearly", "almost", "_to_", "phase"})
	switch first, _, _ := strings.Cut(w, "_"); first {
	case "initialized", "initialised", "init", "created", "draft", "requirements", "requirement":
		return life.Phases[0]
	case "design":
		return life.Phases[1]
	case "tasks", "task", "ready", "planned", "planning":
		return life.Phases[2]
	case "impl", "implementation", "implementing", "in", "development", "deploy":
		if over {
			return life.Phases[4]
		}
		if w != "in_review" && first != "deploy" {
			return life.Phases[3]
		}
	case "complete", "completed", "done", "finished", "implemented", "deployed", "shipped", "released", "archived":
		if over || first == "archived" {
			return life.Phases[4]
		}
	}
	return nil
}

// misspelt returns the cc-sdd word that a misspelled word resembles, such as "tasks_generated" for "tasks_genrated". It
// returns "" if there is no such word or if the word is correct.
func misspelt(word string) string {
	first, rest, ok := strings.Cut(word, "_")
	for _, right := range []string{"generated", "approved"} {
		if !ok || apartBy(rest, right) > 2 {
			continue
		}
		stage := first
		for _, name := range stages {
			if first != strings.TrimSuffix(name, "s") && apartBy(first, name) <= 2 {
				stage = name
			}
		}
		if stage != first || rest != right {
			return stage + "_" + right
		}
	}
	return ""
}

// apartBy returns how many letters are left of the longer of two words after their common beginning and end are
// removed.
func apartBy(a, b string) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b))
}

// produced returns the stage whose document exists according to a phase: "design" for design-generated, or "".
func produced(word string) string {
	first, rest, _ := strings.Cut(words.Fold(word), "_")
	if first = strings.TrimSuffix(first, "s"); rest == "generated" || rest == "approved" {
		switch first {
		case "requirement", "task":
			return first + "s"
		case "design":
			return first
		}
	}
	return ""
}

var stages = []string{"requirements", "design", "tasks"}

// approval reads a field of a stage's approval. yes is true if the field is true, and no is true if it is false.
// Neither is true for other values.
func (m *model) approval(stage, key string) (yes, no bool) {
	v := m.root.Get("approvals").Get(stage)
	if v.Kind() == jsondoc.Object {
		v = v.Get(key)
	} else if key != "approved" {
		return false, false
	}
	b, ok := v.Bool()
	return ok && b, ok && !b
}

// approvalAt returns the pointer to a field of a stage's approval.
func (m *model) approvalAt(stage, key string) string {
	pointer := "/approvals/" + stage
	if m.root.Get("approvals").Get(stage).Kind() == jsondoc.Object {
		pointer += "/" + key
	}
	return pointer
}

// written reports whether a stage has a document, under any name.
func (m *model) written(stage string) bool {
	if !m.docs.Complete() {
		return true
	}
	for _, d := range m.docs.All() {
		if !blank(d) && !(m.stub && d.Path == "requirements.md") && d.Format != sdk.JSON && isNamedFor(stage, d.Path) {
			return true
		}
	}
	return false
}

// blank reports whether a document is empty.
func blank(d *sdk.Document) bool {
	return d.Size == 0 || d.Need != sdk.Listed && len(d.Faults) == 0 && d.Summary.Words == 0
}

// holds reports whether a document exists and is not empty.
func (m *model) holds(path string) bool {
	d := m.docs.Get(path)
	return d != nil && !blank(d)
}

// isStub reports whether a text ends with the comment that cc-sdd's spec-init writes in place of the requirements.
func isStub(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasSuffix(text, "-->") && strings.HasPrefix(text[max(0, strings.LastIndexByte(text, '<')):],
		"<!-- Will be generated in ")
}

// lacking returns a clause for messages that says how a stage's document is missing.
func (m *model) lacking(stage string) string {
	if stage == "requirements" && m.stub {
		return "requirements.md has no requirements yet"
	}
	if m.docs.Get(stage+".md") != nil {
		return stage + ".md is empty"
	}
	return stage + ".md is missing"
}

// open returns the required tasks that are not done, without their parents.
func (m *model) open() []*task {
	var list []*task
	for _, t := range m.tasks {
		if t.Remains() {
			list = append(list, t)
		}
	}
	return list
}

// left returns the open tasks in a list, which refute a claim that the list is done. The severity is Error if any task
// in the list has not been started. If all are queued or in progress, the claim may just be early.
func left(tasks []*task) (list []*task, severity sdk.Severity) {
	severity = sdk.Warning
	for _, t := range tasks {
		if t.Open() {
			list = append(list, t)
		}
		if t.Mark == "" {
			severity = sdk.Error
		}
	}
	return list, severity
}

// counts returns the number of ticked tasks and the number of all tasks. Unticked tasks that need not be done do not
// count.
func (m *model) counts() (done, total int) {
	for _, t := range m.tasks {
		if t.Ticked {
			done++
		}
		if t.Ticked || !t.Cancelled {
			total++
		}
	}
	return done, total
}

// begun reports whether a task is ticked or in progress.
func (m *model) begun() bool {
	return slices.ContainsFunc(m.tasks, func(t *task) bool { return t.Ticked || t.InProgress() })
}

// over reports whether every required task is ticked, except parents.
func (m *model) over() bool { return m.begun() && !slices.ContainsFunc(m.tasks, (*task).Remains) }

// around returns the unticked tasks whose required subtasks are all ticked.
func (m *model) around() []*task {
	var list []*task
	for _, t := range m.tasks {
		if !t.Ticked && !t.Cancelled && t.HasParts() && len(t.OpenParts()) == 0 {
			list = append(list, t)
		}
	}
	return list
}

// proved returns the phase that documents and boxes show.
func (m *model) proved() *sdk.Phase {
	switch {
	case m.over() && len(m.wrecks()) == 0 &&
		!slices.ContainsFunc(m.around(), func(t *task) bool { return t.Mark != "" }):
		return life.Phases[4]
	case m.begun():
		return life.Phases[3]
	case m.holds("tasks.md"):
		return life.Phases[2]
	case m.holds("design.md"):
		return life.Phases[1]
	}
	return life.Phases[0]
}

// of returns the tasks with this number. There are several if each section restarts its numbers.
func (m *model) of(number string) []*task {
	if number == "" {
		return nil
	}
	if m.byNumber == nil {
		m.byNumber = make(map[string][]*task, len(m.tasks))
		for _, t := range m.tasks {
			m.byNumber[t.ID] = append(m.byNumber[t.ID], t)
		}
	}
	return m.byNumber[number]
}
