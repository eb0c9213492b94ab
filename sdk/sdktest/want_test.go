package sdktest_test

import (
	"strings"
	"testing"
)

func TestCheckComparesWantAndAfter(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no want", draftText, "it has no @want section; write one with --update"},
		{"another want", draftText + "-- @want --\nrun: claimed draft, observed done, consistent, active, 1/2 phases\n",
			"- run: claimed draft, observed done, consistent, active, 1/2 phases\n+ run: claimed draft, " +
				"observed draft, consistent, active, 1/2 phases\n+   next: write result.md\n"},
		{"a finding that is not listed", lost + "-- @want --\nrun: claimed done, observed draft, consistent, " +
			"active, 1/2 phases\n  next: write result.md\n",
			"+ error done-without-result state.json:1\n"},
		{"a rule that reports nothing", strings.Replace(draftText, "root:", "rules: state-stale\nroot:", 1),
			"rules: state-stale reports nothing here; remove it from the header"},
		{"no such remedy", draftText + "-- @after/pray/state.json --\n", "@after/pray: no remedy has this name"},
		{"another outcome", lost + "-- @after/set-phase-to-draft/state.json --\n{}\n",
			"@after/set-phase-to-draft: state.json: the section says\n\t{}\n" +
				"the document says\n\t{\"phase\": \"draft\""},
		{"a section too many", lost + "-- @after/set-phase-to-draft/state.json --\n{\"phase\": \"draft\", " +
			"\"updated\": \"2026-01-01T12:00:00Z\"}\n-- @after/set-phase-to-draft/result.md --\n",
			"@after/set-phase-to-draft: result.md does not change"},
		{"a slip in a name", draftText + "-- note/one.md --\n",
			"section note/one.md matches no document spec of toy; if that is intended, mark it (foreign)"},
		{"not so foreign", draftText + "-- notes/one.md (foreign) --\n",
			"section notes/one.md is foreign, but a document spec admits it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, f := kit(t, nil, test.text)
			_, err := k.Check(f)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the kit says\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

func TestWantFollowsTheHeader(t *testing.T) {
	const phase = "run: claimed done, observed draft, consistent, active, 1/2 phases\n"
	tests := []struct{ name, header, want string }{
		{"short", "", phase + "  next: write result.md\n\nerror done-without-result state.json:1\n"},
		{"a rule in full", "rules: done-without-result\n", phase + "  next: write result.md\n\n" +
			"state.json:1:11: error done-without-result: phase is \"done\", but result.md is missing\n"},
		{"all", "want: all\n", phase + "  next: write result.md\n  fact notes: 0\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, f := kit(t, nil, strings.Replace(lost, "root:", test.header+"root:", 1))
			l, err := k.LookAt(f)
			if err != nil {
				t.Fatal(err)
			}
			if got := l.Want(); !strings.HasPrefix(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if got := l.Want(); test.header == "" && got != test.want {
				t.Errorf("the short form has more lines:\n%s", got)
			}
			if all := l.Text(); (l.Want() == all) != (test.name == "all") {
				t.Errorf("the whole report is\n%s", all)
			}
		})
	}
}
