// Package wasm reads and writes as much of the WebAssembly binary format as checking or rewriting a module
// requires: numbers, sections, and instruction lengths. It takes linear time and treats every byte as hostile.
package wasm

import (
	"bytes"
	"fmt"
)

// Header begins every module.
const Header = "\x00asm\x01\x00\x00\x00"

// Section kinds, with the numbers of the format.
const (
	CustomSection   = 0
	TypeSection     = 1
	ImportSection   = 2
	FunctionSection = 3
	MemorySection   = 5
	ExportSection   = 7
	StartSection    = 8
	CodeSection     = 10
	DataSection     = 11
	CountSection    = 12
)

// order maps a section kind to its position in a file.
var order = [...]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 10}

// A Section is one section of a file.
type Section struct {
	Kind      byte
	Start     int    // of its header
	Body, End int    // half-open range of its content
	Name      string // of a custom section
}

// Before reports whether the section precedes sections of another kind. A custom section may be anywhere.
func (s Section) Before(kind byte) bool { return order[s.Kind] < order[kind] }

// maxSections is more than any compiler writes: a Go guest has a dozen.
const maxSections = 1000

// Sections returns a module's sections in file order.
func Sections(wasm []byte) ([]Section, error) {
	if !bytes.HasPrefix(wasm, []byte(Header)) {
		return nil,
			fmt.Errorf("it does not begin with the WebAssembly version 1 header (a component is not a module)")
	}
	var sections []Section
	var last byte
	r := &Reader{Buf: wasm, Pos: len(Header)}
	for r.Pos < len(wasm) {
		s, err := head(r)
		if err != nil {
			return nil, err
		}
		if s.Kind != CustomSection {
			if !(Section{Kind: last}).Before(s.Kind) {
				return nil, fmt.Errorf("section %d at byte %d is repeated or out of order", s.Kind, s.Start)
			}
			last = s.Kind
		}
		if len(sections) == maxSections {
			return nil, fmt.Errorf("it has more than %d sections", maxSections)
		}
		sections = append(sections, s)
		r.Pos = s.End
	}
	return sections, nil
}

func head(r *Reader) (Section, error) {
	s := Section{Start: r.Pos}
	s.Kind = r.Byte()
	size := r.U32()
	s.Body = r.Pos
	if r.Failed || int(size) > len(r.Buf)-r.Pos {
		return s, fmt.Errorf("the section at byte %d reaches past the end of the file", s.Start)
	}
	s.End = s.Body + int(size)
	if int(s.Kind) >= len(order) {
		return s, fmt.Errorf("section %d at byte %d is of an unknown kind", s.Kind, s.Start)
	}
	if s.Kind == CustomSection {
		inner := &Reader{Buf: r.Buf[:s.End], Pos: s.Body}
		s.Name = inner.Name()
		if inner.Failed {
			return s, fmt.Errorf("the custom section at byte %d has no readable name", s.Start)
		}
		s.Body = inner.Pos
	}
	return s, nil
}
