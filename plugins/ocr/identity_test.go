package ocr

import (
	"testing"

	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
)

// TestIdentity checks that a session is identified by the id in state.json or, if there is none, by its directory's
// name.
func TestIdentity(t *testing.T) {
	for state, want := range map[string]string{
		`{"session_id":"2026-03-09-main","status":"active"}`: ".ocr/sessions/2026-03-09-main",
		`{"session_id":"{SESSION}","status":"active"}`:       ".ocr/sessions/2026-03-10-x",
		`{"session_id":"","status":"active"}`:                ".ocr/sessions/2026-03-10-x",
		`{"session_id":7}`:                                   ".ocr/sessions/2026-03-10-x",
		`{"status":"active"}`:                                ".ocr/sessions/2026-03-10-x",
		`{`:                                                  ".ocr/sessions/2026-03-10-x",
	} {
		p := sdktest.Pass(Workflow, &wire.Request{Root: ".ocr/sessions/2026-03-10-x", Name: "2026-03-10-x",
			Documents: []wire.Document{{Path: StatePath, Format: wire.JSON, Need: wire.Content,
				Text: state, Size: int64(len(state))}}})
		model, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		if p.Model = model; identity(p) != want {
			t.Errorf("%s: got %q, expected %q", state, identity(p), want)
		}
	}
}
