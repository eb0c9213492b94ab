package sandbox

// memories counts the linear memories of one instance and remembers a refusal, because a guest out of memory reports it in
// a hundred ways: a trap, an exit code, a panic text.
type memories struct {
	limit   uint64 // bytes of one memory
	used    uint64 // bytes of all together
	refused bool
	all     []*linear
}

// free returns what the engine has not: it forgets the memory of a module whose start section trapped.
func (m *memories) free() {
	for _, l := range m.all {
		l.Free()
	}
}

// linear is one linear memory. Where the system can, its largest size is reserved as addresses and made real as it grows, so
// that growing never copies. Elsewhere it grows by half.
type linear struct {
	all     *memories
	buf     []byte
	max     uint64
	release func()
	commit  func(size uint64) bool // makes the first size bytes of buf's array real
}

func (m *memories) newLinear(most uint64) *linear {
	l := &linear{all: m, max: min(most, m.limit)}
	l.buf, l.commit, l.release = reserve(l.max)
	m.all = append(m.all, l)
	return l
}

// Reallocate returns the memory with a new length, or nil if that is over the limit or the system has no more.
func (l *linear) Reallocate(size uint64) []byte {
	if size > l.all.limit || !l.grow(size) {
		l.all.refused = true
		return nil
	}
	l.all.used += size - uint64(len(l.buf))
	l.buf = l.buf[:size]
	return l.buf
}

func (l *linear) grow(size uint64) bool {
	if l.commit != nil {
		return size <= uint64(cap(l.buf)) && l.commit(size)
	}
	if size > uint64(cap(l.buf)) {
		room := max(size, min(l.max, uint64(cap(l.buf))*3/2))
		grown := make([]byte, len(l.buf), room)
		copy(grown, l.buf)
		l.buf = grown
	}
	return true
}

// Free returns the memory. A second time it does nothing.
func (l *linear) Free() {
	l.all.used -= uint64(len(l.buf))
	l.buf = nil
	if l.release != nil {
		l.release()
		l.release = nil
	}
}
