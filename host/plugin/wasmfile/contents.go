package wasmfile

import "github.com/stategate/stategate/sdk/engine/wasm"

const (
	tableSection   = 4
	globalSection  = 6
	elementSection = 9
)

// maxTable is the maximum number of a table's initial entries.
const maxTable = 10_000_000

// Before the engine reads a list, it allocates memory for as many items as the list's count states. Every count that
// the engine trusts is therefore checked here against the bytes that follow.

func readTable(r *wasm.Reader) {
	r.Byte()
	if readLimits(r) > maxTable {
		r.Failed = true
	}
}

func readGlobal(r *wasm.Reader) {
	r.Skip(2)
	readExpression(r)
}

func readElement(r *wasm.Reader) {
	flags := r.U32()
	if flags&1 == 0 {
		if flags&2 != 0 {
			r.U32()
		}
		readExpression(r)
	}
	if flags&3 != 0 {
		r.Byte()
	}
	for n := r.U32(); n > 0 && !r.Failed; n-- {
		if flags&4 != 0 {
			readExpression(r)
		} else {
			r.U32()
		}
	}
	r.Failed = r.Failed || flags > 7
}

func readData(r *wasm.Reader) {
	flags := r.U32()
	if flags == 2 {
		r.U32()
	}
	if flags != 1 {
		readExpression(r)
	}
	r.Bytes()
	r.Failed = r.Failed || flags > 2
}

func readExpression(r *wasm.Reader) {
	if _, unknown := skipInstructions(r); unknown != 0 {
		r.Failed = true
	}
}

// readNames reads the custom section with names: of the module, of functions, and of each function's locals.
func readNames(r *wasm.Reader) {
	for r.Pos < len(r.Buf) && !r.Failed {
		kind, size := r.Byte(), int(r.U32())
		from := r.Pos
		if r.Skip(size); r.Failed {
			return
		}
		inner := &wasm.Reader{Buf: r.Buf[:from+size], Pos: from}
		switch kind {
		case 0:
			inner.Bytes()
		case 1:
			skipNames(inner)
		case 2:
			for n := inner.U32(); n > 0 && !inner.Failed; n-- {
				inner.U32()
				skipNames(inner)
			}
		default:
			continue
		}
		r.Failed = inner.Failed || inner.Pos != len(inner.Buf)
	}
}

func skipNames(r *wasm.Reader) {
	for n := r.U32(); n > 0 && !r.Failed; n-- {
		r.U32()
		r.Bytes()
	}
}
