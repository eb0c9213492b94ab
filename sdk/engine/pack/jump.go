package pack

import "github.com/stategate/stategate/sdk/engine/wasm"

const (
	opBlock   = 0x02
	opLoop    = 0x03
	opIf      = 0x04
	opEnd     = 0x0b
	opBr      = 0x0c
	opBrIf    = 0x0d
	opBrTable = 0x0e
	opCall    = 0x10
	opI32Eqz  = 0x45
	opGet     = 0x23 // of a global variable; number 0 is the stack pointer as well
	opSet     = 0x24
	noResult  = 0x40
)

// shortenJumps lets jumps to a later part of a function go there. The Go compiler makes a function one loop around nested
// blocks, one for each part: a jump writes the number of a part to local 0 and branches to the beginning of the loop, where a
// table of branches leaves as many blocks. A block that is still open at the jump can be left from there. A call begins with the first
// part, for which it need not go through the table either: a branch that is nearly always taken costs less.
func shortenJumps(body []byte, list []instruction) {
	type construct struct {
		op       byte
		end      int // where it is closed
		noResult bool
	}
	var open []int // of all, by their number
	var all []construct
	var blocks []int // that are open at the table
	height := make([]int, len(list))
	loop, table, reads := -1, -1, 0
	var targets []uint32
	target := func(i int) (depth int) {
		r := &wasm.Reader{Buf: body, Pos: list[i].start + 1}
		return len(open) - 1 - int(r.U32())
	}
	for i := range list {
		height[i] = len(open)
		switch x := &list[i]; x.op {
		case opBlock, opLoop, opIf:
			all = append(all, construct{x.op, -1, body[x.start+1] == noResult})
			open = append(open, len(all)-1)
		case opEnd:
			if len(open) > 0 {
				all[open[len(open)-1]].end = i
				open = open[:len(open)-1]
			}
		case opLocalGet:
			if x.n == 0 {
				reads++
			}
		case opLocalTee:
			if x.n == 0 {
				return
			}
		case opBrTable:
			if table >= 0 || i == 0 || list[i-1].op != opLocalGet || list[i-1].n != 0 {
				return
			}
			table, blocks = i, append([]int{}, open...)
			r := &wasm.Reader{Buf: body, Pos: x.start + 1}
			for n := r.U32(); n > 0 && !r.Failed; n-- {
				targets = append(targets, r.U32())
			}
			for k := len(open) - 1; k >= 0 && loop < 0; k-- {
				if all[open[k]].op == opLoop {
					loop = k
				}
			}
		case opBr, opBrIf:
			if to := target(i); table >= 0 && to == loop && (x.op == opBrIf || list[i-1].op != opLocalSet || list[i-1].n != 0) {
				return
			}
		}
	}
	if table < 0 || loop < 0 || reads != 1 {
		return
	}
	if len(targets) > 0 {
		list[table-1].before = wasm.AppendU32([]byte{opLocalGet, 0, opI32Eqz, opBrIf}, targets[0])
	}
	for i := table; i+2 < len(list); i++ {
		number, set, jump := &list[i], &list[i+1], &list[i+2]
		if number.op != opI32Const || set.op != opLocalSet || set.n != 0 || jump.op != opBr || number.n < 0 || int(number.n) >= len(targets) {
			continue
		}
		r := &wasm.Reader{Buf: body, Pos: jump.start + 1}
		if height[i+2]-1-int(r.U32()) != loop {
			continue
		}
		to := height[table] - 1 - int(targets[number.n])
		if to <= loop || all[blocks[to]].op != opBlock || !all[blocks[to]].noResult || all[blocks[to]].end < i {
			continue
		}
		number.gone, set.gone = true, true
		jump.made, jump.n = true, int64(height[i+2]-1-to)
		if before := &list[i-1]; before.op == opIf && body[before.start+1] == noResult && i+3 < len(list) && list[i+3].op == opEnd {
			before.gone, list[i+3].gone = true, true
			jump.op, jump.n = opBrIf, jump.n-1
		}
	}
}

// forgetPointer leaves the copy of the stack pointer alone where a call begins, which moves it by the address of its return
// and reads it again behind the call.
func forgetPointer(body []byte, list []instruction) {
	ops := [...]byte{opLocalTee, opSet, opLocalGet, opI64Const, opI64Store, opI32Const, opCall, opGet, opLocalSet}
	for i := 0; i+len(ops) <= len(list); i++ {
		x := list[i : i+len(ops)]
		fits := x[0].n == stackPointer && x[2].n == stackPointer && x[8].n == stackPointer && body[x[1].start+1]|body[x[7].start+1] == 0
		for k, op := range ops {
			fits = fits && x[k].op == op && !x[k].gone
		}
		if fits {
			x[0].gone = true
			x[2].op, x[2].n, x[2].made = opGet, 0, true
		}
	}
}
