package pack

import "github.com/stategate/stategate/sdk/engine/wasm"

// direct returns the instructions of a function with a branch for each jump: a jump ahead leaves a block, a jump back
// goes to a loop that begins there. Local 0 and tables are left to calls that continue, and to jumps into the middle
// of a loop. It returns list if the function is not as expected.
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

// A label is what a branch leaves, or goes back to.
type label struct {
	kind  labelKind
	place int
}

type labelKind int

const (
	ofBlock labelKind = iota // ends before the part at a place
	ofLoop                   // begins with the part at a place
	ofExit                   // is left where a call suspends the function
	ofTrap                   // is left for a number with which no call continues
	ofOther
)

// A flowWriter writes the instructions of a flow.
type flowWriter struct {
	*flow
	out    []instruction
	open   []label // the innermost last
	target []bool  // a branch leads ahead to a place
	holder []*loop // the innermost that holds a place behind its beginning
	begins []*loop // at a place
	lost   bool    // a branch leads nowhere
}

func (w *flowWriter) write() []instruction {
	entries := map[int]bool{} // places behind the first
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

// blocks opens those that end where a loop holds them; nil stands for the function.
func (w *flowWriter) blocks(l *loop) {
	for y := len(w.order) - 1; y >= 0; y-- {
		if w.target[y] && w.holder[y] == l {
			w.begin(opBlock, label{ofBlock, y})
		}
	}
}

// dispatch branches from x to one of the entries, by the number in local 0. Without one it continues at x; in a loop
// also with one of others.
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

// part writes the part at a place, and the loops that begin and end there.
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
			at = j.at // it is not written in the function
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

// jump writes one from the part at x.
func (w *flowWriter) jump(x int, j jump) {
	y := w.place[j.to]
	to := label{ofLoop, y}
	if y > x {
		to = label{ofBlock, w.toward(x, y)}
	}
	if j.conditional {
		w.begin(opIf, label{kind: ofOther}) // engines make better code of it than of a conditional branch
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

// forget clears local 0 on the way to a loop that looks at it.
func (w *flowWriter) forget(y int) {
	if l := w.begins[y]; l != nil && len(l.inner) > 0 {
		w.constant(0)
		w.local(opLocalSet)
	}
}

// copy writes instructions as they are, but for branches that leave the function.
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

// depth is the number of labels within the innermost one that is the same.
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
