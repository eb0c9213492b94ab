//go:build !wasip1

package sdktest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/words/status"
)

// A Reading is one place of a workflow's documents at which it reads forms of the table
// sdk/words/status/testdata/forms.txt.
type Reading struct {
	Name string // of the subtest
	// Place is that of the forms: value, title, note, heading, line.
	Place string
	// Now makes an example whose verdict depends on the meaning of a form, as it is written: quote it if the document
	// is JSON or YAML (strconv.Quote). Base is the same of the base, nil without one.
	Now, Base func(form string) Files
	// Plain has an undisputed form for each meaning that the workflow reads there: "done": "done". Forms of other
	// meanings are not tried.
	Plain map[string]string
	// Own are forms that this workflow reads in another way than the table says, with their meaning here. Say why.
	Own map[string]string
	// Odd reports whether a form cannot be written at this place, such as one with a line break. May be nil.
	Odd func(form string) bool
	// Besides are rules that report how a form is written and not what it means; their findings are not compared.
	Besides []string
}

// Forms runs the table of forms through a workflow. A form is read rightly if the verdict on the example with it is the
// verdict on the example with the plain form of its meaning: the same findings of the same severities about the same
// subjects, the same phases. Messages are not compared, since they quote the form.
//
// To join, a plugin has a test with one Reading for each place:
//
//	func TestForms(t *testing.T) {
//		sdktest.Forms(t, notes.Workflow, sdktest.Reading{
//			Name: "status of a note", Place: "value",
//			Now: func(form string) sdktest.Files {
//				return sdktest.Files{"notes.md": "Status: " + form + "\n\n- [ ] Write\n"}
//			},
//			Plain: map[string]string{"open": "todo", "done": "done", "unknown": "blub"},
//		})
//	}
//
// The example must at least distinguish done from open, or the test fails: with an open part, a status of done is a
// finding. Other meanings may have plain forms with the same verdict; then the test does not distinguish them.
func Forms(t *testing.T, w *sdk.Workflow, readings ...Reading) {
	t.Helper()
	forms, err := status.Forms()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readings {
		t.Run(r.Name, func(t *testing.T) { r.run(t, w, forms) })
	}
}

func (r *Reading) run(t *testing.T, w *sdk.Workflow, forms []status.Form) {
	kit := kitOf(t, w)
	plain, different := map[string]string{}, map[string]bool{}
	for meaning, form := range r.Plain {
		plain[meaning] = r.verdict(t, kit, w, form)
		different[plain[meaning]] = true
	}
	if len(different) < 2 {
		t.Fatalf("the plain forms have one verdict: the example does not depend on what the form means\n%v", plain)
	}
	tried := map[string]bool{}
	for _, f := range forms {
		meaning := f.Meaning
		if own, ok := r.Own[f.Text]; ok {
			meaning = own
		}
		if _, ok := r.Plain[meaning]; f.Place != r.Place || !ok || r.Odd != nil && r.Odd(f.Text) {
			continue
		}
		tried[f.Text] = true
		if got := r.verdict(t, kit, w, f.Text); got != plain[meaning] {
			t.Errorf("forms.txt:%d: %s %q is not read as %s (like %q)\n got: %s\nwant: %s", f.Line, f.Place, f.Text,
				meaning, r.Plain[meaning], got, plain[meaning])
		}
	}
	for form := range r.Own {
		if !tried[form] {
			t.Errorf("Own has %q, which the table has not, or whose meaning has no plain form", form)
		}
	}
	if len(tried) == 0 {
		t.Errorf("no form was tried; the places are those of forms.txt, not %q", r.Place)
	}
}

// verdict is what a workflow understands of an example, in a line.
func (r *Reading) verdict(t *testing.T, kit *fixture.Kit, w *sdk.Workflow, form string) string {
	t.Helper()
	var base Files
	if r.Base != nil {
		base = r.Base(form)
	}
	look, err := kit.LookUntried(memory(t, w, r.Now(form), base))
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, f := range look.Findings {
		if slices.Contains(r.Besides, f.Rule) {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s [%s] %s", f.Severity, f.Rule, f.Subject, f.Range.Path))
	}
	slices.Sort(parts)
	for _, d := range look.Report.Detections {
		parts = append(parts, fmt.Sprintf("%s %s: %s, %s, %s, %d/%d", d.Lifecycle, d.Subject, d.Observed, d.Fit,
			d.State, d.Progress.Done, d.Progress.Total))
	}
	return strings.Join(parts, "; ")
}
