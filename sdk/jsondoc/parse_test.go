package jsondoc

import (
	"errors"
	"strings"
	"testing"
)

func mustParse(t testing.TB, text string) *Document {
	t.Helper()
	doc, err := Parse(text)
	if err != nil {
		t.Fatalf("parse %q: %v", text, err)
	}
	return doc
}

func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		name, text string
		want       string
	}{
		{"empty", "", "line 1, column 1: the document is empty, expected a JSON value"},
		{"blank", " \n\n", "line 1, column 1: the document is empty, expected a JSON value"},
		{"open string", "{\n  \"a\": \"x",
			"line 2, column 10: the document ends inside a string that begins on line 2"},
		{"open string after backslash", "[\"x\\", "line 1, column 5: the document ends inside a string that begins " +
			"on line 1"},
		{"missing quote", "{\n  \"a\": \"x,\n  \"b\": 1\n}",
			`line 2, column 11: the string "x, has no closing quote before the end of its line`},
		{"missing comma", "{\n  \"status\": \"active\"\n  \"current_phase\": 1\n}",
			`line 3, column 3: expected a comma or } after the value of "status", found "current_phase"`},
		{"missing comma in array", "[1 2]", "line 1, column 4: expected a comma or ] after an element, found 2"},
		{"trailing comma", "{\"a\": 1,\n}", "line 1, column 8: the comma before } is superfluous; remove it"},
		{"trailing comma in array", "[1, ]", "line 1, column 3: the comma before ] is superfluous; remove it"},
		{"mismatch", "{\n\"a\": [\n1\n}", "line 4, column 1: the array opened on line 2 is closed by }"},
		{"mismatch of object", "{\"a\":1]", "line 1, column 7: the object opened on line 1 is closed by ]"},
		{"mismatch before a key", "{]", "line 1, column 2: the object opened on line 1 is closed by ]"},
		{"truncated object", "{\"a\": 1,\n\"b\": 2\n\n",
			`line 2, column 7: the document ends inside the object that begins on line 1, expected a comma or } ` +
				`after the value of "b"`},
		{"truncated before value", "{\"a\":", `line 1, column 6: the document ends inside the object that begins on ` +
			`line 1, expected the value of "a"`},
		{"truncated before key", "{", "line 1, column 2: the document ends inside the object that begins on line 1, " +
			"expected a key in double quotes or }"},
		{"truncated array", "[1,", "line 1, column 4: the document ends inside the array that begins on line 1, " +
			"expected a value after the comma"},
		{"truncated word", "[tru", "line 1, column 2: expected a value or ], found tru"},
		{"no colon", "{\"a\" 1}", `line 1, column 6: expected a colon after the key "a", found 1`},
		{"no value", "{\"a\":}", `line 1, column 6: expected the value of "a", found }`},
		{"bare key", "{status: 1}", "line 1, column 2: expected a key in double quotes or }, found status"},
		{"single quotes", "{'a': 1}", "line 1, column 2: expected a key in double quotes or }, found ': JSON uses " +
			"straight double quotes"},
		{"curly quotes", "[“a”]", "line 1, column 2: expected a value or ], found “: JSON uses straight double quotes"},
		{"comment", "{\n// x\n}", "line 2, column 1: expected a key in double quotes or }, found /: JSON has no " +
			"comments"},
		{"Python", "[None]", "line 1, column 2: expected a value or ], found None: JSON writes null"},
		{"Python true", "{\"a\": True}", `line 1, column 7: expected the value of "a", found True: JSON writes true`},
		{"NaN", "[-Infinity]", "line 1, column 2: found -Infinity, which has no digit after the minus sign"},
		{"NaN word", "[NaN]", "line 1, column 2: expected a value or ], found NaN: JSON has no such value"},
		{"leading zero", "[007]", "line 1, column 2: found 007, which is not a number: JSON numbers have no leading " +
			"zeros"},
		{"date", "[2026-03-10]", "line 1, column 2: found 2026-03-10, which is not a number"},
		{"bare point", "[1.]", "line 1, column 2: found 1., which has no digit after the decimal point"},
		{"bare exponent", "[1e+]", "line 1, column 2: found 1e+, which has no digit in its exponent"},
		{"garbage", "{}\n}", "line 2, column 1: expected the end of the document after the object that ends on line " +
			"1, found }"},
		{"NUL garbage", "{}\x00", "line 1, column 3: expected the end of the document after the object that ends on " +
			"line 1, found U+0000"},
		{"conflict", "{\n\"a\": 1,\n<<<<<<< HEAD\n\"b\": 1\n=======",
			"line 3, column 1: found the merge conflict marker <<<<<<<; resolve the conflict and remove the markers"},
		{"conflict at top", "<<<<<<< HEAD\n{}", "line 1, column 1: found the merge conflict marker <<<<<<<; resolve " +
			"the conflict and remove the markers"},
		{"half a conflict", "{\"a\": 1\n=======\n}",
			"line 2, column 1: found the merge conflict marker =======; resolve the conflict and remove the markers"},
		{"no conflict", "[<<<<<<<]", "line 1, column 2: expected a value or ], found <"},
		{"invalid UTF-8", "{\"a\": \"x\xe9\"}", "line 1, column 9: the byte 0xE9 is not valid UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "line 1, column 1: the document begins with the byte-order mark of UTF-16; " +
			"save it as UTF-8"},
		{"UTF-16 without mark", "{\x00}\x00", "line 1, column 2: expected a key in double quotes or }, found " +
			"U+0000; the document looks like UTF-16, so save it as UTF-8"},
		{"byte-order mark", "\ufeff{}", "line 1, column 1: expected a JSON value, found U+FEFF, a byte-order mark; " +
			"remove it"},
		{"no-break space", "{\u00a0}", "line 1, column 2: expected a key in double quotes or }, found U+00A0"},
		{"escape", `["\x41"]`, `line 1, column 3: \x41 is not a JSON escape sequence; write \\ for a backslash`},
		{"short escape", `["\u12"]`, `line 1, column 3: the escape \u in a string needs four hexadecimal digits`},
		{"tab in string", "[\"a\tb\"]",
			`line 1, column 4: found the control character U+0009 in a string, expected \t`},
		{"escape code", "[\x1b]", "line 1, column 2: expected a value or ], found U+001B"},
		{"columns are bytes", "[\"ä\" x]", "line 1, column 7: expected a comma or ] after an element, found x"},
		{"CRLF", "{\r\n\"a\": 1\r\n\"b\": 2}", `line 3, column 1: expected a comma or } after the value of "a", ` +
			`found "b"`},
		{"long word", "[" + strings.Repeat("x", 100) + "]",
			"line 1, column 2: expected a value or ], found " + strings.Repeat("x", 60) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Parse(tt.text)
			var syntax *SyntaxError
			if doc != nil || !errors.As(err, &syntax) {
				t.Fatalf("Parse = %v, %v; want a SyntaxError", doc, err)
			}
			if got := err.Error(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if line, column := Position(tt.text, syntax.Offset); line != syntax.Line || column != syntax.Column {
				t.Errorf("offset %d is %d:%d, error says %d:%d", syntax.Offset, line, column, syntax.Line,
					syntax.Column)
			}
		})
	}
}

func TestDepth(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	mustParse(t, nest(DefaultDepth))
	for _, n := range []int{DefaultDepth + 1, 100_000, 3_000_000} {
		_, err := Parse(nest(n))
		want := "line 1, column 513: arrays and objects are nested more than 512 deep"
		if err == nil || err.Error() != want {
			t.Errorf("depth %d: got %v, want %s", n, err, want)
		}
	}
	if _, err := (Parser{MaxDepth: 1 << 30}).Parse(nest(10_000)); err != nil {
		t.Errorf("depth 10,000 under a limit of 10,000: %v", err)
	}
	if _, err := (Parser{MaxDepth: 1 << 30}).Parse(nest(10_001)); err == nil {
		t.Error("depth 10,001 is accepted")
	}
	if _, err := (Parser{MaxDepth: 1}).Parse("[[]]"); err == nil {
		t.Error("depth 2 is accepted under a limit of 1")
	}
}

func TestMembersKeepOrderAndRanges(t *testing.T) {
	text := `{ "b" : 1, "\u0061":[true , null], "b":{"x":"y"} }`
	doc := mustParse(t, text)
	var got []string
	for _, m := range doc.Root().Members() {
		got = append(got, m.Key+"|"+text[m.KeyStart:m.KeyEnd]+"|"+text[m.Value.Start():m.Value.End()]+"|"+
			m.Value.Kind().String())
	}
	want := []string{`b|"b"|1|number`, `a|"\u0061"|[true , null]|array`, `b|"b"|{"x":"y"}|object`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := doc.Root().Get("b").Raw(); got != `{"x":"y"}` {
		t.Errorf("Get of a duplicate key = %s, want the last", got)
	}
	if got := doc.Root().Get("a").Element(1).Kind(); got != Null {
		t.Errorf("second element is %v", got)
	}
}

func TestAbsentValuesChain(t *testing.T) {
	v := mustParse(t, `{"a":1}`).Root().Get("x").Get("y").Element(3)
	_, text := v.Text()
	_, integer := v.Int()
	_, float := v.Float()
	_, boolean := v.Bool()
	if v.Exists() || v.Kind() != Absent || text || integer || float || boolean || v.Raw() != "" ||
		v.Len() != 0 || v.Members() != nil || v.Elements() != nil || v.Start() != 0 || v.End() != 0 ||
		v.Pointer() != "" || v.Duplicates() != nil {
		t.Error("an absent value answers")
	}
}

func TestPosition(t *testing.T) {
	text := "a\r\nbä\n\nc"
	tests := []struct{ offset, line, column int }{
		{-5, 1, 1}, {0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {6, 2, 4}, {7, 3, 1}, {8, 4, 1}, {9, 4, 2}, {99, 4, 2},
	}
	lines := NewLines(text)
	for _, tt := range tests {
		if line, column := Position(text, tt.offset); line != tt.line || column != tt.column {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", tt.offset, line, column, tt.line, tt.column)
		}
		if line, column := lines.Position(tt.offset); line != tt.line || column != tt.column {
			t.Errorf("Lines.Position(%d) = %d:%d, want %d:%d", tt.offset, line, column, tt.line, tt.column)
		}
	}
}
