package ocr_test

import (
	"flag"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/ocr"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

var count = flag.Int("random", 15, "how many random sessions to look at")

// words are field values for random states: right, wrong and nearly right.
var words = map[string][]string{
	"session_id":    {`"2026-03-10-feat-x"`, `"2026-03-09-main"`, `"{session-id}"`, `null`, `7`, `""`},
	"workflow_type": {`"review"`, `"map"`, `"Map"`, `"audit"`, `null`, `""`, `"$TYPE"`},
	"status":        {`"active"`, `"closed"`, `"Closed"`, `"done"`, `null`, `false`, `"${STATUS}"`},
	"current_phase": {
		`"context"`, `"change-context"`, `"analysis"`, `"reviews"`, `"aggregation"`, `"discourse"`, `"synthesis"`,
		`"complete"`,
		`"map-context"`, `"topology"`, `"flow-analysis"`, `"requirements-mapping"`, `"map-complete"`,
		`"Flow_Analysis"`, `"reviewing"`, `"{phase}"`, `""`, `4`,
	},
	"phase_number":     {`1`, `2`, `3`, `4`, `5`, `6`, `7`, `8`, `9`, `"4"`, `4.0`, `null`},
	"current_round":    {`1`, `1`, `2`, `2`, `3`, `4`, `0`, `"2"`, `null`},
	"current_map_run":  {`1`, `1`, `2`, `2`, `3`, `5`, `null`},
	"started_at":       times,
	"round_started_at": times,
	"map_started_at":   times,
	"updated_at":       times,
}

var times = []string{
	`"2026-03-10T09:12:41Z"`, `"2026-03-10T09:12:41Z"`, `"2026-03-10T09:20:05Z"`, `"2026-03-10T10:03:07Z"`,
	`"2026-03-10T10:50:31Z"`,
	`"2026-03-10T11:59:59.5Z"`, `"2026-03-10T12:00:31Z"`, `"2026-03-10T12:03:00Z"`, `"2026-03-10T20:03:07Z"`,
	`"2026-03-10T10:03:07"`,
	`"2026-03-10 10:03:07+02:00"`, `"2026-02-30T10:03:07Z"`, `"2026-01-27T09:45:00Z"`, `"2026-02-01T09:12:41Z"`,
	`"2026-03-10T09:10:00Z"`,
	`"yesterday"`, `"{ISO-8601-TIMESTAMP}"`, `"0001-01-01T00:00:00Z"`, `"9999-12-31T23:59:59Z"`, `null`, `17`,
}

// paths are the files of random sessions besides state.json.
var paths = []string{
	"discovered-standards.md", "requirements.md", "context.md", "final.md", "discourse.md", "reviews/principal-1.md",
	"rounds/round-1/reviews/principal-1.md", "rounds/round-1/reviews/quality-1.md", "rounds/round-1/discourse.md",
	"rounds/round-1/final.md",
	"rounds/round-2/reviews/principal-1.md", "rounds/round-2/reviews/Principal_2.md", "rounds/round-2/final.md",
	"rounds/round-2/.gitkeep",
	"rounds/round-03/final.md", "rounds/round-3/discourse.md", "rounds/round-1/round-meta.json",
	"map/runs/run-1/topology.md", "map/runs/run-1/flow-analysis.md", "map/runs/run-1/requirements-mapping.md",
	"map/runs/run-1/map.md",
	"map/runs/run-2/topology.md", "map/runs/run-2/map.md",
}

// TestRandomSessionsKeepTheLaws checks sessions with arbitrary content. The random numbers are always the same.
func TestRandomSessionsKeepTheLaws(t *testing.T) {
	kit, err := fixture.NewKit(ocr.Workflow.Manifest(), fixture.Native(ocr.Workflow))
	if err != nil {
		t.Fatal(err)
	}
	texts := textsOfFixtures(t)
	random := rand.New(rand.NewSource(int64(*count)))
	for range *count {
		checkRandom(t, kit, randomWorld(t, random, texts))
	}
}

func checkRandom(t *testing.T, kit *fixture.Kit, world fixture.World) {
	look, err := kit.Look(world)
	if err != nil {
		t.Fatal(err)
	}
	for _, breach := range kit.Breaches(look) {
		t.Errorf("%v\n%s", breach, world.Archive("A random session."))
	}
}

// textsOfFixtures collects the texts of the documents at a path in the fixtures.
func textsOfFixtures(t *testing.T) map[string][]string {
	fixtures, err := fixture.LoadAll(os.DirFS("."), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]string{}
	for _, f := range fixtures {
		for _, e := range f.Files {
			if len(texts[e.Path]) < 4 {
				texts[e.Path] = append(texts[e.Path], string(e.Data))
			}
		}
	}
	return texts
}

func randomWorld(t *testing.T, random *rand.Rand, texts map[string][]string) fixture.World {
	f, err := fixture.Load(os.DirFS("testdata"), "valid-reviews-after.txtar")
	if err != nil {
		t.Fatal(err)
	}
	w := f.World()
	w.Files = randomFiles(random, texts, nil)
	if random.Intn(2) == 0 {
		w.Header.BaseState, w.Header.BaseRoot = wire.BaseAt, w.Header.Root
		w.Base = randomFiles(random, texts, w.Files)
	}
	return w
}

// randomFiles returns random files. It takes half of them from another revision.
func randomFiles(random *rand.Rand, texts map[string][]string, other []fixture.Entry) []fixture.Entry {
	files := []fixture.Entry{{Path: "state.json", Data: []byte(randomState(random))}}
	if random.Intn(12) == 0 {
		files = nil
	}
	density := 1 + random.Intn(4)
	for _, path := range paths {
		there := entryAt(other, path)
		switch {
		case there != nil && random.Intn(2) == 0:
			files = append(files, *there)
		case random.Intn(6) < density:
			files = append(files, fixture.Entry{Path: path, Data: []byte(randomText(random, texts[path]))})
		}
	}
	return files
}

func entryAt(files []fixture.Entry, path string) *fixture.Entry {
	for i := range files {
		if files[i].Path == path {
			return &files[i]
		}
	}
	return nil
}

func randomText(random *rand.Rand, texts []string) string {
	switch n := random.Intn(10); {
	case n == 0:
		return ""
	case n < 3 || len(texts) == 0:
		return "# " + strconv.Itoa(random.Intn(3)) + "\n"
	}
	return texts[random.Intn(len(texts))]
}

// randomState returns a typical state with a few fields changed.
func randomState(random *rand.Rand) string {
	fields := map[string]string{
		"session_id": `"2026-03-10-feat-x"`, "status": `"active"`, "current_phase": `"reviews"`, "phase_number": `4`,
		"current_round": `1`,
		"started_at":    `"2026-03-10T09:12:41Z"`, "updated_at": `"2026-03-10T10:03:07Z"`,
	}
	keys := make([]string, 0, len(words))
	for key := range words {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for range 1 + random.Intn(7) {
		key := keys[random.Intn(len(keys))]
		fields[key] = words[key][random.Intn(len(words[key]))]
	}
	var members []string
	for _, key := range keys {
		if fields[key] == "" || random.Intn(30) == 0 {
			continue
		}
		members = append(members, `"`+key+`": `+fields[key])
		if random.Intn(30) == 0 {
			members = append(members, `"`+key+`": `+words[key][random.Intn(len(words[key]))])
		}
	}
	return "{\n  " + strings.Join(members, ",\n  ") + "\n}\n"
}
