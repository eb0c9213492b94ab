package declared

import (
	"os"
	"strings"
	"testing"
)

// TestFormIsChecked changes one text in a declaration, and expects an error with the mistake's location and a
// correction. plugins/declare/source tests mistakes in names and expressions.
func TestFormIsChecked(t *testing.T) {
	data, err := os.ReadFile("../../../../plugins/declare/gallery/features.yaml")
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	if d := describe(good); len(d.Faults) > 0 {
		t.Fatal(d.Faults)
	}
	for name, c := range map[string]struct{ old, changed, at, message string }{
		"a key": {
			"    words:", "    wrds:", "wrds:", `items.feature has no key "wrds"; did you mean words?`,
		},
		"a key of the file": {"\nitems:", "\nitms:", "itms:", `the declaration has no key "itms"; did you mean items?`},
		"a severity": {"severity: warning", "severity: warn", "warn\n",
			`severity is "warn", expected one of error, warning, info; did you mean warning?`},
		"no language":     {"declare: 1\n", "", "workflow:", "the declaration lacks declare"},
		"a later one":     {"declare: 1\n", "declare: 2\n", "2\n", "declare is 2, expected 1"},
		"a reserved name": {"  log: {file", "  it: {file", "it: {file", "expected letters, digits and underscores"},
		"a fix without a value": {`, to: in_progress}`, `}`, `set: it`,
			"rules.evidence-missing.fixes[0]"},
		"YAML": {"done: [passing]", "done: [passing", "", "invalid YAML"},
		"an expression that begins with !": {
			"when: it.status == 'blocked' &&", "when: !it.status == 'blocked' &&", "!it.status", "quote an expression",
		},
		"an anchor": {"done: [passing]", "done: &a [passing]", "&a", "found an anchor"},
	} {
		if strings.Count(good, c.old) == 0 {
			t.Fatalf("%s: the declaration has no %q", name, c.old)
		}
		changed := strings.Replace(good, c.old, c.changed, 1)
		faults := describe(changed).Faults
		if len(faults) == 0 {
			t.Errorf("%s: nothing is wrong", name)
			continue
		}
		f := faults[0]
		at := strings.Index(changed, c.at)
		line, column := 1+strings.Count(changed[:at], "\n"), at-strings.LastIndexByte(changed[:at], '\n')
		if !strings.Contains(f.Message, c.message) || c.at != "" && (f.Line != line || f.Column != column) {
			t.Errorf("%s: got %d:%d: %s, want %d:%d: %s", name, f.Line, f.Column, f.Message, line, column, c.message)
		}
	}
}
