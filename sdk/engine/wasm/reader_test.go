package wasm

import "testing"

func TestSigned(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 63, 64, -64, -65, 1 << 31, -1 << 31, 1<<63 - 1, -1 << 63} {
		r := &Reader{Buf: AppendSigned(nil, n)}
		if got := r.Signed(); got != n || r.Failed || r.Pos != len(r.Buf) {
			t.Errorf("%d comes back as %d", n, got)
		}
	}
}
