package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// large returns a request with 2,000 listed documents and a text of 4 MiB.
func large() *Request {
	r := &Request{Root: ".ocr/sessions/x", Name: "x"}
	for i := range 2000 {
		r.Documents = append(r.Documents, Document{Path: fmt.Sprintf("rounds/round-1/reviews/image-%04d.png", i),
			Need: Listed, Size: int64(1000 + i)})
	}
	r.Documents = append(r.Documents, Document{
		Path: "state.json", Format: JSON, Size: 4 << 20, Digest: strings.Repeat("0", 64),
		Text: strings.Repeat("0123456789abcde\n", 4<<16), Summary: DocumentSummary{Lines: 4 << 16, Words: 4 << 16},
	})
	return r
}

func BenchmarkDecodeRequest(b *testing.B) {
	data := EncodeRequest(large())
	header, _, _ := split(data)
	b.Run("wire", func(b *testing.B) {
		b.ReportMetric(float64(len(header)), "header-bytes")
		b.ReportAllocs()
		for b.Loop() {
			if _, err := DecodeRequest(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("skip", func(b *testing.B) {
		for b.Loop() {
			r := &reader{data: string(header)}
			if r.skip(); r.err != nil {
				b.Fatal(r.err)
			}
		}
	})
	// This reads only the tokens and does nothing with them.
	b.Run("jsontext", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d := jsontext.NewDecoder(bytes.NewBuffer(header), jsontext.AllowDuplicateNames(true))
			var err error
			for err == nil {
				_, err = d.ReadToken()
			}
			if !errors.Is(err, io.EOF) {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncodeRequest(b *testing.B) {
	r := large()
	b.ReportAllocs()
	for b.Loop() {
		EncodeRequest(r)
	}
}

// findings returns a report with 1,000 diagnostics.
func findings() *Report {
	r := &Report{}
	for i := range 1000 {
		r.Diagnostics = append(r.Diagnostics, Diagnostic{
			Rule: "round-beyond-files", Subject: "round-1", Key: "7",
			Range:   Range{Path: "state.json", Bytes: true, Start: i, End: i + 1},
			Message: "current_round is 7, the files prove “2”",
			Remedies: []Remedy{{Title: "Set it to 2", Safety: Safe, Fixes: []string{"round-beyond-files"},
				Edits: []Edit{{Op: Set, Range: Range{Path: "state.json", Pointer: "/current_round"}, New: "2"}}}},
		})
	}
	return r
}

func BenchmarkEncodeReport(b *testing.B) {
	r := findings()
	b.SetBytes(int64(len(EncodeReport(r))))
	b.ReportAllocs()
	for b.Loop() {
		EncodeReport(r)
	}
}

// BenchmarkEncodeReportJSONText writes the same number of strings with jsontext.Encoder.
func BenchmarkEncodeReportJSONText(b *testing.B) {
	data := EncodeReport(findings())
	var tokens []jsontext.Token
	d := jsontext.NewDecoder(bytes.NewBuffer(data))
	for {
		t, err := d.ReadToken()
		if err != nil {
			break
		}
		tokens = append(tokens, t.Clone())
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		e := jsontext.NewEncoder(new(bytes.Buffer), jsontext.AllowDuplicateNames(true))
		for _, t := range tokens {
			if err := e.WriteToken(t); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkDecodeReport(b *testing.B) {
	data := EncodeReport(findings())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeReport(data); err != nil {
			b.Fatal(err)
		}
	}
}
