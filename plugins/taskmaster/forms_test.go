package taskmaster_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/taskmaster"
	"github.com/stategate/stategate/sdk/sdktest"
)

// plain lists Task Master's own words. Ready and blocked tasks are pending there.
var plain = map[string]string{"open": "pending", "ready": "pending", "blocked": "pending", "in-progress": "in-progress",
	"review": "review", "done": "done", "cancelled": "cancelled", "unknown": "blub"}

// unread reports whether a value has no letter or digit. Such a value is a missing status, not an unknown one.
func unread(form string) bool { return strings.Trim(form, "?") == "" }

// spelling lists the rule about words that Task Master does not know.
var spelling = []string{"status-unknown"}

func TestForms(t *testing.T) {
	sdktest.Forms(t, taskmaster.Workflow,
		sdktest.Reading{Name: "status of a task", Place: "value", Plain: plain, Odd: unread,
			Besides: spelling, Now: func(form string) sdktest.Files { return tasks(form, "done", "pending") }},
		sdktest.Reading{Name: "status of a subtask", Place: "value", Plain: plain, Odd: unread,
			Besides: spelling, Now: func(form string) sdktest.Files { return tasks("done", "done", form) }})
}

// tasks returns a list with one task, which has two subtasks.
func tasks(task, first, second string) sdktest.Files {
	return sdktest.Files{"tasks/tasks.json": `{"master": {"tasks": [{"id": 1, "title": "Notes", "dependencies": [],
		"status": ` + strconv.Quote(task) + `, "testStrategy": "", "subtasks": [
		{"id": 1, "title": "Parse", "status": ` + strconv.Quote(first) + `},
		{"id": 2, "title": "Print", "status": ` + strconv.Quote(second) + `}]}]}}`}
}
