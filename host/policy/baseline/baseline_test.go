package baseline_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/schemafile"
)

func schema(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../../schemas/baseline.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func sample() *baseline.Baseline {
	return baseline.New([]baseline.Finding{
		{Rule: "b/x", Path: "z", Message: "<m> & \"n\"", Fingerprint: "3"},
		{Rule: "a/y", Path: "z", Message: "m", Fingerprint: "2"},
		{Rule: "a/y", Path: "a/é", Message: "second", Fingerprint: "1"},
		{Rule: "a/y", Path: "a/é", Message: "first", Fingerprint: "1"},
		{Rule: "a/y", Path: "a/é", Message: "first", Fingerprint: "1"},
	})
}

const written = `{
  "format": 1,
  "findings": [
    {
      "rule": "a/y",
      "path": "a/é",
      "message": "first",
      "count": 2,
      "fingerprint": "1"
    },
    {
      "rule": "a/y",
      "path": "a/é",
      "message": "second",
      "fingerprint": "1"
    },
    {
      "rule": "a/y",
      "path": "z",
      "message": "m",
      "fingerprint": "2"
    },
    {
      "rule": "b/x",
      "path": "z",
      "message": "<m> & \"n\"",
      "fingerprint": "3"
    }
  ]
}
`

func TestEncode(t *testing.T) {
	text, err := sample().Encode()
	if err != nil || string(text) != written {
		t.Errorf("got %s, %v", text, err)
	}
	empty, err := baseline.New(nil).Encode()
	if err != nil || string(empty) != "{\n  \"format\": 1,\n  \"findings\": []\n}\n" {
		t.Errorf("an empty one: %s, %v", empty, err)
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{written, "\ufeff" + written, strings.ReplaceAll(written, "\n", "\r\n")} {
		b, err := baseline.Parse("b", []byte(text), schema(t))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Encode(); err != nil || string(got) != written {
			t.Errorf("it comes back as %s, %v", got, err)
		}
		l := b.Ledger()
		same := func(fingerprint, message string) bool {
			_, ok := l.Take([]string{fingerprint}, func(m string) bool { return m == message })
			return ok
		}
		if !same("1", "second") || same("1", "second") || !same("1", "first") || same("2", "other") {
			t.Errorf("one second and one first are known; left %v", l)
		}
		changed := func(string) bool { return true }
		if was, ok := l.Take([]string{"1"}, changed); !ok || was != "first" {
			t.Errorf("one first is left, got %q, %v", was, ok)
		}
		if _, ok := l.Take([]string{"1"}, changed); ok || l.Missed(func(string) bool { return false }) != 2 {
			t.Errorf("nothing of 1 is left, 2 and 3 are missed; left %v", l)
		}
	}
}

func TestRefused(t *testing.T) {
	const cure = "; rewrite it with `stategate check --write-baseline`"
	for _, c := range []struct{ text, want string }{
		{"", "b:1:1: the baseline is not JSON: the document is empty, expected a JSON value"},
		{"{\"format\": 1,\n \"findings\": \xff}", "b:2:14: found the byte 0xff, expected UTF-8: save the file in " +
			"this encoding"},
		{"[]", "b:1:1: the baseline is a list, expected a mapping"},
		{`{"findings": []}`, "b:1:1: the baseline lacks format"},
		{`{"format": "1", "findings": []}`, `b:1:12: format is "1", expected 1`},
		{`{"format": 1, "findings": null}`, "b:1:27: findings is nothing, expected a list"},
		{`{"format": 1, "format": 1, "findings": []}`,
			`b:1:15: found format twice, expected once: it is already on line 1`},
		{`{"format": 1, "findings": [1]}`, "b:1:28: findings[0] is 1, expected a mapping"},
		{"{\"format\": 1, \"findings\": [\n{\"rule\": \"é\", \"x\": 2}]}",
			"b:2:1: findings[0] lacks fingerprint\nb:2:1: findings[0] lacks message\nb:2:1: findings[0] lacks " +
				"path\nb:2:15: findings[0] has no key \"x\"; available: count, fingerprint, message, path, rule"},
		{`{"format": 1, "findings": [{"rule": "a", "path": "b", "message": "c", "fingerprint": ""}]}`,
			`b:1:86: findings[0].fingerprint is "", expected a string that is not empty`},
		{`{"format": 1, "findings": [{"rule": "a", "path": 1, "message": "c", "fingerprint": "x"}]}`,
			"b:1:50: findings[0].path is 1, expected a string"},
		{strings.Repeat(" ", baseline.MaxSize+1), "b:1:1: the baseline has 16777217 bytes, expected at most 16777216"},
	} {
		_, err := baseline.Parse("b", []byte(c.text), schema(t))
		if err == nil || err.Error() != c.want+cure {
			t.Errorf("%.60q:\ngot  %v\nwant %s", c.text, err, c.want+cure)
		}
	}
}

// FuzzParse: the parser accepts exactly the files that the published schema accepts.
func FuzzParse(f *testing.F) {
	schema := schema(f)
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("b", strings.NewReader(schema)); err != nil {
		f.Fatal(err)
	}
	published := compiler.MustCompile("b")
	f.Add(written)
	f.Add(`{"format": 1, "findings": [{"rule": "a", "path": "b", "message": "c", "fingerprint": "x", "count": 2}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := baseline.Parse("b", []byte(text), schema)
		var wrong *schemafile.Error
		list := []error{err}
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			list = several.Unwrap()
		}
		if err != nil {
			for _, err := range list {
				if !errors.As(err, &wrong) {
					t.Fatalf("%v has no place", err)
				}
				inside(t, text, wrong)
			}
			return
		}
		var v any
		if json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &v) != nil || published.Validate(v) != nil {
			t.Fatalf("accepted %q, which the schema refuses", text)
		}
		again, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if c, err := baseline.Parse("b", again, schema); err != nil || len(c.Findings) != len(b.Findings) {
			t.Fatalf("%q does not come back: %v", text, err)
		}
	})
}

func inside(t *testing.T, text string, at *schemafile.Error) {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	if at.At.Line < 1 || at.At.Line > len(lines) || at.At.Column < 1 ||
		at.At.Column > utf8.RuneCountInString(lines[at.At.Line-1])+1 {
		t.Fatalf("%+v is outside %q", at, text)
	}
}
