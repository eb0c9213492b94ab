package snapshot

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestCountWords checks that words are counted like strings.Fields separates them, at any offset.
func TestCountWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{" ", " ", "\t", "\n", "\v", "\f", "\r", "\x00", "\x08", "\x0e", "\x1f", "!", "a", "word", "é",
		"\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u3000", "…", "日", "\xc2", "\xff"}
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(30) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if text := b.String(); countWords(text) != len(strings.Fields(text)) {
			t.Fatalf("%q has %d words, got %d", text, len(strings.Fields(text)), countWords(text))
		}
	}
	for c := range 256 {
		if text := strings.Repeat("a", 3) + string([]byte{byte(c)}) +
			"aaaa"; countWords(text) != len(strings.Fields(text)) {
			t.Errorf("%q has %d words, got %d", text, len(strings.Fields(text)), countWords(text))
		}
	}
}

func BenchmarkCountWords(b *testing.B) {
	text := strings.Repeat("The reader who resumes the note does not know what it has to answer.\n", 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		countWords(text)
	}
}
