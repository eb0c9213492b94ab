package print

import "testing"

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"current_round is 3":               `current\_round is 3`,
		"see `a_b` and c_d":                "see `a_b` and c\\_d",
		"one ` only":                       "one \\` only",
		"![x](http://e.example/y)":         `\!\[x\](http\://e.example/y)`,
		"www.example.com":                  `www\.example.com`,
		"<b>@someone</b> &amp; a|b":        `\<b\>\@someone\</b\> \&amp; a\|b`,
		"- item\n 1. first\n2) two\n.x\n=": "\\- item\n 1\\. first\n2\\) two\n.x\n\\=",
		"first\n\nsecond":                  "first\n\nsecond",
		"version 1.2-3":                    "version 1.2-3",
		"a\x1bb":                           `a\\x1bb`,
	} {
		if got := markdown(text); got != want {
			t.Errorf("%q became %q, expected %q", text, got, want)
		}
	}
}
