package backlog_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/backlog"
	"github.com/stategate/stategate/sdk/sdktest"
)

func TestForms(t *testing.T) {
	sdktest.Forms(t, backlog.Workflow,
		sdktest.Reading{Name: "status", Place: "value",
			// A value without a letter or digit is a missing status, not an unknown one.
			Odd: func(form string) bool { return strings.Trim(form, "?[ ]") == "" },
			Now: func(form string) sdktest.Files {
				files := task("'"+strings.ReplaceAll(form, "'", "''")+"'", "Two")
				files["tasks/task-2 - Two.md"] =
					"---\nid: task-2\ntitle: Two\nstatus: Done\ndependencies: [task-1]\n---\n"
				return files
			},
			// Backlog.md has no words for review, blocked and ready. The first two count as in progress, and ready
			// counts as to do.
			Plain: map[string]string{"open": "To Do", "ready": "To Do", "in-progress": "In Progress",
				"review": "In Progress", "blocked": "In Progress", "done": "Done", "cancelled": "Cancelled",
				"unknown": "blub"}},
		sdktest.Reading{Name: "criterion", Place: "title",
			Now:   func(form string) sdktest.Files { return task("Done", form) },
			Plain: map[string]string{"open": "Two", "cancelled": "Two (deferred)", "optional": "Two (optional)"}})
}

// task returns a task with one criterion that is met and one that is not.
func task(status, criterion string) sdktest.Files {
	return sdktest.Files{"tasks/task-1 - One.md": "---\nid: task-1\ntitle: One\nstatus: " + status + "\n---\n\n" +
		"## Acceptance Criteria\n\n- [x] #1 One\n- [ ] #2 " + criterion + "\n"}
}
