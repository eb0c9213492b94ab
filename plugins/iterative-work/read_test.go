package iterativework

import (
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

func TestReadStamp(t *testing.T) {
	for _, c := range []struct {
		text, used, at string
		kind           uint8
	}{
		{"2026-01-16", "2026-01-16", "2026-01-16T00:00:00Z", bareDate},
		{"2026-01-16T10:05", "2026-01-16T10:05", "2026-01-16T10:05:00Z", zoneless},
		{"2026-01-16 10:05:07 (late)", "2026-01-16 10:05:07", "2026-01-16T10:05:07Z", zoneless},
		{"2026-01-16T10:05:07.25Z", "2026-01-16T10:05:07.25Z", "2026-01-16T10:05:07.25Z", zoned},
		{"2026-01-16 10:05 UTC", "2026-01-16 10:05 UTC", "2026-01-16T10:05:00Z", zoned},
		{"2026-01-16T10:05:07+02:00", "2026-01-16T10:05:07+02:00", "2026-01-16T08:05:07Z", zoned},
		{"2026-01-16 - confirmation", "2026-01-16", "2026-01-16T00:00:00Z", bareDate},
		{"2026-02-30", "", "", 0},
		{"2026-01-16T25:00:00Z", "", "", 0},
		{"16.01.2026", "", "", 0},
		{"{timestamp}", "", "", 0},
	} {
		got := readStamp(c.text)
		if got.kind != c.kind || got.text != c.used || c.kind > 0 && got.at.String() != c.at {
			t.Errorf("%s: got %s, %q, kind %d; expected %s, %q, kind %d", c.text, got.at, got.text, got.kind, c.at, c.used, c.kind)
		}
	}
}

func TestBefore(t *testing.T) {
	for _, c := range []struct {
		a, b string
		by   instant.Duration
		want bool
	}{
		{"2026-01-16T10:00:00Z", "2026-01-16T10:00:01Z", 0, true},
		{"2026-01-16T10:00:00Z", "2026-01-16T10:00:00Z", 0, false},
		{"2026-01-16T10:00:00Z", "2026-01-16T10:00:59Z", slack, false},
		{"2026-01-16T10:00:00", "2026-01-16T23:59:00Z", 0, false},
		{"2026-01-16T10:00:00", "2026-01-17T00:00:01Z", 0, true},
		{"2026-01-16T10:00:00", "2026-01-16T10:00:01", 0, true},
		{"2026-01-16", "2026-01-16T23:00:00Z", 0, false},
		{"2026-01-16", "2026-01-17T00:00:00Z", 0, true},
		{"2026-01-16T23:00:00Z", "2026-01-16", 0, false},
		{"soon", "2026-01-17T00:00:00Z", 0, false},
	} {
		a, b := readStamp(c.a), readStamp(c.b)
		if got := a.before(&b, c.by); got != c.want {
			t.Errorf("%s before %s: got %t, expected %t", c.a, c.b, got, c.want)
		}
	}
}

func TestIsReal(t *testing.T) {
	for value, want := range map[string]bool{
		"": false, "...": false, "—": false, "no": false, "No.": false, "0": false, "No blockers": false, "no issues": false,
		"None": false, "none.": false, "None (all met)": false, "None - done": false, "None — done": false, "N/A": false, "Nothing, all done": false,
		"None of the dates checked": true, "two sources": true, "Nothing found yet": true, "not yet": true, "01": true,
	} {
		if got := isReal(value); got != want {
			t.Errorf("%q: got %t, expected %t", value, got, want)
		}
	}
}

func TestPlaceholder(t *testing.T) {
	for value, want := range map[string]string{
		"{timestamp}": "{timestamp}", "{N} phases": "{N}", "{research|writing}": "{research|writing}", "{what's left}": "{what's left}",
		"{}": "", "{1}": "", "a {name}": "", "{a{b}}": "", "{": "", "{" + strings.Repeat("a", 81) + "}": "{" + strings.Repeat("a", 81) + "}",
		"{" + strings.Repeat("a", 82) + "}": "",
	} {
		if got := placeholder(value); got != want {
			t.Errorf("%q: got %q, expected %q", value, got, want)
		}
	}
}

func TestIDs(t *testing.T) {
	for id, want := range map[string]bool{"R1": true, "AB123": true, "R": false, "R1234": false, "ABC1": false, "r1": false, "R1a": false, "1R": false} {
		if got := isID(id); got != want {
			t.Errorf("%q: got %t, expected %t", id, got, want)
		}
	}
	list := []string{"R10", "A2", "R9", "AB1", "A10"}
	slices.SortFunc(list, func(a, b string) int {
		if idLess(a, b) {
			return -1
		}
		return 1
	})
	if got := strings.Join(list, " "); got != "A2 A10 AB1 R9 R10" {
		t.Errorf("the order is %s", got)
	}
}

func TestNeeds(t *testing.T) {
	for text, want := range map[string]string{
		"none": "", "R1": "R1", "R1, R2": "R1 + R2", "R1; R2 & R3 and R4": "R1 + R2 + R3 + R4", "R1 | R2": "R1/R2", "R1, R2 or R3": "R1 + R2/R3", "after R1": "R1",
	} {
		var groups []string
		for _, group := range needs(text) {
			groups = append(groups, strings.Join(group, "/"))
		}
		if got := strings.Join(groups, " + "); got != want {
			t.Errorf("%q: got %s, expected %s", text, got, want)
		}
	}
}

func TestOutputs(t *testing.T) {
	const root = "docs/.iterative-work/future-work"
	for raw, want := range map[string]string{
		"`outputs/a.md`":                      "outputs/a.md",
		"`outputs/a.md` and `drafts/b.txt`":   "outputs/a.md drafts/b.txt",
		"outputs/a.md, data/":                 "outputs/a.md data/",
		"`./sources/x.pdf`":                   "sources/x.pdf",
		"`.iterative-work/future-work/data/`": "data/",
		"`outputs/{name}.md`":                 "",
		"`outputs/*.md`":                      "",
		"`outputs/../x.md`":                   "",
		"`report.md`":                         "",
		"`outputs/report`":                    "",
		"one `outputs/a.md` per document":     "",
		"`outputs/my notes.md`":               "",
		"a good synthesis":                    "",
		"outputs/a.md; then data/b.csv;":      "outputs/a.md data/b.csv",
		"outputs/a.md! or outputs/b.md's end": "",
		"`outputs/a.md#part-2`":               "",
		"outputs/a.md— the end":               "",
		"`outputs/plan.entwürfe`":             "outputs/plan.entwürfe",
	} {
		it := &item{}
		it.readSub("Output: "+raw, 0, len("Output: "+raw))
		if got := strings.Join(it.outputs(root), " "); got != want {
			t.Errorf("%s: got %q, expected %q", raw, got, want)
		}
	}
}

func TestMaxIterations(t *testing.T) {
	for value, want := range map[string]int{"5": 5, "3-5": 5, "3 – 5": 5, "about 4": 4, "{N}": 0, "5 (hard limit)": 5} {
		it := &item{}
		it.readSub("**Max iterations:** "+value, 0, len("**Max iterations:** "+value))
		if it.settle(); it.max != want {
			t.Errorf("%s: got %d, expected %d", value, it.max, want)
		}
	}
}

func TestHeadings(t *testing.T) {
	for _, c := range []struct {
		title, id string
		kind      uint8
		number    int
		odd, ok   bool
	}{
		{"R1 - Iteration 1 - 2026-01-16T10:10:00Z", "R1", work, 1, false, true},
		{"R1 – Iteration 12 — 2026-01-16 10:10 (second try)", "R1", work, 12, false, true},
		{"R1 - Confirmation - 2026-01-16", "R1", work, -1, true, true},
		{"R1", "R1", work, -1, true, true},
		{"Verify R1 - 2026-01-16T10:10:00Z", "R1", checked, -1, false, true},
		{"Verify R1", "R1", checked, -1, true, true},
		{"Review - Iteration 2 - 2026-01-16T10:10:00Z", "", reviewed, 2, false, true},
		{"Review - 2026-01-16T10:10:00Z", "", reviewed, -1, true, true},
		{"Revise - Iteration 1 - 2026-01-16", "", revised, 1, false, true},
		{"Reviewers", "", work, 0, false, false},
		{"Notes", "", work, 0, false, false},
	} {
		e := entry{section: &section{title: c.title, level: 2}, number: -1}
		if ok := e.heading(); ok != c.ok || ok && (e.id != c.id || e.kind != c.kind || e.number != c.number || e.odd != c.odd) {
			t.Errorf("%s: got %t, %q, kind %d, number %d, odd %t", c.title, ok, e.id, e.kind, e.number, e.odd)
		}
	}
}

func TestParts(t *testing.T) {
	list := []string{"plan-part10.md", "plan-part2.md", "plan.md", "plan-part-b.md", "plan-part02.md"}
	slices.SortStableFunc(list, func(a, b string) int {
		switch {
		case partLess(a, b):
			return -1
		case partLess(b, a):
			return 1
		}
		return 0
	})
	if got := strings.Join(list, " "); got != "plan.md plan-part-b.md plan-part2.md plan-part02.md plan-part10.md" {
		t.Errorf("the order is %s", got)
	}
}

// TestAsOf holds the shortcut for an earlier log against reading it.
func TestAsOf(t *testing.T) {
	kit, err := fixture.NewKit(Workflow.Manifest(), fixture.Native(Workflow))
	if err != nil {
		t.Fatal(err)
	}
	const text = "# Log\n\n## R1 - Iteration 1 - 2026-01-16T10:00:00Z\n**Did:** a\n**Signal:** R1_DONE\n\n" +
		"## Verify R1 - 2026-01-16T10:10:00Z\n**Result:** VERIFIED\n\n## R2 - Iteration 1 - 2026-01-16T10:20:00Z\n```\n## R3\n```\n<signal>R2_DONE</signal>\n"
	taken := 0
	for cut := range len(text) + 1 {
		world := fixture.World{
			Files: []fixture.Entry{{Path: logPath, Data: []byte(text), Size: int64(len(text))}},
			Base:  []fixture.Entry{{Path: logPath, Data: []byte(text[:cut]), Size: int64(cut)}},
		}
		world.Header.Root, world.Header.BaseRoot, world.Header.BaseState = ".iterative-work/x", ".iterative-work/x", wire.BaseAt
		look, err := kit.Look(world)
		if err != nil {
			t.Fatal(err)
		}
		none := func(string) bool { return false }
		p := sdk.NewPass(Workflow, look.Request)
		was := readJournal(p.Docs.Get(logPath)).asOf(p.Base.Docs.Get(logPath), none)
		if was == nil {
			continue
		}
		taken++
		fresh := readJournal(p.Base.Docs.Get(logPath))
		fresh.follow(none)
		if a, b := told(was), told(fresh); a != b {
			t.Errorf("the log up to byte %d: the shortcut says %s, reading says %s", cut, a, b)
		}
	}
	if taken < 4 {
		t.Errorf("the shortcut is taken %d times", taken)
	}
}

func told(j *journal) string {
	var all []string
	for _, e := range j.entries {
		trail := j.trail(e.id)
		all = append(all, e.title, itoa(trail.works), itoa(trail.done), itoa(trail.firstDone), itoa(trail.lastVerified))
	}
	return strings.Join(all, " ")
}
