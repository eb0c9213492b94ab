package jsondoc

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestInt(t *testing.T) {
	tests := []struct {
		text string
		want int64
		ok   bool
	}{
		{"4", 4, true}, {"4.0", 4, true}, {"4e0", 4, true}, {"40e-1", 4, true}, {"0.4e1", 4, true},
		{"4.50E+2", 450, true},
		{"-0", 0, true}, {"0.000", 0, true}, {"0e99999999999999999999", 0, true}, {"-12", -12, true},
		{"9223372036854775807", math.MaxInt64, true}, {"-9223372036854775808", math.MinInt64, true},
		{"922337203685477580.7e1", math.MaxInt64, true},
		{"9223372036854775808", 0, false}, {"4.5", 0, false}, {"1e-1", 0, false},
		{"1e10000000", 0, false}, {"1e99999999999999999999", 0, false}, {"1e-99999999999999999999", 0, false},
		{"1" + strings.Repeat("0", 100), 0, false},
		{"0." + strings.Repeat("0", 1000) + "7e1001", 7, true},
		{"7" + strings.Repeat("0", 1000) + "e-1000", 7, true},
		{`"4"`, 0, false}, {"null", 0, false}, {"[4]", 0, false},
	}
	for _, tt := range tests {
		got, ok := mustParse(t, tt.text).Root().Int()
		if got != tt.want && ok || ok != tt.ok {
			t.Errorf("Int of %.40s = %d, %v; want %d, %v", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}

func TestFloat(t *testing.T) {
	for _, text := range []string{"4.5", "0", "-0.1", "26.50", "1e22", "12345.678901234e-7", "9007199254740993",
		"9223372036854775807", "1e-400", "0.30", "123456789012345E3"} {
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := mustParse(t, text).Root().Float(); f != want || !ok {
			t.Errorf("Float of %s = %v, %v, want %v", text, f, ok, want)
		}
	}
	if f, ok := mustParse(t, "1700000000000000000000e287").Root().Float(); !ok || f < 1.69e308 {
		t.Errorf("Float of a long number = %v, %v", f, ok)
	}
	for _, text := range []string{"1e10000000", "-1e400", `"1"`} {
		if f, ok := mustParse(t, text).Root().Float(); ok {
			t.Errorf("Float of %s = %v", text, f)
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct{ text, want string }{
		{`"plain"`, "plain"},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"\u00e4\u20AC"`, "ä€"},
		{`"\ud83d\ude00!"`, "😀!"},
		{`"\ud83d"`, "\ufffd"},
		{`"\ude00\ud83dx"`, "\ufffd\ufffdx"},
		{`"\ud83d\u0041"`, "\ufffdA"},
	}
	for _, tt := range tests {
		if got, ok := mustParse(t, tt.text).Root().Text(); got != tt.want || !ok {
			t.Errorf("Text of %s = %q, %v; want %q", tt.text, got, ok, tt.want)
		}
	}
	if _, ok := mustParse(t, "1").Root().Text(); ok {
		t.Error("a number has a text")
	}
}

func TestQuote(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", `""`}, {"a\"b\\c/", `"a\"b\\c/"`}, {"\n\r\t\b\x00\x1f", `"\n\r\t\u0008\u0000\u001f"`},
		{"\u2028\u2029\u0085\x7f", `"\u2028\u2029\u0085\u007f"`}, {"ä\xffz", `"ä` + "\ufffd" + `z"`},
		{"\ufffd", `"` + "\ufffd" + `"`},
		{"<a&b>", `"<a&b>"`},
	}
	for _, tt := range tests {
		if got := Quote(tt.text); got != tt.want {
			t.Errorf("Quote(%q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("a\xff\u2028\"")
	f.Fuzz(func(t *testing.T, text string) {
		quoted := Quote(text)
		got, _ := mustParse(t, quoted).Root().Text()
		if want := string([]rune(text)); got != want {
			t.Errorf("%q comes back as %q", want, got)
		}
		var std string
		if err := json.Unmarshal([]byte(quoted), &std); err != nil || std != got {
			t.Errorf("encoding/json reads %s as %q, %v; want %q", quoted, std, err, got)
		}
	})
}

func TestPointers(t *testing.T) {
	doc := mustParse(t, `{"a/b":{"m~n":[10,{"":"x"}]},"":1,"d":{"k":1},"d":{"k":2}}`)
	tests := []struct{ pointer, want string }{
		{"/a~1b/m~0n/0", "10"}, {"/a~1b/m~0n/1/", `"x"`}, {"/", "1"}, {"/d/k", "2"},
		{"/a~1b/m~0n/-", ""}, {"/a~1b/m~0n/01", ""}, {"/a~1b/m~0n/2", ""}, {"/x", ""}, {"a", ""}, {"/a~2b", ""},
		{"/d/k/x", ""},
		{"/a~1b/m~0n/99999999999999999999", ""},
	}
	for _, tt := range tests {
		v, ok := doc.Lookup(tt.pointer)
		if v.Raw() != tt.want || ok != (tt.want != "") {
			t.Errorf("Lookup(%s) = %s, %v; want %s", tt.pointer, v.Raw(), ok, tt.want)
		}
		if ok && v.Pointer() != tt.pointer {
			t.Errorf("Pointer of %s = %s", tt.pointer, v.Pointer())
		}
	}
	if v, ok := doc.Lookup(""); !ok || v != doc.Root() {
		t.Error("the empty pointer does not lead to the root")
	}
	if got := Pointer("a/b", "m~n", "0"); got != "/a~1b/m~0n/0" {
		t.Errorf("Pointer = %s", got)
	}
	m, ok := doc.LookupMember("/a~1b/m~0n")
	if !ok || doc.Text()[m.KeyStart:m.KeyEnd] != `"m~n"` {
		t.Errorf("LookupMember = %+v, %v", m, ok)
	}
	for _, pointer := range []string{"", "/a~1b/m~0n/0", "/x", "x", "/~"} {
		if m, ok := doc.LookupMember(pointer); ok {
			t.Errorf("LookupMember(%s) = %+v", pointer, m)
		}
	}
}

func TestDuplicates(t *testing.T) {
	many := strings.Repeat(`"k":0,"\u006b":1,`, 20)
	doc := mustParse(t, `{"a":1,"b":[{"x":1,"x":2,"y":3,"y":4}],"\u0061":2,"c":{`+many+`"z":1},"a":3}`)
	var got []string
	for _, d := range doc.Root().Duplicates() {
		values := ""
		for _, m := range d.Members[:min(3, len(d.Members))] {
			values += " " + m.Value.Raw()
		}
		got = append(got, d.Pointer()+values)
	}
	want := []string{"/a 1 2 3", "/b/0/x 1 2", "/b/0/y 3 4", "/c/k 0 1 0"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
	if list := mustParse(t, `{"a":{"b":1},"b":{"a":1}}`).Root().Duplicates(); list != nil {
		t.Errorf("found %v", list)
	}
}

func TestSalvage(t *testing.T) {
	text := "{\n\"a\": \"first\", \"n\": 12,\n\"a\" : \"second\",\n\"note\": \"\\\"a\\\": \\\"no\\\"\",\n\"n\": " +
		"3-4, \"a\": \"cut\n\"last\": 7"
	tests := []struct{ key, want string }{
		{"a", `"second"`}, {"n", "12"}, {"last", ""}, {"x", ""}, {"note", `"\"a\": \"no\""`},
	}
	for _, tt := range tests {
		v, ok := Salvage(text, tt.key)
		if v.Raw() != tt.want || ok != (tt.want != "") {
			t.Errorf("Salvage(%s) = %s, %v; want %s", tt.key, v.Raw(), ok, tt.want)
		}
		if ok && text[v.Start():v.End()] != tt.want {
			t.Errorf("Salvage(%s) is at %d", tt.key, v.Start())
		}
	}
	if v, ok := Salvage("\"a\": \"\xff\",", "a"); ok {
		t.Errorf("salvaged invalid UTF-8: %s", v.Raw())
	}
}
