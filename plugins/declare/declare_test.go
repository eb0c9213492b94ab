package declare_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/sdktest"
)

// tasks declares the tasks of a file, with more members.
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

// TestRules checks documents with a declaration. Each finding is "severity rule place: message".
func TestRules(t *testing.T) {
	for name, c := range map[string]struct {
		declaration, now, base string
		want                   string // parts of the findings, a line each; "" for none
	}{
		"a list that does not exist is an info": {
			tasks(""), `{"owner": "x"}`, "", "info task-unread"},
		"a required list that is empty is an error": {
			tasks("    required: true\n"), `{"tasks": []}`, "", "error task-unread"},
		"a table's severity can be lowered below that of a single finding": {
			tasks("rules: {task-unread: {severity: info}}\n"), `{"tasks": [{"title": "no id"}]}`, "", "info task-unread"},
		"an item without a status is not one of the words": {
			tasks("    state: it.status\n    words: [open, done]\n"), `{"tasks": [{"id": 1}]}`, "",
			"error task-status-unknown: the status of task 1 is nothing; expected open or done"},
		"numbers are keys, too": {
			tasks("    needs: it.needs\n"), `{"tasks": [{"id": 1, "needs": [2]}, {"id": 2}]}`, "", ""},
		"a done item waits for what it needs": {
			tasks("    needs: it.needs\n    done: it.done\n"), `{"tasks": [{"id": 1, "needs": 2, "done": true}, {"id": 2}]}`, "",
			"error task-dependency-open: task 1 is done, but depends on 1 task that is not: 2"},
		"nothing is compared before there is a base": {
			tasks("    keep: true\n    frozen: [it.title]\n    done: it.done\n"), `{"tasks": [{"id": 1, "title": "a"}]}`, "", ""},
		"an item that gets another id and keeps its title is not lost": {
			tasks("    keep: true\n    title: it.title\n"), `{"tasks": [{"id": 7, "title": "a"}]}`,
			`{"tasks": [{"id": 1, "title": "a"}]}`, ""},
		"of two with that title one is lost": {
			tasks("    keep: true\n    title: it.title\n"), `{"tasks": [{"id": 7, "title": "a"}]}`,
			`{"tasks": [{"id": 1, "title": "a"}, {"id": 2, "title": "a"}]}`,
			"error task-lost: task 1 is gone\nerror task-lost: task 2 is gone"},
		"many lost items are one finding": {
			tasks("    keep: true\n"), `{"tasks": [{"id": 0}]}`,
			`{"tasks": [` + strings.Repeat(`{"id": "#"},`, 25) + `{"id": 0}]}`,
			"error task-lost: 25 of 26 tasks of the base are gone"},
		"what was not in the base can be added to what is frozen": {
			tasks("    frozen: [it.title]\n"), `{"tasks": [{"id": 1, "title": "a"}]}`, `{"tasks": [{"id": 1}]}`, ""},
		"the last step is said to be one": {
			tasks("    state: it.status\n    moves: {done: []}\n"), `{"tasks": [{"id": 1, "status": "open"}]}`,
			`{"tasks": [{"id": 1, "status": "done"}]}`,
			"error task-status-jumped: task 1 went from done to open; done is the last step"},
		"old is null for a new item": {
			tasks("rules:\n  new: {doc: d, each: task, when: old == null, say: \"{it.id} is new\"}\n"),
			`{"tasks": [{"id": 1}, {"id": 2}]}`, `{"tasks": [{"id": 1}]}`, "error new: 2 is new"},
		"a file that does not exist is null": {
			tasks("rules:\n  no-log: {doc: d, severity: warning, when: log == null, at: log, say: no log}\n"),
			`{"tasks": [{"id": 1}]}`, "", "warning no-log: no log"},
		"a list of what is wrong": {
			tasks("rules:\n  same-size: {doc: d, when: \"task.repeats(t, t.size)\", at: it.size, say: \"{it.id}\"}\n"),
			`{"tasks": [{"id": 1, "size": 3}, {"id": 2, "size": 3}, {"id": 3}]}`, "", "error same-size: 2"},
		"an item by its key": {
			tasks("rules:\n  big: {doc: d, when: \"task[2].size > 3\", say: \"{task[2].title}\"}\n"),
			`{"tasks": [{"id": 1, "size": 9}, {"id": 2, "size": 4, "title": "second"}]}`, "", "error big: second"},
		"a lower severity": {
			tasks("rules:\n  big: {doc: d, each: task, when: it.size > 3, say: \"{it.id}\",\n" +
				"    as: \"it.size > 8 ? 'error' : 'info'\"}\n"),
			`{"tasks": [{"id": 1, "size": 9}, {"id": 2, "size": 4}]}`, "", "error big: 1\ninfo big: 2"},
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
				got = append(got, f.Severity.String()+" "+f.Rule+": "+f.Message)
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

// TestUnknownIsSilent hides the file of the list: no rule rests on what cannot be seen.
func TestUnknownIsSilent(t *testing.T) {
	w := workflow(t, tasks(`    keep: true
rules:
  empty: {doc: d, when: "!has(list.tasks) || list == null", say: empty}
  unlike-base: {doc: d, when: "base.list.owner != list.owner", say: other}
`))
	base := sdktest.Files{"tasks.json": `{"tasks": [{"id": 1}], "owner": "x"}`, "log.md": ""}
	hidden := sdktest.Files{"log.md": "", "tasks.json": "{"} // it cannot be read
	for _, f := range sdktest.Look(t, w, hidden, base).Findings {
		if !f.Host {
			t.Errorf("%s: %s", f.Rule, f.Message)
		}
	}
}
