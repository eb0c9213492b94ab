package wasm

// SkipLocals skips a function's local declarations and returns the number of locals.
func SkipLocals(r *Reader) int {
	total := uint64(0)
	for groups := r.U32(); groups > 0 && !r.Failed; groups-- {
		total += uint64(r.U32())
		r.Byte()
	}
	return int(min(total, 1<<40))
}

// SkipOperands skips the operands of an opcode that neither begins nor ends a block. It returns an unknown opcode,
// with its prefix, or 0.
func SkipOperands(r *Reader, op byte) (unknown uint32) {
	switch {
	case op <= 0x01, op == 0x05, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4, op == 0xd1:
	case op == 0x0c, op == 0x0d, op == 0x10, op >= 0x20 && op <= 0x26, op == 0xd2:
		// br, br_if, call, variables, ref.func
		r.SkipLEB(5)
	case op == 0x0e: // br_table
		for n := r.U32(); n > 0 && !r.Failed; n-- {
			r.SkipLEB(5)
		}
		r.SkipLEB(5)
	case op == 0x11: // call_indirect
		r.SkipLEB(5)
		r.SkipLEB(5)
	case op == 0x1c: // select with types
		r.Bytes()
	case op >= 0x28 && op <= 0x3e: // loads and stores
		r.SkipLEB(5)
		r.SkipLEB(5)
	case op == 0x3f, op == 0x40, op == 0x41: // memory.size, memory.grow, i32.const
		r.SkipLEB(5)
	case op == 0x42: // i64.const
		r.SkipLEB(10)
	case op == 0x43: // f32.const
		r.Skip(4)
	case op == 0x44: // f64.const
		r.Skip(8)
	case op == 0xd0: // ref.null
		r.SkipLEB(5)
	case op == 0xfc:
		return skipMisc(r)
	case op == 0xfd:
		return skipVector(r)
	default:
		if r.Failed {
			return 0
		}
		return uint32(op)
	}
	return 0
}

// skipMisc skips the rest of an instruction with the prefix 0xfc.
func skipMisc(r *Reader) (unknown uint32) {
	sub := r.U32()
	switch {
	case sub <= 7: // saturating truncations
	case sub == 8, sub == 10, sub == 12, sub == 14: // memory.init, memory.copy, table.init, table.copy
		r.SkipLEB(5)
		r.SkipLEB(5)
	case sub <= 17: // data.drop, memory.fill, elem.drop, table.grow, table.size, table.fill
		r.SkipLEB(5)
	default:
		return 0xfc00 | sub&0xff
	}
	return 0
}

// skipVector skips the rest of an instruction with the prefix 0xfd.
func skipVector(r *Reader) (unknown uint32) {
	sub := r.U32()
	switch {
	case sub <= 0x0b, sub == 0x5c, sub == 0x5d: // loads, a store
		r.SkipLEB(5)
		r.SkipLEB(5)
	case sub == 0x0c, sub == 0x0d: // v128.const, shuffle
		r.Skip(16)
	case sub >= 0x15 && sub <= 0x22: // lanes
		r.Skip(1)
	case sub >= 0x54 && sub <= 0x5b: // loads and stores of a lane
		r.SkipLEB(5)
		r.SkipLEB(5)
		r.Skip(1)
	case sub <= 0xff:
	default:
		return 0xfd0000 | sub&0xffff
	}
	return 0
}
