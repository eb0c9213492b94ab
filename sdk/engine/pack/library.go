package pack

import (
	"encoding/hex"
	"slices"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// Instructions and types that only the library has.
const (
	opI32Load16  = 0x2f
	opI32Store   = 0x36
	opI32Store8  = 0x3a
	opI32Store16 = 0x3b
	opMemorySize = 0x3f
	opI32More    = 0x4b // unsigned, like the next one
	opI32AtLeast = 0x4f
	opI32Ctz     = 0x68
	opI32And     = 0x71
	opI32Or      = 0x72
	opI32Xor     = 0x73
	opI32Shift   = 0x74 // left
	opI64Or      = 0x84
	opI64Xor     = 0x85
	opVector     = 0xfd

	// Behind opVector.
	splat    = 0x0f // i8x16
	equal8   = 0x23
	anyTrue  = 0x53
	bitmask8 = 0x64

	i32  = 0x7f
	v128 = 0x7b
)

// library has functions of the runtime of Go 1.26, by their bodies in hexadecimal, and what each is replaced by: strings are compared and
// searched sixteen bytes at a time instead of one or four, and a few bytes are moved and cleared without a call of the engine, which takes
// longer than that. Those of another Go stay as they are. Measured, guests take a twentieth less time.
var library = map[string][]byte{
	// memmove(to, from, n), see runtime/memmove_wasm.s
	"02017f037e230021012001290308210220012903102103200129031821042002a72003a72004a7fc0a0000200141086a2201240041000f000b": memmove,
	// memclrNoHeapPointers(at, n), see runtime/memclr_wasm.s
	"02017f027e2300210120012903082102200129031021032002a741002003a7fc0b00200141086a2201240041000f000b": memclr,
	// memeqbody(a, b, n i64) i64, see internal/bytealg/equal_wasm.s
	"002000200151044042010f0b0340200250044042010f0b2000a73100002001a731000052044042000f0b200042017c2100200142017c2101200242017d21020c000b00000b": memequal,
	// memchr(from, c, n i32) i32, see internal/bytealg/indexbyte_wasm.s
	"01027f2001210402400240200241004722032000410371410047710440034020002d00002001460d022002417f6a22024100472203200041016a2200410371410047710d000b0b20030d00410021010c010b20" +
		"002d0000200422034604402002210105200441818284086c210402400240200241034b0440200221010340200028020020047322024180818284787141808182847873200241fffdfb776a7145044020004104" +
		"6a21002001417c6a220141034b0d010c030b0b05200221010c010b0c010b2001450440410021010c030b0b034020002d00002003460d02200041016a21002001417f6a22010d00410021010b0b0b2000410020" +
		"011b0f000b": memchr,
}

// replacement returns what stands in the library for a body of Go, else nil.
func replacement(body []byte) []byte {
	if len(body) > 400 {
		return nil
	}
	return library[hex.EncodeToString(body)]
}

// The locals of a function for one or two places, and a number of bytes.
const (
	here  = 3
	there = 4
	count = 5
)

// An access is how so many bytes are read and written at once, wherever they lie.
type access struct {
	width       byte
	load, store []byte
	zero        []byte
	xor, or     []byte
	isZero      []byte
}

var (
	access1  = access{1, at(opI32Load8), at(opI32Store8), zero32, xor32, or32, isZero32}
	access2  = access{2, at(opI32Load16), at(opI32Store16), zero32, xor32, or32, isZero32}
	access4  = access{4, at(opI32Load), at(opI32Store), zero32, xor32, or32, isZero32}
	access8  = access{8, at(opI64Load), at(opI64Store), []byte{opI64Const, 0}, []byte{opI64Xor}, []byte{opI64Or}, []byte{opI64Eqz}}
	access16 = access{16, at(opVector, 0x00), at(opVector, 0x0b), append([]byte{opVector, 0x0c}, make([]byte, 16)...), []byte{opVector, 0x51}, []byte{opVector, 0x50}, []byte{opVector, anyTrue, opI32Eqz}}

	zero32, xor32, or32, isZero32 = []byte{opI32Const, 0}, []byte{opI32Xor}, []byte{opI32Or}, []byte{opI32Eqz}
)

// at is an operation on memory that is not aligned and has no offset.
func at(op ...byte) []byte { return append(op, 0, 0) }

// last is the address of the last bytes of a place. They and the first ones, which they may overlap, are all where there are at most twice as many.
func (a access) last(place byte) []byte {
	return []byte{opLocalGet, place, opLocalGet, count, opI32Add, opI32Const, a.width, opI32Sub}
}

// move reads both before it writes them, so that places may overlap.
func (a access) move() []byte {
	return slices.Concat(a.last(here), a.last(there), a.load, []byte{opLocalGet, here, opLocalGet, there}, a.load, a.store, a.store)
}

func (a access) clear() []byte {
	return slices.Concat(a.last(here), a.zero, a.store, []byte{opLocalGet, here}, a.zero, a.store)
}

// same leaves whether they are the same.
func (a access) same() []byte {
	return slices.Concat(a.last(here), a.load, a.last(there), a.load, a.xor, []byte{opLocalGet, here}, a.load, []byte{opLocalGet, there}, a.load, a.xor, a.or, a.isZero)
}

// few does something where there are fewer than 16 bytes, and done behind it; where there are none, it only does none.
func few(do func(access) []byte, done, none []byte) []byte {
	code := []byte{opLocalGet, count, opI32Const, 16, opI32Less, opIf, noResult}
	for _, a := range []access{access8, access4, access2, access1} {
		code = slices.Concat(code, []byte{opLocalGet, count, opI32Const, a.width, opI32AtLeast, opIf, noResult}, do(a), done, []byte{opEnd})
	}
	return slices.Concat(code, none, []byte{opEnd})
}

// onStack is a function of Go without results, whose parameters lie behind the address that it returns to.
func onStack(do func(access) []byte, many []byte, parameters ...byte) []byte {
	code := []byte{1, 5, i32, opGet, 0, opLocalSet, stackPointer}
	for i, local := range parameters {
		code = append(code, opLocalGet, stackPointer, opI32Load, 2, returnAddress*byte(i+1), opLocalSet, local)
	}
	return slices.Concat(code, []byte{opBlock, noResult},
		few(do, []byte{opBr, 2}, []byte{opBr, 1}),
		[]byte{opLocalGet, count, opI32Const, 32, opI32AtMost, opIf, noResult}, do(access16), []byte{opBr, 1, opEnd},
		many, []byte{opEnd},
		[]byte{opLocalGet, stackPointer, opI32Const, returnAddress, opI32Add, opSet, 0, opI32Const, 0, opEnd})
}

var (
	memmove = onStack(access.move, []byte{opLocalGet, here, opLocalGet, there, opLocalGet, count, opMisc, 10, 0, 0}, here, there, count)
	memclr  = onStack(access.clear, []byte{opLocalGet, here, opI32Const, 0, opLocalGet, count, opMisc, 11, 0}, here, count)
)

var memequal = slices.Concat(
	[]byte{1, 3, i32, opLocalGet, 0, opI32Wrap, opLocalSet, here, opLocalGet, 1, opI32Wrap, opLocalSet, there, opLocalGet, 2, opI32Wrap, opLocalSet, count},
	[]byte{opLocalGet, here, opLocalGet, there, opI32Eq, opIf, noResult, opI64Const, 1, opReturn, opEnd},
	few(access.same, []byte{opExtend, opReturn}, []byte{opI64Const, 1, opReturn}),
	// More than 32: the first 16 are other, or they are left.
	[]byte{opLoop, noResult, opLocalGet, count, opI32Const, 32, opI32More, opIf, noResult},
	[]byte{opLocalGet, here}, access16.load, []byte{opLocalGet, there}, access16.load, access16.xor, []byte{opVector, anyTrue, opIf, noResult, opI64Const, 0, opReturn, opEnd},
	add(here, 16), add(there, 16), add(count, -16),
	[]byte{opBr, 1, opEnd, opEnd},
	access16.same(), []byte{opExtend, opEnd})

var memchr = slices.Concat(
	[]byte{2, 1, i32, 1, v128, opLocalGet, 1, opVector, splat, opLocalSet, 4},
	[]byte{opBlock, noResult},
	[]byte{opLoop, noResult, opLocalGet, 2, opI32Const, 16, opI32AtLeast, opIf, noResult},
	[]byte{opLocalGet, 0}, access16.load, []byte{opLocalGet, 4, opVector, equal8, opVector, bitmask8, opLocalTee, 3, opIf, noResult},
	[]byte{opLocalGet, 0, opLocalGet, 3, opI32Ctz, opI32Add, opReturn, opEnd},
	add(0, 16), add(2, -16), []byte{opBr, 1, opEnd, opEnd},
	[]byte{opLocalGet, 2, opI32Eqz, opBrIf, 0},
	// What lies behind the last bytes is read as well where there is memory, and left out.
	[]byte{opLocalGet, 0, opI32Const, 16, opI32Add, opMemorySize, 0, opI32Const, 16, opI32Shift, opI32AtMost, opIf, noResult},
	[]byte{opLocalGet, 0}, access16.load, []byte{opLocalGet, 4, opVector, equal8, opVector, bitmask8},
	[]byte{opI32Const, 0x7f, opLocalGet, 2, opI32Shift, opI32Const, 0x7f, opI32Xor, opI32And, opLocalTee, 3, opI32Eqz, opBrIf, 1},
	[]byte{opLocalGet, 0, opLocalGet, 3, opI32Ctz, opI32Add, opReturn, opEnd},
	[]byte{opLoop, noResult, opLocalGet, 0}, access1.load, []byte{opLocalGet, 1, opI32Eq, opIf, noResult, opLocalGet, 0, opReturn, opEnd},
	add(0, 1), []byte{opLocalGet, 2, opI32Const, 1, opI32Sub, opLocalTee, 2, opBrIf, 0, opEnd},
	[]byte{opEnd, opI32Const, 0, opEnd})

// add adds to a local.
func add(local byte, n int64) []byte {
	code := wasm.AppendSigned([]byte{opLocalGet, local, opI32Const}, n)
	return append(code, opI32Add, opLocalSet, local)
}
