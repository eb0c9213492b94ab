package print

import (
	"testing"

	"github.com/stategate/stategate/host/result"
)

// TestComparedWith: the summary names the base like a person would.
func TestComparedWith(t *testing.T) {
	const id = "8a7fdfd40123456789abcdef0123456789abcdef"
	for _, c := range []struct {
		bases []result.Base
		want  string
	}{
		{nil, ""},
		{[]result.Base{{Rev: "HEAD", ID: id, Role: "head"}}, "compared with HEAD (8a7fdfd)"},
		{[]result.Base{{Rev: "HEAD", ID: id, Role: "head"}, {Rev: "MERGE_HEAD", ID: "1" + id, Role: "merge-head"}},
			"compared with HEAD (8a7fdfd) and MERGE_HEAD (18a7fdf)"},
		{[]result.Base{{Rev: "main", ID: id, Role: "merge-base"}}, "compared with 8a7fdfd, the merge base with main"},
		{[]result.Base{{Rev: "HEAD^1", ID: id, Role: "parent"}}, "compared with 8a7fdfd, the parent"},
		{[]result.Base{{Rev: id[:12], ID: id, Role: "given"}}, "compared with 8a7fdfd"},
	} {
		if got := comparedWith(c.bases); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestOutOfScope: one line counts what a change does not touch.
func TestOutOfScope(t *testing.T) {
	r := &result.Result{Outside: result.Outside{Errors: 2, Warnings: 1, Infos: 4, Failures: 1, Runs: 3}}
	if got := outOfScope(r); got != "2 errors, 1 warning, 1 failure in 3 runs this change does not touch" {
		t.Errorf("got %q", got)
	}
}
