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

// A Reading is one place in a workflow's documents where the workflow reads a form of a status. The table
// sdk/words/status/testdata/forms.txt lists the forms.
type Reading struct {
	Name string // of the subtest
	// Place is what the table calls the place: value, title, note, heading or line.
	Place string
	// Now returns an example whose result depends on the meaning of a form. It must quote the form if the document
	// is JSON or YAML (strconv.Quote). Base returns the example's base. The function is nil if there is none.
	Now, Base func(form string) Files
	// Plain maps each meaning that the workflow distinguishes at this place to an undisputed form, such as "done":
	// "done". Forms with other meanings are not tried.
	Plain map[string]string
	// Own lists forms that this workflow reads differently from the table, with their meaning here. Explain why in
	// a comment.
	Own map[string]string
	// Odd reports whether a form cannot be written at this place, for example because it has a line break. It may
	// be nil.
	Odd func(form string) bool
	// Besides lists rules about how a form is written rather than what it means. Their findings are not compared.
	Besides []string
}

// Forms tests a workflow with the table of forms. A form is read correctly if the example with it has the same
// result as the example with the plain form of its meaning: the same phases and the same findings, by severity and
// subject. Messages are not compared, because they quote the form.
//
// A plugin's test has one Reading for each place:
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
// The example must at least distinguish done from open, or the test fails. In the example above, an open part makes
// a status of done a finding. If two other meanings have plain forms with the same result, the test does not
// distinguish them.
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
		t.Fatalf("all plain forms have the same result: the example does not depend on the form's meaning\n%v", plain)
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
			t.Errorf("Own has %q, but the table does not have it, or its meaning has no plain form", form)
		}
	}
	if len(tried) == 0 {
		t.Errorf("no form was tried: %q is not a place in forms.txt", r.Place)
	}
}

// verdict returns a workflow's result for an example, on one line.
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
