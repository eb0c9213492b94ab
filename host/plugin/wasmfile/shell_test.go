package wasmfile

import (
	"bytes"
	"testing"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// data makes the content of a data section of segments, each its place in memory with its bytes.
func data(segments map[byte]string, order ...byte) []byte {
	out := []byte{byte(len(order))}
	for _, at := range order {
		out = append(out, 0, opI32Const, at, opEnd, byte(len(segments[at])))
		out = append(out, segments[at]...)
	}
	return out
}

func TestJoined(t *testing.T) {
	tests := map[string]struct{ given, want []byte }{
		"near":         {data(map[byte]string{1: "ab", 5: "c", 6: "d"}, 1, 5, 6), data(map[byte]string{1: "ab\x00\x00cd"}, 1)},
		"out of order": {data(map[byte]string{1: "ab", 5: "c"}, 5, 1), nil},
		"overlapping":  {data(map[byte]string{1: "ab", 2: "c"}, 1, 2), nil},
		"none":         {data(nil), nil},
		"passive":      {[]byte{1, 1, 1, 'a'}, nil},
		"by a global":  {[]byte{1, 0, 0x23, 0, opEnd, 1, 'a'}, nil},
		"cut short":    {data(map[byte]string{1: "ab"}, 1)[:6], nil},
		"followed":     {append(data(map[byte]string{1: "ab", 3: "c"}, 1, 3), 0), nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.want == nil {
				test.want = test.given
			}
			if got := joined(test.given); !bytes.Equal(got, test.want) {
				t.Errorf("got % x, want % x", got, test.want)
			}
		})
	}
	far := append([]byte{2, 0, opI32Const, 0, opEnd, 1, 'a', 0, opI32Const}, wasm.AppendSigned(nil, joinBelow+1)...)
	if far = append(far, opEnd, 1, 'b'); !bytes.Equal(joined(far), far) {
		t.Errorf("%d zeros apart: got % x, want % x", joinBelow, joined(far), far)
	}
}
