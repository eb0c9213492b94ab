package yamldoc_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// FuzzParse checks that every parsed text becomes JSON whose values have a location on the same line, and that
// every edit is either made or refused.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, {y: z}]\n", "- a\n- b: |\n    c\n  d: >-\n    e\n", "a: &x {b: 1}\nc: *x\nd: {<<: *x}\n",
		"? a\n: b\n", "'a': \"b\"\n---\n# c\n", "a:\r\n  - b # c\r\n", "a: !x &y\n  b: c\n",
		"é: \u2028ü\n", "a: x\n  y\nb:\n", "{a: b, c}\n", "[a: b]\n", "a: - b\n", "- - a\n  - b\n- {}\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 4096 {
			return
		}
		d, err := yamldoc.Parse(text)
		if err != nil {
			var e *yamldoc.Error
			if !errors.As(err, &e) || e.Start < 0 || e.End < e.Start || e.End > len(text) {
				t.Fatalf("%#v", err)
			}
			return
		}
		doc, err := jsondoc.Parse(d.JSON)
		if err != nil {
			t.Fatalf("%q: %v", d.JSON, err)
		}
		tried := 0
		var walk func(v jsondoc.Value)
		walk = func(v jsondoc.Value) {
			if tried++; tried > 20 {
				return
			}
			pointer := v.Pointer()
			if start, end, ok := d.Lookup(pointer); ok && (start < 0 || end < start || end > len(text)) {
				t.Fatalf("%s is at %d to %d", pointer, start, end)
			}
			for _, edit := range []func() (jsondoc.Change, error){
				func() (jsondoc.Change, error) { return yamldoc.Set(text, pointer, `"new: one"`) },
				func() (jsondoc.Change, error) { return yamldoc.Set(text, pointer+"/new", `{"a": [1]}`) },
				func() (jsondoc.Change, error) { return yamldoc.Unset(text, pointer) },
			} {
				if c, err := edit(); err == nil && (c.Start < 0 || c.End < c.Start || c.End > len(text)) {
					t.Fatalf("%s: the change %v is not in the text", pointer, c)
				}
			}
			for _, e := range v.Elements() {
				walk(e)
			}
			for _, m := range v.Members() {
				walk(m.Value)
			}
		}
		walk(doc.Root())
	})
}
