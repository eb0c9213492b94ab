package literaturereview_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	literaturereview "github.com/stategate/stategate/plugins/literature-review"
	"github.com/stategate/stategate/sdk/fixture"
)

// manyPapers returns the fixture valid-05-organize with 2,000 papers and entries.
func manyPapers(t testing.TB) fixture.World {
	t.Helper()
	f, err := fixture.Load(os.DirFS("testdata"), "valid-05-organize.txtar")
	if err != nil {
		t.Fatal(err)
	}
	w := f.World()
	var rows, entries strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&rows, "| %d | Author%d %d. A study of the adjustment for regression to the mean in cohorts. | "+
			"Web search | Google Scholar | High | Processed | No | 10.2000/x%d |\n", i+10, i, 1950+i%70, i)
		fmt.Fprintf(&entries, "#### Author%d (%d)\n\n- **DOI**: 10.2000/x%d\n- **Verified**: Yes\n- **Summary**: "+
			"Text.\n- **Quality Note**: Sound.\n\n", i, 1950+i%70, i)
	}
	for i := range w.Files {
		e := &w.Files[i]
		text := string(e.Data)
		text = strings.Replace(text, "| 1 | Adams", rows.String()+"| 1 | Adams", 1)
		text = strings.Replace(text, "### Demoted", entries.String()+"### Demoted", 1)
		e.Data, e.Size = []byte(text), int64(len(text))
	}
	return w
}

func BenchmarkManyPapers(b *testing.B) {
	w := manyPapers(b)
	kit, err := fixture.NewKit(literaturereview.Workflow.Manifest(), fixture.Native(literaturereview.Workflow))
	if err != nil {
		b.Fatal(err)
	}
	l, err := kit.Look(w)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := kit.Examiner.Examine(l.Request); err != nil {
			b.Fatal(err)
		}
	}
}

// TestManyPapers checks that the cost stays linear. The limit is far above the time that it takes.
func TestManyPapers(t *testing.T) {
	kit, err := fixture.NewKit(literaturereview.Workflow.Manifest(), fixture.Native(literaturereview.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	l, err := kit.Look(manyPapers(t))
	if err != nil {
		t.Fatal(err)
	}
	if l.Report.Failure != "" || len(l.Report.RuleFailures) > 0 || time.Since(start) > time.Minute {
		t.Errorf("%s %v after %v", l.Report.Failure, l.Report.RuleFailures, time.Since(start))
	}
	if got := l.Report.Detections[0].Facts[2].Value.Int; got != 2006 {
		t.Errorf("%d papers, want 2006", got)
	}
}

// manyReviews returns 300 copies of the review in the fixture valid-05-organize.
func manyReviews(t testing.TB) fixture.World {
	t.Helper()
	f, err := fixture.Load(os.DirFS("testdata"), "valid-05-organize.txtar")
	if err != nil {
		t.Fatal(err)
	}
	w := f.World()
	files, rows, links := w.Files, "", ""
	w.Files = nil
	for i := range 300 {
		day := fmt.Sprintf("2026-%02d-%02d", 1+i%12, 1+i%28)
		rows += fmt.Sprintf("| %d | %s | Topic %d | Full Review | In Progress |  |  |\n", i+1, day, i)
		links += fmt.Sprintf("| Topic %d | `%s_topic-%d/` |\n", i, day, i)
		for _, e := range files {
			_, name, below := strings.Cut(e.Path, "/")
			if !below {
				continue
			}
			e.Path = fmt.Sprintf("%s_topic-%d/%s", day, i, name)
			e.Data = []byte(strings.ReplaceAll(strings.ReplaceAll(string(e.Data), "2026-02-10", day),
				"**Topic**: RTM adjustment", fmt.Sprintf("**Topic**: Topic %d", i)))
			w.Files = append(w.Files, e)
		}
	}
	index := "# Literature Review Index\n\n## Reviews\n\n| # | Date | Topic | Mode | Status | Papers | Key Finding " +
		"|\n|---|---|---|---|---|---|---|\n" + rows +
		"\n## Quick Links\n\n| Review | Folder |\n|---|---|\n" + links
	w.Files = append(w.Files, fixture.Entry{Path: "INDEX.md", Data: []byte(index), Size: int64(len(index))})
	return w
}

func BenchmarkManyReviews(b *testing.B) {
	kit, err := fixture.NewKit(literaturereview.Workflow.Manifest(), fixture.Native(literaturereview.Workflow))
	if err != nil {
		b.Fatal(err)
	}
	l, err := kit.Look(manyReviews(b))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := kit.Examiner.Examine(l.Request); err != nil {
			b.Fatal(err)
		}
	}
}
