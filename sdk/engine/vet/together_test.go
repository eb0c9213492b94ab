package vet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/engine/vet"
	"github.com/stategate/stategate/sdk/wire"
)

// TestTogether checks that remedies with the same rule and title are tried together if there are too many to try one
// by one, and are offered for review. A remedy that does not fix its finding is withdrawn, as if it were alone.
func TestTogether(t *testing.T) {
	w := workflow()
	w.Rules[1].Check = func(p *sdk.Pass) error {
		for _, d := range p.Docs.Match("notes/*.json") {
			if strings.Contains(d.Text, "odd") && d.Readable() {
				p.Report(sdk.Diagnostic{Range: sdk.At(d.Path), Message: "odd", Key: d.Path, Remedies: []sdk.Remedy{{
					Title: "Remove it", Safety: sdk.Safe, Edits: []sdk.Edit{sdk.Unset(d.Path, "/odd")}}}})
			}
		}
		return nil
	}
	for _, c := range []struct {
		notes, asked int
	}{
		{vet.MaxTries / 2, vet.MaxTries / 2},
		{2 * vet.MaxTries, 2}, // all together, then the one that fixes nothing
	} {
		in := world(`{"count": 1, "list": [{"n": 1}]}`)
		for n := range c.notes {
			text := `{"odd": 1}`
			if n == 3 {
				text = `{"odd": 1, "also": "odd"}`
			}
			in.Files = append(in.Files, snapshot.File{Path: fmt.Sprintf("notes/n%03d.json", n), Size: int64(len(text)),
				Data: []byte(text), Spec: 1})
		}
		asked := 0
		out, withdrawn := vetted(t, w, in, func(v *vet.Vetter) {
			ask := v.Ask
			v.Ask = func(r *wire.Request) (*wire.Report, error) {
				asked++
				return ask(r)
			}
		})
		granted := 0
		for _, d := range out.Diagnostics {
			for _, r := range d.Remedies {
				if r.Safety != wire.Review {
					t.Errorf("%d notes: %s is %s: %q", c.notes, d.Message, r.Safety, r.Steps)
				}
				granted++
			}
		}
		if granted != c.notes-1 || asked != c.asked || len(withdrawn) != 1 ||
			!strings.Contains(withdrawn[0].Why, "does not fix") {
			t.Errorf("%d notes: %d are granted, asked %d times, withdrawn %+v", c.notes, granted, asked, withdrawn)
		}
	}
}
