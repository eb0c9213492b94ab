package status_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/words/status"
)

// each compares a function with its expected results for some texts.
func each(t *testing.T, name string, is func(string) bool, want bool, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if is(text) != want {
			t.Errorf("%s(%q) = %v", name, text, !want)
		}
	}
}

func TestGivenUpWordCountsWhereItIsSetApart(t *testing.T) {
	each(t, "GivenUp", status.GivenUp, true,
		"Name files (deferred)", "Name files (dropped)", "Name files (won't do)", "Name files (moved to 002)",
		"Name files [SKIPPED]", "Name files — deferred to v2", "Name files - skipped: no database",
		"Deferred: name files", "DEFERRED name files", "[P] SKIPPED name files", "Skipped", "Name files: SKIPPED",
		"Publishing deferred to the user", "Name files **deferred**", "Namen (entfällt)", "名前 （対象外）", "文件 （跳过）",
		"Имена (отложено)", "Nomes (adiada)", "Noms — Reporté", "Name files ⏭ (SKIPPED)",
		"Name files ⚠️ OBSOLETE (gone)", "(still deferred) Name files")
	each(t, "GivenUp", status.GivenUp, false,
		"Name files", "Show cancelled orders", "Show still cancelled orders", "Cancelled orders page",
		"Count non-skipped rows", "Count skipped rows",
		"Recover dropped frames", "The deferred queue is drained", "Read the states: deferred, done",
		"Cancelled, expired and refunded orders", "Moved tools to cmd", "Handle deferredness (see below)",
		"Show “n/a” for empty cells", "Support optional fields", "")
}

func TestOptionalWordCountsWhereItIsSetApart(t *testing.T) {
	each(t, "Optional", status.Optional, true,
		"Write docs (optional)", "Write docs (Optional, v2)", "Optional: write docs",
		"Write docs [optional]", "Write docs — OPTIONAL", "文档 （可选）", "テスト（任意）", "Docs (facoltativo)")
	each(t, "Optional", status.Optional, false,
		"Support optional fields", "Make the field optional", "Optional chaining",
		"实现可选字段", "Optionally log")
}

func TestNoteDefersTheTaskAboveIt(t *testing.T) {
	each(t, "DefersWork", status.DefersWork, true,
		"Skipped: no database", "NOTE: Skipped, there is no database",
		"Deferred: see #12", "**Deferred** — see #12", "Status: deferred until v2", "跳过：没有数据库", "Skipped (no database)")
	each(t, "DefersWork", status.DefersWork, false, "Skipped rows are counted", "Deferred jobs run at night",
		"no database",
		"Note: the rows that were skipped", "")
}
