package wasmfile

import (
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
)

// Sizes are the largest functions of a module, each number possibly another function's.
type Sizes struct {
	Body    int // bytes of code, locals included
	Locals  int // locals, parameters not counted
	Nesting int // blocks inside blocks; 0 for a function without any
}

// CheckCode walks over the code once and refuses functions that are larger than the limits, and opcodes that are no part
// of what the engine runs. A compiler's time may be quadratic in these numbers and cannot be cancelled.
func (f *File) CheckCode(lim limits.Limits) (Sizes, error) {
	var most Sizes
	bodies := 0
	for _, s := range f.sections {
		if s.id != 10 {
			continue
		}
		r := &reader{buf: f.wasm[:s.end], pos: s.body}
		count := r.u32()
		for ; bodies < int(count) && !r.failed; bodies++ {
			one, err := readBody(r, bodies)
			if err != nil {
				return most, err
			}
			most = Sizes{max(most.Body, one.Body), max(most.Locals, one.Locals), max(most.Nesting, one.Nesting)}
			if err := one.check(lim, bodies); err != nil {
				return most, err
			}
		}
		if r.failed || r.pos != s.end {
			return most, malformed("the code section cannot be read (byte %d)", r.pos)
		}
	}
	if bodies != f.Functions {
		return most, malformed("it declares %d functions and defines %d", f.Functions, bodies)
	}
	return most, nil
}

func (s Sizes) check(lim limits.Limits, index int) error {
	over := func(what string, have, most int) error {
		return fault.Newf(fault.Limit, "its function %d has %d %s, at most %d are allowed", index, have, what, most)
	}
	switch {
	case s.Body > lim.Body:
		return over("bytes of code", s.Body, lim.Body)
	case s.Locals > lim.Locals:
		return over("locals", s.Locals, lim.Locals)
	case s.Nesting > lim.Nesting:
		return over("nested blocks", s.Nesting, lim.Nesting)
	}
	return nil
}

func readBody(r *reader, index int) (Sizes, error) {
	code := r.bytes()
	if r.failed {
		return Sizes{}, malformed("function %d reaches past the end of the code section", index)
	}
	size := Sizes{Body: len(code)}
	b := &reader{buf: code}
	size.Locals = readLocals(b)
	var unknown uint32
	size.Nesting, unknown = readNesting(b)
	switch {
	case unknown != 0:
		return size, fault.Newf(fault.Compile, "function %d uses the instruction 0x%02x, which the engine does not run; build it for WebAssembly 2.0 without threads, tail calls or exceptions", index, unknown)
	case b.failed || b.pos != len(code):
		return size, malformed("function %d cannot be read (byte %d of %d)", index, b.pos, len(code))
	}
	return size, nil
}

func readLocals(b *reader) int {
	total := uint64(0)
	for groups := b.u32(); groups > 0 && !b.failed; groups-- {
		total += uint64(b.u32())
		b.byte()
	}
	return int(min(total, 1<<40))
}

// readNesting walks over the instructions of one function up to and including its final end. It returns an opcode that
// it does not know (with its prefix), or 0.
func readNesting(b *reader) (deepest int, unknown uint32) {
	depth := 0
	for !b.failed {
		op := b.byte()
		switch {
		case op >= 0x02 && op <= 0x04: // block, loop, if
			b.leb(5)
			depth++
			deepest = max(deepest, depth)
		case op == 0x0b: // end
			if depth == 0 {
				return deepest, 0
			}
			depth--
		default:
			if u := skipOperands(b, op); u != 0 {
				return deepest, u
			}
		}
	}
	return deepest, 0
}

// skipOperands passes over what follows an opcode. It is one switch over the binary format.
func skipOperands(b *reader, op byte) (unknown uint32) {
	switch {
	case op <= 0x01, op == 0x05, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4, op == 0xd1:
	case op == 0x0c, op == 0x0d, op == 0x10, op >= 0x20 && op <= 0x26, op == 0xd2: // br, br_if, call, variables, ref.func
		b.leb(5)
	case op == 0x0e: // br_table
		for n := b.u32(); n > 0 && !b.failed; n-- {
			b.leb(5)
		}
		b.leb(5)
	case op == 0x11: // call_indirect
		b.leb(5)
		b.leb(5)
	case op == 0x1c: // select with types
		b.bytes()
	case op >= 0x28 && op <= 0x3e: // loads and stores
		b.leb(5)
		b.leb(5)
	case op == 0x3f, op == 0x40, op == 0x41: // memory.size, memory.grow, i32.const
		b.leb(5)
	case op == 0x42: // i64.const
		b.leb(10)
	case op == 0x43: // f32.const
		b.skip(4)
	case op == 0x44: // f64.const
		b.skip(8)
	case op == 0xd0: // ref.null
		b.leb(5)
	case op == 0xfc:
		return skipMisc(b)
	case op == 0xfd:
		return skipVector(b)
	default:
		if b.failed {
			return 0
		}
		return uint32(op)
	}
	return 0
}

// skipMisc passes over the rest of an instruction with the prefix 0xfc.
func skipMisc(b *reader) (unknown uint32) {
	sub := b.u32()
	switch {
	case sub <= 7: // saturating truncations
	case sub == 8, sub == 10, sub == 12, sub == 14: // memory.init, memory.copy, table.init, table.copy
		b.leb(5)
		b.leb(5)
	case sub <= 17: // data.drop, memory.fill, elem.drop, table.grow, table.size, table.fill
		b.leb(5)
	default:
		return 0xfc00 | sub&0xff
	}
	return 0
}

// skipVector passes over the rest of an instruction with the prefix 0xfd.
func skipVector(b *reader) (unknown uint32) {
	sub := b.u32()
	switch {
	case sub <= 0x0b, sub == 0x5c, sub == 0x5d: // loads, a store
		b.leb(5)
		b.leb(5)
	case sub == 0x0c, sub == 0x0d: // v128.const, shuffle
		b.skip(16)
	case sub >= 0x15 && sub <= 0x22: // lanes
		b.skip(1)
	case sub >= 0x54 && sub <= 0x5b: // loads and stores of a lane
		b.leb(5)
		b.leb(5)
		b.skip(1)
	case sub <= 0xff:
	default:
		return 0xfd0000 | sub&0xffff
	}
	return 0
}
