// Package pack is what is done to a guest once, when it is built: its code is made smaller and its manifest is written
// into it.
package pack

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/sdk/wire"
)

// WithManifest returns a copy of a module whose manifest section holds manifest.
func WithManifest(data, manifest []byte) ([]byte, error) {
	return withSection(data, wire.Section, manifest)
}

// WithExamples returns a copy of a module that holds an example of each rule, by its name.
func WithExamples(data []byte, examples map[string]string) ([]byte, error) {
	text, err := json.Marshal(examples)
	if err != nil {
		return nil, err
	}
	return withSection(data, wire.ExamplesSection, text)
}

// withSection returns a copy of a module with a custom section: an old one is left out, the new one stands last.
// Everything else stays byte for byte, so that writing the same content twice changes nothing.
func withSection(data []byte, name string, content []byte) ([]byte, error) {
	sections, err := wasm.Sections(data)
	if err != nil {
		return nil, fmt.Errorf("not a valid WebAssembly module: %w", err)
	}
	out := append(make([]byte, 0, len(data)+len(content)+64), wasm.Header...)
	for _, s := range sections {
		if s.Name != name {
			out = append(out, data[s.Start:s.End]...)
		}
	}
	return wasm.AppendSection(out, wasm.CustomSection, append(wasm.AppendName(nil, name), content...)), nil
}

// Shrink returns the same program with fewer bytes to load and to validate, and with less to do, if the Go linker wrote it; anything else
// comes back as it is. It writes some things another way:
//
//   - jumps, which the Go compiler makes through a table at the beginning of a function, as branches and loops; the table is left to calls that go
//     on after a function was suspended. What follows a call that never returns is not kept alive for it;
//   - addresses on the stack, which the Go compiler computes in 64 bits where an instruction has room for the offset; the stack
//     pointer stays where a call needs it, and one access is checked for all that follow;
//   - comparisons whose result is negated, as the opposite ones;
//   - what compares, searches, moves and clears bytes in the runtime, with vector instructions and without calls of the engine for a few;
//   - a table of the runtime that holds the number of every function sixteen times: a start function counts instead;
//   - the data, whose segments follow what is left.
//
// It leaves out what only the trace of a panic shows: the directories of packages, and the lines of what is not in the
// author's module, if that is known.
//
// Measured with large built-in plugins: 3.28 to 2.55 MB, 39,600 to 4,000 segments, machine code of 8.4 MB where only jumps ahead are shortened:
// 10.8. An instance is made in two thirds of the time; calls take three quarters of the time that they take with shortened jumps, and those took
// three quarters of what the Go linker's take.
func Shrink(data []byte, author string) ([]byte, error) {
	sections, err := wasm.Sections(data)
	if err != nil {
		return nil, fmt.Errorf("not a valid WebAssembly module: %w", err)
	}
	linked := func(s wasm.Section) bool { return s.Name == "go:buildid" }
	if !slices.ContainsFunc(sections, linked) {
		return data, nil
	}
	m := &module{wasm: data, content: map[byte][]byte{}}
	for _, s := range sections {
		if s.Kind != wasm.CustomSection {
			m.content[s.Kind] = data[s.Body:s.End]
		}
	}
	if err := m.shrinkCode(); err != nil {
		return nil, err
	}
	if err := m.shrinkData(author); err != nil {
		return nil, err
	}
	return m.bytes(sections), nil
}

// A module is a file that is being rewritten.
type module struct {
	wasm    []byte
	content map[byte][]byte // of the sections that are not custom, by kind
	start   bool            // a start section has been added
}

// bytes writes the file again, custom sections where they were.
func (m *module) bytes(sections []wasm.Section) []byte {
	out := append(make([]byte, 0, len(m.wasm)), wasm.Header...)
	for _, s := range sections {
		if m.start && !s.Before(wasm.StartSection) {
			out = wasm.AppendSection(out, wasm.StartSection, m.content[wasm.StartSection])
			m.start = false
		}
		if s.Kind == wasm.CustomSection {
			out = append(out, m.wasm[s.Start:s.End]...)
			continue
		}
		out = wasm.AppendSection(out, s.Kind, m.content[s.Kind])
	}
	return out
}

func unreadable(section int, at int) error {
	return fmt.Errorf("not a valid WebAssembly module: section %d cannot be read (byte %d)", section, at)
}
