package jsondoc

import (
	"encoding/json"
	"strings"
	"testing"
)

const state = `{
  "session_id": "2026-03-10-feat-x",
  "workflow_type": "review",
  "status": "active",
  "current_phase": "reviews",
  "phase_number": 4,
  "current_round": 1,
  "started_at": "2026-03-10T09:12:41Z",
  "updated_at": "2026-03-10T09:40:02Z"
}
`

// large returns about 4 MiB of states.
func large() string {
	return "[" + strings.Repeat(state+",", 4<<20/len(state)) + "null]"
}

func benchParse(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseState(b *testing.B) { benchParse(b, state) }
func BenchmarkParseLarge(b *testing.B) { benchParse(b, large()) }

func BenchmarkParseDense(b *testing.B) { benchParse(b, "["+strings.Repeat("1,", 2<<20)+"1]") }

func BenchmarkParseProse(b *testing.B) {
	benchParse(b, Quote(strings.Repeat("some prose with \"quotes\" and\nlines ", 4<<20/36)))
}

func BenchmarkValidByEncodingJSON(b *testing.B) {
	text := []byte(large())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		json.Valid(text)
	}
}

func BenchmarkSet(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Set(state, "/current_phase", `"synthesis"`); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSetLarge(b *testing.B) {
	text := large()
	for b.Loop() {
		if _, err := Set(text, "/10/new/key", "1"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSalvageHostile(b *testing.B) {
	text := strings.Repeat("\"k\":\"x\n", 4<<20/7)
	for b.Loop() {
		if _, ok := Salvage(text, "k"); ok {
			b.Fatal("salvaged a string without a closing quote")
		}
	}
}

func BenchmarkDuplicatesLarge(b *testing.B) {
	text := "{" + strings.Repeat(`"a":1,"b":{"c":1,"c":2},`, 4<<20/24) + `"z":1}`
	doc, err := Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		doc.Root().Duplicates()
	}
}
