package words

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"ocr", "autopilot", "legal-memo", "report", "instance", "document"}
	for wrong, want := range map[string]string{
		"orc": "ocr", "ocrr": "ocr", "oc": "ocr", "autopiolt": "autopilot", "Legal-Memo": "legal-memo",
		"legalmemo": "legal-memo",
		"instanc":   "instance", "memory": "",
		"legal": "legal-memo", "Docu": "document", "xyz": "", "": "", "documentation": "",
	} {
		if got := Nearest(wrong, names); got != want {
			t.Errorf("%q: got %q, want %q", wrong, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abcd", "badc", 2}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want || distance(c.b, c.a) != c.want {
			t.Errorf("%q, %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
