//go:build !wasip1

// Package source reads the YAML file of a declaration. The file may be hostile, so the host calls this package in a
// worker.
package source

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/plugins/declare"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// A Description is what the host needs to know about a declaration: its manifest and the JSON for the guest's slot,
// or what is wrong with the declaration.
type Description struct {
	Manifest json.RawMessage `json:",omitempty"`
	JSON     string          `json:",omitempty"`
	Faults   []Fault         `json:",omitempty"`
}

// A Fault is a mistake in a declaration.
type Fault struct {
	Line, Column int // from 1; 0 if unknown
	Message      string
	Excerpt      string // the line, shortened to the part near the column
	Caret        int    // the position of the column in Excerpt, in characters
}

// Read reads a declaration whose form was checked against the schema.
func Read(text string) *Description {
	wrong := func(f Fault) *Description { return &Description{Faults: []Fault{f}} }
	doc, err := yamldoc.Parse(text)
	var syntax *yamldoc.Error
	if errors.As(err, &syntax) {
		return wrong(FaultAt(text, syntax.Start, syntax.Message))
	}
	d, err := declare.Load(doc.JSON)
	var bad *declare.Error
	if errors.As(err, &bad) {
		return wrong(FaultAt(text, place(text, doc, bad), message(bad)))
	}
	m := d.Workflow().Manifest()
	if err := m.Validate(); err != nil {
		return wrong(Fault{Message: err.Error()})
	}
	if len(doc.JSON) > declare.SlotSize {
		return wrong(Fault{Message: "the declaration is too large; expected at most 16 KiB as JSON"})
	}
	return &Description{Manifest: wire.EncodeManifest(m), JSON: doc.JSON}
}

func message(e *declare.Error) string {
	return strings.TrimPrefix(strings.TrimPrefix(e.Pointer, "/")+": ", ": ") + e.Message
}

// place returns the byte offset in the text that an error refers to.
func place(text string, doc *yamldoc.Document, e *declare.Error) int {
	start, end, ok := doc.Lookup(e.Pointer)
	if !ok {
		return 0
	}
	if e.At < 0 {
		return start
	}
	value, _ := jsondoc.Parse(doc.JSON)
	found, _ := value.Lookup(e.Pointer)
	decoded, _ := found.Text()
	return start + within(text[start:end], decoded, e.At)
}

// within converts an offset in a decoded string to an offset in raw, the scalar as it is written, which may contain
// more blanks and escapes. It finds the same occurrence of the word or sign at that offset.
func within(raw, decoded string, at int) int {
	rest := strings.TrimLeft(decoded[min(at, len(decoded)):], " \n")
	if rest == "" {
		return len(strings.TrimRight(raw, "'\" \n"))
	}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	after := strings.TrimLeftFunc(rest, inWord)
	token := rest[:max(len(rest)-len(after), 1)]
	end := 0
	for range 1 + strings.Count(decoded[:len(decoded)-len(rest)], token) {
		next := strings.Index(raw[end:], token)
		if next < 0 {
			return 0
		}
		end += next + len(token)
	}
	return end - len(token)
}

// excerpt is how many characters of a long line are shown on each side of the column.
const excerpt = 70

// FaultAt returns a fault at a byte offset in the text.
func FaultAt(text string, at int, message string) Fault {
	at = min(at, len(text))
	f := Fault{Message: message}
	f.Line, f.Column = jsondoc.Position(text, at)
	from := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[from:], "\n")
	before, after := []rune(text[from:at]), []rune(strings.TrimRight(line[at-from:], "\r"))
	if len(before) > excerpt {
		before = append([]rune("…"), before[len(before)-excerpt:]...)
	}
	if len(after) > excerpt {
		after = append(after[:excerpt:excerpt], '…')
	}
	shown := strings.TrimLeft(string(before), " \t")
	f.Excerpt, f.Caret = shown+string(after), utf8.RuneCountInString(shown)
	return f
}
