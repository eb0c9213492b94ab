package words_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/words"
)

func TestTextThatSaysItIsUnfinished(t *testing.T) {
	for _, text := range []string{"In progress", "In progress: searching for counter-evidence.", "WIP",
		"WIP: two sources left",
		"Started; 2 of 5 checks done.", "*In progress* — section C", "(in progress)", "Pending, see below",
		"not completed",
		"TODO: write", "Ongoing - two of three", "In-progress (3 of 7)", "Incomplete."} {
		if !words.Unfinished(text) {
			t.Errorf("%q says that it is unfinished", text)
		}
	}
	for _, text := range []string{"", "Started in 2019, the program grew", "Pending litigation is described below.",
		"Ongoing debate about effect sizes", "In progressive cases", "Wiped out", "Incomplete records were excluded",
		"Todo lists help", "All checks are done; nothing pending", "In-progress work was excluded"} {
		if words.Unfinished(text) {
			t.Errorf("%q does not say that it is unfinished", text)
		}
	}
}
