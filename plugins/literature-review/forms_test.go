package literaturereview_test

import (
	"strings"
	"testing"

	literaturereview "github.com/stategate/stategate/plugins/literature-review"
	"github.com/stategate/stategate/sdk/sdktest"
)

func TestForms(t *testing.T) {
	one := sdktest.Archive(t, "header-folder-dated.txtar")
	sdktest.Forms(t, literaturereview.Workflow,
		sdktest.Reading{Name: "source", Place: "value",
			Now: func(form string) sdktest.Files {
				files := sdktest.Files{}
				for path, text := range one {
					files[path] = strings.Replace(text, "| Web search | In Progress |", "| Web search | "+form+" |", 1)
				}
				return files
			},
			// A bar ends the cell, and of what is struck out in it the marks are gone.
			Odd: func(form string) bool { return strings.Contains(form, "|") || strings.Contains(form, "~~") },
			// A source has four statuses.
			Plain: map[string]string{"open": "Pending", "in-progress": "In Progress", "done": "Complete",
				"cancelled": "Skipped"}})
}
