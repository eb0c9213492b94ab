package print

import (
	"bytes"
	"testing"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func TestDeclinedPartsOfRunsAreNotPrinted(t *testing.T) {
	r := &result.Result{
		Instances: []result.Instance{{Plugin: "one", Root: "a/run"}},
		Declined: []result.Declined{
			{Plugin: "one", Root: "a/run/part", Why: "part"},
			{Plugin: "two", Root: "a/run/other", Why: "other"},
			{Plugin: "two", Root: "a/run", Why: "same"},
			{Plugin: "one", Root: "a/runner", Why: "runner"},
			{Plugin: "one", Root: "b", Why: "alike"},
			{Plugin: "one", Root: "c", Why: "alike"},
		},
	}
	var out bytes.Buffer
	if err := Text(&out, r, Options{FailOn: wire.Error}); err != nil {
		t.Fatal(err)
	}
	want := "note: a/runner is not examined by one: runner\nnote: b and 1 more are not examined by one: alike\nno " +
		"runs: the gate is open\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
