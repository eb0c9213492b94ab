package declare_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/sdktest"
)

// tasks returns a declaration of the tasks in a file; more is appended to it.
func tasks(more string) string {
	return `declare: 1
workflow: tasks
doc: Tasks.
documents:
  list: {file: tasks.json, fields: [tasks, owner]}
  log: {file: log.md, names: true}
items:
  task:
    each: list.tasks
    key: it.id
    fields: [id, title, status, done, size, needs]
` + more
}

// TestRules checks documents with a declaration. A finding is written as "severity rule place: message".
func TestRules(t *testing.T) {
	for name, c := range map[string]struct {
		declaration, now, base string
		want                   string // parts of the findings, one per line; "" for none
	}{
		"a list that does not exist is an info": {
			tasks(""), `{"owner": "x"}`, "", "info task-unread"},
		"a required list that is empty is an error": {
			tasks("    required: true\n"), `{"tasks": []}`, "", "error task-unread"},
		"a table's severity can be lowered below that of a single finding": {
			tasks("rules: {task-unread: {severity: info}}\n"), `{"tasks": [{"title": "no id"}]}`, "",
			"info task-unread"},
		"an item without a status is not one of the words": {
			tasks("    state: it.status\n    words: [open, done]\n"), `{"tasks": [{"id": 1}]}`, "",
			"error task-status-unknown: the status of task 1 is missing; expected open or done"},
		"numbers are keys, too": {
			tasks("    needs: it.needs\n"), `{"tasks": [{"id": 1, "needs": [2]}, {"id": 2}]}`, "", ""},
		"a done item waits for what it needs": {
			tasks("    needs: it.needs\n    done: it.done\n"), `{"tasks": [{"id": 1, "needs": 2, "done": true}, {"id": 2}]}`, "",
			"error task-dependency-open: task 1 is done, but depends on 1 task that is not: 2"},
		"nothing is compared before there is a base": {
			tasks("    keep: true\n    frozen: [it.title]\n    done: it.done\n"),
			`{"tasks": [{"id": 1, "title": "a"}]}`, "", ""},
		"an item that gets another id and keeps its title is not lost": {
			tasks("    keep: true\n    title: it.title\n"), `{"tasks": [{"id": 7, "title": "a"}]}`,
			`{"tasks": [{"id": 1, "title": "a"}]}`, ""},
		"of two with that title one is lost": {
			tasks("    keep: true\n    title: it.title\n"), `{"tasks": [{"id": 7, "title": "a"}]}`,
			`{"tasks": [{"id": 1, "title": "a"}, {"id": 2, "title": "a"}]}`,
			"error task-lost: task 1 is missing\nerror task-lost: task 2 is missing"},
		"many lost items are one finding": {
			tasks("    keep: true\n"), `{"tasks": [{"id": 0}]}`,
			`{"tasks": [` + strings.Repeat(`{"id": "#"},`, 25) + `{"id": 0}]}`,
			"error task-lost: 25 of 26 tasks from the base are missing"},
		"what was not in the base can be added to what is frozen": {
			tasks("    frozen: [it.title]\n"), `{"tasks": [{"id": 1, "title": "a"}]}`, `{"tasks": [{"id": 1}]}`, ""},
		"the last step is said to be one": {
			tasks("    state: it.status\n    moves: {done: []}\n"), `{"tasks": [{"id": 1, "status": "open"}]}`,
			`{"tasks": [{"id": 1, "status": "done"}]}`,
			"error task-status-jumped: task 1 went from done to open; done is the last step"},
		"old is null for a new item": {
			tasks("rules:\n  new: {doc: d, each: task, when: old == null, say: \"{it.id} is new\"}\n"),
			`{"tasks": [{"id": 1}, {"id": 2}]}`, `{"tasks": [{"id": 1}]}`, "error new: 2 is new"},
		"a dependency on a lost item is reported once, where it was lost": {
			tasks("    keep: true\n    needs: it.needs\n"), `{"tasks": [{"id": 2, "needs": [1]}]}`,
			`{"tasks": [{"id": 1}, {"id": 2, "needs": [1]}]}`, "error task-lost: task 1 is missing"},
		"a dependency on the old id of an item is reported": {
			tasks("    keep: true\n    title: it.title\n    needs: it.needs\n"),
			`{"tasks": [{"id": 9, "title": "a"}, {"id": 2, "needs": [1]}]}`,
			`{"tasks": [{"id": 1, "title": "a"}, {"id": 2, "needs": [1]}]}`, "error task-dependency-missing"},
		"a key that begins with the item's name": {
			tasks("    frozen: [it.title]\n"), `{"tasks": [{"id": "Task 5", "title": "b"}]}`,
			`{"tasks": [{"id": "Task 5", "title": "a"}]}`, "error task-rewritten: title of Task 5 was rewritten"},
		"one place is reported once by nested lists": {
			tasks("rules:\n  big: {doc: d, each: {a: \"[1, 2]\", b: task}, " +
				"when: b.size > 3, at: b.size, key: b.id, say: \"{b.id}\"}\n"),
			`{"tasks": [{"id": 1, "size": 9}, {"id": 2, "size": 9}]}`, "", "error big: 1\nerror big: 2"},
		"a file that does not exist is null": {
			tasks("rules:\n  no-log: {doc: d, severity: warning, when: log == null, at: log, say: no log}\n"),
			`{"tasks": [{"id": 1}]}`, "", "warning no-log: no log"},
		"a list of what is wrong": {
			tasks("rules:\n  same-size: {doc: d, when: \"task.repeats(t, t.size)\", at: it.size, say: \"{it.id}\"}\n"),
			`{"tasks": [{"id": 1, "size": 3}, {"id": 2, "size": 3}, {"id": 3}]}`, "", "error same-size: 2"},
		"an item by its key": {
			tasks("rules:\n  big: {doc: d, when: \"task[2].size > 3\", say: \"{task[2].title}\"}\n"),
			`{"tasks": [{"id": 1, "size": 9}, {"id": 2, "size": 4, "title": "second"}]}`, "", "error big: second"},
		"a misspelled word did not jump": {
			tasks("    state: it.status\n    words: [open, done]\n    moves: {open: []}\n"),
			`{"tasks": [{"id": 1, "status": "dnoe"}]}`, `{"tasks": [{"id": 1, "status": "open"}]}`,
			"error task-status-unknown"},
		"a known word that no move permits did": {
			tasks("    state: it.status\n    words: [open, done]\n    moves: {open: []}\n"),
			`{"tasks": [{"id": 1, "status": "done"}]}`, `{"tasks": [{"id": 1, "status": "open"}]}`,
			"error task-status-jumped"},
		"the text of what is frozen is called as the declaration calls it": {
			tasks("    frozen: {the name: it.title}\n"), `{"tasks": [{"id": 1, "title": "a"}]}`,
			`{"tasks": [{"id": 1, "title": "b"}]}`, "error task-rewritten: the name of task 1 was rewritten" +
				"; in the base it is \"b\" [Restore the name from the base]"},
	} {
		t.Run(name, func(t *testing.T) {
			now, base := sdktest.Files{"tasks.json": c.now}, sdktest.Files(nil)
			if c.base != "" {
				for n := 1; strings.Contains(c.base, "#"); n++ {
					c.base = strings.Replace(c.base, "#", strings.Repeat("x", n), 1)
				}
				base = sdktest.Files{"tasks.json": c.base}
			}
			look := sdktest.Look(t, workflow(t, c.declaration), now, base)
			var got []string
			for _, f := range look.Findings {
				text := f.Severity.String() + " " + f.Rule + ": " + f.Message
				for _, r := range f.Remedies {
					text += " [" + r.Title + "]"
				}
				got = append(got, text)
			}
			want := strings.Split(c.want, "\n")
			if c.want == "" {
				want = nil
			}
			if len(got) != len(want) {
				t.Fatalf("got  %q\nwant %q", got, want)
			}
			for i := range want {
				if !strings.HasPrefix(got[i], want[i]) {
					t.Errorf("got  %s\nwant %s", got[i], want[i])
				}
			}
		})
	}
}

// TestPlaces checks locations: a lost item is reported at the item before it, a repeated item at its key, and a
// missing member at its object.
func TestPlaces(t *testing.T) {
	w := workflow(t, tasks(`    state: it.status
    keep: true
rules:
  no-size: {doc: d, each: task, when: "it.size == null", at: it.size, say: "{it.id}"}
`))
	base := sdktest.Files{"tasks.json": `{"tasks": [{"id": 1, "size": 1}, {"id": 2, "size": 1}, {"id": 3, "size": 1}]}`}
	now := sdktest.Files{"tasks.json": `{"tasks": [{"status": "open", "id": 1, "size": 1},` +
		`{"status": "open", "id": 3}, {"status": "open", "id": 3, "size": 1}]}`}
	want := map[string]string{"task-lost": "/tasks/0/id", "task-id-repeated": "/tasks/2/id", "no-size": "/tasks/1"}
	for _, f := range sdktest.Look(t, w, now, base).Findings {
		if at, ok := want[f.Rule]; ok && f.Range.Pointer != at {
			t.Errorf("%s is at %s, want %s", f.Rule, f.Range.Pointer, at)
		}
		delete(want, f.Rule)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}

// TestRulesThatCannotReportAreNotDeclared checks that a rule that can never report is left out. Otherwise "plugin
// test" would ask for a fixture that no one can write.
func TestRulesThatCannotReportAreNotDeclared(t *testing.T) {
	for more, absent := range map[string][]string{
		"    state: it.status\n    words: [queued, decided]\n    needs: it.needs\n": {
			"task-reopened", "task-dependency-open"},
	} {
		w := workflow(t, tasks(more))
		for _, r := range w.Rules {
			if slices.Contains(absent, r.Name) {
				t.Errorf("%s\ndeclares %s", more, r.Name)
			}
		}
	}
	for _, more := range []string{
		"    state: it.status\n    words: [queued, decided]\n    done: [decided]\n",
		"    state: it.status\n    words: [open, done]\n", "    state: it.status\n", "    done: it.done\n",
	} {
		w := workflow(t, tasks(more))
		if !slices.ContainsFunc(w.Rules, func(r *sdk.Rule) bool { return r.Name == "task-reopened" }) {
			t.Errorf("%s\ndoes not declare task-reopened", more)
		}
	}
}

// TestProgressCountsTheWordsOfTheDeclaration checks that if a declaration lists the words for a meaning, no other
// word has it.
func TestProgressCountsTheWordsOfTheDeclaration(t *testing.T) {
	const now = `{"tasks": [{"id": 1, "status": "moved"}, {"id": 2, "status": "parked"}, {"id": 3, "status": "dual"},
		{"id": 4, "status": "old"}]}`
	const words = "    state: it.status\n    words: [old, dual, moved, parked]\n    done: [moved]\n"
	for more, want := range map[string]string{
		"":                     "1/3 begin task 3",
		"    dropped: [old]\n": "1/3 begin task 2",
		"    active: [dual]\n": "1/3 continue task 3",
		"    dropped: []\n":    "1/3 begin task 3",
		"    one: dual\n":      "1/3 continue task 3",
	} {
		look := sdktest.Look(t, workflow(t, tasks(words+more)), sdktest.Files{"tasks.json": now}, nil)
		d := look.Report.Detections[0]
		got := strconv.Itoa(d.Progress.Done) + "/" + strconv.Itoa(d.Progress.Total) + " " + d.Resume.Next
		if got != want {
			t.Errorf("%s: got %s, want %s", more, got, want)
		}
	}
	doc := workflow(t, tasks(words)).Lifecycles[0].Phases[2].Doc
	if want := "Everything is done. Items that are parked do not count."; doc != want {
		t.Errorf("got %q, want %q", doc, want)
	}
}

// TestAFrozenBoxIsNotTicked: restoring the text of a box must not change its mark.
func TestAFrozenBoxIsNotTicked(t *testing.T) {
	w := workflow(t, `declare: 1
workflow: plan
doc: Boxes.
documents: {plan: {file: plan.md}}
items:
  step: {each: plan.boxes, key: it.text.number(), done: it.done, frozen: [it.text]}
`)
	for _, f := range sdktest.Look(t, w, sdktest.Files{"plan.md": "- [ ] 1 Write it\n"},
		sdktest.Files{"plan.md": "- [ ] 1 Read it\n"}).Findings {
		if len(f.Remedies) != 1 || len(f.Remedies[0].Edits) > 0 {
			t.Errorf("%s offers %v", f.Rule, f.Remedies)
		}
	}
}

// TestRunsThatMustNotVanish: a run with required items must not vanish, even if it was finished.
func TestRunsThatMustNotVanish(t *testing.T) {
	for more, want := range map[string]sdk.Keep{"": sdk.KeepNone, "    keep: true\n": sdk.KeepUnfinished,
		"    keep: true\n    required: true\n": sdk.KeepAll} {
		if got := workflow(t, tasks(more)).Manifest().Keep; got != want {
			t.Errorf("%q: got %v, want %v", more, got, want)
		}
	}
}

// TestLostFirstRow: a table has no location of its own, so its lost first row is reported at the current first row.
func TestLostFirstRow(t *testing.T) {
	w := workflow(t, `declare: 1
workflow: plan
doc: Phases.
documents: {plan: {file: plan.md, fields: [phase]}}
items:
  phase: {each: "plan.tables.first().rows", key: it.phase, keep: true}
`)
	const head = "# Plan\n\n| Phase |\n|---|\n"
	found := sdktest.Look(t, w, sdktest.Files{"plan.md": head + "| P2 |\n"},
		sdktest.Files{"plan.md": head + "| P1 |\n| P2 |\n"}).Findings
	if len(found) != 1 || found[0].Rule != "phase-lost" || found[0].Range.Line+found[0].Range.Start == 0 {
		t.Errorf("%+v", found)
	}
}

// TestUnknownIsSilent makes the file of the list unreadable. No rule may report anything about it.
func TestUnknownIsSilent(t *testing.T) {
	w := workflow(t, tasks(`    keep: true
rules:
  empty: {doc: d, when: "!has(list.tasks) || list == null", say: empty}
  unlike-base: {doc: d, when: "base.list.owner != list.owner", say: other}
`))
	base := sdktest.Files{"tasks.json": `{"tasks": [{"id": 1}], "owner": "x"}`, "log.md": ""}
	hidden := sdktest.Files{"log.md": "", "tasks.json": "{"} // cannot be parsed
	for _, f := range sdktest.Look(t, w, hidden, base).Findings {
		if !f.Host {
			t.Errorf("%s: %s", f.Rule, f.Message)
		}
	}
}
