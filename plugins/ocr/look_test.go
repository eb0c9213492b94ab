package ocr

import (
	"cmp"
	"os"
	"path"
	"sort"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
)

// A view is the result of one check of a fixture.
type look struct {
	pass       *sdk.Pass
	declined   error
	detections []sdk.Detection
	findings   []sdk.Diagnostic
	recoveries []sdk.Remedy
}

// lookAt checks testdata/<name>.txtar as a host would, with the rules in order.
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
	l := look{pass: sdktest.Pass(Workflow, request)}
	p := l.pass
	p.Model, _ = prepare(p)
	if p.Detections, l.declined = detect(p); l.declined != nil {
		return l
	}
	for _, r := range Workflow.Rules {
		p.Rule, p.Report = r, func(d sdk.Diagnostic) {
			d.Rule, d.Severity = r.Name, cmp.Or(d.Severity, r.Severity)
			l.findings = append(l.findings, d)
		}
		if err := r.Check(p); err != nil {
			t.Errorf("rule %s: %v", r.Name, err)
		}
	}
	l.recoveries, _ = recoveries(p)
	for i := range p.Detections {
		resume(p, &p.Detections[i], l.findings)
	}
	l.detections = p.Detections
	return l
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
			Path: e.Path, Kind: e.Kind, Detail: e.Detail, Size: int64(len(e.Data)), Data: e.Data, Ignored: e.Ignored,
			Spec: spec,
		})
	}
	return files
}

// rules lists the rules that reported, including rules of the host, sorted.
func (l look) rules() string {
	var names []string
	for _, d := range l.findings {
		names = append(names, d.Rule)
	}
	for _, d := range l.pass.Docs.All() {
		for _, f := range d.Faults {
			names = append(names, f.Rule)
		}
	}
	sort.Strings(names)
	return strings.Join(names, " ")
}

// subject returns the detection of one subject. If name is "", it returns that of C or, without C, of the first live
// subject.
func (l look) subject(t *testing.T, name string) sdk.Detection {
	t.Helper()
	if name == "" {
		name = l.pass.Model.(*Model).Live[0].Name()
	}
	for _, d := range l.detections {
		if d.Subject == name {
			return d
		}
	}
	t.Fatalf("no detection of %s", name)
	return sdk.Detection{}
}

// fact returns the value of a fact as text, or "-" if there is none.
func fact(d sdk.Detection, name string) string {
	for _, f := range d.Facts {
		if f.Name == name {
			return f.Value.String()
		}
	}
	return "-"
}
