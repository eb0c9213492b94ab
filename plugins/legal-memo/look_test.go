package legalmemo

import (
	"cmp"
	"os"
	"path"
	"slices"
	"sort"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A look is what one examination found.
type look struct {
	pass       *sdk.Pass
	declined   error
	detections []sdk.Detection
	findings   []sdk.Diagnostic // hidden ones left out
	recoveries []sdk.Remedy
}

// lookAt examines testdata/<name>.txtar as a host would.
func lookAt(t *testing.T, name string) look {
	t.Helper()
	f, err := fixture.Load(os.DirFS("testdata"), name+".txtar")
	if err != nil {
		t.Fatal(err)
	}
	request, err := snapshot.Build(Workflow.Manifest(), inputOf(f))
	if err != nil {
		t.Fatal(err)
	}
	return examine(t, request)
}

func examine(t *testing.T, request *wire.Request) look {
	t.Helper()
	l := look{pass: sdk.NewPass(Workflow, request)}
	p := l.pass
	p.Model, _ = prepare(p)
	if p.Detections, l.declined = detect(p); l.declined != nil {
		return l
	}
	p.Report = func(d sdk.Diagnostic) {
		if d.Severity == 0 {
			d.Severity = Workflow.Rules[ruleIndex(d.Rule)].Severity
		}
		l.findings = append(l.findings, d)
	}
	if err := Workflow.Check(p); err != nil {
		t.Error(err)
	}
	slices.SortStableFunc(l.findings, func(a, b sdk.Diagnostic) int { return cmp.Compare(ruleIndex(a.Rule), ruleIndex(b.Rule)) })
	for _, r := range Workflow.Rules {
		for _, h := range r.Hides {
			l.hide(r.Name, h.Name)
		}
	}
	for i := range p.Detections {
		resume(p, &p.Detections[i], l.findings)
	}
	l.recoveries, _ = recoveries(p)
	l.detections = p.Detections
	return l
}

func ruleIndex(rule string) int {
	return slices.IndexFunc(Workflow.Rules, func(r *sdk.Rule) bool { return r.Name == rule })
}

// hide drops what a rule hides, as the host does.
func (l *look) hide(by, hidden string) {
	shown := map[string]bool{}
	for _, d := range l.findings {
		if d.Rule == by {
			shown[d.Subject] = true
		}
	}
	var kept []sdk.Diagnostic
	for _, d := range l.findings {
		if d.Rule != hidden || !shown[d.Subject] {
			kept = append(kept, d)
		}
	}
	l.findings = kept
}

func inputOf(f *fixture.Fixture) snapshot.Input {
	in := snapshot.Input{
		Root: f.Header.Root, Name: path.Base(f.Header.Root), Source: f.Header.Source, Now: f.Header.Now,
		Options: f.Header.Options, Unseen: f.Header.Unseen, Files: filesOf(f.Files),
	}
	in.Base = snapshot.InputBase{State: f.Header.BaseState, Root: f.Header.BaseRoot, Files: filesOf(f.Base)}
	if in.Base.Root == "" {
		in.Base.Root = in.Root
	}
	return in
}

func filesOf(entries []fixture.Entry) []snapshot.File {
	var files []snapshot.File
	for _, e := range entries {
		spec := snapshot.SpecOf(Workflow.Documents, e.Path, e.Kind)
		if spec < 0 || e.Kind == snapshot.Directory {
			continue
		}
		files = append(files, snapshot.File{
			Path: e.Path, Kind: e.Kind, Detail: e.Detail, Size: int64(len(e.Data)), Data: e.Data, Ignored: e.Ignored, Spec: spec,
		})
	}
	return files
}

// rulesAt lists the rules that spoke at least so loudly, the host's among them
// as errors, sorted.
func (l look) rulesAt(severities ...sdk.Severity) []string {
	var names []string
	wanted := func(s sdk.Severity) bool {
		return slices.Contains(severities, s)
	}
	for _, d := range l.findings {
		if wanted(d.Severity) {
			names = append(names, d.Rule)
		}
	}
	for _, d := range l.pass.Docs.All() {
		for _, f := range d.Faults {
			if wanted(sdk.Error) {
				names = append(names, f.Rule)
			}
		}
	}
	sort.Strings(names)
	return names
}
