package yamldoc_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/yamldoc"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "null"},
		{"comments alone", "# a\n---\n# b\n", "null"},
		{"scalars", "a: 1\nb: -2.50\nc: yes\nd: True\ne: ~\nf:\ng: .inf\nh: 0x1F\ni: +3\n",
			`{"a":1,"b":-2.50,"c":"yes","d":true,"e":null,"f":null,"g":".inf","h":31,"i":3}`},
		{"what readers disagree about", "a: 007\nb: 1_000\nc: 2026-01-15\nd: 12:30\ne: !!binary aGk=\nf: !x y\n",
			`{"a":"007","b":"1_000","c":"2026-01-15","d":"12:30","e":"aGk=","f":"y"}`},
		{"quoted", "a: \"1\"\nb: 'it''s'\nc: \"x\\ty\"\n", `{"a":"1","b":"it's","c":"x\ty"}`},
		{"block scalars", "a: |\n  x\n  y\nb: >-\n  x\n  y\nc: 1\n", `{"a":"x\ny\n","b":"x y","c":1}`},
		{"lists", "a:\n- 1\n- b: 2\n  c: 3\n-\n", `{"a":[1,{"b":2,"c":3},null]}`},
		{"flow", "{a: [1, {b: c}], d: }", `{"a":[1,{"b":"c"}],"d":null}`},
		{"keys", "1: a\nnull: b\n? c\n: d\n", `{"1":"a","null":"b","c":"d"}`},
		{"aliases", "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n", `{"a":{"b":1},"c":{"b":1},"d":{"e":2,"b":1}}`},
		{"merged lists, the first counts", "a: &a {k: 1}\nb: &b {k: 2, l: 3}\nc: {<<: [*a, *b], m: 4}\n",
			`{"a":{"k":1},"b":{"k":2,"l":3},"c":{"m":4,"k":1,"l":3}}`},
		{"a document that ends", "---\na: 1\n...\n---\n# nothing\n", `{"a":1}`},
		{"a byte-order mark inside", "a: \ufeff1\n\ufeffbc: 2\ncd: 3\n", "{\"a\":\"\ufeff1\",\"\ufeffbc\":2,\"cd\":3}"},
		{"a byte-order mark first", "\ufeffab: 1\nbc: 2\ncd: 3\n", "{\"\ufeffab\":1,\"bc\":2,\"cd\":3}"},
		{"CRLF", "a: 1\r\nb:\r\n  - c\r\n", `{"a":1,"b":["c"]}`},
	} {
		d, err := yamldoc.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.ReplaceAll(d.JSON, "\n", ""); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 9; i++ {
		n := string(rune('0' + i))
		bomb += "a" + n + ": &a" + n + " [" + strings.Repeat("*a"+string(rune('0'+i-1))+",", 10) + "]\n"
	}
	merges := "m0: &m0 {a: 1}\n"
	for i := 1; i < 30; i++ {
		n, p := strconv.Itoa(i), strconv.Itoa(i-1)
		merges += "m" + n + ": &m" + n + " {<<: [*m" + p + ", *m" + p + ", *m" + p + "]}\n"
	}
	for _, c := range []struct{ name, text, kind, place string }{
		{"a tab", "a:\n\tb: 1\n", "syntax", "\tb: 1"},
		{"an open bracket", "a: [1, 2\n", "syntax", ""},
		{"a conflict", "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b\n", "syntax", ""},
		{"a key twice", "a: 1\nb:\n  c: 1\n  c: 2\n", "duplicate-key", "c"},
		{"a list as a key", "? [a]\n: b\n", "key", "[a]"},
		{"two documents", "a: 1\n---\nb: 2\n", "documents", ""},
		{"aliases that explode", bomb, "alias", ""},
		{"merges that explode", merges, "alias", ""},
		{"an alias in itself", "a: &a [*a]\n", "alias", "*a"},
		{"a mapping merged into itself", "a: &a\n  <<: *a\n", "alias", ""},
		{"deep", strings.Repeat("[", 600) + strings.Repeat("]", 600), "depth", ""},
		{"deep, and cut", strings.Repeat("{a: ", 20000), "syntax", ""},
	} {
		_, err := yamldoc.Parse(c.text)
		var e *yamldoc.Error
		if !errors.As(err, &e) || e.Kind != c.kind {
			t.Errorf("%s: got %#v, want %s", c.name, err, c.kind)
			continue
		}
		if c.place != "" && c.text[e.Start:e.End] != c.place {
			t.Errorf("%s: the place is %q, want %q", c.name, c.text[e.Start:e.End], c.place)
		}
	}
}

// TestOutdented checks that an error points at the line whose indentation is wrong.
func TestOutdented(t *testing.T) {
	for text, want := range map[string]string{
		"# a\n\na: 1\nb:\n   c: 2\n  d: 3\n":           "  d: 3",
		"a: 1\nb:\n  c: |\n     two\n    one\n d: 3\n": " d: 3",
	} {
		_, err := yamldoc.Parse(text)
		var e *yamldoc.Error
		if !errors.As(err, &e) || text[e.Start:e.End] != want {
			t.Errorf("%q: got %v at %+v, want the line %q", text, err, e, want)
		}
	}
}

// TestSyntax checks that errors describe the text, with the expected value and a fix, instead of using the parser's
// terms.
func TestSyntax(t *testing.T) {
	for text, want := range map[string]string{
		"a: @b\n":             "found a value that begins with a character that YAML reserves",
		"a:\n\tb: 1\n":        "or with a tab",
		"a: b: c\n":           "found a colon where no key is allowed",
		"a: - b\n":            "found a list item after other text",
		"a:\n  b: 1\n c: 2\n": "found a line whose indentation matches no key above it",
		"- a\nb: 1\n":         "found a line without a - among items of a list",
		"a: 1\nb\n":           "found a line without a colon after its key",
		"a: [1, 2\nb: 3\n":    "found a list in [ ] that is not closed",
		"a: {b: 1\nc: 2\n":    "found a mapping in { } that is not closed",
		"a: \"b\n":            "found an unclosed quote",
		"a: \"\\d\"\n":        "found a backslash before a character",
		"a: *b\n":             "found an alias without a matching anchor above it",
		"a: **b**\n":          "found a string that begins with * or &",
		"  a: 1\nb: 2\n":      "found text after the end of the document",
		"a: !b!c d\n":         "found a string that begins with !",
		"a: |x\n":             "found text after | or >",
		"a: \x01\n":           "found a control character",
	} {
		_, err := yamldoc.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "the document is not valid YAML: found ") ||
			!strings.Contains(err.Error(), ", expected ") || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	const text = `# sprint
development_status:
  epic-1: in-progress # ours
  1-1-a: "done"
  'quoted key': 'it''s'
  é: ü x
list:
  - one
  - {a: [1, 2]}
  - two: |
      text
      more

    three: folded
      plain
last: &x !t value
none:
`
	d, err := yamldoc.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsondoc.Parse(d.JSON)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ pointer, key, value string }{
		{"/development_status/epic-1", "epic-1", "in-progress"},
		{"/development_status/1-1-a", "1-1-a", `"done"`},
		{"/development_status/quoted key", "'quoted key'", "'it''s'"},
		{"/development_status/é", "é", "ü x"},
		{"/list/0", "", "one"},
		{"/list/1", "", "{a: [1, 2]}"},
		{"/list/1/a/1", "", "2"},
		{"/list/2/two", "two", "|\n      text\n      more"},
		{"/list/2/three", "three", "folded\n      plain"},
		{"/list/2", "", "two: |\n      text\n      more\n\n    three: folded\n      plain"},
		{"/last", "last", "&x !t value"},
	} {
		start, end, ok := d.Lookup(c.pointer)
		if !ok || text[start:end] != c.value {
			t.Errorf("%s: found %q, want %q", c.pointer, text[start:end], c.value)
		}
		if start, end, ok := d.Key(c.pointer); ok != (c.key != "") || text[start:end] != c.key {
			t.Errorf("%s: found the key %q, want %q", c.pointer, text[start:end], c.key)
		}
		v, _ := parsed.Lookup(c.pointer)
		is, _ := jsondoc.Position(d.JSON, v.Start())
		want, _ := jsondoc.Position(text, start)
		if is != want {
			t.Errorf("%s is on line %d of the JSON, expected line %d", c.pointer, is, want)
		}
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct{ name, text, pointer, value, want string }{
		{"plain stays plain", "a: open # why\nb: 1\n", "/a", `"in progress"`, "a: in progress # why\nb: 1\n"},
		{"quotes stay", "a: 'x'\nb: \"y\"\n", "/b", `"it's"`, "a: 'x'\nb: \"it's\"\n"},
		{"single quotes stay", "a: 'x'\n", "/a", `"it's"`, "a: 'it''s'\n"},
		{"what would be something else", "a: x\n", "/a", `"yes"`, "a: \"yes\"\n"},
		{"digits are quoted", "a: x\n", "/a", `"12"`, "a: \"12\"\n"},
		{"a number", "a: x\n", "/a", `12`, "a: 12\n"},
		{"a moment for a moment", "a: 2026-01-01\n", "/a", `"2026-02-01"`, "a: 2026-02-01\n"},
		{"a moment for a word", "a: never\n", "/a", `"2026-02-01"`, "a: \"2026-02-01\"\n"},
		{"nothing was there", "a:\nb: 1\n", "/a", `"x"`, "a: x\nb: 1\n"},
		{"nothing but a comment", "a: # none\nb: 1\n", "/a", `"x"`, "a: x # none\nb: 1\n"},
		{"a new member", "a:\n  b: 1 # one\n\n# next\nc: 2\n", "/a/d", `"x: y"`,
			"a:\n  b: 1 # one\n  d: \"x: y\"\n\n# next\nc: 2\n"},
		{"a new member at the end", "a: 1", "/b", `[1, "x"]`, "a: 1\nb: [1, x]"},
		{"in brackets", "a: {b: 1}\n", "/a/c", `{"d": null}`, "a: {b: 1, c: {d: null}}\n"},
		{"in empty brackets", "a: {}\n", "/a/c", `true`, "a: {c: true}\n"},
		{"missing parents", "a: 1\n", "/b/c", `"x"`, "a: 1\nb: {c: x}\n"},
		{"a new item", "a:\n- 1\n- 2\nb: 3\n", "/a/-", `3`, "a:\n- 1\n- 2\n- 3\nb: 3\n"},
		{"an item before", "a:\n  - x\n  - y\n", "/a/1", `"z"`, "a:\n  - x\n  - z\n  - y\n"},
		{"a member of an item", "- id: 1\n  s: open\n- id: 2\n", "/0/s", `"done"`, "- id: 1\n  s: done\n- id: 2\n"},
		{"a mapping becomes a word", "a: # why\n  b: 1\n  c: 2\nd: 3\n", "/a", `"x"`, "a: x # why\nd: 3\n"},
		{"a text becomes a word", "a: |\n  x\n  y\nb: 1\n", "/a", `"z"`, "a: z\nb: 1\n"},
		{"an empty file", "", "/a", `1`, "a: 1\n"},
		{"CRLF", "a:\r\n  b: 1\r\nc: 2\r\n", "/a/d", `3`, "a:\r\n  b: 1\r\n  d: 3\r\nc: 2\r\n"},
		{"as it is", "a: x\n", "/a", `"x"`, "a: x\n"},
		{"through an alias", "a: &x {b: 1}\nc: *x\n", "/c/b", `2`, ""},
		{"of what an alias stands for", "a: &x {b: 1}\nc: *x\n", "/a/b", `2`, ""},
		{"through a scalar", "a: 1\n", "/a/b", `2`, ""},
	} {
		change, err := yamldoc.Set(c.text, c.pointer, c.value)
		got := ""
		if err == nil {
			got = change.Apply(c.text)
		}
		if got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestUnset(t *testing.T) {
	for _, c := range []struct{ name, text, pointer, want string }{
		{"a member", "a: 1\nb: 2 # two\nc: 3\n", "/b", "a: 1\nc: 3\n"},
		{"the last member", "a: 1\nb:\n  c: 2\n", "/b", "a: 1\n"},
		{"the only member", "a:\n  b: 1\nc: 2\n", "/a/b", "a: {}\nc: 2\n"},
		{"an item", "a:\n  - x\n  - y: 1\n    z: 2\n  - w\n", "/a/1", "a:\n  - x\n  - w\n"},
		{"the first member of an item", "- a: 1\n  b: 2\n", "/0/a", "- b: 2\n"},
		{"in brackets", "a: {b: 1, c: 2}\n", "/a/b", "a: {c: 2}\n"},
		{"the last in brackets", "a: [1, 2]\n", "/a/1", "a: [1]\n"},
		{"an empty item", "a:\n  -\n  - x\n", "/a/0", "a:\n  - x\n"},
		{"what is not there", "a: 1\n", "/b", ""},
		{"what is merged", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n", "/c/b", ""},
	} {
		change, err := yamldoc.Unset(c.text, c.pointer)
		got := ""
		if err == nil {
			got = change.Apply(c.text)
		}
		if got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}
