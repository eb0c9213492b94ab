package sdktest_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
)

// boxRule reports a checkbox with a mark in result.md, and offers another mark.
func boxRule(mark, other string, when func(*sdk.Pass) bool) func(*sdk.Pass) error {
	return func(p *sdk.Pass) error {
		d := p.Docs.Get("result.md")
		if d == nil {
			return nil
		}
		for at := range d.Text {
			if !strings.HasPrefix(d.Text[at:], "["+mark+"]") || !when(p) {
				continue
			}
			p.Report(sdk.Diagnostic{Range: sdk.AtBytes("result.md", at, at+3), Message: "the box holds " + mark,
				Key: strings.TrimSpace(d.Text[at+3 : at+7]),
				Remedies: []sdk.Remedy{{Title: "Write " + other, Safety: sdk.Review, Edits: []sdk.Edit{
					sdk.Replace(sdk.AtBytes("result.md", at+1, at+2), other)}}}})
		}
		return nil
	}
}

const boxed = "A result with boxes.\n\nroot: runs/a\n-- state.json --\n{\"phase\": \"draft\"}\n-- result.md --\n# R\n\n"

// TestUnprovedTick breaks the law that a remedy ticks only boxes with proof.
func TestUnprovedTick(t *testing.T) {
	for text, proved := range map[string]bool{
		"- [ ] T1 Write it\n":                                                                         false,
		"- [ ] T1 Write it\n  - [ ] T2 Begin it\n":                                                    false,
		"- [ ] T1 Write it\n  - [x] T2 Begin it\n":                                                    true,
		"- [ ] 1. Write it\n- [x] 1.1 Begin it\n- [x] 2. Read it\n":                                   true,
		"- [ ] T1 Write it\n-- notes/T1.md --\ndone\n":                                                true,
		"- [ ] T1 Write it\n-- notes/a.md --\nT1 is a task.\n":                                        false,
		"- [ ] T1 Write it\n-- notes/a.md --\n| T1 | Complete |\n":                                    true,
		"- [ ] T1 Write the chapter\n-- @base/result.md --\n- [x] T1 Write the chapter\n":             true,
		"- [ ] T1 Write the chapter\n-- @base/result.md --\n- [x] T4 Write the chapter's beginning\n": true,
		"- [ ] T1 Write the chapter\n-- @base/result.md --\n- [x] T2 Read the letter\n":               false,
	} {
		k, f := kit(t, first(boxRule(" ", "x", func(*sdk.Pass) bool { return true })), boxed+text)
		_, err := k.Check(f)
		want := "a remedy ticks only boxes with proof"
		if err == nil || strings.Contains(err.Error(), want) == proved {
			t.Errorf("%q is proved: %t, but the kit says\n%v", text, proved, err)
		}
	}
}

// TestCircle breaks the law that no remedy causes a finding whose remedy undoes it.
func TestCircle(t *testing.T) {
	rules := func(needsBase bool) func(*sdk.Workflow) {
		return func(w *sdk.Workflow) {
			w.Rules[0].Check = boxRule("x", " ", func(*sdk.Pass) bool { return true })
			w.Rules[0].NeedsBase, w.Rules[0].Severity = needsBase, sdk.Warning // a new error would withdraw the remedy
			w.Rules[1].NeedsBase = true
			w.Rules[1].Check = boxRule(" ", "x", func(p *sdk.Pass) bool {
				d := p.Base.Docs.Get("result.md")
				return d != nil && strings.Contains(d.Text, "[x]")
			})
		}
	}
	for _, c := range []struct {
		base      string
		needsBase bool
		want      string
	}{
		{"", false, `circle write-committed: then "Write x" undoes it`},
		{"-- @base/result.md --\n- [x] T1\n", true, `circle write: then "Write x" undoes it`},
		{"-- @base/result.md --\n- [?] T1\n", true, ""},
	} {
		k, f := kit(t, rules(c.needsBase), boxed+"- [x] T1\n"+c.base)
		k.Thorough = true
		_, err := k.Check(f)
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			c.want == "" && strings.Contains(err.Error(), "circle") {
			t.Errorf("base %q: the kit says\n%v\nwant\n%s", c.base, err, c.want)
		}
	}
}

// TestBriefThatRepeats breaks the law that the next action is not listed as finished work.
func TestBriefThatRepeats(t *testing.T) {
	for skip, want := range map[string]bool{"result.md": true, "result": false, "resul": false, "notes/a.md": false} {
		k, f := kit(t, func(w *sdk.Workflow) {
			resume := w.Resume
			w.Resume = func(p *sdk.Pass, d *sdk.Detection, list []sdk.Diagnostic) {
				resume(p, d, list)
				d.Resume.Skip = []string{skip}
			}
		}, draftText)
		_, err := k.Check(f)
		if got := err != nil && strings.Contains(err.Error(), "not to repeat"); got != want {
			t.Errorf("not to repeat %q: the kit says\n%v", skip, err)
		}
	}
}
