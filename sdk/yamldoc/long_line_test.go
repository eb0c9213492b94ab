package yamldoc

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestManyAliasesOnOneLine parses 360 KB of aliases on one line. This took 20 s when the column of each alias was
// counted from the beginning of the line.
func TestManyAliasesOnOneLine(t *testing.T) {
	text := "a: &a é\nb: [" + strings.Repeat("*a,", 120_000) + "]\n"
	began := time.Now()
	if _, err := Parse(text); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestPlaceInLongLine checks that a location equals the one found by counting from the beginning of its line.
func TestPlaceInLongLine(t *testing.T) {
	text := strings.Repeat("é", 300) + "\n" + strings.Repeat("aé€", 700) + "\nend"
	d := &Document{text: text, lines: lineStarts(text), marks: marks(text)}
	for line, from := range d.lines {
		for column := 1; column < 2200; column += 7 {
			want := from
			for range column - 1 {
				_, n := utf8.DecodeRuneInString(text[want:])
				want += n
			}
			if got := d.at(line+1, column); got != want {
				t.Fatalf("%d:%d is byte %d, want %d", line+1, column, got, want)
			}
		}
	}
}
