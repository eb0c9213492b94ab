package snapshot

import (
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

func TestAdviceNamesTheLinesOfEachConflict(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"one conflict":           {"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> main\n", "lines 2-6"},
		"two conflicts":          {"<<<<<<< A\n=======\n>>>>>>> B\n<<<<<<< A\n=======\n>>>>>>> B\n", "lines 1-3, 4-6"},
		"the end marker is gone": {"a\n<<<<<<< HEAD\nb\nc\n", "lines 2-4"},
		"only the end marker":    {"a\nb\n>>>>>>> main\n", "line 3"},
		"the text is not read":   {"", "line 7"},
	} {
		doc := &wire.Document{Path: "tasks.md", Text: c.text}
		fault := &wire.DocumentFault{Rule: wire.RuleUnreadable, Kind: kindConflict, Line: 7}
		list := repairs(doc, fault, &wire.Report{}, map[string]bool{"tasks.md": true})
		want := "Resolve the conflict on " + c.want + " of tasks.md: keep what is true on each side, " +
			"and remove the markers."
		if len(list) != 1 || list[0].Safety != wire.Manual || len(list[0].Steps) != 1 || list[0].Steps[0] != want {
			t.Errorf("%s: got %+v, want %q", name, list, want)
		}
	}
}
