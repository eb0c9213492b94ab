package wasmfile

import "testing"

// TestProducers reads compilers' names, and nothing from a malformed section.
func TestProducers(t *testing.T) {
	section := func(body string) []byte {
		name := "\x09producers"
		return []byte("\x00asm\x01\x00\x00\x00\x00" + string(rune(len(name)+len(body))) + name + body)
	}
	const language, compiler = "\x08language\x01\x02Go\x061.26.8", "\x0cprocessed-by\x01\x0eGo cmd/compile\x08go1.26.8"
	for body, want := range map[string]string{
		"\x02" + language + compiler: "Go cmd/compile go1.26.8",
		"\x01" + language:            "",
		"\x02" + compiler:            "Go cmd/compile go1.26.8", // truncated
		"\x01\x0cprocessed-by\x7f":   "",
		"":                           "",
	} {
		f, err := Read(section(body))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Producers(); got != want {
			t.Errorf("%q: got %q, want %q", body, got, want)
		}
	}
}
