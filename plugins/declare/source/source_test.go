package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/declare/source"
)

const features = "../gallery/features.yaml"

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMistakes makes one mistake in a declaration, and checks the reported location and the suggested correction.
func TestMistakes(t *testing.T) {
	text := read(t, features)
	for name, c := range map[string]struct{ old, changed, at, message string }{
		"a member of an item": {"!has(it.evidence)\n    at", "!has(it.evidnce)\n    at", "it.evidnce|3",
			"unknown member evidnce; did you mean evidence?"},
		"a member that nothing is like": {"!has(it.evidence)\n    at", "!has(it.zzz)\n    at", "it.zzz|3",
			"unknown member zzz; list it in fields"},
		"a member of a document": {"each: list.features", "each: list.featurs", "list.featurs|5",
			"unknown member featurs; did you mean features?"},
		"a name": {
			"each: list.features", "each: lst.features", "lst.features|0",
			"unknown name lst; did you mean list?",
		},
		"an operator": {
			"it.status == 'passing' && !has", "it.status = 'passing' && !has", "= 'passing' && !|0", "== for equal",
		},
		"a word": {
			"done: [passing]", "done: [pasing]", "pasing]|0", "pasing is not one of words; did you mean passing?",
		},
		"a step": {
			"passing: [in_progress]", "passing: [started]", "started]|0", "started is not one of words",
		},
		"a quoted expression": {
			`"feature.exists(f, f.status`, `"feature.exists(f, f.stats`, "f.stats|2", "did you mean status?",
		},
		"in a text": {
			`say: "feature {it.id} is passing`, `say: "feature {it.idd} is passing`, "it.idd}|3", "did you mean id?",
		},
		"a text with a brace": {
			`say: "feature {it.id} is passing`, `say: "feature {it.id is passing`, "is passing, but evidence|0",
			"found is, expected an operator or the end",
		},
		"a rule of no table": {
			"  blocked-without-reason:", "  feature-lst: {severity: info}\n  blocked-without-reason:",
			"{severity: info}|0", "did you mean feature-lost?",
		},
		"a name twice": {"  feature:\n", "  list:\n", "each: list.features|0",
			"list is already the name of a document"},
		"a brief of nothing": {"read: [log, list]", "read: [log, lst]", "lst]|0", "no document is named lst"},
		"a place outside": {
			"doc: A feature list", "roots: [{dir: ../x, has: [f]}]\ndoc: A feature list", "../x|0",
			`roots/0/dir: glob "../x": has the path element ".."`,
		},
		"a member of an element": {
			"!has(it.evidence)\n    at", "it.evidence.exists(x, x.url == '')\n    at", "x.url ==|2",
			"the members of x are unknown; add LIST.url to fields, where LIST is the list that it comes from",
		},
		"the place of an item's rule": {
			"  blocked-without-reason:", "  feature-lost: {at: it.id}\n  blocked-without-reason:",
			"it.id}\n  blocked|0",
			"this rule belongs to an item, so only its doc, why, fix and severity can be changed",
		},
		"the condition of an item's rule": {
			"  blocked-without-reason:", "  feature-lost: {when: it.id == 'x'}\n  blocked-without-reason:",
			"it.id == 'x'}|0", "only its doc, why, fix and severity can be changed",
		},
		"a rule that says nothing": {
			"    say: \"feature {it.id} is passing, but evidence is empty\"\n", "", "doc: A feature is passing|0",
			"say is missing",
		},
		"an active word": {
			"done: [passing]", "done: [passing]\n    active: [in_progres]", "in_progres]|0",
			"in_progres is not one of words; did you mean in_progress?",
		},
		"progress of nothing": {
			"\nrules:", "\nprogress: featur\nrules:", "featur\n|0", "featur is not an item that can be done",
		},
		"a file outside": {"file: feature_list.json", "file: /etc/x.json", "/etc/x|0",
			`documents/list/file: glob "/etc/x.json": begins with a slash`},
		"a pattern that is not closed": {"file: feature_list.json", "files: \"[a.json\"", "\"[a.json|0",
			"has a character class that is not closed"},
		"a remedy for a computed value": {"set: it.status, to", "set: it.status == 'blocked', to",
			"it.status == 'blocked', to|0", "set is computed, expected a value of a document, such as it.status"},
		"a remedy with a wrong word": {"to: in_progress}", "to: in_progres}", "in_progres}|0",
			"in_progres is not one of words; did you mean in_progress?"},
		"a comparison with a wrong word": {"it.status == 'passing' && !has", "it.status == 'Passing' && !has",
			"'Passing'|0", "Passing is not one of words; did you mean passing?"},
		"a list with a wrong word": {"it.status == 'passing' && !has", "state in ['passing', 'parsing'] && !has",
			"'parsing'|0", "parsing is not one of words; did you mean passing?"},
		"a word of another item": {"feature[n].status == 'passing'", "feature[n].status == 'pasing'", "'pasing'|0",
			"pasing is not one of words; did you mean passing?"},
		"and": {"it.status == 'passing' && !has", "it.status == 'passing' and !has", "and !has|0",
			"found and, expected an operator or the end; use && for and"},
		"a quote of a word processor": {"it.status == 'passing' && !has", "it.status == ‘passing’ && !has",
			"‘passing|0", "use ' or \" around strings"},
		"a parenthesis that is not closed": {"!has(it.evidence)\n    at", "!has(it.evidence\n    at", "",
			"found the end, expected , or )"},
		"a function that nothing is like": {"!has(it.evidence)\n    at", "!has(it.evidence.uppercase())\n    at",
			"uppercase|0", "there is no function uppercase; there are all, exists, filter"},
		"a macro without its parts": {"!has(it.evidence)\n    at", "!exists(it.evidence)\n    at", "exists(it.ev|0",
			"exists takes a list, a name for the element and an expression, as in list.exists(x, x.done)"},
		"old without an item": {
			"each: feature\n    when: it.status == 'blocked'", "when: old == null", "old == null|0",
			"unknown name old",
		},
	} {
		if strings.Count(text, c.old) == 0 {
			t.Fatalf("%s: the declaration has no %q", name, c.old)
		}
		changed := strings.Replace(text, c.old, c.changed, 1)
		faults := source.Read(changed).Faults
		if len(faults) == 0 {
			t.Errorf("%s: nothing is wrong", name)
			continue
		}
		f := faults[0]
		if !strings.Contains(f.Message, c.message) {
			t.Errorf("%s: got %q, want %q", name, f.Message, c.message)
		}
		if c.at == "" {
			continue
		}
		place, more, _ := strings.Cut(c.at, "|")
		want := strings.Index(changed, place) + len(more) - 1
		for range int(more[0] - '0') {
			want++
		}
		line := 1 + strings.Count(changed[:want], "\n")
		column := want - strings.LastIndexByte(changed[:want], '\n')
		if f.Line != line || f.Column != column {
			t.Errorf("%s: got %d:%d, want %d:%d: %s\n%s\n%s^", name, f.Line, f.Column, line, column, f.Message,
				f.Excerpt, strings.Repeat(" ", f.Caret))
		}
	}
}

// TestPlacesInEveryKindOfScalar makes the same mistake in an expression that is written in different ways.
func TestPlacesInEveryKindOfScalar(t *testing.T) {
	const head = "declare: 1\nworkflow: w\ndoc: d\nroots: [{dir: x, has: [f.json]}]\n" +
		"documents:\n  f: {file: f.json, fields: [a]}\nrules:\n  r:\n    doc: d\n    say: s\n    when: "
	for name, scalar := range map[string]string{
		"plain":         "f.a == null &&\n      f.wrong == 1",
		"single quotes": "'f.a == ''x'' && f.wrong == 1'",
		"double quotes": `"f.a == \"x\" && \u0066.a == 'é' && f.wrong == 1"`,
		"literal":       "|\n      f.a == 'x' &&\n        f.wrong == 1",
		"folded":        ">-\n      f.a == 'x' &&\n\n      f.wrong == 1",
	} {
		text := head + scalar + "\n"
		faults := source.Read(text).Faults
		if len(faults) == 0 {
			t.Errorf("%s: nothing is wrong", name)
			continue
		}
		f := faults[0]
		at := strings.Index(text, "wrong")
		line, column := 1+strings.Count(text[:at], "\n"), at-strings.LastIndexByte(text[:at], '\n')
		caret := strings.Index(f.Excerpt, "wrong")
		if f.Line != line || f.Column != column || len([]rune(f.Excerpt[:max(caret, 0)])) != f.Caret {
			t.Errorf("%s: got %d:%d, want %d:%d\n%s\n%s^", name, f.Line, f.Column, line, column, f.Excerpt,
				strings.Repeat(" ", f.Caret))
		}
	}
}

// Fuzz checks that no text makes the reader panic, and that every mistake is located inside the text.
func Fuzz(f *testing.F) {
	files, _ := filepath.Glob("../gallery/*.yaml")
	for _, file := range files {
		f.Add(read(f, file))
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := source.Read(text)
		if len(d.Faults) > 0 {
			if fault := d.Faults[0]; fault.Message == "" || fault.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%+v", fault)
			}
		} else if len(d.Manifest) == 0 || d.JSON == "" {
			t.Error("there is neither a manifest nor a mistake")
		}
	})
}
