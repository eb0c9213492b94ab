package print

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func TestDeclinedPartsOfARunAreNotTold(t *testing.T) {
	r := &result.Result{
		Instances: []result.Instance{{Plugin: "one", Root: "a/run"}},
		Declined: []result.Declined{
			{Plugin: "one", Root: "a/run/part", Why: "part"},
			{Plugin: "two", Root: "a/run/other", Why: "other"},
			{Plugin: "one", Root: "a/runner", Why: "runner"},
		},
	}
	var out bytes.Buffer
	if err := Text(&out, r, Options{FailOn: wire.Error}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Contains(got, "part") || !strings.Contains(got, "other") || !strings.Contains(got, "runner") {
		t.Errorf("got %q", got)
	}
}
