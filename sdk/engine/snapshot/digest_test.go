package snapshot

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestDigest checks that the digest of Markdown depends only on its content.
func TestDigest(t *testing.T) {
	const text = "# Title\n**Key:** at 2026-01-01T10:00:00Z\n\n- one\n- two\n\n---\n| a | b |\n|---|---|\n| 1 | 2 |\n"
	same := map[string]string{
		"crlf":       strings.ReplaceAll(text, "\n", "\r\n"),
		"newline":    strings.TrimSuffix(text, "\n"),
		"closing":    strings.Replace(text, "# Title", "# Title #", 1),
		"blank":      strings.Replace(text, "# Title\n", "# Title\n\n", 1),
		"bold":       strings.Replace(text, "**Key:**", "**Key**:", 1),
		"zone":       strings.Replace(text, "10:00:00Z", "11:00:00.000+01:00", 1),
		"marker":     strings.ReplaceAll(text, "- ", "* "),
		"indent":     strings.ReplaceAll(text, "- ", "  +  "),
		"separator":  strings.Replace(text, "\n---\n", "\n***\n", 1),
		"padding":    strings.ReplaceAll(strings.ReplaceAll(text, " | ", "   |\t"), "---|---", ":--- | ---:"),
		"no padding": strings.ReplaceAll(text, " | ", "|"),
	}
	for name, other := range same {
		if other == text || digest(other, wire.Markdown) != digest(text, wire.Markdown) {
			t.Errorf("%s: another digest", name)
		}
		if crlf := name == "crlf"; (digest(other, wire.Text) == digest(text, wire.Text)) != crlf {
			t.Errorf("%s: the form of text other than Markdown counts", name)
		}
	}
	for _, part := range []string{"Title", "Key", "10:00:00", "one", "b ", "2 |"} {
		if other := strings.Replace(text, part, "x", 1); digest(other, wire.Markdown) == digest(text, wire.Markdown) {
			t.Errorf("without %q: the same digest", part)
		}
	}
}

func BenchmarkDigest(b *testing.B) {
	text := strings.Repeat("A line of prose, as most lines of a memorandum are, with some words and a full stop.\n- "+
		"item: value\n| a | b |\n\n", 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		digest(text, wire.Markdown)
	}
}
