package status_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/words/status"
)

func TestNoticeRetiresADocument(t *testing.T) {
	each(t, "Retired", status.Retired, true,
		"LEGACY SPEC. See ADR 7.", "LEGACY／SUPERSEDED SPEC（2026-08-14）",
		"> **SUPERSEDED** by specs/004", "⚠️ DEPRECATED",
		"Status: superseded by #12", "**Status**: Archived", "狀態：LEGACY／不再執行。", "Status: on hold",
		"ARCHIVED: see tasks.legacy.md",
		"MOVED to specs/004", "Do not execute this plan.", "This spec is legacy and must not be implemented.",
		"本清單仍屬未核准的候選方案，不得直接執行。")
	each(t, "Retired", status.Retired, false,
		"", "Status: Draft", "Status: ✅ Complete", "Legacy code stays until v2", "Deprecated endpoints are removed",
		"API: deferred loading", "Do not implement this plan until the design is approved.",
		"Do not execute statements twice.", "SUPERSEDED IN PART by specs/004", "不得执行之前的任务，直到设计完成", "REMOVEDX")
}
