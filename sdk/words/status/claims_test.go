package status_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/words/status"
)

func TestTitleCallsItsSectionComplete(t *testing.T) {
	title := func(text string) bool { return status.Title(text, text) }
	each(t, "Title", title, true, "Phase 1: Setup ✅", "Phase 1: Setup ✔", "Setup (COMPLETE)", "Setup ✅ DONE",
		"Setup — 100%", "Setup (3/3 complete)", "Setup — complete (2026-01-02)", "✅ Phase 1: Setup", "Setup DONE",
		"Aufbau (abgeschlossen)", "設定（完了）", "Phase 6: Frontend ✅")
	each(t, "Title", title, false,
		"Phase 1: Setup", "Make the index complete", "✅ Acceptance criteria", "Setup (2/3 complete)",
		"Setup (partially complete)", "Done", "What is done", "Setup — 50%", "TASKS DONE", "",
		"Phase 7: Export — server ✅", "Phase 7: Export (backend only) ✅")
	if !status.Title("Setup complete", "Setup **complete**") {
		t.Error("a bold word does not count")
	}
}

func TestLineSaysThatAllTasksAreComplete(t *testing.T) {
	each(t, "Line", status.Line, true, "All tasks are complete.", "Status: complete", "**Status**: ✅ Done",
		"Progress: 5/5 tasks", "✅ All tasks completed", "2/2 tasks complete", "2 of 2 tasks are done", "状态：已完成",
		"Status: completato", "ステータス: 実装済み", "Stand: umgesetzt", "✅ COMPLETE", "Alle Aufgaben sind erledigt.")
	each(t, "Line", status.Line, false, "All tasks are open.", "Status: in progress", "Progress: 4/5 tasks",
		"All tasks completed except T004", "Status: design complete", "1/2 tasks complete", "2/2 tasks are planned",
		"All tasks", "Complete the index", "When all tasks are complete, release.", "0/0 tasks complete", "")
}

func TestSentenceIsNoField(t *testing.T) {
	each(t, "Sentence", status.Sentence, true, "All tasks are complete.", "✅ All tasks completed")
	each(t, "Sentence", status.Sentence, false, "Status: complete", "All tasks below are complete when the tests pass")
}

func TestCompleteValueTakesNothingBack(t *testing.T) {
	each(t, "Complete", status.Complete, true, "complete", "✅", "Done (2026-01-02)", "[Complete]", "100%",
		"completed on 2 May",
		"all tasks done", "実装済み")
	each(t, "Complete", status.Complete, false, "", "in progress", "complete except tests", "design complete",
		"done 3/5",
		"Implemented. Validação pendente",
		"complete the setup", "ready for implementation", "95% complete")
}
