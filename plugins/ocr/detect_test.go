package ocr

import (
	"testing"

	"github.com/stategate/stategate/sdk"
)

// TestLadder checks every column of the evidence tables in the specification: for each row of evidence, how each phase
// fits.
func TestLadder(t *testing.T) {
	const guided = "# C\n\n## Tech-Lead Guidance\n\nx"
	final1 := map[string]string{"rounds/round-1/final.md": "x"}
	for _, c := range []struct {
		name      string
		files     map[string]string
		kind      *Kind
		n         int
		canonical string
		fits      string // per phase: b behind, l lags, f fits, a ahead
	}{
		{"final", map[string]string{"rounds/round-1/final.md": "x", "rounds/round-1/discourse.md": "x"}, Review, 1,
			"complete", "bbbbllff"},
		{"quick final", map[string]string{"rounds/round-1/final.md": "x"}, Review, 1, "complete", "bbblllff"},
		{"discourse", map[string]string{"rounds/round-1/discourse.md": "x"}, Review, 1, "synthesis", "bbbllffa"},
		{"reviewer", map[string]string{"rounds/round-1/reviews/a-1.md": "x"}, Review, 1, "reviews", "bblffffa"},
		{"guidance", map[string]string{"context.md": guided}, Review, 1, "reviews", "blffaaaa"},
		{"context", map[string]string{"context.md": "x"}, Review, 1, "analysis", "lfffaaaa"},
		{"standards", map[string]string{"discovered-standards.md": "x"}, Review, 1, "change-context", "ffaaaaaa"},
		{"nothing", map[string]string{"context.md": ""}, Review, 1, "context", "faaaaaaa"},
		{"later round", with(final1, "rounds/round-2/.gitkeep", ""), Review, 2, "context", "ffffaaaa"},
		{"later round, guidance", with(with(final1, "context.md", guided), "rounds/round-2/.gitkeep", ""), Review, 2,
			"reviews", "ffffaaaa"},
		{"map", map[string]string{"map/runs/run-1/map.md": "x"}, Map, 1, "complete", "bbllff"},
		{"map, mapping", map[string]string{"map/runs/run-1/map.md": "x", "map/runs/run-1/requirements-mapping.md": "x"},
			Map, 1, "complete", "bbblff"},
		{"mapping", map[string]string{"map/runs/run-1/requirements-mapping.md": "x"}, Map, 1, "synthesis", "bblffa"},
		{"flow", map[string]string{"map/runs/run-1/flow-analysis.md": "x"}, Map, 1, "synthesis", "blfffa"},
		{"flow, requirements", map[string]string{"map/runs/run-1/flow-analysis.md": "x", "requirements.md": "x"}, Map,
			1, "requirements-mapping", "blfffa"},
		{"topology", map[string]string{"map/runs/run-1/topology.md": "x"}, Map, 1, "flow-analysis", "lffaaa"},
		{"map standards", map[string]string{"map/runs/run-1/.gitkeep": "", "discovered-standards.md": "x"}, Map, 1,
			"topology", "ffaaaa"},
		{"map nothing", map[string]string{"map/runs/run-1/.gitkeep": ""}, Map, 1, "map-context", "faaaaa"},
	} {
		l := modelOf(t, c.files).Subject(c.kind.name(c.n)).Ladder
		got := ""
		for _, phase := range c.kind.Phases {
			got += map[sdk.Fit]string{sdk.Behind: "b", sdk.JustBehind: "l", sdk.Consistent: "f",
				sdk.Ahead: "a"}[l.Fit(phase)]
		}
		if l.Canonical != c.canonical || got != c.fits {
			t.Errorf("%s: got %s %s, want %s %s", c.name, l.Canonical, got, c.canonical, c.fits)
		}
		if l.Fit("reviewing") != sdk.FitUnknown {
			t.Errorf("%s: a word that is not a phase fits", c.name)
		}
	}
}

func TestType(t *testing.T) {
	round, run := map[string]string{"rounds/round-1/final.md": "x"}, map[string]string{"map/runs/run-1/map.md": "x"}
	for _, c := range []struct {
		name  string
		state string
		files map[string]string
		want  *Kind
		rule  int
	}{
		{"named", `{"workflow_type":" map ","current_phase":"reviews"}`, nil, Map, 1},
		{"stale", `{"workflow_type":"map","current_phase":"reviews"}`, round, Review, 2},
		{"phase", `{"current_phase":"topology"}`, round, Map, 2},
		{"alias", `{"current_phase":"map-complete"}`, round, Map, 2},
		{"number of a map", `{"current_phase":"complete","phase_number":6}`, round, Map, 3},
		{"number as text", `{"current_phase":"synthesis","phase_number":"7"}`, run, Review, 3},
		{"only rounds", `{"current_phase":"complete","phase_number":7}`, round, Review, 4},
		{"only runs", `{"current_phase":"complete"}`, run, Map, 4},
		{"neither", `{"current_phase":"complete"}`, nil, Review, 5},
		{"unknown type", `{"workflow_type":"audit","current_phase":"x"}`, run, Map, 4},
		{"no object", `[]`, round, None, 0},
		{"later version", `{"workflow_type":"review","current_phase":"reviews"}`,
			with(round, "rounds/round-1/round-meta.json", "{}"), None, 0},
	} {
		m := modelOf(t, with(c.files, StatePath, c.state))
		if m.T != c.want || m.TypeRule != c.rule {
			t.Errorf("%s: got %q by rule %d, want %q by rule %d", c.name, m.T.Name, m.TypeRule, c.want.Name, c.rule)
		}
	}
}

func TestWorkingRound(t *testing.T) {
	done := map[string]string{"rounds/round-1/final.md": "x"}
	open := map[string]string{"rounds/round-1/reviews/a-1.md": "x"}
	for _, c := range []struct {
		name, state string
		files       map[string]string
		working     int
		starting    bool
	}{
		{"first", `{"current_phase":"context","current_round":1}`, nil, 1, true},
		{"no claim", `{"current_phase":"context"}`, nil, 1, false},
		{"next", `{"current_phase":"context","current_round":2}`, done, 2, true},
		{"next, at reviews", `{"current_phase":"reviews","current_round":2}`, done, 2, true},
		{"next, too far", `{"current_phase":"discourse","current_round":2}`, done, 1, false},
		{"last is open", `{"current_phase":"context","current_round":2}`, open, 1, false},
		{"two ahead", `{"current_phase":"context","current_round":3}`, done, 1, false},
		{"as text", `{"current_phase":"context","current_round":"2"}`, done, 1, false},
		{"as a float", `{"current_phase":"context","current_round":2.0}`, done, 2, true},
		{"unknown phase", `{"workflow_type":"review","current_phase":"x","current_round":2}`, done, 1, false},
		{"behind", `{"current_phase":"reviews","current_round":1}`, with(done, "rounds/round-10/final.md", "x"), 10,
			false},
	} {
		m := modelOf(t, with(c.files, StatePath, c.state))
		if m.Rounds.Working != c.working || m.Rounds.Starting != c.starting {
			t.Errorf("%s: got round %d starting %v, want %d %v", c.name, m.Rounds.Working, m.Rounds.Starting, c.working,
				c.starting)
		}
	}
}

func TestSeries(t *testing.T) {
	m := modelOf(t, map[string]string{
		"rounds/round-2/final.md": "", "rounds/round-10/x": "", "rounds/round-01/x": "", "rounds/round-0/x": "",
		"rounds/Round-3/x": "", "rounds/round-1234567/x": "", "map/runs/run-1/x": "",
	})
	if s := m.Rounds; len(s.Set) != 2 || s.Set[0] != 2 || s.Max != 10 {
		t.Errorf("got %+v", s)
	}
}

func TestLookAlikes(t *testing.T) {
	for _, c := range []struct {
		name, state string
		files       map[string]string
		declined    bool
	}{
		{"foreign object", `{"pages":3}`, nil, true},
		{"foreign object beside requirements", `{"pages":3}`, map[string]string{"rounds/round-1/final.md": ""}, false},
		{"empty object", `{}`, nil, true},
		{"one field", `{"phase_number":3}`, nil, false},
		{"iterative work", `{"session_id":"x","current_iteration":1}`, nil, true},
		{"broken", `{"pages":`, nil, false},
		{"null", `null`, nil, false},
		{"layout of v1.0", `{"session_id":"x"}`, map[string]string{"final.md": ""}, true},
		{"file of a round in the root", `{"current_phase":"reviews","current_round":1}`,
			map[string]string{"final.md": ""}, false},
		{"array", `[]`, nil, false},
	} {
		l := world{now: with(c.files, StatePath, c.state)}.look(t)
		if (l.declined != nil) != c.declined {
			t.Errorf("%s: declined %v, want %v", c.name, l.declined, c.declined)
		}
	}
}
