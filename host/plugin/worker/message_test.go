package worker

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/stategate/stategate/host/fault"
)

// FuzzMessage: any bytes from a pipe are read as a message within the limit or rejected. A message that was read is
// the same after it is written and read again.
func FuzzMessage(f *testing.F) {
	const limit = 1 << 10
	for _, a := range []answer{{}, {Stderr: "note", Stale: true},
		{Failure: &fault.Failure{Kind: fault.Trap, Message: "it panicked"}}} {
		f.Add(written(f, a, []byte("body")))
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 0, '{', '['})
	f.Fuzz(func(t *testing.T, data []byte) {
		var first, second answer
		body, err := readMessage(bufio.NewReader(bytes.NewReader(data)), limit, &first)
		if err != nil {
			if !errors.Is(err, errMalformed) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("unexpected error %v", err)
			}
			return
		}
		if len(body) > limit {
			t.Errorf("%d bytes, limit %d", len(body), limit)
		}
		again,
			err := readMessage(bufio.NewReader(bytes.NewReader(written(t, first, body[:len(body)/2],
			body[len(body)/2:]))), 8*limit, &second)
		if err != nil || !bytes.Equal(body, again) || !reflect.DeepEqual(first, second) {
			t.Errorf("read %+v %q, again %+v %q, %v", first, body, second, again, err)
		}
	})
}

func written(t testing.TB, head answer, body ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := writeMessage(bufio.NewWriter(&out), head, body...); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
