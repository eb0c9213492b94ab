package wire

import (
	"strings"
	"testing"
)

func TestReportsThatAreRefused(t *testing.T) {
	deep := strings.Repeat(`{"a":`, maxSkip+1) + "1" + strings.Repeat("}", maxSkip+1)
	for _, c := range []struct{ name, in, want string }{
		{"empty", ``, `found the end, expected an object`},
		{"white space", " \n", `found the end, expected an object`},
		{"null", `null`, `found null, expected an object`},
		{"an array", `[]`, `found an array, expected an object`},
		{"two values", `{} {}`, `found an object, expected nothing after the report`},
		{"cut off in an object", `{"failure":"x"`, `found the end, expected a comma or "}"`},
		{"cut off in a name", `{"fail`, `found the end, expected the end of a string`},
		{"cut off behind a name", `{"failure"`, `found the end, expected a colon`},
		{"cut off in a string", `{"failure":"x`, `failure: found the end, expected the end of a string`},
		{"cut off in an escape", `{"failure":"x\`, `failure: found the end, expected the end of a string`},
		{"a comma too many", `{"failure":"x",}`, `found "}" at byte 15, expected the name of a member`},
		{"a comma too many in an array", `{"diagnostics":[{},]}`,
			`diagnostics[1]: found "]" at byte 19, expected an object`},
		{"a comma too few", `{"failure":"x" "declined":""}`, `found a string, expected a comma or "}"`},
		{"a byte that JSON lacks", "{\"failure\":\x00}", `failure: found "\u0000" at byte 11, expected a string`},
		{"a string for an integer", `{"diagnostics":[{},{},{},{"range":{"line":"7"}}]}`,
			`diagnostics[3].range.line: found a string, expected an integer`},
		{"a fraction", `{"diagnostics":[{"range":{"line":1.0}}]}`,
			`diagnostics[0].range.line: found the number "1.0", expected an integer without fraction or exponent`},
		{"an exponent", `{"diagnostics":[{"range":{"line":1e10000000}}]}`,
			`diagnostics[0].range.line: found the number "1e10000000", expected an integer without fraction or ` +
				`exponent`},
		{"a negative line", `{"diagnostics":[{"range":{"line":-1}}]}`,
			`diagnostics[0].range.line: found -1, expected at least 0`},
		{"an integer that overflows", `{"diagnostics":[{"range":{"line":9223372036854775808}}]}`,
			`diagnostics[0].range.line: found "9223372036854775808", expected an integer of 64 bits`},
		{"a number with a leading zero", `{"diagnostics":[{"range":{"line":07}}]}`,
			`diagnostics[0].range.line: found a malformed number at byte 33`},
		{"a lone minus", `{"diagnostics":[{"range":{"line":-}}]}`,
			`diagnostics[0].range.line: found a malformed number at byte 33`},
		{"a string for a truth", `{"rule_failures":[{"panic":"true"}]}`,
			`rule_failures[0].panic: found a string, expected true or false`},
		{"a truth cut short", `{"rule_failures":[{"panic":tru}]}`,
			`rule_failures[0].panic: found a boolean, expected true or false`},
		{"null for a string", `{"failure":null}`, `failure: found null, expected a string`},
		{"an object for an array", `{"diagnostics":{}}`, `diagnostics: found an object, expected an array`},
		{"an unknown word", `{"diagnostics":[{"severity":"fatal"}]}`,
			`diagnostics[0].severity: found "fatal", expected "", "off", "info", "warning" or "error"`},
		{"a word in capitals", `{"detections":[{"state":"Active"}]}`,
			`detections[0].state: found "Active", expected "active", "blocked", "finished" or "abandoned"`},
		{"a member twice", `{"failure":"x","failure":""}`, `failure: found twice, expected once`},
		{"a member twice by an escape", `{"failure":"x","f\u0061ilure":""}`, `failure: found twice, expected once`},
		{"a day for a time", `{"valid_from":"2026-01-27"}`,
			`valid_from: found "2026-01-27", expected an RFC 3339 time such as 2026-01-27T10:00:00Z`},
		{"a time with a comma", `{"valid_from":"2026-01-27T10:00:00,5Z"}`,
			`valid_from: found "2026-01-27T10:00:00,5Z", expected an RFC 3339 time such as ` +
				`2026-01-27T10:00:00Z`},
		{"bytes that are not text", "{\"failure\":\"\xff\"}", `failure: found a string that is not UTF-8`},
		{"half of a surrogate pair", `{"failure":"\ud800"}`,
			`failure: found a malformed string: not UTF-8, or an escape that JSON lacks`},
		{"an escape that JSON lacks", `{"failure":"\x41"}`,
			`failure: found a malformed string: not UTF-8, or an escape that JSON lacks`},
		{"a control character", "{\"failure\":\"a\nb\"}",
			`failure: found a control character in a string, expected it escaped`},
		{"a control character behind an escape", "{\"failure\":\"\\na\nb\"}",
			`failure: found a malformed string: not UTF-8, or an escape that JSON lacks`},
		{"nothing for a fact", `{"detections":[{"facts":[{"value":null}]}]}`,
			`detections[0].facts[0].value: found null, expected a string, an integer, true or false, an array of ` +
				`strings or a table`},
		{"a fraction for a fact", `{"detections":[{"facts":[{"value":0.5}]}]}`,
			`detections[0].facts[0].value: found the number "0.5", expected an integer without fraction or exponent`},
		{"an integer in a list", `{"detections":[{"facts":[{"value":["a",1]}]}]}`,
			`detections[0].facts[0].value[1]: found a number, expected a string`},
		{"a ragged table", `{"detections":[{"facts":[{"value":{"columns":["a","b"],"rows":[["1","2"],["3"]]}}]}]}`,
			`detections[0].facts[0].value.rows[1]: found 1 cells, expected 2, one for each column`},
		{"a column twice", `{"detections":[{"facts":[{"value":{"columns":["a","a"]}}]}]}`,
			`detections[0].facts[0].value: found the column "a" twice, expected once`},
		{"nesting in an unknown member", `{"future":` + deep + `}`, `found a value nested deeper than 64`},
		{"a malformed unknown member", `{"future":[1,02]}`, `found a malformed number at byte 13`},
		{"a word in an unknown member", `{"future":nil}`, `found null, expected a value`},
		{"too many objects", `{"diagnostics":[` + strings.Repeat("{},", maxElements) + `{}]}`,
			`diagnostics[99999]: found too many objects and elements of arrays, expected at most 200000`},
		{"too many bytes", strings.Repeat(" ", MaxReport+1), `found 8388609 bytes, expected at most 8388608`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := DecodeReport([]byte(c.in))
			if err == nil || got != nil {
				t.Fatalf("accepted as %+v, expected to be refused", got)
			}
			if want := "decode report: " + c.want; err.Error() != want {
				t.Errorf("refused with\n%s, expected\n%s", err, want)
			}
		})
	}
}

func TestManifestsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a list for schemas", `{"abi":1,"schemas":[]}`,
			`decode manifest: schemas: found an array, expected an object`},
		{"an object for a schema's text", `{"abi":1,"schemas":{"state":{}}}`,
			`decode manifest: schemas["state"]: found an object, expected a string`},
		{"a schema twice", `{"abi":1,"schemas":{"state":"","state":""}}`,
			`decode manifest: schemas["state"]: found twice, expected once`},
		{"an unknown format", `{"abi":1,"documents":[{"format":"toml"}]}`,
			`decode manifest: documents[0].format: found "toml", expected "text", "json", "markdown", "jsonlines" ` +
				`or "yaml"`},
		{"too many bytes", strings.Repeat(" ", MaxManifest+1),
			`decode manifest: found 1048577 bytes, expected at most 1048576`},
		{"words of a later ABI", `{"abi":2,"documents":[{"format":"toml"}]}`,
			`manifest: the plugin is built for ABI 2, this stategate supports ABI 1; upgrade stategate`},
		{"words of a later feature", `{"abi":1,"requires":["toml"],"documents":[{"format":"toml"}]}`,
			`manifest: the plugin requires the feature "toml", which this host lacks (it has base, clock, outline, paths, ` +
				`probes, summary, yaml); upgrade stategate, or use an ` +
				`older version of the plugin`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := DecodeManifest([]byte(c.in))
			if err == nil || err.Error() != c.want {
				t.Errorf("got error\n%v, expected\n%s", err, c.want)
			}
		})
	}
}
