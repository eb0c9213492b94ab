package sandbox

// Tail keeps a bounded part of what is written to it: the beginning, which says what happened, and the end, which
// says where. It is an io.Writer that never fails and is not safe for concurrent use.
type Tail struct {
	limit   int
	head    []byte
	ring    []byte
	next    int // place in ring of the next byte, once it is full
	dropped bool
}

// NewTail returns a Tail that keeps at most limit bytes and a mark where it left some out.
func NewTail(limit int) *Tail { return &Tail{limit: limit} }

const leftOut = "\n[…]\n"

// Write keeps what it can of p.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if room := t.limit/4 - len(t.head); room > 0 {
		take := min(room, len(p))
		t.head, p = append(t.head, p[:take]...), p[take:]
	}
	size := t.limit - t.limit/4
	if size > 0 && len(p) > size {
		p, t.dropped = p[len(p)-size:], true
	}
	for _, b := range p {
		if len(t.ring) < size {
			t.ring = append(t.ring, b)
			continue
		}
		t.dropped = true
		if size > 0 {
			t.ring[t.next] = b
			t.next = (t.next + 1) % size
		}
	}
	return n, nil
}

// String returns what was kept.
func (t *Tail) String() string {
	s := string(t.head)
	if t.dropped {
		s += leftOut
	}
	return s + string(t.ring[t.next:]) + string(t.ring[:t.next])
}

// Reset forgets everything.
func (t *Tail) Reset() { *t = Tail{limit: t.limit} }
