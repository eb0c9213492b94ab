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

// A model is what one revision of a spec says.
type model struct {
	plan
	docs   sdk.Docs
	wants  *requirements
	bug    map[string]bool // the numbers with a full stop in bugfix.md, where that is in place of requirements.md
	stub   bool            // requirements.md is what spec-init of cc-sdd writes
	spec   *sdk.Document   // spec.json
	whole  jsondoc.Value   // the value in spec.json
	root   jsondoc.Value   // the same; missing unless it is an object
	phase  string          // from spec.json; "" without one
	at     string          // where: /phase, or /status where that is the only one
	claims *sdk.Phase      // nil if the word is unknown
	base   *model
	pairs  *tasks.Pairing // with the tasks of the base; nil until one is looked for
	owners evidence.Owners[*task]
	owned  bool // they were read
}

// A plan is what tasks.md says.
type plan struct {
	list     *sdk.Document // nil if it is not there or cannot be read
	heads    []markdown.Heading
	tasks    []*task
	wide     bool               // there is a wide colon
	depends  bool               // a line says Depends:
	blocks   bool               // one says Blocked:
	graph    bool               // there is a graph of tasks, or what looks like one
	refs     map[*task][]string // the requirements that tasks ask for
	byNumber map[string][]*task // likewise
}

func planOf(d *sdk.Document) plan {
	heads := d.Outline().Headings()
	return plan{
		list: d, heads: heads, tasks: readTasks(d),
		wide: strings.Contains(d.Text, "："), depends: form.MayNeed(d.Text),
		blocks: strings.Contains(d.Text, "Blocked:"), graph: strings.Contains(d.Text, `"waves"`),
	}
}

// look reads one revision: the present one, or the base beside that. What is the same in both is read once.
func look(docs sdk.Docs, beside *model) *model {
	m := &model{docs: docs, spec: docs.Get("spec.json")}
	if d := docs.Get("tasks.md"); d.Readable() {
		if beside != nil && beside.list != nil && beside.list.Digest == d.Digest {
			m.plan = beside.plan
		} else {
			m.plan = planOf(d)
		}
	}
	switch d := docs.Get("requirements.md"); {
	case d.Readable():
		if beside != nil && beside.wants != nil && beside.wants.doc.Digest == d.Digest {
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

// phaseOf is the phase that a word of spec.json means, nil for a word that is not known. cc-sdd writes initialized,
// requirements-generated, design-generated and tasks-generated; the rest is what people and agents write.
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

// misspelt is the word that cc-sdd writes where another is nearly that: "tasks_generated" for "tasks_genrated"; ""
// where none is.
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

// apartBy counts the letters by which two words differ, as far as one beginning and one end are the same.
func apartBy(a, b string) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b))
}

// produced is the document whose presence the word of a phase claims: "design" of design-generated.
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

// approval is a member of an approval: whether it is true, and whether it is false.
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

// approvalAt is where it stands.
func (m *model) approvalAt(stage, key string) string {
	pointer := "/approvals/" + stage
	if m.root.Get("approvals").Get(stage).Kind() == jsondoc.Object {
		pointer += "/" + key
	}
	return pointer
}

// written reports whether a stage has its document, under whatever name.
func (m *model) written(stage string) bool {
	if !m.docs.Complete() {
		return true
	}
	stem := strings.TrimSuffix(stage, "s")
	for _, d := range m.docs.All() {
		path := words.Lower(d.Path)
		if !blank(d) && !(m.stub && path == "requirements.md") && d.Format != sdk.JSON &&
			(strings.Contains(path, stem) || stage == "requirements" && path == "bugfix.md") {
			return true
		}
	}
	return false
}

// blank reports whether nothing is left in a document.
func blank(d *sdk.Document) bool {
	return d.Size == 0 || d.Need != sdk.Listed && len(d.Faults) == 0 && d.Summary.Words == 0
}

// holds reports whether a document is there, and something in it.
func (m *model) holds(path string) bool {
	d := m.docs.Get(path)
	return d != nil && !blank(d)
}

// isStub reports whether a text ends with the comment that spec-init of cc-sdd puts in place of the requirements.
func isStub(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasSuffix(text, "-->") && strings.HasPrefix(text[max(0, strings.LastIndexByte(text, '<')):],
		"<!-- Will be generated in ")
}

// lacking says that the document of a stage is not there, or empty.
func (m *model) lacking(stage string) string {
	if stage == "requirements" && m.stub {
		return "requirements.md has no requirements yet"
	}
	if m.docs.Get(stage+".md") != nil {
		return stage + ".md is empty"
	}
	return stage + ".md is missing"
}

// open are the tasks that are required and not done, each at the lowest level.
func (m *model) open() []*task {
	var list []*task
	for _, t := range m.tasks {
		if t.Remains() {
			list = append(list, t)
		}
	}
	return list
}

// left are those of some tasks that refute a claim that they are done. It is a lie where one of them is not even begun,
// and may be a lag where all are queued or in progress.
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

// counts are how many tasks are done, and how many there are without those that are waived.
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
	for _, t := range m.tasks {
		if t.Ticked || t.Begun() {
			return true
		}
	}
	return false
}

// over reports whether all work is ticked that a task at the lowest level stands for.
func (m *model) over() bool { return m.begun() && !slices.ContainsFunc(m.tasks, (*task).Remains) }

// around are the tasks that are not done, although all that is required in them is.
func (m *model) around() []*task {
	var list []*task
	for _, t := range m.tasks {
		if !t.Ticked && !t.Cancelled && t.HasParts() && len(t.OpenParts()) == 0 {
			list = append(list, t)
		}
	}
	return list
}

// proved is the phase that documents and boxes prove.
func (m *model) proved() *sdk.Phase {
	switch {
	case m.over() && !slices.ContainsFunc(m.around(), func(t *task) bool { return t.Mark != "" }):
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

// of returns the tasks with this number: several if each section restarts its numbers.
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
