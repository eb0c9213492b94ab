package literaturereview_test

import (
	"testing"

	literaturereview "github.com/stategate/stategate/plugins/literature-review"
	"github.com/stategate/stategate/sdk/sdktest"
)

func TestForms(t *testing.T) {
	review := sdktest.Archive(t, "header-folder-dated.txtar")
	sdktest.Forms(t, literaturereview.Workflow,
		sdktest.Reading{Name: "source", Place: "value", Odd: sdktest.OddInCell,
			Now: review.With("| Web search | In Progress |", "| Web search | FORM |"),
			// A source has four statuses.
			Plain: map[string]string{"open": "Pending", "in-progress": "In Progress", "done": "Complete",
				"cancelled": "Skipped"}})
}
