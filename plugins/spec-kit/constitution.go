package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// constitutionPath is the document with the project's principles, relative to pointerDir. Every command of Spec Kit
// reads them.
const constitutionPath = "memory/constitution.md"

// adopted reports whether a constitution has text and is not the template.
func adopted(d *sdk.Document) bool {
	if !d.Readable() || strings.TrimSpace(d.Text) == "" {
		return false
	}
	heads := d.Outline().Headings()
	return len(heads) == 0 || !strings.Contains(heads[0].Text(), "[PROJECT_NAME]")
}

func constitutionLost(r *check.Report, m *model) {
	was, now := r.Base.Docs.Get(constitutionPath), r.Docs.Get(constitutionPath)
	how := " is missing"
	switch {
	case r.Name != pointerDir || !adopted(was) || adopted(now) || now != nil && !now.Readable() ||
		now == nil && !r.Docs.Known(constitutionPath):
		return
	case now != nil && strings.TrimSpace(now.Text) == "":
		how = " is empty"
	case now != nil:
		how = " is the template again"
	}
	r.Whole(constitutionPath, constitutionPath+how+"; the base has the project's principles").
		Offer(sdk.Review, "Restore "+constitutionPath, sdk.Restore(constitutionPath))
}
