package pack

import "github.com/stategate/stategate/sdk/engine/wasm"

// direct returns a function's instructions with a branch in place of each jump: a forward jump leaves a block, a
// backward jump goes to a loop that begins at its target. Only calls that resume the function, and jumps into the
// middle of a loop, still use local 0 and tables. It returns list if the function has an unexpected form.
func direct(body []byte, list []instruction) []instruction {
	f := readFlow(body, list)
	if f == nil {
		return list
	}
	f.arrange()
	n := len(f.order)
	w := &flowWriter{
		flow: f, out: make([]instruction, 0, len(list)),
		target: make([]bool, n), holder: make([]*loop, n), begins: make([]*loop, n),
	}
	if out := w.write(); !w.lost {
		return out
	}
	return list
}

// A label is the target of a branch: a block that it leaves, or a loop that it jumps back to.
type label struct {
	kind  labelKind
	place int
}

type labelKind int

const (
	ofBlock labelKind = iota // ends before the part at a position
	ofLoop                   // begins with the part at a position
	ofExit                   // is left when a call suspends the function
	ofTrap                   // is left for a number that no call resumes with
	ofOther
)

type flowWriter struct {
	*flow
	out    []instruction
	open   []label // from outermost to innermost
	target []bool  // positions that are targets of forward branches
	holder []*loop // the innermost loop that contains a position after its beginning
	begins []*loop // the loops that begin at each position
	lost   bool    // a branch has no target
}

func (w *flowWriter) write() []instruction {
	entries := map[int]bool{} // positions after the first
	for y, p := range w.order {
		if w.parts[p].entered && y > 0 {
			entries[y] = true
			w.target[w.toward(-1, y)] = true
		}
	}
	for _, l := range w.loops {
		w.begins[l.from] = l
		for y := l.from + 1; y <= l.to; y++ {
			w.holder[y] = l
		}
		for y := range l.inner {
			w.target[w.toward(l.from, y)] = true
		}
	}
	w.eachJump(func(x, y int) {
		if y > x {
			w.target[w.toward(x, y)] = true
		}
	})
	w.out = append(w.out, w.list[:w.before]...)
	if w.exit {
		w.begin(opBlock, label{kind: ofExit})
	}
	if len(entries) > 0 {
		w.begin(opBlock, label{kind: ofTrap})
	}
	w.blocks(nil)
	if len(entries) > 0 {
		w.dispatch(-1, entries)
	}
	for y, p := range w.order {
		if w.target[y] {
			w.end()
		}
		w.part(y, &w.parts[p])
	}
	if len(entries) > 0 {
		w.end()
	}
	return append(w.out, w.list[w.behind:]...)
}

// blocks opens the blocks that end inside a loop; nil means the whole function.
func (w *flowWriter) blocks(l *loop) {
	for y := len(w.order) - 1; y >= 0; y-- {
		if w.target[y] && w.holder[y] == l {
			w.begin(opBlock, label{ofBlock, y})
		}
	}
}

// dispatch branches from x to one of the entries, by the number in local 0. It continues at x if there is no number,
// and in a loop also if the number belongs to another part.
func (w *flowWriter) dispatch(x int, entries map[int]bool) {
	first, last := len(w.table), 0
	for number, p := range w.table {
		if entries[w.place[p]] {
			first, last = min(first, number), number
		}
	}
	on := label{ofOther, -1}
	other := on
	w.local(opLocalGet)
	w.begin(opIf, on)
	w.local(opLocalGet)
	if x < 0 {
		first, other = 0, label{kind: ofTrap}
	} else {
		w.constant(first)
		w.bytes(opI32Sub)
	}
	table := wasm.AppendU32([]byte{opBrTable}, uint32(last-first+1))
	for _, p := range w.table[first : last+1] {
		to, y := other, w.place[p]
		if entries[y] {
			to = label{ofBlock, w.toward(x, y)}
		} else if y == 0 {
			to = on
		}
		table = wasm.AppendU32(table, w.depth(to))
	}
	w.bytes(wasm.AppendU32(table, w.depth(other))...)
	w.end()
}

// part writes the part at a position, and the loops that begin and end there.
func (w *flowWriter) part(y int, x *part) {
	if l := w.begins[y]; l != nil {
		w.begin(opLoop, label{ofLoop, y})
		w.blocks(l)
		if len(l.inner) > 0 {
			w.dispatch(y, l.inner)
		}
	}
	at := x.from
	for _, j := range x.jumps {
		w.copy(at, j.at)
		w.jump(y, j)
		switch {
		case j.at == x.to:
			at = j.at // the jump is not in the original code
		case j.conditional:
			at = j.at + 5
		default:
			at = j.at + 3
		}
	}
	w.copy(at, x.to)
	switch {
	case x.next >= 0:
		w.forget(y + 1)
	case x.falls && y+1 < len(w.order):
		w.bytes(opUnreachable)
	}
	for _, l := range w.loops {
		if l.to == y {
			w.end()
		}
	}
}

func (w *flowWriter) jump(x int, j jump) {
	y := w.place[j.to]
	to := label{ofLoop, y}
	if y > x {
		to = label{ofBlock, w.toward(x, y)}
	}
	if j.conditional {
		w.begin(opIf, label{kind: ofOther}) // engines generate better code for this than for a conditional branch
	}
	if to.place != y {
		w.constant(w.parts[j.to].number)
		w.local(opLocalSet)
	} else {
		w.forget(y)
	}
	w.branch(opBr, to)
	if j.conditional {
		w.end()
	}
}

// forget clears local 0 before a branch to a loop that reads it.
func (w *flowWriter) forget(y int) {
	if l := w.begins[y]; l != nil && len(l.inner) > 0 {
		w.constant(0)
		w.local(opLocalSet)
	}
}

// copy copies instructions unchanged, except for branches that leave the function.
func (w *flowWriter) copy(from, to int) {
	depth := 0
	for i := from; i < to; i++ {
		switch x := w.list[i]; x.op {
		case opBlock, opLoop, opIf:
			depth++
			w.open = append(w.open, label{kind: ofOther})
		case opEnd:
			depth--
			w.open = w.open[:len(w.open)-1]
		case opBr, opBrIf:
			if w.operand(i) < depth {
				break
			}
			w.branch(x.op, label{kind: ofExit})
			continue
		}
		w.out = append(w.out, w.list[i])
	}
}

func (w *flowWriter) begin(op byte, l label) {
	w.bytes(op, noResult)
	w.open = append(w.open, l)
}

func (w *flowWriter) end() {
	w.bytes(opEnd)
	w.open = w.open[:len(w.open)-1]
}

func (w *flowWriter) branch(op byte, l label) {
	w.bytes(wasm.AppendU32([]byte{op}, w.depth(l))...)
}

// depth returns the branch depth of the innermost label that equals the given one.
func (w *flowWriter) depth(l label) uint32 {
	for i := len(w.open) - 1; i >= 0; i-- {
		if w.open[i] == l {
			return uint32(len(w.open) - 1 - i)
		}
	}
	w.lost = true
	return 0
}

func (w *flowWriter) constant(n int)  { w.out = append(w.out, added(opI32Const, int64(n))) }
func (w *flowWriter) local(op byte)   { w.out = append(w.out, added(op, 0)) }
func (w *flowWriter) bytes(b ...byte) { w.out = append(w.out, instruction{op: b[0], raw: b}) }
