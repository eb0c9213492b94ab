package result

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestRuns: rivals are separate runs, parts belong to their instance's run, and parts without a run form one run.
func TestRuns(t *testing.T) {
	lifecycles := []wire.Lifecycle{{Name: "run"}, {Name: "part", Unit: wire.Part}}
	run := func(subject string, s wire.State) wire.Detection {
		return wire.Detection{Lifecycle: "run", Subject: subject, State: s}
	}
	part := func(s wire.State) wire.Detection {
		return wire.Detection{Lifecycle: "part", Subject: "p", State: s}
	}
	for _, c := range []struct {
		detections []wire.Detection
		want       string // name:parts:state of each run
	}{
		{nil, ""},
		{[]wire.Detection{run("", wire.Blocked)}, "run:0:blocked"},
		{[]wire.Detection{run("run", wire.Active)}, "run:0:active"},
		{[]wire.Detection{run("b", wire.Finished), run("a", wire.Active)}, "run b:0:finished run a:0:active"},
		{[]wire.Detection{part(wire.Active), run("", wire.Finished), part(wire.Blocked)}, "run:2:finished"},
		{[]wire.Detection{part(wire.Finished), part(wire.Blocked), part(wire.Active)}, "toy:3:active"},
		{[]wire.Detection{part(wire.Finished), part(wire.Blocked), part(wire.Abandoned)}, "toy:3:blocked"},
		{[]wire.Detection{part(wire.Finished), part(wire.Abandoned)}, "toy:2:abandoned"},
		{[]wire.Detection{part(wire.Finished)}, "toy:1:finished"},
		{[]wire.Detection{{Lifecycle: "unheard of"}}, "unheard of:0:active"},
	} {
		r := &Result{Instances: []Instance{{Plugin: "toy", Root: "a", Lifecycles: lifecycles,
			Detections: c.detections}}}
		var got []string
		for _, x := range r.Runs() {
			got = append(got, x.Name()+":"+string(rune('0'+len(x.Parts)))+":"+x.State().String())
			if x.InProgress() != (x.State() == wire.Active || x.State() == wire.Blocked) {
				t.Errorf("%s: in progress: %v", x.State(), x.InProgress())
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("got %q, want %q", strings.Join(got, " "), c.want)
		}
	}
}

func TestClosing(t *testing.T) {
	r := Run{Instance: &Instance{Diagnostics: []Diagnostic{{Severity: wire.Info}, {Severity: wire.Error},
		{Severity: wire.Warning}}}}
	for failOn, want := range map[wire.Severity]int{wire.Error: 1, wire.Warning: 2, wire.Info: 3} {
		if got := len(r.Closing(failOn)); got != want {
			t.Errorf("%s: %d", failOn, got)
		}
	}
}

// TestPartsOfRuns: a part belongs to the run that it names, or else to each run.
func TestPartsOfRuns(t *testing.T) {
	i := &Instance{Detections: []wire.Detection{{Lifecycle: "sprint", Subject: "1"},
		{Lifecycle: "sprint", Subject: "2"},
		{Lifecycle: "epic", Subject: "a", PartOf: wire.RunName{Lifecycle: "sprint", Subject: "1"}},
		{Lifecycle: "story", Subject: "b", PartOf: wire.RunName{Lifecycle: "epic", Subject: "a"}}}}
	runs := i.Runs()
	if len(runs) != 2 || len(runs[0].Parts) != 2 || len(runs[1].Parts) != 0 {
		t.Errorf("got %+v", runs)
	}
	story := Diagnostic{Severity: wire.Error, Run: wire.RunName{Lifecycle: "story", Subject: "b"}}
	i.Diagnostics = []Diagnostic{story}
	if len(runs[0].Closing(wire.Error)) != 1 || len(runs[1].Closing(wire.Error)) != 0 {
		t.Error("a finding about a part does not belong to the run of the part")
	}
}

// TestStateIn: a run is blocked by its own errors, and by findings that say so. One faulty run of 100 blocks only
// itself.
func TestStateIn(t *testing.T) {
	run := func(states ...wire.State) *Instance {
		i := &Instance{}
		for n, s := range states {
			i.Detections = append(i.Detections, wire.Detection{Subject: strconv.Itoa(n), State: s})
		}
		return i
	}
	broken := []Diagnostic{{Severity: wire.Error}}
	for _, c := range []struct {
		i    *Instance
		list []Diagnostic
		want []wire.State
	}{
		{run(wire.Finished, wire.Active), nil, []wire.State{wire.Finished, wire.Active}},
		{run(wire.Finished, wire.Active), broken, []wire.State{wire.Finished, wire.Active}},
		{run(wire.Active), broken, []wire.State{wire.Blocked}},
		{run(wire.Active, wire.Active), []Diagnostic{{Severity: wire.Error, Blocks: []wire.RunName{{Subject: "1"}}}},
			[]wire.State{wire.Active, wire.Blocked}},
		{run(wire.Finished), []Diagnostic{{Severity: wire.Warning}}, []wire.State{wire.Finished}},
	} {
		c.i.Diagnostics = c.list
		for n, want := range c.want {
			if got := (Run{Instance: c.i, Self: &c.i.Detections[n]}).StateIn(wire.Error); got != want {
				t.Errorf("%v, run %d: %s, want %s", c.i.Detections, n, got, want)
			}
		}
	}
	many := &Instance{Root: "openspec"}
	for n := range 100 {
		name := strconv.Itoa(n)
		many.Detections = append(many.Detections,
			wire.Detection{Subject: name, Files: []string{"changes/" + name + "/**"}})
	}
	many.Diagnostics = []Diagnostic{{Severity: wire.Error, Place: Place{Path: "openspec/changes/7/tasks.md"}},
		{Severity: wire.Error, Place: Place{Path: "openspec/specs/a/spec.md"}}}
	blocked := CountStates(many.Runs(), wire.Error)[wire.Blocked]
	ofDirectory := 0
	for range (&Result{Instances: []Instance{*many}}).OfDirectory(wire.Error) {
		ofDirectory++
	}
	of := many.Partition()
	for n, want := range []wire.RunName{{Subject: "7"}, {}, {Lifecycle: "phase", Subject: "b"}} {
		d := append(many.Diagnostics, Diagnostic{Run: wire.RunName{Lifecycle: "phase", Subject: "b"}})[n]
		if got := of.NameOf(&d); got != want {
			t.Errorf("finding %d belongs to %v, want %v", n, got, want)
		}
	}
	if blocked != 1 || ofDirectory != 1 {
		t.Errorf("%d runs of 100 are blocked, and the directory has %d errors", blocked, ofDirectory)
	}
	if got := (Run{Instance: &Instance{Diagnostics: broken}}).StateIn(wire.Error); got != wire.Blocked {
		t.Errorf("an instance without runs: %s", got)
	}
}

// TestCurrent: each plugin has one current run, the last of those with the smallest rank.
func TestCurrent(t *testing.T) {
	chosen := func(rank int) wire.Detection { return wire.Detection{Chosen: rank} }
	r := &Result{Instances: []Instance{
		{Plugin: "a", Detections: []wire.Detection{chosen(7), chosen(0), chosen(2)}},
		{Plugin: "b", Detections: []wire.Detection{chosen(1)}},
		{Plugin: "a", Detections: []wire.Detection{chosen(2), chosen(3)}},
		{Plugin: "c", Detections: []wire.Detection{chosen(0)}},
	}}
	picks := r.Current()
	if len(picks) != 2 || !picks[&r.Instances[2].Detections[0]] || !picks[&r.Instances[1].Detections[0]] {
		t.Errorf("current %d", len(picks))
	}
}

// TestRules: every host rule is documented once, in the order of the list.
func TestRules(t *testing.T) {
	var names []string
	for _, r := range Rules() {
		names = append(names, r.Name)
		if r.Doc == "" || r.Severity == wire.Inherit {
			t.Errorf("%s lacks its severity or its documentation", r.Name)
		}
	}
	if !slices.Equal(names, wire.HostRules) {
		t.Errorf("documented are %q", names)
	}
}
