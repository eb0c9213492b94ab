package wire

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzQuote compares our string encoding and decoding with jsontext's.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{`plain`, `a\"b\\c\/\b\f\n\r\t`, "a\xffb\x00\n", `\u00e9\ud83d\ude00`, `\ud83d`,
		`\ude00\ud83d`, `\u12g4`, `\x`, `\`, "\xc3\\u00a9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		written := appendQuoted(nil, s)
		theirs, _ := jsontext.AppendQuote(nil, s)
		got, err := jsontext.AppendUnquote(nil, written)
		want, _ := jsontext.AppendUnquote(nil, theirs)
		if err != nil || string(got) != string(want) {
			t.Errorf("%q is written as %s, which says %q, %v; jsontext writes %s", s, written, got, err, theirs)
		}
		if strings.Contains(strings.NewReplacer(`\\`, "", `\"`, "").Replace(s), `"`) || strings.HasSuffix(s, `\`) {
			return // not the inside of one string
		}
		text, ok := unquote(s)
		want, err = jsontext.AppendUnquote(nil, `"`+s+`"`)
		if ok != (err == nil) || ok && text != string(want) {
			t.Errorf("%q is read as %q, %v; jsontext reads %q, %v", s, text, ok, want, err)
		}
	})
}
