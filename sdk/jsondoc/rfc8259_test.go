package jsondoc

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRFC8259 checks the parser against the grammar of RFC 8259, rule by rule. It must accept y texts and refuse n
// texts. The grammar leaves i texts to implementations; their names say what this parser does.
func TestRFC8259(t *testing.T) {
	deep := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	y := map[string]string{
		// 2. Grammar: the text may be any value, with white space around each token.
		"null": "null", "true": "true", "false": "false", "a number": "42", "a string": `"a"`, "an empty string": `""`,
		"an array": "[]", "an object": "{}",
		"space around": " 1 ", "tab around": "\t1\t", "line feed around": "\n1\n", "return around": "\r1\r",
		"a final line feed": "[1]\n",
		"all white space between tokens": " \t\n\r[ \t\n\r1 \t\n\r, \t\n\r{ \t\n\r\"a\" \t\n\r: \t\n\r2 \t\n\r} " +
			"\t\n\r] \t\n\r",
		// 4. Objects
		"one member": `{"a":1}`, "two members": `{"a":1,"b":2}`, "an empty key": `{"":0}`,
		"a key with escapes": `{"\u0061\n\"\\":0}`, "a key with NUL": `{"a\u0000b":0}`,
		"keys that differ in case": `{"a":1,"A":2}`, "keys that differ in form": `{"é":1,"é":2}`,
		"a long key":         `{"` + strings.Repeat("x", 1000) + `":0}`,
		"members over lines": "{\n\"a\":\n1\n,\n\"b\":\n2\n}", "objects in objects": `{"a":{"a":{"a":{}}}}`,
		// 5. Arrays
		"one element": "[1]", "elements of all kinds": `[null,true,false,1,"a",[],{}]`,
		"an array of an empty array": "[[]]", "an empty string in an array": `[""]`,
		"several nulls": "[1,null,null,null,2]", "white space in an empty array": "[ \n]",
		"white space before the end": "[1 ]", "five hundred arrays": deep(500, "[", "", "]"),
		// 6. Numbers
		"zero": "[0]", "minus zero": "[-0]", "a negative number": "[-123]", "minus one": "[-1]",
		"twenty digits": "[12345678901234567890]", "a fraction": "[0.5]",
		"minus zero with a fraction": "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]", "many zeros in a fraction": "[1.000]",
		"an exponent": "[1e2]", "a capital exponent": "[1E22]", "a positive exponent": "[1e+2]",
		"a negative exponent": "[1E-02]", "an exponent of zero": "[0e0]", "zero to the plus one": "[0e+1]",
		"a fraction with an exponent": "[123.456e78]", "leading zeros of an exponent": "[1e0000001]",
		"a number before a bracket": "[1e3 ]",
		// 7. Strings
		"all short escapes": `["\"\\\/\b\f\n\r\t"]`, "an escape of four digits": `["\u0041"]`,
		"digits in both cases": `["\u00eF\u00Ef"]`, "a surrogate pair": `["\ud834\udd1e"]`,
		"two surrogate pairs": `["\ud83d\ude39\ud83d\udc8d"]`, "the last pair": `["\uDBFF\uDFFF"]`,
		"an escaped control character": `["\u0012"]`, "an escaped NUL": `["\u0000"]`,
		"an escaped backslash and a letter": `["\\a"]`, "an escaped backslash and u": `["\\u0041"]`,
		"an escaped quote": `["\""]`, "an escaped DEL": `["\u007f"]`, "a raw DEL": "[\"\x7f\"]",
		"two bytes": `["é"]`, "three bytes": `["€"]`, "four bytes": `["𝄞"]`, "U+2028 and U+2029": "[\"\u2028\u2029\"]",
		"a noncharacter": "[\"\uffff\U0010ffff\"]", "an escaped noncharacter": `["\uFFFE\uDBFF\uDFFE"]`,
		"a private character": "[\"\ue000\"]", "a zero-width space": "[\"\u200b\"]",
		"a byte-order mark inside": "[\"\ufeff\"]", "braces in a string": `["[}{],:"]`,
		"a comment in a string": `["/* a */ // b # c"]`,
		"a slash":               `["a/b"]`, "a space": `[" "]`, "no-break space": "[\"\u00a0\"]",
	}
	n := map[string]string{
		"nothing": "", "white space": " \t\r\n", "two values": "1 2", "a value and a comma": "1,",
		"a value and a bracket": "[]]", "a value and a brace": "{}}", "two objects": "{}{}", "a value and text": "[1]x",
		"a value and a quote": `{}"`,
		"an upper-case word":  "[True]", "an upper-case null": "[NULL]", "a shortened word": "[tru]",
		"a shortened null": "[nul]", "a lengthened word": "[truee]", "a word glued to another": "[truefalse]",
		"a bare word": "abc", "undefined": "[undefined]",
		"form feed between": "[\f1]", "vertical tab between": "[\v1]", "no-break space between": "[\u00a01]",
		"em space between": "[\u20031]", "zero-width space between": "[\u200b1]", "line separator between": "[\u20281]",
		"next line between": "[\u00851]", "NUL between": "[\x001]", "NUL at the end": "[1]\x00",
		"word joiner between": "[\u2060]", "a byte-order mark between": "[\ufeff1]",
		"control character between": "[\x011]", "escaped white space": `[\n1]`,
		"a comment": "[1]//a", "a comment of several lines": "/* a */[1]", "a comment inside": "[/**/1]",
		"a comment with a number sign": "# a\n[1]", "HTML": "<html>", "YAML": "a: 1", "a number sign": "[#1]",
		"an open object": "{", "an open object with a key": `{"a"`, "an open object with a colon": `{"a":`,
		"an open object with a value": `{"a":1`, "an open object with a comma": `{"a":1,`, "a closed brace": "}",
		"a colon alone": ":", "a comma alone": ",", "a comma in an object": "{,}",
		"a comma at the end of an object": `{"a":1,}`, "two commas in an object": `{"a":1,,"b":2}`,
		"a comma first in an object": `{,"a":1}`, "two colons": `{"a"::1}`, "no colon": `{"a" 1}`,
		"an equals sign": `{"a"=1}`, "a comma for a colon": `{"a",1}`, "no value": `{"a":}`, "no key": `{:1}`,
		"a bare key": "{a:1}", "a key in single quotes": `{'a':1}`, "a number as key": "{1:1}",
		"null as key": "{null:1}", "an array as key": "{[]:1}", "a key alone": `{"a"}`,
		"a bracket for a brace": `{"a":1]`, "no comma in an object": `{"a":1 "b":2}`,
		"a semicolon in an object": `{"a":1;"b":2}`, "a value without its comma": `{"a":1"b":2}`,
		"three parts": `{"a":1:2}`, "a key with a bad escape": `{"\x":1}`, "an array end in an object": `{"a":[}`,
		"an open array": "[", "an open array with a value": "[1", "an open array with a comma": "[1,",
		"a closed bracket": "]", "a comma in an array": "[,]", "a comma at the end of an array": "[1,]",
		"a comma first in an array": "[,1]", "two commas": "[1,,2]", "two commas at the end": "[1,,]",
		"no comma in an array": "[1 2]", "a colon in an array": "[1:2]", "a colon after a string": `["a":1]`,
		"a brace for a bracket": "[1}", "a semicolon": "[1;2]", "a parenthesis": "(1)",
		"an array in an open array": "[[1]", "an ellipsis": "[1,...]", "a comma before a line end": "[1\n,\n]",
		"nested open arrays": deep(500, "[", "", ""), "open objects": deep(300, `{"a":`, "", ""),
		"a plus sign": "[+1]", "a plus sign alone": "[+]", "a minus sign alone": "[-]",
		"a minus sign before a word": "[-a]", "two minus signs": "[--1]", "plus minus": "[+-1]",
		"minus and space": "[- 1]", "a leading zero": "[01]", "minus and a leading zero": "[-01]", "zeros": "[00]",
		"minus zeros with a fraction": "[-00.5]", "a bare point": "[.]", "a leading point": "[.5]",
		"minus and a point": "[-.5]", "a point at the end": "[1.]", "a point before an exponent": "[1.e1]",
		"zero and a point": "[0.]", "two points": "[1.2.3]", "an exponent without digits": "[1e]",
		"an exponent with a plus sign alone": "[1e+]", "an exponent with a minus sign alone": "[1E-]",
		"two exponents": "[1e2e3]", "an exponent with a fraction": "[1e2.5]", "an exponent with two signs": "[1e+-2]",
		"an exponent alone": "[e1]", "zero and an exponent alone": "[0e]", "NaN": "[NaN]", "minus NaN": "[-NaN]",
		"Infinity": "[Infinity]", "minus Infinity": "[-Infinity]", "inf": "[inf]", "hexadecimal": "[0x1F]",
		"hexadecimal alone": "[0x]", "octal": "[0o17]", "binary": "[0b1]", "an underscore": "[1_000]",
		"a thousands space": "[1 000]", "a suffix": "[1f]", "a big integer": "[1n]",
		"a letter in a number": "[1a2]", "full-width digits": "[１]", "Arabic digits": "[٣]", "an expression": "[1+2]",
		"a date": "[2026-03-10]", "a percent sign": "[5%]", "minus and a full stop after": "[-1.]",
		"two zeros after minus": "[-012]",
		"an open string":        `["a`, "a quote alone": `"`, "a quote in an array": `["]`, "single quotes": "['a']",
		"a single quote alone": "'", "curly quotes": "[“a”]", "backquotes": "[`a`]", "a raw line feed": "[\"a\nb\"]",
		"a raw return": "[\"a\rb\"]", "a raw tab": "[\"a\tb\"]", "a raw NUL": "[\"a\x00b\"]",
		"a raw escape": "[\"\x1b\"]", "a raw unit separator": "[\"\x1f\"]", "a backslash alone": `["\`,
		"a backslash at the end": `["\"]`, "an unknown escape": `["\a"]`, "an escape in two digits": `["\x41"]`,
		"an octal escape": `["\012"]`, "an escaped single quote": `["\'"]`, "a capital u": `["\U00000041"]`,
		"an escape in braces": `["\u{41}"]`, "one digit": `["\u0"]`, "three digits": `["\u004"]`, "no digits": `["\u"]`,
		"a letter that is not a digit": `["\u00g0"]`, "a sign among the digits": `["\u+041"]`,
		"a space among the digits": `["\u 041"]`, "an escaped line end": "[\"\\\n\"]",
		"an escaped space": `["\ "]`, "an escaped emoji": `["\🌀"]`, "an escape outside": `[\u0041]`,
		"an escape of a quote that is outside": `[\"a"]`, "three backslashes": `["\\\"]`, "two strings": `["a""b"]`,
		"a string and a word": `["a"b]`,
		"an invalid byte":     "[\"\xff\"]", "an overlong slash": "[\"\xc0\xaf\"]", "an overlong NUL": "[\"\xc0\x80\"]",
		"a lone continuation": "[\"\x80\"]", "a shortened character": "[\"\xe2\x82\"]",
		"a surrogate in UTF-8": "[\"\xed\xa0\x80\"]", "beyond Unicode": "[\"\xf4\x90\x80\x80\"]",
		"five bytes": "[\"\xf8\x88\x80\x80\x80\"]",
		"Latin-1":    "[\"\xe9\"]", "an invalid byte outside": "[\xff]", "an invalid byte in a number": "[1\xe5]",
		"an invalid byte in a key": "{\"\xb9\":1}", "an invalid byte after a backslash": "[\"\\\xe5\"]",
		"an invalid byte in an escape": "[\"\\u\xe5\"]",
		"UTF-16":                       "\xff\xfe[\x00]\x00", "UTF-16 without its mark": "[\x00]\x00",
		"UTF-32":       "\x00\x00\x00[",
		"a mark alone": "\ufeff", "two marks": "\ufeff\ufeff[]",
	}
	i := map[string]struct {
		text   string
		accept bool
	}{
		"a byte-order mark is refused":                       {"\ufeff[1]", false},
		"a key may be there twice: Duplicates finds it":      {`{"a":1,"a":2}`, true},
		"so may one that is escaped":                         {`{"a":1,"\u0061":2}`, true},
		"a lone high surrogate is the replacement character": {`["\ud800"]`, true},
		"a lone low surrogate is, too":                       {`["\udc00"]`, true},
		"and a high surrogate before a letter":               {`["\ud800a"]`, true},
		"and both of a reversed pair":                        {`["\udd1e\ud834"]`, true},
		"and the first of two high surrogates":               {`["\ud800\ud800\udc00"]`, true},
		"a number of any size is kept as it is written":      {"[1e99999]", true},
		"a number of any precision, too": {"[-" + strings.Repeat("9", 400) + "." +
			strings.Repeat("3", 400) + "]", true},
		"a hundred thousand arrays are refused":  {deep(100_000, "[", "", "]"), false},
		"a hundred thousand objects are refused": {deep(100_000, `{"a":`, "1", "}"), false},
	}
	for name, text := range y {
		if _, err := Parse(text); err != nil {
			t.Errorf("y: %s: %q is refused: %v", name, text, err)
		}
		if !json.Valid([]byte(text)) {
			t.Errorf("y: %s: %q is not JSON", name, text)
		}
	}
	for name, text := range n {
		if _, err := Parse(text); err == nil {
			t.Errorf("n: %s: %.100q is accepted", name, text)
		}
	}
	for name, c := range i {
		if _, err := Parse(c.text); (err == nil) != c.accept {
			t.Errorf("i: %s: %.100q: got %v", name, c.text, err)
		}
	}
	if len(y) < 75 || len(n) < 185 {
		t.Errorf("%d texts to accept and %d to refuse are left", len(y), len(n))
	}
}
