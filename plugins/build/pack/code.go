package pack

import "github.com/stategate/stategate/sdk/engine/wasm"

// The opcodes that Shrink uses.
const (
	opUnreachable  = 0x00
	opNop          = 0x01
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGet          = 0x23 // global.get; global 0 is also the stack pointer
	opSet          = 0x24
	opI32Load      = 0x28
	opI64Load      = 0x29
	opLastLoad     = 0x35
	opFirstStore   = 0x36
	opI64Store     = 0x37
	opLastStore    = 0x3e
	opI32Const     = 0x41
	opI64Const     = 0x42
	opI32Eqz       = 0x45
	opI32Add       = 0x6a
	opI32Sub       = 0x6b
	opI64Add       = 0x7c
	opI32Wrap      = 0xa7
	opExtend       = 0xad
	opLastNumeric  = 0xc4
	opMisc         = 0xfc

	noResult = 0x40 // the type of a block without a result
)

// stackPointer is the local that holds the stack pointer in every function compiled by Go.
const stackPointer = 1

type instruction struct {
	op         byte
	start, end int    // offsets in the function body, half-open
	n          int64  // a constant, the number of a local, or the offset of a load or store
	align      uint32 // alignment of a load or store, as a power of two
	gone       bool   // another instruction does its work
	raw        []byte // the bytes to write for it; nil means op and its operands
}

func added(op byte, n int64) instruction { return instruction{op: op, n: n} }

func (m *module) shrinkCode() error {
	r := &wasm.Reader{Buf: m.content[wasm.CodeSection]}
	var bodies [][]byte
	for range r.U32() {
		bodies = append(bodies, r.Bytes())
		if r.Failed {
			return unreadable(wasm.CodeSection, r.Pos)
		}
	}
	out := wasm.AppendU32(make([]byte, 0, len(r.Buf)), uint32(len(bodies)))
	for _, body := range bodies {
		body = shrinkBody(body)
		out = append(wasm.AppendU32(out, uint32(len(body))), body...)
	}
	m.content[wasm.CodeSection] = out
	return nil
}

// shrinkBody rewrites one function. It returns the body unchanged if it contains an unknown instruction.
func shrinkBody(body []byte) []byte {
	list, ok := instructions(body)
	if !ok || len(list) == 0 {
		return body
	}
	locals := list[0].start
	for i := range list {
		if isStackAddress(list[i:]) {
			foldAddress(list[i:])
		}
	}
	out := body[:locals:locals]
	for _, x := range direct(body, list) {
		if !x.gone {
			out = x.append(out, body)
		}
	}
	return out
}

func instructions(body []byte) (list []instruction, ok bool) {
	r := &wasm.Reader{Buf: body}
	wasm.SkipLocals(r)
	for r.Pos < len(body) && !r.Failed {
		x := instruction{start: r.Pos}
		x.op = r.Byte()
		switch op := x.op; {
		case op >= 0x02 && op <= 0x04: // block, loop, if
			r.SkipLEB(5)
		case op >= opLocalGet && op <= opLocalTee:
			x.n = int64(r.U32())
		case op >= opI32Load && op <= opLastStore:
			x.align = r.U32()
			x.n = int64(r.U32())
		case op == opI32Const || op == opI64Const:
			x.n = r.Signed()
		case op == 0x0b:
		case wasm.SkipOperands(r, op) != 0:
			return nil, false
		}
		x.end = r.Pos
		list = append(list, x)
	}
	return list, !r.Failed
}

// isStackAddress reports whether list begins by extending the stack pointer to 64 bits, adding a constant, and
// wrapping the sum to 32 bits.
func isStackAddress(list []instruction) bool {
	return len(list) > 5 && list[0].op == opLocalGet && list[0].n == stackPointer && list[1].op == opExtend &&
		list[2].op == opI64Const && list[2].n >= 0 && list[2].n < 1<<30 &&
		list[3].op == opI64Add && list[4].op == opI32Wrap
}

// foldAddress moves the constant in a stack address to the load or store that uses it, or adds it in 32 bits if there
// is none. No sum overflows, because the stack lies within the memory.
func foldAddress(list []instruction) {
	offset := list[2].n
	for i := 1; i < 5; i++ {
		list[i].gone = true
	}
	if user := userOf(list[5:]); user != nil && user.n+offset < 1<<31 {
		user.n += offset
		return
	}
	list[2].op, list[2].gone, list[3].op, list[3].gone = opI32Const, false, opI32Add, false
}

// userOf returns the load or store that uses the value on top of the stack before list as its address. It returns nil
// if another instruction uses the value, or if a branch comes first.
func userOf(list []instruction) *instruction {
	height := 1 // the address is at the bottom
	for i := range list {
		x := &list[i]
		if x.gone {
			continue
		}
		pops, pushes := effect(*x)
		switch {
		case pops < 0:
			return nil
		case height > pops:
			height += pushes - pops
		case x.op >= opI32Load && x.op <= opLastLoad, x.op >= opFirstStore && x.op <= opLastStore && height == 2:
			return x
		default:
			return nil
		}
	}
	return nil
}

// effect returns how many values an instruction pops and pushes. The numbers are negative if they are unknown, such
// as for branches and calls. It is one switch because the opcodes are one table in the binary format.
func effect(x instruction) (pops, pushes int) {
	switch op := x.op; {
	case op == opLocalGet, op == 0x23, op >= opI32Const && op <= 0x44, op == 0x3f: // variables, constants, memory.size
		return 0, 1
	case op == opLocalSet, op == 0x24, op == 0x1a: // variables, drop
		return 1, 0
	case op == opLocalTee, op >= opI32Load && op <= opLastLoad, op == 0x40: // memory.grow
		return 1, 1
	case op >= opFirstStore && op <= opLastStore:
		return 2, 0
	case op == 0x1b: // select
		return 3, 1
	case op == 0x45, op == 0x50, op >= 0x67 && op <= 0x69, op >= 0x79 && op <= 0x7b: // zero tests, bit counts
		return 1, 1
	case op >= 0x8b && op <= 0x91, op >= 0x99 && op <= 0x9f, op >= opI32Wrap &&
		op <= 0xc4: // float arithmetic; conversions
		return 1, 1
	case op >= 0x46 && op <= 0xa6: // comparisons, arithmetic
		return 2, 1
	}
	return -1, 0
}

func (x instruction) append(out, body []byte) []byte {
	switch {
	case x.raw != nil:
		return append(out, x.raw...)
	case x.op >= opLocalGet && x.op <= opLocalTee:
		return wasm.AppendU32(append(out, x.op), uint32(x.n))
	case x.op >= opI32Load && x.op <= opLastStore:
		return wasm.AppendU32(wasm.AppendU32(append(out, x.op), x.align), uint32(x.n))
	case x.op == opI32Const || x.op == opI64Const:
		return wasm.AppendSigned(append(out, x.op), x.n)
	case x.op >= opI32Eqz && x.op <= opLastNumeric:
		return append(out, x.op)
	}
	return append(out, body[x.start:x.end]...)
}
