package guests

import (
	"bytes"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// These are the instructions that the guests use.
var (
	Unreachable = []byte{0x00}
	Drop        = []byte{0x1a}
	End         = []byte{0x0b}
	MemoryGrow  = []byte{0x40, 0}
	MemoryFill  = []byte{0xfc, 11, 0}
	I64Add      = []byte{0x7c}
	I64LtU      = []byte{0x54}
	I64Sub      = []byte{0x7d}
	I32WrapI64  = []byte{0xa7}
	I64Load     = []byte{0x29, 0, 0}
	I32Load     = []byte{0x28, 0, 0}
	I32Store    = []byte{0x36, 0, 0}
	I32Xor      = []byte{0x73}
)

// Const32 pushes an i32.
func Const32(n int) []byte { return wasm.AppendSigned([]byte{0x41}, int64(int32(n))) }

// Const64 pushes an i64.
func Const64(n int) []byte { return wasm.AppendSigned([]byte{0x42}, int64(n)) }

// Get pushes a local.
func Get(local int) []byte { return join([]byte{0x20}, num(local)) }

// Set pops into a local.
func Set(local int) []byte { return join([]byte{0x21}, num(local)) }

// Call calls a function.
func Call(function int) []byte { return join([]byte{0x10}, num(function)) }

// Loop repeats its code as long as it ends with Again.
func Loop(code ...[]byte) []byte { return join([]byte{0x03, 0x40}, join(code...), End) }

// If pops an i32 and runs the first code, or the second if the value is 0.
func If(one, other []byte) []byte { return join([]byte{0x04, 0x40}, one, []byte{0x05}, other, End) }

// Again branches to the beginning of the enclosing loop.
var Again = []byte{0x0c, 0}

// AgainIf pops an i32 and, if it is not 0, branches to the beginning of the enclosing loop.
var AgainIf = []byte{0x0d, 0}

// Times repeats code n times in a row.
func Times(n int, code ...[]byte) []byte { return bytes.Repeat(join(code...), n) }
