package pack

// returnAddress is the number of bytes that a call pushes.
const returnAddress = 8

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
			x[2] = instruction{op: opGet, raw: []byte{opGet, 0}}
		}
	}
}

// lower has the copy of the stack pointer point to where a call writes the address of its return, below what it points to in Go: all accesses
// to the stack then have it as their base, see checkOnce. The list comes back as it is if it moves the stack in a way that is not known.
func lower(body []byte, list []instruction) []instruction {
	out := make([]instruction, 0, len(list)+len(list)/16)
	left := make([]instruction, 0, len(list)+12)
	for _, x := range list {
		if !x.gone {
			left = append(left, x)
		}
	}
	n := len(left)
	left = append(left, make([]instruction, 12)...) // so that each instruction has some behind it
	copied := func(x instruction, op byte) bool { return x.op == op && x.n == stackPointer }
	global := func(x instruction, op byte) bool {
		return x.op == op && (x.raw != nil && x.raw[1] == 0 || x.raw == nil && body[x.start+1] == 0)
	}
	by := func(n int64, op byte) []instruction { return []instruction{added(opI32Const, n), added(op, 0)} }
	for i := 0; i < n; i++ {
		x, rest := left[i], left[i+1:]
		added8 := rest[0].op == opI32Const && rest[1].op == opI32Add
		switch {
		case global(x, opGet) && copied(rest[0], opLocalSet):
			if i++; rest[1].op != opDrop { // else the function is left
				out = append(append(append(out, x), by(returnAddress, opI32Sub)...), rest[0])
			}
		case copied(x, opLocalSet) || copied(x, opLocalTee):
			return list
		case !copied(x, opLocalGet):
			out = append(out, x)
		case rest[0].op == opI32Const && (added8 || rest[1].op == opI32Sub) && copied(rest[2], opLocalTee):
			if !global(rest[3], opSet) {
				return list
			}
			move := rest[0].n
			if !added8 {
				move = -move
			}
			i += 4
			if copied(rest[4], opLocalGet) && rest[5].op == opI32Const && rest[6].op == opI32Add && copied(rest[7], opLocalTee) && global(rest[8], opSet) {
				move += rest[5].n // the address of the return behind the frame
				i, rest = i+5, rest[5:]
			}
			if rest[4].op == opI32Const && rest[5].op == opReturn {
				out = append(append(append(out, x), by(move+returnAddress, opI32Add)...), rest[3])
				continue
			}
			out = append(append(append(out, x), by(move, opI32Add)...), rest[2])
			out = append(append(out, by(returnAddress, opI32Add)...), rest[3])
		case rest[0].op == opI32Const && rest[0].n == returnAddress && rest[1].op == opI32Sub && global(rest[2], opSet) && global(rest[3], opGet):
			out = append(out, x, rest[2], x) // a call
			i += 4
		case added8:
			out = append(append(out, x), by(rest[0].n+returnAddress, opI32Add)...)
			i += 2
		case isGuard(rest):
			// The stack is at most as low as its guard: both are multiples of 8.
			k := 0
			for out = append(out, x); rest[k].op != opI32AtMost; k++ {
				out = append(out, rest[k])
			}
			out = append(out, added(opI32Less, 0))
			i += k + 1
		default:
			if user := userOf(left[i+1 : n]); user != nil {
				user.n += returnAddress
				out = append(out, x)
			} else {
				out = append(append(out, x), by(returnAddress, opI32Add)...)
			}
		}
	}
	return out
}

// isGuard reports whether list compares what is on the stack with how low it may be: a field of the goroutine, for a large frame plus a constant.
func isGuard(list []instruction) bool {
	if list[0].op != opGet || list[1].op != opI32Wrap || list[2].op != opI32Load {
		return false
	}
	return list[3].op == opI32AtMost || list[3].op == opI32Const && list[4].op == opI32Add && list[5].op == opI32AtMost
}

// manyChecks is from how many checks on one is worth the bytes of another read. Measured, half as many take 2 % more bytes, and a guest is as fast.
const manyChecks = 3

// checkOnce has the farthest access to the stack checked where the first one is, as long as the pointer stays: an engine that knows that an
// address lies in the memory does not check those below. All of a stack lies in the memory.
func checkOnce(list []instruction) []instruction {
	out := make([]instruction, 0, len(list)+len(list)/16)
	first, checks, far := -1, 0, int64(0)
	read := func() {
		if checks >= manyChecks {
			tail := append([]instruction{}, out[first:]...)
			out = append(append(out[:first], added(opLocalGet, stackPointer), added(opI32Load8, far-1), instruction{op: opDrop, raw: []byte{opDrop}}), tail...)
		}
		first, checks, far = -1, 0, 0
	}
	for i := range list {
		x := list[i]
		if x.gone {
			continue
		}
		switch {
		case x.op == opLoop || x.op == opEnd || x.op == opElse || (x.op == opLocalSet || x.op == opLocalTee) && x.n == stackPointer:
			read()
		case x.op == opLocalGet && x.n == stackPointer:
			user := userOf(list[i+1:])
			if user == nil {
				break
			}
			if first < 0 {
				first = len(out)
			}
			if end := user.n + width(user.op); end > far {
				far, checks = end, checks+1
			}
		}
		out = append(out, x)
	}
	read()
	return out
}

// width is the number of bytes that a load or store touches.
func width(op byte) int64 {
	switch op {
	case 0x2c, 0x2d, 0x30, 0x31, 0x3a, 0x3c: // i32.load8_s to i64.store8
		return 1
	case 0x2e, 0x2f, 0x32, 0x33, 0x3b, 0x3d:
		return 2
	case 0x28, 0x2a, 0x34, 0x35, 0x36, 0x38, 0x3e:
		return 4
	}
	return 8
}
