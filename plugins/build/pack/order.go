package pack

import "slices"

// A loop is a range of positions in the order of parts. Backward jumps lead to its first position.
type loop struct {
	from, to int
	inner    map[int]bool // positions after the first where it is entered from outside
}

// arrange orders the reachable parts, finds the loops, and adds jumps to parts that fall through to a part that does
// not come next.
func (f *flow) arrange() {
	f.place = make([]int, len(f.parts))
	for p, live := range f.live() {
		if f.place[p] = -1; live {
			f.place[p] = len(f.order)
			f.order = append(f.order, p)
		}
	}
	for y, p := range f.order {
		x, next := &f.parts[p], -1
		if y+1 < len(f.order) {
			next = f.order[y+1]
		}
		last := len(x.jumps) - 1
		switch {
		case x.next >= 0 && x.next != next:
			x.jumps, x.next, x.falls = append(x.jumps, jump{at: x.to, to: x.next}), -1, false
		case last >= 0 && !x.falls && !x.jumps[last].conditional &&
			x.jumps[last].at+3 == x.to && x.jumps[last].to == next:
			x.to, x.jumps, x.next, x.falls = x.to-3, x.jumps[:last], next, true
		}
	}
	f.loops = f.nested()
	enter := func(x, y int) {
		for _, l := range f.loops {
			if x < l.from && l.from < y && y <= l.to {
				l.inner[y] = true
			}
		}
	}
	f.eachJump(enter)
	for y, p := range f.order {
		if f.parts[p].entered {
			enter(-1, y)
		}
	}
}

// nested finds the targets of backward jumps, outer loops first. It widens loops so that they do not partly overlap.
func (f *flow) nested() (loops []*loop) {
	ends := map[int]int{}
	f.eachJump(func(x, y int) {
		if y <= x {
			ends[y] = max(ends[y], x)
		}
	})
	for from, to := range ends {
		loops = append(loops, &loop{from: from, to: to, inner: map[int]bool{}})
	}
	slices.SortFunc(loops, func(a, b *loop) int { return a.from - b.from })
	for changed := true; changed; {
		changed = false
		for i, a := range loops {
			for _, b := range loops[i+1:] {
				if b.from <= a.to && b.to > a.to {
					a.to, changed = b.to, true
				}
			}
		}
	}
	return loops
}

// eachJump calls back with the positions of each jump, and of each part that falls through to a part that does not come
// next.
func (f *flow) eachJump(do func(from, to int)) {
	for y, p := range f.order {
		x := &f.parts[p]
		for _, j := range x.jumps {
			do(y, f.place[j.to])
		}
		if x.next >= 0 && f.place[x.next] != y+1 {
			do(y, f.place[x.next])
		}
	}
}

// toward returns the branch target on the way from x to a later position y: the start of the outermost loop in between
// that contains y after its beginning, or y if there is none.
func (f *flow) toward(x, y int) int {
	for _, l := range f.loops {
		if x < l.from && l.from < y && y <= l.to {
			return l.from
		}
	}
	return y
}
