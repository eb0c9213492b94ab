package pack

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// TestShrinkBody checks code that is shortened, and similar code that must not be changed.
func TestShrinkBody(t *testing.T) {
	const get, set, end = opLocalGet, opLocalSet, opEnd
	at := func(n byte) []byte { return []byte{get, 1, opExtend, opI64Const, n, opI64Add, opI32Wrap} }
	load := func(offset byte) []byte { return []byte{opI64Load, 3, offset} }
	store := func(offset byte) []byte { return []byte{0x37, 3, offset} }
	sp := []byte{get, 1}
	join := func(parts ...[]byte) []byte { return append(bytes.Join(parts, nil), end) }
	const none, drop = noResult, 0x1a
	loop := []byte{opLoop, none, opBlock, none, opBlock, none, opBlock, none, get, 0, opBrTable, 3, 0, 1, 2, 2, end}
	jump := func(part, depth byte) []byte { return []byte{opI32Const, part, set, 0, opBr, depth} }
	tail := []byte{end, 0}
	jumps := func(a, b, c []byte) []byte { return join(loop, a, []byte{end}, b, []byte{end}, c, tail) }
	ret := []byte{opI32Const, 0, opReturn}
	for _, c := range []struct {
		name     string
		in, want []byte
	}{
		{"a jump ahead", jumps(slices.Concat([]byte{get, 2, opIf, none}, jump(2, 3), []byte{end}), ret, ret),
			join([]byte{opBlock, none, get, 2, opIf, none, opBr, 1, end}, ret, []byte{end}, ret, []byte{0})},
		{"a jump to the next part", jumps(jump(1, 2), ret, nil), join(ret, []byte{0})},
		{"a jump back", jumps(ret, nil, ret), join(ret, []byte{0})},
		{"a loop that ends with its condition",
			jumps(jump(2, 2), []byte{get, 2, drop},
				slices.Concat([]byte{get, 2, opIf, none}, jump(1, 1), []byte{end}, ret)),
			join([]byte{opBlock, none, opI32Const, 2, set, 0, opBr, 0, end, opLoop, none, opBlock, none},
				[]byte{get, 0, opIf, none, get, 0, opI32Const, 2, opI32Sub, opBrTable, 2, 1, 1, 0, end},
				[]byte{get, 2, drop, end},
				[]byte{get, 2, opIf, none, opI32Const, 0, set, 0, opBr, 1, end}, ret, []byte{end, 0})},
		{"jumps where local 0 is read", jumps([]byte{get, 0, drop}, jump(2, 1), ret), nil},
		{"a load", join(at(8), load(0), []byte{set, 2}), join(sp, load(8), []byte{set, 2})},
		{"a load with an offset", join(at(8), load(4), []byte{set, 2}), join(sp, load(12), []byte{set, 2})},
		{"a store", join(at(8), []byte{get, 2}, store(0)), join(sp, []byte{get, 2}, store(8))},
		{"a store of a load", join(at(8), at(16), load(0), store(0)), join(sp, sp, load(16), store(8))},
		{"a store of an address", join(at(8), at(16), []byte{opExtend}, store(0)),
			join(sp, sp, []byte{opI32Const, 16, opI32Add, opExtend}, store(8))},
		{"an address for memory.copy", join(at(8), []byte{get, 2, opI32Wrap, opI32Const, 24, opMisc, 10, 0, 0}),
			join(sp, []byte{opI32Const, 8, opI32Add, get, 2, opI32Wrap, opI32Const, 24, opMisc, 10, 0, 0})},
		{"an address across a branch", join(at(8), []byte{get, 2, 0x04, 0x7e, end}, store(0)),
			join(sp, []byte{opI32Const, 8, opI32Add, get, 2, 0x04, 0x7e, end}, store(0))},
		{"another local", join([]byte{get, 2, opExtend, opI64Const, 8, opI64Add, opI32Wrap}, load(0), []byte{0x1a}),
			nil},
		{"a negative offset", join([]byte{get, 1, opExtend, opI64Const, 0x78, opI64Add, opI32Wrap}, load(0),
			[]byte{0x1a}), nil},
		{"an unknown instruction", join(at(8), load(0), []byte{0xff, set, 2}), nil},
	} {
		in := append([]byte{0}, c.in...) // no locals
		want := append([]byte{0}, c.want...)
		if c.want == nil {
			want = in
		}
		if got := shrinkBody(in); !bytes.Equal(got, want) {
			t.Errorf("%s: %x becomes %x, want %x", c.name, in, got, want)
		}
	}
}

// TestSegments: rewritten data gives the same memory.
func TestSegments(t *testing.T) {
	for _, want := range [][]byte{
		{}, {1}, {0, 0, 1, 2, 0, 3}, append(make([]byte, 70), 1),
		append(append([]byte{9}, make([]byte, 9)...), 7, 0, 8),
	} {
		if got := image(segments(want)); !bytes.Equal(got, want) {
			t.Errorf("%v is laid out as %v", want, got)
		}
	}
}

// TestShrinkLeavesOthers: Shrink changes only modules that the Go linker wrote, and never fails on other input.
func TestShrinkLeavesOthers(t *testing.T) {
	other := append([]byte{}, wasm.Header...)
	if got, err := Shrink(other); err != nil || !bytes.Equal(got, other) {
		t.Errorf("got %x, %v", got, err)
	}
	for _, name := range []string{"code", "data", "functions"} {
		linked := wasm.AppendSection(append([]byte{}, wasm.Header...), 0, wasm.AppendName(nil, "go:buildid"))
		switch name {
		case "code":
			linked = wasm.AppendSection(linked, wasm.CodeSection, []byte{9, 3, 0})
		case "data":
			linked = wasm.AppendSection(linked, wasm.DataSection, []byte{9, 0, opI32Const, 0})
		case "functions":
			linked = wasm.AppendSection(linked, wasm.FunctionSection, []byte{0xff})
			linked = wasm.AppendSection(linked, wasm.CodeSection, []byte{0})
		}
		if got, err := Shrink(linked); err == nil && !bytes.Equal(got, linked) {
			t.Errorf("%s: got %x, %v", name, got, err)
		}
	}
}

// FuzzShrinkBody: every function is returned either unchanged or in a valid form.
func FuzzShrinkBody(f *testing.F) {
	f.Add([]byte{0, opGet, 0, opLocalSet, 1, opBlock, noResult, opLoop, noResult, opBlock, noResult, opBlock, noResult,
		opLocalGet, 0, opBrTable, 1, 0, 1, opEnd,
		opI32Const, 1, opLocalSet, 0, opBr, 1, opEnd, opLocalGet, 1, opI32Const, 8, opI32Sub, opLocalTee, 1, opSet, 0,
		opLocalGet, 1, opI64Const, 1, opI64Store, 3, 0,
		opI32Const, 0, opCall, 5, opGet, 0, opLocalSet, 1, opBrIf, 1, opEnd, 0, opEnd, opI32Const, 1, opEnd})
	f.Fuzz(func(t *testing.T, body []byte) {
		list, ok := instructions(body)
		got := shrinkBody(body)
		if !ok || len(list) == 0 {
			if !bytes.Equal(got, body) {
				t.Errorf("%x becomes %x", body, got)
			}
		} else if _, ok := instructions(got); !ok {
			t.Errorf("%x becomes %x, which cannot be read", body, got)
		}
	})
}
