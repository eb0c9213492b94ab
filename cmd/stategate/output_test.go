package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/guests"
)

const hostile = "\x1b[31m\u202e\u009b##[error]\xff\U000e0041\n::error"

// full is a result with an element in every list.
func full(t *testing.T) *result.Result {
	t.Helper()
	toy, err := plugin.ReadPlugin(hostile, guests.Well(guests.Manifest("toy"), "{}"), "", limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	place := result.Place{Path: "a/" + hostile, Line: 2, Column: 3, EndLine: 2, EndColumn: 4}
	remedy := result.Remedy{ID: "1", Remedy: wire.Remedy{Title: "Do " + hostile, Safety: wire.Manual,
		Steps: []string{hostile}}}
	return &result.Result{
		Base: []result.Base{{Rev: "main", ID: "abc", Role: "merge-base"}}, Excluded: []string{hostile},
		Plugins:  []*plugin.Plugin{toy},
		Declined: []result.Declined{{Plugin: "toy", Root: hostile, Why: hostile}},
		Instances: []result.Instance{{
			Plugin: "toy", Root: "a",
			Detections: []wire.Detection{{
				Lifecycle: "run", Subject: hostile, Claimed: hostile, Observed: "first", Fit: wire.JustBehind,
				State:    wire.Blocked,
				Progress: wire.Progress{Done: 1, Total: 2, Unit: "phases"}, Chosen: 1, Files: []string{"a/**"},
				PartOf: wire.RunName{Lifecycle: "run", Subject: hostile},
				Resume: wire.Resume{Next: hostile, Skip: []string{hostile}},
				Facts: []wire.Fact{
					{Name: "t", Value: wire.Value{Text: hostile}},
					{Name: "i", Value: wire.Value{Kind: wire.IntValue, Int: -3}},
					{Name: "b", Value: wire.Value{Kind: wire.BoolValue}},
					{Name: "l", Value: wire.Value{Kind: wire.ListValue}},
					{Name: "x", Value: wire.Value{Kind: wire.TableValue, Columns: []string{"c"},
						Rows: [][]string{{hostile}}}},
				},
			}},
			Diagnostics: []result.Diagnostic{{
				Rule: "toy/wrong", Severity: wire.Warning, Place: place, Message: hostile, Fingerprint: "f",
				Run:      wire.RunName{Lifecycle: "run", Subject: hostile},
				Blocks:   []wire.RunName{{Lifecycle: "run"}},
				Related:  []result.Related{{Place: result.Place{Path: "b"}, Message: hostile}},
				Remedies: []result.Remedy{remedy},
			}},
			Recoveries: []result.Remedy{remedy},
		}},
		Failures: []result.Failure{{Plugin: hostile, Root: hostile,
			Failure: fault.Failure{Kind: fault.Trap, Message: hostile, Stderr: hostile}}},
	}
}

// TestJSON checks a result that no single command can produce against the schema.
func TestJSON(t *testing.T) {
	for name, r := range map[string]*result.Result{"empty": {}, "full": full(t)} {
		var b strings.Builder
		if err := print.JSON(&b, r, print.Options{FailOn: wire.Error, Version: "1"}); err != nil {
			t.Fatal(err)
		}
		if err := validOutput([]byte(b.String())); err != nil {
			t.Errorf("%s: %#v\n%s", name, err, b.String())
		}
		if fault := commanding(b.String()); fault != "" {
			t.Errorf("%s: it holds %s", name, fault)
		}
	}
}

// TestText: whatever a result contains, text output never emits terminal commands.
func TestText(t *testing.T) {
	var b strings.Builder
	if err := print.Text(&b, full(t), print.Options{FailOn: wire.Error}); err != nil {
		t.Fatal(err)
	}
	if err := print.Status(&b, full(t), print.View{Runs: full(t).Runs(), Whole: true, Facts: true},
		print.Options{}); err != nil {
		t.Fatal(err)
	}
	m := &wire.Manifest{Name: hostile, Version: hostile, Doc: hostile, Requires: []string{hostile},
		Roots:     []wire.Root{{Dir: hostile, Markers: []string{hostile}}},
		Documents: []wire.DocumentSpec{{Glob: hostile, Need: wire.Content, Schema: hostile}},
		Lifecycles: []wire.Lifecycle{{Name: hostile, Doc: hostile,
			Phases:      []wire.Phase{{Name: hostile, Title: hostile}},
			Transitions: []wire.Transition{{From: hostile, To: hostile, Doc: hostile}}}},
		Rules: []wire.Rule{{Name: hostile, Doc: hostile, Hides: []string{hostile}}}}
	if err := print.Workflow(&b, &plugin.Plugin{Manifest: m, Origin: hostile}, print.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := print.Mermaid(&b, &plugin.Plugin{Manifest: m}, print.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := print.Rules(&b, []print.RuleOf{{Workflow: hostile, Rule: m.Rules[0]}, {Rule: m.Rules[0]}},
		print.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := print.Lines(&b, 0, "x: ", "", hostile); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(print.Plugins(&b, full(t).Plugins, print.Options{}),
		print.PluginJSON(&b, full(t).Plugins[0], print.File{Producers: hostile,
			Imports: []print.Import{{Module: hostile, Name: hostile}}},
			print.Options{})); err != nil {
		t.Fatal(err)
	}
	if fault := commanding(b.String()); fault != "" {
		t.Errorf("it holds %s", fault)
	}
}
