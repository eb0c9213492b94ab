package sdk

import "testing"

func TestCompleteBelow(t *testing.T) {
	for _, c := range []struct {
		unseen, dir string
		complete    bool
	}{
		{"state/**", "phases", true},
		{"phases/**", "phases", false},
		{"phases/3/*.md", "phases", false},
		{"phases/3/*.md", "phases/4", true},
		{"phases/*/x.md", "phases/4", false},
		{"**", "phases", false},
		{"**/x.md", "phases", false},
		{"*.md", "phases", true},
		{"phases", "phases", true},
		{"phases/*", "phases/3", true},
	} {
		docs := newDocs(nil, []string{c.unseen}, Docs{})
		if got := docs.CompleteBelow(c.dir); got != c.complete {
			t.Errorf("unseen %s: complete below %s is %t, want %t", c.unseen, c.dir, got, c.complete)
		}
	}
}
