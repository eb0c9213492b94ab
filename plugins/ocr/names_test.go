package ocr_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stategate/stategate/plugins/ocr"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// hostileNames are names that some systems keep and others reject, split into several elements, or treat as another
// name.
var hostileNames = []string{
	`rounds/round-1/reviews/a\b.md`, `rounds/round\2/final.md`, "rounds/round-1/reviews/a\nb_01.md",
	"rounds/round-1/reviews/a:b.md",
	"rounds/round-1/reviews/Con_1.md", "rounds/round-1/reviews/con.md", "map/runs/run-1/Nul.txt",
	"rounds/round-1/reviews/x .md ",
	"rounds/round-1/reviews/é_1.md", "rounds/round-1/reviews/ß-1.md", "rounds/round-1/reviews/PRINCIPAL-1.md",
	"rounds/ROUND-1/final.md",
	"rounds/round-1/.git~", "rounds/round-1/.GIT", "rounds/round-1/reviews/-.md", "rounds/run-0/x", "rounds/round-0/x",
	"map/runs/Run_02/map.md",
}

// TestHostileNamesKeepTheLaws adds each name to a session, and removes it from a session that has it in the base.
func TestHostileNamesKeepTheLaws(t *testing.T) {
	kit, err := fixture.NewKit(ocr.Workflow.Manifest(), fixture.Native(ocr.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	f, err := fixture.Load(os.DirFS("testdata"), "valid-reviews-after.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range hostileNames {
		with := append(f.Files[:len(f.Files):len(f.Files)], fixture.Entry{Path: name, Data: []byte("# Words\n")})
		added, lost := f.World(), f.World()
		added.Files = with
		lost.Header.BaseState, lost.Header.BaseRoot, lost.Base = wire.BaseAt, lost.Header.Root, with
		t.Run(name, func(t *testing.T) {
			checkRandom(t, kit, added)
			checkRandom(t, kit, lost)
		})
	}
}

// TestFloodsAreReportedWhole checks a session with hundreds of findings from one rule.
func TestFloodsAreReportedWhole(t *testing.T) {
	kit, err := fixture.NewKit(ocr.Workflow.Manifest(), fixture.Native(ocr.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	f, err := fixture.Load(os.DirFS("testdata"), "valid-reviews-after.txtar")
	if err != nil {
		t.Fatal(err)
	}
	w := f.World()
	w.Header.BaseState, w.Header.BaseRoot = wire.BaseAt, w.Header.Root
	w.Base = append(w.Base, f.Files...)
	for i := range 300 {
		name := strconv.Itoa(i)
		w.Base = append(w.Base, fixture.Entry{Path: "rounds/round-1/reviews/lost-" + name + ".md",
			Data: []byte("lost " + name)})
	}
	look, err := kit.Look(w)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, finding := range look.Findings {
		if finding.Rule == "document-lost" {
			count++
		}
	}
	if count != 300 {
		t.Errorf("got %d, want 300", count)
	}
}
