package jsondoc

import (
	"errors"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	tests := []struct{ name, text, pointer, value, want string }{
		{"replace", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "/a", `"x"`, "{\n  \"a\": \"x\",\n  \"b\": 2\n}\n"},
		{"append", "{\n  \"a\": 1\n}\n", "/b", "2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"},
		{"append with tabs", "{\n\t\"a\": 1\n}", "/b", `{"c":[1,2],"d":{}}`,
			"{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": [\n\t\t\t1,\n\t\t\t2\n\t\t],\n\t\t\"d\": {}\n\t}\n}"},
		{"four spaces", "{\n    \"a\": {\n        \"b\": 1\n    }\n}", "/c/d", "1",
			"{\n    \"a\": {\n        \"b\": 1\n    },\n    \"c\": {\n        \"d\": 1\n    }\n}"},
		{"CRLF", "{\r\n  \"a\": {}\r\n}\r\n", "/a/b", "[1]",
			"{\r\n  \"a\": {\r\n    \"b\": [\r\n      1\r\n    ]\r\n  }\r\n}\r\n"},
		{"one line", `{"a":1}`, "/b", `{"c": [1, 2]}`, `{"a":1,"b":{"c":[1,2]}}`},
		{"one line with spaces", `{"a": 1}`, "/b", `{"c":[1,2]}`, `{"a": 1, "b": {"c": [1, 2]}}`},
		{"padded line", `{ "a" : 1 }`, "/b", "2", `{ "a" : 1, "b" : 2 }`},
		{"empty on one line", "{}\n", "/a", "1", "{\"a\":1}\n"},
		{"empty over two lines", "{\n}\n", "/a", "1", "{\n  \"a\": 1\n}\n"},
		{"empty below", "{\n  \"a\": {},\n  \"b\": []\n}", "/b/-", `"x"`,
			"{\n  \"a\": {},\n  \"b\": [\n    \"x\"\n  ]\n}"},
		{"missing parents", "{\n  \"a\": 1\n}", "/b/c/d", "2",
			"{\n  \"a\": 1,\n  \"b\": {\n    \"c\": {\n      \"d\": 2\n    }\n  }\n}"},
		{"missing array", `{}`, "/b/-/c", "2", `{"b":[{"c":2}]}`},
		{"insert", "[1, 2]", "/1", "9", "[1, 9, 2]"},
		{"insert at front", "[\n  1,\n  2\n]", "/0", "9", "[\n  9,\n  1,\n  2\n]"},
		{"append by length", "[1,2]", "/2", "9", "[1,2,9]"},
		{"append by dash", "[\n  1\n]", "/-", "9", "[\n  1,\n  9\n]"},
		{"through an array", `[{"a":1}]`, "/0/a", "2", `[{"a":2}]`},
		{"inline siblings", "{\n  \"a\": [1, 2]\n}", "/b", "[3,4]", "{\n  \"a\": [1, 2],\n  \"b\": [3, 4]\n}"},
		{"inline elements", "[\n  {\"a\":1}\n]", "/-", `{"a": 2}`, "[\n  {\"a\":1},\n  {\"a\":2}\n]"},
		{"same layout as before", "{\n  \"a\": [1, 2],\n  \"b\": [\n    1\n  ]\n}", "/a", "[3, 4]",
			"{\n  \"a\": [3, 4],\n  \"b\": [\n    1\n  ]\n}"},
		{"last duplicate", `{"a":1,"a":2}`, "/a", "3", `{"a":1,"a":3}`},
		{"below last duplicate", `{"a":{"b":1},"a":{}}`, "/a/b", "3", `{"a":{"b":1},"a":{"b":3}}`},
		{"same value", "{\"a\": [ 1,2 ]}", "/a", "[1, 2]", "{\"a\": [ 1,2 ]}"},
		{"root", " 1 \n", "", `{"a":1}`, " {\"a\":1} \n"},
		{"root over lines", "1\r\n", "", "{\n \"a\": 1\n}", "{\r\n \"a\": 1\r\n}\r\n"},
		{"escaped key", `{}`, "/a~1b~0", "1", `{"a/b~":1}`},
		{"dash is a key", `{"a":1}`, "/-", "1", `{"a":1,"-":1}`},
		{"number kept as text", `{"a":1}`, "/a", "1e10000000", `{"a":1e10000000}`},
		{"first child on the bracket's line", "{\"a\": 1,\n \"b\": 2}", "/c", "3",
			"{\"a\": 1,\n \"b\": 2,\n \"c\": 3}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Set(tt.text, tt.pointer, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Apply(tt.text); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	tests := []struct{ text, pointer, value, want string }{
		{`{"a":1}`, "/a/b", "1", `pointer "/a/b": "/a" is a number, expected an object or array`},
		{`1`, "/a", "1", `pointer "/a": "" is a number, expected an object or array`},
		{`{"a":null}`, "/a/b", "1", `pointer "/a/b": "/a" is null, expected an object or array`},
		{`[1]`, "/2", "1", `pointer "/2": index 2 is past the end of the array "", whose length is 1`},
		{`[1]`, "/x", "1", `pointer "/x": "" is an array, "x" is neither an index nor "-"`},
		{`{}`, "a", "1", `pointer "a": a JSON pointer begins with /`},
		{`{}`, "/~2", "1", `pointer "/~2": ~ is written ~0 and / is written ~1 in a JSON pointer`},
		{`{}`, "/\x87", "1", `pointer "/�": a JSON pointer is valid UTF-8`},
		{`{}`, "/a", "x", "line 1, column 1: expected a JSON value, found x"},
		{`{}`, "/a/b", "1,2", "line 1, column 2: expected the end of the document after the number that ends on " +
			"line 1, found ,"},
		{`{`, "/a", "1", "line 1, column 2: the document ends inside the object that begins on line 1, expected a " +
			"key in double quotes or }"},
		{`{}`, strings.Repeat("/a", 513), "1", "line 1, column 1: the pointer leads more than 512 arrays and " +
			"objects deep"},
		{`{}`, strings.Repeat("/a", 512), "[]", "line 1, column 1: arrays and objects are nested more than 0 deep"},
	}
	for _, tt := range tests {
		c, err := Set(tt.text, tt.pointer, tt.value)
		if err == nil || err.Error() != tt.want || c != (Change{}) {
			t.Errorf("Set(%s, %.20s, %s) = %v, %v\nwant %s", tt.text, tt.pointer, tt.value, c, err, tt.want)
		}
	}
	if _, err := Set("{}", strings.Repeat("/a", 512), "1"); err != nil {
		t.Errorf("the deepest place allowed: %v", err)
	}
}

func TestUnset(t *testing.T) {
	tests := []struct{ name, text, pointer, want string }{
		{"first", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "/a", "{\n  \"b\": 2\n}\n"},
		{"last", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "/b", "{\n  \"a\": 1\n}\n"},
		{"only", "{\n  \"a\": 1\n}\n", "/a", "{}\n"},
		{"middle", `{"a":1, "b":2, "c":3}`, "/b", `{"a":1, "c":3}`},
		{"padded", `{ "a":1 , "b":2 }`, "/b", `{ "a":1 }`},
		{"CRLF", "{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}", "/a", "{\r\n\t\"b\": 2\r\n}"},
		{"element", "[1, [2], 3]", "/1", "[1, 3]"},
		{"all duplicates", `{"a":1,"b":2,"a":3,"c":4,"a":5,"a":6}`, "/a", `{"b":2,"c":4}`},
		{"nothing but duplicates", `{"a":1,"a":3}`, "/a", `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Unset(tt.text, tt.pointer)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Apply(tt.text); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestUnsetRefuses(t *testing.T) {
	tests := []struct {
		pointer, want string
		absent        bool
	}{
		{"", `pointer "": the whole document cannot be unset`, false},
		{"/x", `pointer "/x": there is no such value`, true},
		{"/a/-", `pointer "/a/-": there is no such value`, true},
		{"/a/1", `pointer "/a/1": there is no such value`, true},
		{"x", `pointer "x": a JSON pointer begins with /`, false},
	}
	for _, tt := range tests {
		_, err := Unset(`{"a":[1]}`, tt.pointer)
		var fault *PointerError
		if !errors.As(err, &fault) || err.Error() != tt.want || fault.Absent != tt.absent {
			t.Errorf("Unset(%s): got %v, want %s", tt.pointer, err, tt.want)
		}
	}
}

func TestMemberRange(t *testing.T) {
	tests := []struct{ text, want string }{
		{"{\n  \"a\": 1,\n  \"b\": 2,\n  \"a\": 3\n}", "{\n  \"b\": 2,\n  \"a\": 3\n}"},
		{`{"b":0, "a":1, "a":2}`, `{"b":0, "a":2}`},
	}
	for _, tt := range tests {
		first := mustParse(t, tt.text).Root().Duplicates()[0].Members[0]
		start, end := MemberRange(first)
		if got := tt.text[:start] + tt.text[end:]; got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestBuilder(t *testing.T) {
	kept := mustParse(t, `{"x":[1,{"y":2}]}`).Root()
	b := NewObject().String("session", "a\"b").Int("phase", -3).Bool("done", true).Null("end").
		Strings("names", "r1", "r2").Strings("none").Value("kept", kept.Get("x")).Value("gone", kept.Get("z")).
		Object("in", NewObject().Raw("raw", "[ ]"))
	want := `{
  "session": "a\"b",
  "phase": -3,
  "done": true,
  "end": null,
  "names": [
    "r1",
    "r2"
  ],
  "none": [],
  "kept": [
    1,
    {
      "y": 2
    }
  ],
  "in": {
    "raw": []
  }
}
`
	if got := b.Text(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	want = `{"session":"a\"b","phase":-3,"done":true,"end":null,"names":["r1","r2"],"none":[],"kept":[1,{"y":2}],"in":{"raw":[]}}`
	if got := b.Compact(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := NewObject().Text(); got != "{}\n" {
		t.Errorf("an empty object is %q", got)
	}
}

func TestBuilderRefusesRawGarbage(t *testing.T) {
	defer func() {
		want := `jsondoc: raw value of "k": line 1, column 2: the document ends inside the object that begins on ` +
			`line 1, expected a key in double quotes or }`
		if got := recover(); got != want {
			t.Errorf("panic %v, want %s", got, want)
		}
	}()
	NewObject().Raw("k", "{")
}

// The output for a hostile document and a hostile value stays proportional to both.
func TestSetDoesNotBlowUp(t *testing.T) {
	deep := strings.Repeat("[", 400) + strings.Repeat("1,", 100_000) + "1" + strings.Repeat("]", 400)
	text := "{\n" + strings.Repeat(" ", 100_000) + "\"a\":" + strings.Repeat(" ", 100_000) + "1}"
	c, err := Set(text, "/b", deep)
	if err != nil {
		t.Fatal(err)
	}
	if limit := 9*len(deep) + 1<<21; len(c.New) > limit {
		t.Errorf("%d bytes become %d", len(deep), len(c.New))
	}
	wide := "[" + strings.Repeat("1,", 1_000_000) + "1]"
	c, err = Set("{\n"+strings.Repeat(" ", 60)+"\"a\": 1}", "/b", wide)
	if err != nil {
		t.Fatal(err)
	}
	if limit := 9*len(wide) + 1<<21; len(c.New) > limit {
		t.Errorf("%d bytes become %d", len(wide), len(c.New))
	}
}
