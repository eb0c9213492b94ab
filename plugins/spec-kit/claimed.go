package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

// said reports whether a field is a Status that means complete. The key is the field's, in lowercase.
func said(key string, f markdown.Field) bool {
	return slices.Contains(status.Keys(), key) && status.Complete(f.Text())
}

// qualified reports whether a claim is restricted or is a condition, as in "mostly complete" and "when complete".
func qualified(text string) bool {
	text = lower(text)
	for _, word := range []string{"%", "partial", "mostly", "almost", "nearly",
		"except", "but ", "deviation", "pending", "deferred", "remaining", "skipped", "open", "not ", "until", "todo",
		"when", "after ", "before ", "?", "未", "部分", "予定", "teilweise", "außer", "nicht", "parcial", "exceto",
		"excepto", "partiel"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// ofTheSpec reports whether a Status says only that the spec is complete, so that the next step can begin: "Complete -
// ready for planning".
func ofTheSpec(text string) bool {
	text = lower(text)
	for _, word := range []string{
		"speckit", "specification", "spec complete", "spec only", "spec phase", "for planning", "awaiting",
		"ready to plan", "ready to impl", "ready to build", "ready to start",
		"ready for plan", "ready for the plan", "ready for task", "ready for impl", "ready for dev", "ready for design",
		"ready for clarif", "ready for technical",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// passed reports whether a checkpoint, such as "✅ User Story 1 complete", says that its phase is complete. Without a
// check mark, it is only a plan.
func passed(text string) bool {
	if text = strings.Trim(text, " ."); !strings.HasPrefix(text, "✅") && !strings.HasSuffix(text, "✅") {
		return false
	}
	text = lower(text)
	return strings.Contains(text, "complete") && !strings.Contains(text, "incomplete") && !qualified(text)
}

// toldDone says that a list before the first task marks a phase or story as done, as in "✅ **US1** — image", or
// returns "" if there is none.
func (m *model) toldDone() string {
	for _, item := range m.tasks.Outline().Document().Items() {
		text, ok := strings.CutPrefix(item.Own().Text(), "✅ ")
		if at := item.Own().Start(); ok && at < m.list[0].Start && !qualified(text) &&
			(phaseNumber(text) != "" || strings.HasPrefix(text, "US")) {
			return "a list says that parts are done" + say.Line(m.tasks, at)
		}
	}
	return ""
}
