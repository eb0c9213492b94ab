package state_test

import (
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/state"
)

// TestDocumentOfRun checks that an unknown status in the document of one of two runs is a finding of that run.
func TestDocumentOfRun(t *testing.T) {
	w := *workflow
	w.Documents = []sdk.DocumentSpec{{Glob: "*/state.json", Format: sdk.JSON, Need: sdk.Content}}
	w.Prepare = nil
	w.Rules = check.Declare([]check.Rule[*sdk.Pass]{{Name: "unknown", Severity: sdk.Error, Doc: "d",
		Find: func(r *check.Report, p *sdk.Pass) {
			d := spec.Read("a/state.json", p.Docs.Get("a/state.json")).Of(life.Named("a"), "")
			d.Unknown(r, func(*state.Value) string { return "" })
		}}}, func(r *check.Report) (*sdk.Pass, check.Needs) { return r.Pass, 0 })
	list := sdktest.Look(t, &w, sdktest.Files{"a/state.json": `{"phase": "nearly"}`}, nil).Report.Diagnostics
	if len(list) != 1 || list[0].Run != life.Named("a") || list[0].Subject != "a" {
		t.Errorf("found %+v, want one finding of the run a", list)
	}
}
