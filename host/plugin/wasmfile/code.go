package wasmfile

import (
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/sdk/wasm"
)

// CheckCode reads the code once and refuses functions that are larger than the limits, and opcodes that the engine does
// not run. A compiler's time may be quadratic in these numbers and cannot be cancelled.
func (f *File) CheckCode(lim limits.Limits) error {
	bodies := 0
	for _, s := range f.sections {
		if s.Kind != wasm.CodeSection {
			continue
		}
		r := f.reader(s)
		count := r.U32()
		for ; bodies < int(count) && !r.Failed; bodies++ {
			code := r.Bytes()
			if r.Failed {
				return malformed("function %d reaches past the end of the code section", bodies)
			}
			if err := checkBody(code, bodies, lim); err != nil {
				return err
			}
		}
		if r.Failed || r.Pos != s.End {
			return malformed("the code section cannot be read (byte %d)", r.Pos)
		}
	}
	if bodies != f.Functions {
		return malformed("it declares %d functions and defines %d", f.Functions, bodies)
	}
	return nil
}

func checkBody(code []byte, index int, lim limits.Limits) error {
	r := &wasm.Reader{Buf: code}
	locals := wasm.SkipLocals(r)
	nesting, unknown := skipInstructions(r)
	over := func(what string, have, most int) error {
		return fault.Newf(fault.Limit, "its function %d has %d %s, at most %d are allowed", index, have, what, most)
	}
	switch {
	case unknown != 0:
		return fault.Newf(fault.Compile, "function %d uses the instruction 0x%02x, which the engine does not run; build it for WebAssembly 2.0 without threads, tail calls or exceptions", index, unknown)
	case r.Failed || r.Pos != len(code):
		return malformed("function %d cannot be read (byte %d of %d)", index, r.Pos, len(code))
	case len(code) > lim.Body:
		return over("bytes of code", len(code), lim.Body)
	case locals > lim.Locals:
		return over("locals", locals, lim.Locals)
	case nesting > lim.Nesting:
		return over("nested blocks", nesting, lim.Nesting)
	}
	return nil
}

// skipInstructions passes over the instructions of one function up to and including its final end. It returns how many
// blocks lie inside each other at most, and an opcode that is not known (with its prefix), or 0.
func skipInstructions(r *wasm.Reader) (deepest int, unknown uint32) {
	depth := 0
	for !r.Failed {
		op := r.Byte()
		switch {
		case op >= 0x02 && op <= 0x04: // block, loop, if
			r.SkipLEB(5)
			depth++
			deepest = max(deepest, depth)
		case op == 0x0b: // end
			if depth == 0 {
				return deepest, 0
			}
			depth--
		default:
			if u := wasm.SkipOperands(r, op); u != 0 {
				return deepest, u
			}
		}
	}
	return deepest, 0
}
