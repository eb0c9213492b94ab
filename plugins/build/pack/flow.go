package pack

import (
	"slices"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// returnAddress is the number of bytes that a call pushes.
const returnAddress = 8

// A flow is the control flow of a function compiled by Go (cmd/internal/obj/wasm). The function consists of nested
// blocks, and each part of its code follows the end of a block. A jump writes a part's number to local 0 and branches
// to a loop around all blocks, whose branch table leaves the right number of blocks. A call passes the first part's
// number in local 0: 0, or the number of the part after the call that suspended the function.
type flow struct {
	body   []byte
	list   []instruction
	parts  []part
	table  []int // the part for each number
	exit   bool  // an outer block is left when a call suspends the function
	jumps  bool  // the function has the loop
	before int   // the number of instructions before the blocks
	behind int   // the instruction after all parts

	order []int // the reachable parts, in the order of the output
	place []int // each part's index in order; -1 if it is unreachable
	loops []*loop
}

// A part is the code between the ends of two blocks.
type part struct {
	from, to int    // instructions, half-open
	jumps    []jump // in order
	falls    bool   // its end is reachable
	next     int    // the part that it falls through to, or -1
	entered  bool   // a call can begin or resume the function here
	number   int    // the lowest number that leads here
}

// A jump consists of three instructions, or five if it is conditional.
type jump struct {
	at, to      int // the first instruction; the target part
	conditional bool
}

// readFlow analyzes a function. It returns nil if the function has an unexpected form.
func readFlow(body []byte, list []instruction) *flow {
	f := &flow{body: body, list: list}
	at := 0
	for at < len(list) && (list[at].op == opGet || list[at].op == opLocalSet) {
		at++
	}
	f.before = at
	blocks, loop := 0, -1
	for ; at < len(list) && (list[at].op == opBlock || list[at].op == opLoop && loop < 0); at++ {
		if list[at].op == opLoop {
			loop = blocks
		}
		blocks++
	}
	if at+3 > len(list) || list[at].op != opLocalGet || list[at].n != 0 ||
		list[at+1].op != opBrTable || list[at+2].op != opEnd {
		return nil
	}
	r := &wasm.Reader{Buf: body, Pos: list[at+1].start + 1}
	for k := r.U32() + 1; k > 0 && !r.Failed; k-- {
		f.table = append(f.table, int(r.U32()))
	}
	if r.Failed {
		return nil
	}
	n := slices.Max(f.table) + 1
	f.jumps, f.exit = loop >= 0, loop == 1 || loop < 0 && blocks == n+1
	if loop > 1 || blocks != n+f.outside() {
		return nil
	}
	f.parts = make([]part, n)
	at += 3
	for p := range f.parts {
		if at = f.readPart(p, at); at < 0 {
			return nil
		}
	}
	if f.behind = at; !f.jumps {
		last := &f.parts[n-1]
		f.behind -= 2
		if last.to--; last.to < last.from || list[last.to].op != opUnreachable {
			return nil
		}
	}
	for p := range f.parts {
		f.parts[p].number = slices.Index(f.table, p)
		f.parts[p].entered = p == 0 || f.resumes(p)
	}
	return f
}

// outside returns the number of blocks that enclose all parts.
func (f *flow) outside() (n int) {
	for _, is := range []bool{f.jumps, f.exit} {
		if is {
			n++
		}
	}
	return n
}

// readPart reads a part and returns the first instruction of the next one, or -1 if the part has an unexpected form.
func (f *flow) readPart(p, at int) int {
	list, x := f.list, &f.parts[p]
	x.from = at
	for depth := 0; at+1 < len(list); at++ {
		switch i := &list[at]; i.op {
		case opBlock, opLoop, opIf:
			depth++
		case opEnd:
			if depth == 0 {
				x.to, x.next = at, -1
				x.falls = at == x.from || !slices.Contains([]byte{opBr, opReturn, opUnreachable}, list[at-1].op)
				if x.falls && p+1 < len(f.parts) {
					x.next = p + 1
				}
				return at + 1
			}
			depth--
		case opBr, opBrIf:
			out := f.operand(at) - depth
			if out < 0 {
				continue // within the part
			}
			out -= len(f.parts) - 1 - p // blocks that are still open
			if j, ok := f.readJump(x.from, at, depth); f.jumps && out == 0 && ok {
				x.jumps = append(x.jumps, j)
			} else if !f.exit || out != f.outside()-1 {
				return -1
			}
		case opBrTable:
			return -1
		case opLocalTee, opLocalGet:
			// The target of an indirect call passes through local 0.
			if i.n == 0 && (i.op == opLocalTee || at < x.from+2 || list[at-2].op != opLocalSet || list[at-2].n != 0 ||
				list[at-1].op != opI32Const || list[at+1].op != opCallIndirect) {
				return -1
			}
		}
	}
	return -1
}

// readJump reads the jump that ends with a branch.
func (f *flow) readJump(from, at, depth int) (j jump, ok bool) {
	list := f.list
	if depth > 1 || list[at].op != opBr || at < from+2 || list[at-1].op != opLocalSet || list[at-1].n != 0 ||
		list[at-2].op != opI32Const || uint64(list[at-2].n) >= uint64(len(f.table)) {
		return j, false
	}
	j = jump{at: at - 2, to: f.table[list[at-2].n]}
	if depth == 1 {
		if at < from+3 || list[at-3].op != opIf || f.body[list[at-3].start+1] != noResult || list[at+1].op != opEnd {
			return j, false
		}
		j.at, j.conditional = at-3, true
	}
	return j, true
}

// operand returns a branch's depth or a call's function.
func (f *flow) operand(at int) int {
	r := &wasm.Reader{Buf: f.body, Pos: f.list[at].start + 1}
	return int(r.U32())
}

// resumes reports whether a function can resume at a part. Such a part follows a call, or begins with a call of
// runtime.deferreturn (which has no arguments), where execution continues after a recovered panic.
func (f *flow) resumes(p int) bool {
	x := f.list[f.parts[p].from:f.parts[p].to]
	for len(x) > 0 && x[0].op == opNop {
		x = x[1:]
	}
	call := len(x) > 3 && x[0].op == opLocalGet && x[0].n == stackPointer &&
		x[1].op == opI32Const && x[1].n == returnAddress && x[2].op == opI32Sub
	return call || f.list[f.parts[p].from-2].op == opBrIf
}

func (f *flow) live() []bool {
	live := make([]bool, len(f.parts))
	var next []int
	reach := func(p int) {
		if !live[p] {
			live[p], next = true, append(next, p)
		}
	}
	for p := range f.parts {
		if f.parts[p].entered {
			reach(p)
		}
	}
	for len(next) > 0 {
		x := &f.parts[next[0]]
		next = next[1:]
		if x.next >= 0 {
			reach(x.next)
		}
		for _, j := range x.jumps {
			reach(j.to)
		}
	}
	return live
}
