package sandbox

import (
	"errors"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	. "github.com/stategate/stategate/testdata/guests"
)

// echo returns a guest with one page of memory, or none, that copies its input to one address and answers with the
// bytes at another.
func echo(pages, to, from, length int) []byte {
	m := NewModule()
	read := m.Import("stategate:host", "input_read", []byte{I32}, nil)
	write := m.Import("stategate:host", "output_write", []byte{I32, I32}, nil)
	if pages > 0 {
		m.Memory(pages, 0)
	}
	f := m.Func(nil, []byte{I32}, 0, Const32(to), Call(read), Const32(from), Const32(length), Call(write), Const32(0))
	return m.Export("describe", f).Export("examine", f).Export("stategate_abi_1", m.Func(nil, nil, 0)).Bytes()
}

func TestInputAndOutputAreCopiedAtOnce(t *testing.T) {
	const page = 1 << 16
	for name, c := range map[string]struct {
		module []byte
		want   string // the answer to "request", or part of the failure's message
		kind   fault.Kind
	}{
		"the input":                {echo(1, 8, 8, 7), "request", ""},
		"a part of it":             {echo(1, 8, 10, 3), "que", ""},
		"at the end of the memory": {echo(1, page-7, page-7, 7), "request", ""},
		"nothing":                  {echo(1, 8, 8, 0), "returned no output", fault.Protocol},
		"input beyond the memory": {echo(1, page-6, 0, 1),
			"it refers to 7 bytes at offset 65530 of its memory, which has 65536 bytes", fault.Trap},
		"output beyond the memory": {echo(1, 0, page-6, 7), "it refers to 7 bytes at offset 65530 of its memory",
			fault.Trap},
		"at an address that is negative": {echo(1, -1, 0, 1), "it refers to 7 bytes at offset 4294967295 of its memory",
			fault.Trap},
		"without a memory":            {echo(0, 0, 0, 1), "of its memory, which has 0", fault.Trap},
		"more than a report may have": {echo(1, 0, 0, 64<<20), "its output has 67108864 bytes", fault.Limit},
	} {
		g := load(t, engine(t), c.module)
		for range 2 { // the second call uses what the first has left
			out, err := g.Call(t.Context(), "examine", []byte("request"))
			var f *fault.Failure
			if errors.As(err, &f) {
				out = []byte(f.Message)
			}
			if !strings.Contains(string(out), c.want) || (f != nil) != (c.kind != "") || f != nil && f.Kind != c.kind {
				t.Errorf("%s: got %q, %v, expected %q, %s", name, out, err, c.want, c.kind)
			}
		}
	}
	m := NewModule()
	m.Import("stategate:host", "input_read", []byte{I64}, nil)
	f := m.Func(nil, []byte{I32}, 0, Const32(0))
	_, err := engine(t).Load(t.Context(), m.Export("describe", f).Export("examine", f).Export("stategate_abi_1",
		f).Bytes(), false)
	if err == nil || !strings.Contains(err.Error(), "which no plugin may use") {
		t.Errorf("another signature: %v", err)
	}
}

// TestWaits: an export can only be called in the instance that was called before.
func TestWaits(t *testing.T) {
	m := NewModule()
	write := m.Import("stategate:host", "output_write", []byte{I32, I32}, nil)
	m.Memory(1, 0)
	f := m.Func(nil, []byte{I32}, 0, Const32(0), Const32(2), Call(write), Const32(0))
	m.Export("describe", f).Export("examine", f).Export("stategate_abi_1", m.Func(nil, nil, 0))
	without := load(t, engine(t), m.Bytes())
	with := load(t, engine(t), m.Export("answer", f).Bytes())
	if with.Waits("answer") {
		t.Error("a guest that was not called waits")
	}
	for _, g := range []*Guest{without, with} {
		if _, err := g.Call(t.Context(), "examine", nil); err != nil {
			t.Fatal(err)
		}
	}
	if without.Waits("answer") || !with.Waits("answer") {
		t.Errorf("without the export %t, with it %t", without.Waits("answer"), with.Waits("answer"))
	}
	if with.Renew(t.Context()); with.Waits("answer") {
		t.Error("a fresh instance waits")
	}
}
