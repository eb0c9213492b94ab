package main

import (
	"testing"

	"github.com/stategate/stategate/plugins/autopilot"
	"github.com/stategate/stategate/plugins/backlog"
	"github.com/stategate/stategate/plugins/bmad"
	"github.com/stategate/stategate/plugins/gsd"
	"github.com/stategate/stategate/plugins/iterative-work"
	"github.com/stategate/stategate/plugins/kiro"
	"github.com/stategate/stategate/plugins/legal-memo"
	"github.com/stategate/stategate/plugins/literature-review"
	"github.com/stategate/stategate/plugins/ocr"
	"github.com/stategate/stategate/plugins/openspec"
	"github.com/stategate/stategate/plugins/spec-kit"
	"github.com/stategate/stategate/plugins/taskmaster"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
)

// natives holds the built-in plugins, compiled natively into this test, because @want is too short to show that the
// sandbox reports the same.
var natives = map[string]*sdk.Workflow{
	"autopilot":         autopilot.Workflow,
	"backlog":           backlog.Workflow,
	"bmad":              bmad.Workflow,
	"gsd":               gsd.Workflow,
	"iterative-work":    iterativework.Workflow,
	"kiro":              kiro.Workflow,
	"legal-memo":        legalmemo.Workflow,
	"literature-review": literaturereview.Workflow,
	"ocr":               ocr.Workflow,
	"openspec":          openspec.Workflow,
	"spec-kit":          speckit.Workflow,
	"taskmaster":        taskmaster.Workflow,
}

// nativeLook runs a built-in plugin natively on a fixture.
func nativeLook(t *testing.T, plugin string, f *fixture.Fixture) *fixture.Look {
	t.Helper()
	kit := nativeKit(t, plugin)
	l, err := kit.LookAt(f)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return l
}

func nativeKit(t *testing.T, plugin string) *fixture.Kit {
	t.Helper()
	w, ok := natives[plugin]
	if !ok {
		t.Fatalf("add the plugin %s to natives", plugin)
	}
	kit, err := fixture.NewKit(w.Manifest(), fixture.Native(w))
	if err != nil {
		t.Fatal(err)
	}
	return kit
}
