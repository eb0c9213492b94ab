package literaturereview_test

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	literaturereview "github.com/stategate/stategate/plugins/literature-review"
	"github.com/stategate/stategate/sdk/fixture"
)

// look checks a fixture.
func look(t testing.TB, name string) *fixture.Look {
	t.Helper()
	f, err := fixture.Load(os.DirFS("testdata"), name+".txtar")
	if err != nil {
		t.Fatal(err)
	}
	kit, err := fixture.NewKit(literaturereview.Workflow.Manifest(), fixture.Native(literaturereview.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	l, err := kit.LookAt(f)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// spoken returns the rules of all findings, sorted, one for each finding.
func spoken(l *fixture.Look) string {
	if l.Report.Declined != "" {
		return "declined"
	}
	var list []string
	for _, f := range l.Findings {
		list = append(list, f.Rule)
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}

// phases returns the claimed and the observed phase of each subject, by their first three letters.
func phases(l *fixture.Look) string {
	var list []string
	for _, d := range l.Report.Detections {
		claimed := d.Claimed
		for n, name := range map[string]string{"0": "ini", "1": "int", "2": "sea", "3": "org", "4": "ant", "5": "syn"} {
			if strings.HasPrefix(strings.ToLower(claimed), "phase "+n) {
				claimed = name
				if n == "5" && strings.HasSuffix(d.Claimed, "Complete") {
					claimed = "com"
				}
				break
			}
		}
		list = append(list, letters(claimed)+"/"+letters(d.Observed))
	}
	return strings.Join(list, " ")
}

func letters(s string) string {
	if s == "" {
		return "-"
	}
	return s[:3]
}

func TestSpecified(t *testing.T) {
	for _, want := range specified {
		t.Run(want.name, func(t *testing.T) {
			l := look(t, want.name)
			if got := spoken(l); got != want.rules {
				t.Errorf("rules\n%s\nwant\n%s", got, want.rules)
				for _, f := range l.Findings {
					t.Logf("%s:%d %s: %s", f.Place.Path, f.Place.Line, f.Rule, f.Message)
				}
			}
			if got := phases(l); got != want.phases {
				t.Errorf("phases %s, want %s", got, want.phases)
			}
		})
	}
}

func TestEveryFixtureIsSpecified(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(specified) {
		t.Errorf("%d fixtures, %d of them specified", len(files), len(specified))
	}
}
