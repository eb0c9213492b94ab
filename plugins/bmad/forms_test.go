package bmad_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/bmad"
	"github.com/stategate/stategate/sdk/sdktest"
)

// plain lists BMAD's own words. A blocked story is in the backlog.
var plain = map[string]string{"open": "backlog", "ready": "ready-for-dev", "in-progress": "in-progress",
	"review": "review", "done": "done", "cancelled": "cancelled", "blocked": "backlog", "unknown": "blub"}

// own lists words with a special meaning in BMAD: a planned story is in the backlog, not ready for development.
var own = map[string]string{"planned": "open", "📅 Planned": "open"}

// unread reports whether a value has no letter or digit. Such a value is a missing status, not an unknown one.
func unread(form string) bool { return strings.Trim(form, "?") == "" }

// spelling lists the rule about words that BMAD does not know.
var spelling = []string{"status-unknown"}

func TestForms(t *testing.T) {
	sdktest.Forms(t, bmad.Workflow,
		sdktest.Reading{Name: "epic of a tracker", Place: "value", Plain: plain, Own: own, Odd: unread,
			Besides: spelling, Now: func(form string) sdktest.Files { return sprint(form, "done", "done", "Print") }},
		sdktest.Reading{Name: "story of a tracker", Place: "value", Plain: plain, Own: own, Odd: unread,
			Besides: spelling,
			Now:     func(form string) sdktest.Files { return sprint("in-progress", form, "review", "Print") }},
		sdktest.Reading{Name: "status of a story", Place: "value", Plain: plain, Own: own,
			Now: func(form string) sdktest.Files { return sprint("in-progress", "done", form, "Print") }},
		sdktest.Reading{Name: "task of a story", Place: "title",
			Now:   func(form string) sdktest.Files { return sprint("in-progress", "done", "done", form) },
			Plain: map[string]string{"open": "Print", "cancelled": "Print (deferred)", "optional": "Print (optional)"}},
		sdktest.Reading{Name: "note under a task of a story", Place: "note",
			Now:   func(form string) sdktest.Files { return sprint("in-progress", "done", "done", "Print\n  - "+form) },
			Plain: map[string]string{"open": "See the notes", "cancelled": "Skipped: no database"}})
}

// sprint returns a sprint with an epic of two stories; one story has a file with two tasks.
func sprint(epic, story, status, task string) sdktest.Files {
	return sdktest.Files{
		"sprint-status.yaml": "project: P\ndevelopment_status:\n  epic-1: " + strconv.Quote(epic) + "\n  1-1-notes: " +
			strconv.Quote(story) + "\n  1-2-more: backlog\n",
		"1-1-notes.md": "# Story 1.1: Notes\n\nStatus: " + status + "\n\n## Tasks\n\n- [x] Parse\n- [ ] " + task + "\n",
	}
}

// TestStatusOfAStory checks that the plugin reads a story's status in all its forms, by letting it contradict the
// tracker's "done".
func TestStatusOfAStory(t *testing.T) {
	for _, head := range []string{
		"Status: in-progress", "Status：in-progress", "状态: 进行中", "**状态：** 进行中",
		"## Status\n\nIn Progress", "| Status | in-progress |",
		"---\nstatus: in-progress # since Monday\n---", "---\n\"status\": 'in-progress'\ntags: [\n  a\n]\n---",
		"---\n\nStatus: in-progress\n\n---", // two thematic breaks, not front matter
	} {
		found := sdktest.Findings(t, bmad.Workflow, sdktest.Files{
			"sprint-status.yaml": "project: P\ndevelopment_status:\n  epic-1: in-progress\n  1-1-notes: done\n" +
				"  1-2-more: backlog\n",
			"1-1-notes.md": head + "\n\n# Story 1.1: Notes\n\n## Tasks\n\n- [x] Parse\n- [ ] Print\n",
		}, nil)
		if !strings.Contains(found, "done-refuted") {
			t.Errorf("%q: expected done-refuted, found %q", head, found)
		}
	}
}
