package main

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

// said is a recovery with an element in every list.
func said(t *testing.T) print.Recovery {
	files := []result.FileChange{
		{From: "a/" + hostile, To: "a/" + hostile, Before: []byte("x"), After: []byte(hostile)},
		{To: "b" + hostile, After: []byte(hostile)}, {From: "c" + hostile, To: "d", Unread: true}, {From: "e/"},
	}
	remedy := result.Remedy{ID: "1", Remedy: wire.Remedy{Title: "Do " + hostile}}
	skipped := []result.Skipped{{Offer: result.Offer{Remedy: remedy, Finding: &result.Diagnostic{Rule: "toy/wrong"}},
		Why: hostile}}
	out := &result.Outcome{Instances: []result.Repaired{
		{Done: result.Applied, Plugin: "toy", Root: hostile, To: "x", Titles: []string{hostile}, Files: files,
			Skipped: skipped},
		{Done: result.RolledBack, Plugin: "toy", Root: "a", To: "a", Why: hostile},
		{Done: result.Undone, Plugin: "toy", Root: "a", To: "a"},
	}}
	plan := &result.Outcome{Instances: []result.Repaired{{
		Plugin: "toy", Root: "a", To: hostile, Chosen: []result.Offer{{Remedy: remedy}}, Skipped: skipped, Files: files,
	}}}
	r := full(t)
	r.Instances[0].Diagnostics[0].Remedies[0].Fixes = []string{"wrong", "other"}
	return print.Recovery{Interrupted: out, Plan: plan, Outcome: out, Result: r}
}

func TestRecoverJSON(t *testing.T) {
	for name, r := range map[string]print.Recovery{"empty": {}, "full": said(t),
		"clean": {Result: &result.Result{}, Plan: &result.Outcome{}}} {
		var b strings.Builder
		if err := print.RecoverJSON(&b, r, print.Options{FailOn: wire.Error, Version: "1"}); err != nil {
			t.Fatal(err)
		}
		if err := validAs(schemas.Recover, []byte(b.String())); err != nil {
			t.Errorf("%s: %#v\n%s", name, err, b.String())
		}
		if fault := commanding(b.String()); fault != "" {
			t.Errorf("%s: it holds %s", name, fault)
		}
	}
}

// TestRecoverText: whatever a recovery contains, text output never emits terminal commands.
func TestRecoverText(t *testing.T) {
	r := said(t)
	var b strings.Builder
	for _, show := range []func() error{
		func() error {
			return print.Recover(&b, r, print.Options{Recover: "stategate recover " + hostile})
		},
		func() error { return print.Outcome(&b, r.Outcome, print.Options{}) },
		func() error { return print.Skipped(&b, r.Plan.Skipped(), print.Options{}) },
		func() error { return print.Diff(&b, r.Plan.Instances[0].Files, print.Options{}) },
		func() error { return print.ByHand(&b, r.Result.Offers(), print.Options{}) },
		func() error { return print.Gate(&b, r.Result, print.Options{}) },
	} {
		if err := show(); err != nil {
			t.Fatal(err)
		}
	}
	if fault := commanding(b.String()); fault != "" {
		t.Errorf("it holds %s", fault)
	}
}

func TestOfferOf(t *testing.T) {
	all := []result.Offer{{Remedy: result.Remedy{ID: "03f4d4c55e9dae8e"}},
		{Remedy: result.Remedy{ID: "03f4d4c5aaaaaaaa"}}, {Remedy: result.Remedy{ID: "b111"}},
		{Remedy: result.Remedy{ID: "b111-2"}}, {Remedy: result.Remedy{ID: "c222", Former: []string{"d333eeee"}}}}
	tests := []struct{ id, want, wrong string }{
		{"03f4d4c55", "03f4d4c55e9dae8e", ""},
		{"03f4d4c55e9dae8e", "03f4d4c55e9dae8e", ""},
		{"b111", "b111", ""},
		{"b111-", "b111-2", ""},
		{"d333eeee", "c222", ""}, // created under the rule's former name
		{"d333", "c222", ""},
		{"03f", "", "too short"},
		{"03f4", "", "ambiguous"},
		{"03f4d4c55e9dae8f", "", "did you mean 03f4d4c55e9dae8e?"},
		{"ffffffffffffffff", "", "lists the ids"},
	}
	for _, test := range tests {
		got, err := offerOf(test.id, all)
		if err == nil && got == nil {
			err = unknownOffer(test.id, all)
		}
		switch {
		case test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)):
			t.Errorf("%s: it is %v, expected an error that holds %q", test.id, err, test.wrong)
		case test.wrong == "" && (got == nil || got.ID != test.want):
			t.Errorf("%s: it is %+v, %v, expected %s", test.id, got, err, test.want)
		}
	}
	if got := unknownOffer("x", nil).Error(); !strings.Contains(got, "no finding has a remedy now") {
		t.Errorf("with nothing to offer it says %q", got)
	}
}
