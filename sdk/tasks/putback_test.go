//go:build !wasip1

package tasks_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/tasks"
)

// TestLostTasksArePutBackWhereTheyWere covers a common case: an agent's plan lacks lines that another author added.
func TestLostTasksArePutBackWhereTheyWere(t *testing.T) {
	const (
		later = "\n## Later\n\n- [ ] 3. Print\n"
		plan  = "# Plan\n\n- [x] 1. Parse\n- [ ] 2. Write\n  - [ ] 2.1 Text\n  - [ ] 2.2 Pictures\n" + later
	)
	for name, c := range map[string]struct{ now, want string }{
		"a task behind another one": {
			"# Plan\n\n- [x] 1. Parse\n" + later,
			plan},
		"the first task": {
			"# Plan\n\n- [x] 2. Write\n  - [x] 2.1 Text\n  - [ ] 2.2 Pictures\n" + later,
			"# Plan\n\n- [x] 1. Parse\n- [x] 2. Write\n  - [x] 2.1 Text\n  - [ ] 2.2 Pictures\n" + later},
		"the first part of a task": {
			"# Plan\n\n- [x] 1. Parse\n- [ ] 2. Write\n  - [ ] 2.2 Pictures\n" + later, plan},
		"two parts": {
			"# Plan\n\n- [x] 1. Parse\n- [ ] 2. Write\n" + later, plan},
		"the last line, without a line break": {
			"# Plan\n\n- [x] 1. Parse\n- [ ] 2. Write\n  - [ ] 2.1 Text",
			""}, // the section of task 3 is gone, so there is no position to restore it at
		"a task whose id another one has": {
			"# Plan\n\n- [x] 1. Parse\n- [ ] 2. Draw all the films of the archive\n" + later, ""},
	} {
		f := numbers()
		was, is := tasks.Read(outline(t, plan), &f), tasks.Read(outline(t, c.now), &f)
		p := tasks.Pair(was, is)
		lost := p.Gone(func(*tasks.Task) bool { return true })
		if name == "a task whose id another one has" {
			lost = was[1:2]
		}
		edits := p.PutBack("plan.md", plan, c.now, lost)
		if c.want == "" {
			if len(edits) > 0 {
				t.Errorf("%s: got %v, expected no edits", name, edits)
			}
			continue
		}
		made, err := edit.Apply(edit.Files{"plan.md": {Data: []byte(c.now)}}, edits, edit.Env{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := string(made.Files["plan.md"].Data); got != c.want {
			t.Errorf("%s: got\n%s\nexpected\n%s", name, got, c.want)
		}
	}
}

func TestLostTasksArePutBackWithTheBlankLineBetweenTasks(t *testing.T) {
	const plan = "# Plan\n\n- [x] 1. Parse\n  Files\n\n- [ ] 2. Write\n\n- [ ] 3. Print\n  Pages\n"
	for name, now := range map[string]string{
		"the first task": "# Plan\n\n- [ ] 2. Write\n\n- [ ] 3. Print\n  Pages\n",
		"a middle task":  "# Plan\n\n- [x] 1. Parse\n  Files\n\n- [ ] 3. Print\n  Pages\n",
		"the last task":  "# Plan\n\n- [x] 1. Parse\n  Files\n\n- [ ] 2. Write\n",
		"two tasks":      "# Plan\n\n- [x] 1. Parse\n  Files\n",
	} {
		f := numbers()
		p := tasks.Pair(tasks.Read(outline(t, plan), &f), tasks.Read(outline(t, now), &f))
		edits := p.PutBack("plan.md", plan, now, p.Gone(func(*tasks.Task) bool { return true }))
		made, err := edit.Apply(edit.Files{"plan.md": {Data: []byte(now)}}, edits, edit.Env{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := string(made.Files["plan.md"].Data); got != plan {
			t.Errorf("%s: got\n%s\nexpected\n%s", name, got, plan)
		}
	}
}
