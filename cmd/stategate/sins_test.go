package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/testdata/guests"
)

// TestEverySinHasItsStory checks that each hostile guest has a story. In it, the check must be incomplete with a
// failure of the right kind, and must still report the finding of the ocr plugin.
func TestEverySinHasItsStory(t *testing.T) {
	for name, sin := range guests.All() {
		text, err := os.ReadFile(filepath.Join(repository, "testdata", "script", "hostile-"+name+".txtar"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		story := string(text)
		if !strings.Contains(story, "[ocr/round-beyond-files]") && !strings.Contains(story, "stdout -count=1 ") {
			t.Errorf("%s: the finding of the ocr plugin is not in the story", name)
		}
		right := len(sin.Kinds) == 0
		for _, k := range sin.Kinds {
			right = right || strings.Contains(story, ": "+string(k)+": ") || strings.Contains(story, string(k)+"|") ||
				strings.Contains(story, "|"+string(k))
		}
		if !right {
			t.Errorf("%s: the story fails otherwise than as %v", name, sin.Kinds)
		}
	}
}
