package jsondoc

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var seeds = []string{
	"", "{}", "[]", " null ", "true", "-0.5e+10", `"a\u00e4\ud83d\ude00"`, "{\"a\":1,}", "[1,2", "1e10000000",
	"{\r\n  \"a\": {\r\n    \"b\": [1, {\"c\": null}]\r\n  },\r\n  \"d\": []\r\n}\r\n",
	"{\n\t\"a\" : 1,\n\n\t\"a\" : {\"x\": [ ]},\n\t\"\\u0061\": \"last\"\n}\n",
	`{"a":1,"b":{"":[],"~/":[[],{}]},"-":[{"k":1},{"k":2}]}`,
	"[\n  {\"a\":1},\n  {\"a\": 2, \"b\" :3}\n]", "<<<<<<< HEAD\n{}", "\ufeff{}", "{\"a\": \"\t\"}", "[01]", "\"\xff\"",
	"{\n}", "[ 1 ,2\n,3 ]", "{\"a\":\n1\n,\"b\":\r2}",
}

// nesting returns an upper bound for the nesting of brackets in text.
func nesting(text string) int { return strings.Count(text, "[") + strings.Count(text, "{") }

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Parse(text)
		if utf8.ValidString(text) && nesting(text) <= DefaultDepth {
			if valid := json.Valid([]byte(text)); valid != (err == nil) {
				t.Fatalf("encoding/json says %v, Parse says %v", valid, err)
			}
		}
		if err != nil {
			checkError(t, text, err)
			return
		}
		checkValue(t, doc.Root())
		checkDuplicates(t, doc)
	})
}

func checkError(t *testing.T, text string, err error) {
	var e *SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("%q: %v", text, err)
	}
	line, column := Position(text, e.Offset)
	if e.Offset < 0 || e.Offset > len(text) || line != e.Line || column != e.Column || e.Message == "" {
		t.Fatalf("error without a place: %+v", e)
	}
	if l, c := NewLines(text).Position(e.Offset); l != line || c != column {
		t.Fatalf("Lines says %d:%d, Position %d:%d", l, c, line, column)
	}
	if utf8.ValidString(text) && (!utf8.ValidString(e.Message) || e.Offset < len(text) &&
		!utf8.RuneStart(text[e.Offset])) {
		t.Fatalf("error splits a character: %+v", e)
	}
}

// checkValue compares every value with the result of encoding/json for its range.
func checkValue(t *testing.T, v Value) {
	raw := v.Raw()
	again := mustParse(t, raw)
	if again.Root().Kind() != v.Kind() || !same(v, again.Root()) || again.Root().Raw() != raw {
		t.Fatalf("%q reads differently on its own", raw)
	}
	text, isText := v.Text()
	var std string
	if err := json.Unmarshal([]byte(raw), &std); isText && (err != nil || std != text) {
		t.Fatalf("%s is %q, encoding/json says %q", raw, text, std)
	}
	checkInt(t, v)
	for i, e := range v.Elements() {
		if e != v.Element(i) {
			t.Fatalf("element %d differs", i)
		}
		checkValue(t, e)
	}
	last := map[string]Value{}
	for _, m := range v.Members() {
		key, _ := mustParse(t, v.doc.text[m.KeyStart:m.KeyEnd]).Root().Text()
		if key != m.Key || m.KeyEnd > m.Value.Start() {
			t.Fatalf("key %q reads %q", m.Key, key)
		}
		last[key] = m.Value
		checkValue(t, m.Value)
	}
	for key, want := range last {
		if v.Get(key) != want {
			t.Fatalf("Get(%q) is not the last member", key)
		}
		got, ok := v.doc.Lookup(want.Pointer())
		if ok && v.doc.Root().Duplicates() == nil && got != want {
			t.Fatalf("pointer %s leads elsewhere", want.Pointer())
		}
	}
}

func checkInt(t *testing.T, v Value) {
	n, ok := v.Int()
	f, isFloat := v.Float()
	if ok && isFloat && float64(n) != f {
		t.Fatalf("%s is %d and %v", v.Raw(), n, f)
	}
	var std int64
	if v.Kind() == Number && json.Unmarshal([]byte(v.Raw()), &std) == nil && (!ok || n != std) {
		t.Fatalf("%s is %d, %v; encoding/json says %d", v.Raw(), n, ok, std)
	}
}

// checkDuplicates removes all earlier duplicates at once and checks that the meaning does not change.
func checkDuplicates(t *testing.T, doc *Document) {
	root := doc.Root()
	if root.Kind() != Object {
		return
	}
	for _, d := range root.Duplicates() {
		if d.Object != root {
			continue
		}
		text := doc.Text()
		for i := len(d.Members) - 2; i >= 0; i-- {
			start, end := MemberRange(d.Members[i])
			text = text[:start] + text[end:]
		}
		after := mustParse(t, text).Root()
		if after.Len() != root.Len()-len(d.Members)+1 || !same(after.Get(d.Key), root.Get(d.Key)) {
			t.Fatalf("dropping earlier %q makes %q of %q", d.Key, text, doc.Text())
		}
	}
	for _, m := range root.Members() {
		start, end := MemberRange(m)
		if after := mustParse(t, doc.Text()[:start]+doc.Text()[end:]); after.Root().Len() != root.Len()-1 {
			t.Fatalf("dropping %q makes %q", m.Key, after.Text())
		}
	}
}

func FuzzEdit(f *testing.F) {
	for _, s := range seeds {
		for _, pointer := range []string{"", "/a", "/a/b/0", "/a/b/1/c", "/d/-", "/new/x/-/y", "/0/a", "/b/~0~1/0",
			"/-/0/k"} {
			f.Add(s, pointer, `{"x":[1,{"y":""}],"z":{}}`)
		}
		f.Add(s, "/a", "1.0")
		f.Add(s, "/1", "[\r\n]")
	}
	f.Fuzz(func(t *testing.T, text, pointer, value string) {
		doc, err := Parse(text)
		if err != nil {
			return
		}
		if c, err := doc.Set(pointer, value); err == nil {
			checkSet(t, doc, pointer, value, c)
		}
		if c, err := doc.Unset(pointer); err == nil {
			checkUnset(t, doc, pointer, c)
		}
	})
}

func checkSet(t *testing.T, doc *Document, pointer, value string, c Change) {
	text := c.Apply(doc.Text())
	after, err := Parse(text)
	if err != nil {
		t.Fatalf("set %q to %q in %q makes %q: %v", pointer, value, doc.Text(), text, err)
	}
	// The removed text is empty, the space inside empty brackets or the old value.
	gone, old := doc.Text()[c.Start:c.End], Value{}
	if v, ok := doc.Lookup(pointer); ok {
		old = v
	}
	if strings.Trim(gone, spaces) != "" && (c.Start != old.Start() || c.End != old.End()) {
		t.Fatalf("set %q in %q takes away %q", pointer, doc.Text(), gone)
	}
	tokens, _ := Tokens(pointer)
	got, inArray := follow(after, doc, tokens)
	if !got.Exists() || !same(got, mustParse(t, value).Root()) {
		t.Fatalf("set %q to %q in %q makes %q, which holds %q", pointer, value, doc.Text(), text, got.Raw())
	}
	if strings.Contains(doc.Text(), "\r\n") && strings.Count(strings.ReplaceAll(doc.Text(), "\r\n", ""), "\n") == 0 &&
		strings.Count(strings.ReplaceAll(c.New, "\r\n", ""),
			"\n") > strings.Count(strings.ReplaceAll(value, "\r\n", ""), "\n") {
		t.Fatalf("line endings change: %q", text)
	}
	if inArray {
		return
	}
	again, err := after.Set(pointer, value)
	if err != nil || again.Apply(text) != text {
		t.Fatalf("set twice: %q, then %q, %v", text, again.Apply(text), err)
	}
}

// follow finds the value that Set wrote; "-" is then the last element of an array. It also reports whether Set
// inserted something, so that a second Set would insert again.
func follow(after, before *Document, tokens []string) (v Value, inserted bool) {
	v, old := after.Root(), before.Root()
	for i, token := range tokens {
		if v.Kind() == Array && (token == "-" || i == len(tokens)-1) {
			inserted = true
		}
		if v.Kind() == Array && token == "-" {
			v, old = v.Element(v.Len()-1), Value{}
			continue
		}
		v, old = v.child(token), old.child(token)
	}
	return v, inserted
}

func checkUnset(t *testing.T, doc *Document, pointer string, c Change) {
	text := c.Apply(doc.Text())
	after, err := Parse(text)
	if err != nil {
		t.Fatalf("unset %q in %q makes %q: %v", pointer, doc.Text(), text, err)
	}
	at := strings.LastIndexByte(pointer, '/')
	before, _ := doc.Lookup(pointer[:at])
	parent, ok := after.Lookup(pointer[:at])
	if !ok || parent.Kind() != before.Kind() {
		t.Fatalf("unset %q in %q makes %q: the parent is gone", pointer, doc.Text(), text)
	}
	if parent.Kind() == Array {
		index, _ := parseIndex(pointer[at+1:])
		want := slices.Delete(raws(before), index, index+1)
		if got := raws(parent); !slices.Equal(got, want) {
			t.Fatalf("unset %q in %q leaves %q, want %q", pointer, doc.Text(), got, want)
		}
		return
	}
	if _, ok := after.Lookup(pointer); ok {
		t.Fatalf("unset %q in %q makes %q, where it still is", pointer, doc.Text(), text)
	}
	tokens, _ := Tokens(pointer)
	var got, want []string
	for _, m := range parent.Members() {
		got = append(got, parent.doc.text[m.KeyStart:m.KeyEnd], m.Value.Raw())
	}
	for _, m := range before.Members() {
		if m.Key != tokens[len(tokens)-1] {
			want = append(want, before.doc.text[m.KeyStart:m.KeyEnd], m.Value.Raw())
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("unset %q in %q leaves %q, want %q", pointer, doc.Text(), got, want)
	}
}

// raws returns the raw elements of an array.
func raws(v Value) []string {
	var list []string
	for _, e := range v.Elements() {
		list = append(list, e.Raw())
	}
	return list
}

func FuzzSalvage(f *testing.F) {
	f.Add(`{"a": "x", "a": "y`, "a")
	f.Add("\"k\" : -1.5e3,", "k")
	f.Fuzz(func(t *testing.T, text, key string) {
		v, ok := Salvage(text, key)
		if !ok {
			return
		}
		if text[v.Start():v.End()] != v.Raw() {
			t.Fatalf("%q does not stand where it says", v.Raw())
		}
		checkValue(t, v)
	})
}
