package sandbox

import (
	"context"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
)

// state is what the functions for a guest's imports know about its instance.
type state struct {
	memories
	limits    limits.Limits
	stderr    *Tail
	input     []byte // of the current call
	output    []byte // what the guest passed to output_write; nil if nothing
	errorText string // what it passed to error_set
}

type stateKey struct{}

func (s *state) in(ctx context.Context) context.Context { return context.WithValue(ctx, stateKey{}, s) }

// stateIn returns the state that the method in stored in ctx.
func stateIn(ctx context.Context) *state { return ctx.Value(stateKey{}).(*state) }

// guest returns part of the guest's memory, which is the second memory. The first belongs to the kernel.
func (s *state) guest(at, size uint64) []byte {
	var memory []byte
	if len(s.all) == 2 {
		memory = s.all[1].buf
	}
	if at, end := uint64(uint32(at)), uint64(uint32(at))+size; end <= uint64(len(memory)) {
		return memory[at:end]
	}
	panic(fault.Newf(fault.Trap, "it refers to %d bytes at offset %d of its memory, which has %d bytes", size,
		uint32(at), len(memory)))
}

// memories counts the linear memories of one instance and records a refusal, because a guest that is out of memory
// reports that in many ways: a trap, an exit code, a panic message.
type memories struct {
	limit   uint64 // maximum bytes of one memory
	used    uint64 // bytes of all memories together
	refused bool
	all     []*linear
}

// free frees the memories that the engine did not free: it forgets the memory of a module whose start section
// trapped.
func (m *memories) free() {
	for _, l := range m.all {
		l.Free()
	}
}

// linear is one linear memory. If the system supports it, addresses are reserved for its maximum size and memory is
// committed as it grows, so that growing never copies. Otherwise it grows by half.
type linear struct {
	all     *memories
	buf     []byte
	max     uint64
	release func()
	commit  func(size uint64) bool // commits the first size bytes of buf's array
}

func (m *memories) newLinear(most uint64) *linear {
	l := &linear{all: m, max: min(most, m.limit)}
	l.buf, l.commit, l.release = reserve(l.max)
	m.all = append(m.all, l)
	return l
}

// Reallocate returns the memory with a new length, or nil if that exceeds the limit or the system has no memory left.
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

// Free frees the memory. Further calls do nothing.
func (l *linear) Free() {
	l.all.used -= uint64(len(l.buf))
	l.buf = nil
	if l.release != nil {
		l.release()
		l.release = nil
	}
}

// Tail keeps a limited part of what is written to it: the beginning, which usually states what happened, and the end,
// which states where. It is an io.Writer that never fails and is not safe for concurrent use.
type Tail struct {
	limit      int
	head, rest []byte
	dropped    bool
}

// NewTail returns a Tail that keeps at most limit bytes and marks where it omitted some.
func NewTail(limit int) *Tail { return &Tail{limit: limit} }

const leftOut = "\n[…]\n"

// Write keeps as much of p as the limit allows.
func (t *Tail) Write(p []byte) (int, error) {
	n, size := len(p), t.limit-t.limit/4
	taken := min(n, t.limit/4-len(t.head))
	t.head, p = append(t.head, p[:taken]...), p[taken:]
	t.dropped = t.dropped || len(t.rest)+len(p) > size
	t.rest = append(t.rest, p[max(0, len(p)-size):]...)
	if over := len(t.rest) - size; over > size { // rarely, so that many small writes are cheap
		t.rest = append(t.rest[:0], t.rest[over:]...)
	}
	return n, nil
}

// String returns what was kept.
func (t *Tail) String() string {
	last := t.rest[max(0, len(t.rest)-(t.limit-t.limit/4)):]
	if t.dropped {
		return string(t.head) + leftOut + string(last)
	}
	return string(t.head) + string(last)
}

// Reset forgets everything.
func (t *Tail) Reset() { *t = Tail{limit: t.limit} }
