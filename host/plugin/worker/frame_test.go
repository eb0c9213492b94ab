package worker

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"
)

// FuzzFrame holds that whatever comes over a pipe is read as a frame within the limit or refused, and that a frame which was read is
// read the same when it is written again.
func FuzzFrame(f *testing.F) {
	const limit = 1 << 10
	for _, fields := range [][][]byte{nil, {nil}, {[]byte("a"), []byte("bc")}, {bytes.Repeat([]byte("x"), 300)}} {
		f.Add(written(f, frame{typ: frameResult, fields: fields}))
	}
	f.Add([]byte{frameResult, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{frameResult, 2, 0, 0, 0, 0x80, 0x80})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := readFrame(bufio.NewReader(bytes.NewReader(data)), limit)
		if err != nil {
			if !errors.Is(err, errFrame) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("unexpected error %v", err)
			}
			return
		}
		total := 0
		for _, field := range got.fields {
			total += len(field)
		}
		if total > limit {
			t.Errorf("%d bytes, limit %d", total, limit)
		}
		inPieces := got
		if n := len(got.fields); n > 0 {
			last := got.fields[n-1]
			inPieces.fields, inPieces.last = got.fields[:n-1], [][]byte{last[:len(last)/2], last[len(last)/2:]}
		}
		again, err := readFrame(bufio.NewReader(bytes.NewReader(written(t, inPieces))), limit)
		if err != nil || again.typ != got.typ || !equal(again.fields, got.fields) {
			t.Errorf("read %v, again %v, %v", got, again, err)
		}
	})
}

func written(t testing.TB, f frame) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := f.write(bufio.NewWriter(&out)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func equal(a, b [][]byte) bool {
	return bytes.Equal(bytes.Join(a, []byte{0}), bytes.Join(b, []byte{0})) && len(a) == len(b)
}
