package sandbox

// Tail keeps a bounded part of what is written to it: the beginning, where it is written what happened, and the end,
// where it is written where. It is an io.Writer that never fails and is not safe for concurrent use.
type Tail struct {
	limit      int
	head, rest []byte
	dropped    bool
}

// NewTail returns a Tail that keeps at most limit bytes and a mark where it left some out.
func NewTail(limit int) *Tail { return &Tail{limit: limit} }

const leftOut = "\n[…]\n"

// Write keeps what it can of p.
func (t *Tail) Write(p []byte) (int, error) {
	n, size := len(p), t.limit-t.limit/4
	taken := min(n, t.limit/4-len(t.head))
	t.head, p = append(t.head, p[:taken]...), p[taken:]
	t.dropped = t.dropped || len(t.rest)+len(p) > size
	t.rest = append(t.rest, p[max(0, len(p)-size):]...)
	if over := len(t.rest) - size; over > size { // seldom, so that many small writes cost little
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
