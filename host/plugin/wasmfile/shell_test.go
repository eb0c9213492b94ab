package wasmfile

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/testdata/guests"
)

// data makes the content of a data section of segments, each its place in memory with its bytes.
func data(segments map[byte]string, order ...byte) []byte {
	var list []wasm.Segment
	for _, at := range order {
		list = append(list, wasm.Segment{At: int64(at), Data: []byte(segments[at])})
	}
	return wasm.AppendSegments(nil, list)
}

func TestJoined(t *testing.T) {
	tests := map[string]struct{ given, want []byte }{
		"near": {data(map[byte]string{1: "ab", 5: "c", 6: "d"}, 1, 5, 6),
			data(map[byte]string{1: "ab\x00\x00cd"}, 1)},
		"out of order": {data(map[byte]string{1: "ab", 5: "c"}, 5, 1), nil},
		"overlapping":  {data(map[byte]string{1: "ab", 2: "c"}, 1, 2), nil},
		"beyond":       {data(map[byte]string{1: "ab", 5: "c", 0x3f: strings.Repeat("d", 1<<7-0x3e)}, 1, 5, 0x3f), nil},
		"none":         {data(nil), nil},
		"passive":      {[]byte{1, 1, 1, 'a'}, nil},
		"by a global":  {[]byte{1, 0, 0x23, 0, 0x0b, 1, 'a'}, nil},
		"cut short":    {data(map[byte]string{1: "ab"}, 1)[:6], nil},
		"followed":     {append(data(map[byte]string{1: "ab", 3: "c"}, 1, 3), 0), nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.want == nil {
				test.want = test.given
			}
			if got := joined(test.given, 1<<7); !bytes.Equal(got, test.want) {
				t.Errorf("got % x, want % x", got, test.want)
			}
		})
	}
	if far := wasm.AppendSegments(nil, []wasm.Segment{{At: 0, Data: []byte("a")},
		{At: joinBelow + 1, Data: []byte("b")}}); !bytes.Equal(joined(far, 1<<16), far) {
		t.Errorf("%d zeros apart: got % x, want % x", joinBelow, joined(far, 1<<16), far)
	}
}

// TestShellIsNoLarger holds that a module as large as a plugin may be has a shell that is not larger, but for the tag:
// data is joined where the bodies leave room for the zeros.
func TestShellIsNoLarger(t *testing.T) {
	for name, test := range map[string]struct{ calls, segments int }{"much code": {10_000, 1}, "no code": {0, 200}} {
		m := guests.NewModule().Memory(1, 0)
		m.Func(nil, nil, 0, guests.Times(test.calls, guests.Call(0)))
		for i := range 200 {
			m.Data(100*i, []byte{1})
		}
		module := m.Bytes()
		file, err := Read(module)
		if err != nil {
			t.Fatal(err)
		}
		shell := file.Shell("tag")
		if most := len(module) + len("tag") + len(shellSection) + 8; len(shell) > most {
			t.Errorf("%s: a module of %d bytes has a shell of %d, want %d at most", name, len(module), len(shell), most)
		}
		sections, err := wasm.Sections(shell)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(sections, func(s wasm.Section) bool { return s.Kind == wasm.DataSection })
		if list, _ := wasm.Segments(shell[sections[at].Body:sections[at].End]); len(list) != test.segments {
			t.Errorf("%s: the shell has %d segments, want %d", name, len(list), test.segments)
		}
	}
}
