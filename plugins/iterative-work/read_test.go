package iterativework

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/sdktest"
)

func TestIDs(t *testing.T) {
	for id, want := range map[string]bool{"R1": true, "AB123": true, "R": false, "R1234": false, "ABC1": false,
		"r1": false, "R1a": false, "1R": false} {
		if got := isID(id); got != want {
			t.Errorf("%q: got %t, expected %t", id, got, want)
		}
	}
}

func TestNeeds(t *testing.T) {
	for text, want := range map[string]string{
		"none": "", "R1": "R1", "R1, R2": "R1 + R2", "R1; R2 & R3 and R4": "R1 + R2 + R3 + R4", "R1 | R2": "R1/R2",
		"R1, R2 or R3": "R1 + R2/R3", "after R1": "R1", "r1 and r2": "R1 + R2",
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
		it := only(t, "- [ ] **R1**: x\n  - Output: "+raw+"\n")
		if got := strings.Join(it.outputs(root), " "); got != want {
			t.Errorf("%s: got %q, expected %q", raw, got, want)
		}
	}
}

func TestMaxIterations(t *testing.T) {
	for value, want := range map[string]int{"5": 5, "3-5": 5, "3 – 5": 5, "about 4": 4, "{N}": 0, "5 (hard limit)": 5} {
		it := only(t, "- [ ] **R1**: x\n  - **Max iterations:** "+value+"\n")
		if it.max != want {
			t.Errorf("%s: got %d, expected %d", value, it.max, want)
		}
	}
}

func TestHeadings(t *testing.T) {
	for _, c := range []struct {
		title, id string
		kind      uint8
		number    int
		lacks     string
		ok        bool
	}{
		{"R1 - Iteration 1 - 2026-01-16T10:10:00Z", "R1", work, 1, "", true},
		{"R1 – Iteration 12 — 2026-01-16 10:10 (second try)", "R1", work, 12, "", true},
		{"R1 - Confirmation - 2026-01-16", "R1", work, -1, "", true},
		{"R1", "R1", work, -1, "iteration number", true},
		{"Verify R1 - 2026-01-16T10:10:00Z", "R1", checked, -1, "", true},
		{"Verify R1", "R1", checked, -1, "time", true},
		{"Review - Iteration 2 - 2026-01-16T10:10:00Z", "", reviewed, 2, "", true},
		{"Review - 2026-01-16T10:10:00Z", "", reviewed, -1, "iteration number", true},
		{"Revise - Iteration 1 - 2026-01-16", "", revised, 1, "", true},
		{"R2 - Blocked - 2026-01-16", "R2", noted, -1, "", true},
		{"R2 – Timeout", "R2", noted, -1, "time", true},
		{"✅ R1 - Iteration 1 - 2026-01-16", "R1", work, 1, "", true},
		{"Phase R1: Iteration 2 (2026-01-16)", "R1", work, 2, "", true},
		{"[R1] Iteration #3, 16 Jan 2026", "R1", work, 3, "", true},
		{"r1 - iteration 1 - 2026-01-16 10:00 UTC", "R1", work, 1, "", true},
		{"R1 Verification - 2026-01-16", "R1", checked, -1, "", true},
		{"R1 / Iteration 2 / 2026-01-16", "R1", work, 2, "", true},
		{"Iteration 2 (R1) - 2026-01-16", "R1", work, 2, "", true},
		{"2026-01-16T10:10:00Z - R1 - Iteration 2", "R1", work, 2, "", true},
		{"R1 Find sources - Iteration 2/5 - 2026-01-16", "R1", work, 2, "", true},
		{"R1.2 - 2026-01-16", "R1", work, 2, "", true},
		{"R1 - Quality Review - 2026-01-16", "R1", checked, -1, "", true},
		{"R1 - Iteration 5 (verification) - 2026-01-16", "R1", checked, 5, "", true},
		{"R1 - Iteration 5 (after the review) - 2026-01-16", "R1", work, 5, "", true},
		{"Review R1 - 2026-01-16", "R1", checked, -1, "", true},
		{"R1 - Max iterations raised - 2026-01-16", "R1", noted, -1, "", true},
		{"R1 - Unblocked - 2026-01-16", "R1", noted, -1, "", true},
		{"Confirmation R1 - 2026-01-16", "R1", work, -1, "", true},
		{"A4 paper and ink", "", work, 0, "", false},
		{"Reviewers", "", work, 0, "", false},
		{"Notes", "", work, 0, "", false},
	} {
		e := entry{}
		if ok := e.heading(2, c.title, ""); ok != c.ok || ok &&
			(e.id != c.id || e.kind != c.kind || e.number != c.number || e.lacks != c.lacks) {
			t.Errorf("%s: got %t, %q, kind %d, number %d, lacks %q", c.title, ok, e.id, e.kind, e.number, e.lacks)
		}
		if deep := (&entry{}).heading(3, c.title, ""); deep != (c.ok && (c.number >= 0 || e.when.Precision > 0)) {
			t.Errorf("%s: at level 3 it is an entry: %t", c.title, deep)
		}
	}
}

func TestNothingIsLeft(t *testing.T) {
	for _, text := range []string{"None", "nothing left", "No further work.", "All done!", "Complete", "R3 complete",
		"None 🎉", "nil", "無し", "Nichts mehr", "Rien à faire", "Not applicable", "All criteria met",
		"None, ready for confirmation"} {
		if !settled(text) {
			t.Errorf("%q says that nothing is left", text)
		}
	}
	for _, text := range []string{"All done but the appendix", "Complete the appendix",
		"Nothing in section 2 is checked", "None of the dates checked", "Not done", "all tables", "open items",
		"two sources"} {
		if settled(text) {
			t.Errorf("%q leaves something", text)
		}
	}
}

func TestFields(t *testing.T) {
	for text, want := range map[string]string{
		"**Remaining:** one and\nits page\n**Blockers:** x":                "one and its page",
		"**Remaining:**\none and\nits page\n\nMore.":                       "one and its page",
		"Remaining: one\nBlockers: x":                                      "one",
		"**Remaining:** two:\n- one\n- [x] two\n- ~~three~~\n- ✅ four":     "two: / one",
		"- Remaining:\n  - one with\n    its page\n  - two\n- Blockers: x": "one with its page / two",
		"### Remaining ###\n\n1. one\n2. **Two:** b\n\n### Blockers\nx":    "one / Two: b",
		"> **Remaining** - one\n> **Blockers:** x":                         "one",
		"| Remaining | one |\n| Blockers | x |":                            "one",
		"```\n**Remaining:** one\n```":                                     "",
		"<!--\n**Remaining:** one\n-->":                                    "",
		"**Remaining:** <signal>R1_DONE</signal>":                          "",
	} {
		log := docs(t, map[string]string{planPath: "", logPath: "## R1\n" + text + "\n"}).Get(logPath)
		e := readJournal(log, func(string) bool { return false }).entries[0]
		if got := strings.Join(e.field(leftKeys).items(), " / "); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
}

// docs returns documents as a plugin receives them.
func docs(t *testing.T, files map[string]string) sdk.Docs {
	t.Helper()
	kit, err := fixture.NewKit(Workflow.Manifest(), fixture.Native(Workflow))
	if err != nil {
		t.Fatal(err)
	}
	world := fixture.World{}
	world.Header.Root = ".iterative-work/x"
	for path, text := range files {
		world.Files = append(world.Files, fixture.Entry{Path: path, Data: []byte(text), Size: int64(len(text))})
	}
	look, err := kit.Look(world)
	if err != nil {
		t.Fatal(err)
	}
	return sdktest.Docs(look.Request.Documents)
}

// only returns the only item of a plan.
func only(t *testing.T, plan string) *item {
	t.Helper()
	items := readOutlook(docs(t, map[string]string{planPath: plan})).items
	if len(items) != 1 {
		t.Fatalf("%q has %d items", plan, len(items))
	}
	return items[0]
}

func TestPlansAreReadInAnyForm(t *testing.T) {
	for _, plan := range []string{
		"# P\n\n- [x] **R1**: Find\n  - Criteria: ten\n  - Output: `outputs/a.md`\n  - Max iterations: 3\n- [ ] " +
			"**R2**: Read\n",
		"# P\n\n- [x] R1: Find\n  - Criteria: ten\n  - Output: outputs/a.md\n  - Max iterations: 3\n- [ ] R2 Read\n",
		"# P\n\n* [X] `R1` - Find\n    * **Criteria**: ten\n    * **Output**: outputs/a.md\n    * **Max " +
			"iterations**: 1-3\n* [ ] **Phase R2** — Read\n",
		"# P\n\n### R1: Find ✅\nCriteria: ten\nOutput: `outputs/a.md`\nMax iterations: 3\n\n### Phase R2 - Read\n",
		"# P\n\n- **R1**: Find\n  - Criteria: ten\n  - Output: `outputs/a.md`\n  - Max iterations: 3\n- **R2**: Read\n",
		"# P\n\n| ID | Title | Criteria | Output | Max iterations | Status |\n|--|--|--|--|--|--|\n| R1 | Find | " +
			"ten | `outputs/a.md` | 3 | done |\n| R2 | Read | | | | |\n",
		"# P\n\n- [x] **R1**: Find\n- [ ] **R2**: Read\n\n## R1: Find\n\n**Criteria:** ten\n**Output:** " +
			"`outputs/a.md`\n**Max iterations:** 3\n",
	} {
		o := readOutlook(docs(t, map[string]string{planPath: plan}))
		if len(o.items) != 2 {
			t.Errorf("%q has %d items", plan, len(o.items))
			continue
		}
		one, two := o.items[0], o.items[1]
		unboxed := one.box < 0 && !strings.Contains(plan, "✅") && !strings.Contains(plan, "done")
		if one.id != "R1" || two.id != "R2" || strings.Trim(one.title, " ✅") != "Find" || two.title != "Read" ||
			one.ticked == unboxed || two.ticked || one.max != 3 ||
			one.said(criteriaKeys...) != "ten" || strings.Join(one.outputs("x"), " ") != "outputs/a.md" {
			t.Errorf("%q: %+v %+v", plan, one, two)
		}
	}
}

func TestDependenciesAreReadInAnyForm(t *testing.T) {
	for section, want := range map[string]string{
		"## Dependencies\n\nR1 → R2 → R3 (sequential)\n":      "R2:R1 R3:R2",
		"## Dependencies\nR1 -> R2\nR1 --> R3\n":              "R2:R1 R3:R1",
		"## Dependencies\n\n- R3: depends on R1\n":            "R3:R1",
		"## Dependencies\n\n- R3 depends on R1 and R2\n":      "R3:R1 R3:R2",
		"## Dependencies\n\n- R3 after R1 or R2\n":            "R3:R1/R2",
		"## Dependencies\n\n- R3: R1, R2\n- R1: none\n":       "R3:R1 R3:R2",
		"## Dependencies\n\nNone\n":                           "",
		"## Dependencies\n\nAll phases are independent.\n":    "",
		"## Dependencies\n\nR1, R2 and R3 run in parallel.\n": "",
		"## Dependencies\n\nsequential\n":                     "R2:R1 R3:R2",
		"":                                                    "R2:R1 R3:R2",
	} {
		o := readOutlook(docs(t, map[string]string{planPath: "# P\n\n- [ ] **R1**: a\n- [ ] **R2**: b\n- [ ] " +
			"**R3**: c\n\n" + section}))
		var got []string
		for _, it := range o.items {
			for _, group := range it.needs {
				got = append(got, it.id+":"+strings.Join(group, "/"))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %s, expected %s", section, got, want)
		}
	}
}
