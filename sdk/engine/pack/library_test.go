package pack

import (
	"bytes"
	"encoding/hex"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// TestLibrary holds that what replaces a function of Go does the same, on bytes of any length wherever they lie, also where the memory ends.
func TestLibrary(t *testing.T) {
	goes, ours := newFunctions(t, func(_ string, body []byte) []byte { return body }), newFunctions(t, func(key string, _ []byte) []byte { return library[key] })
	const page = 1 << 16
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(most uint64) uint64 {
		switch r.IntN(8) {
		case 0, 1, 2:
			return r.Uint64N(min(36, most+1))
		case 3:
			return most - r.Uint64N(min(36, most+1))
		}
		return r.Uint64N(min(200, most+1))
	}
	check := func(name string, params ...uint64) {
		t.Helper()
		want, got := goes.call(t, name, params...), ours.call(t, name, params...)
		if !slices.Equal(want, got) || !bytes.Equal(goes.memory(), ours.memory()) {
			t.Fatalf("%s%v: got %v, want %v; the memories are the same: %v", name, params, got, want, bytes.Equal(goes.memory(), ours.memory()))
		}
	}
	for range 4_000 {
		n := pick(300)
		a, b := pick(page-n), pick(page-n)
		if r.IntN(4) == 0 {
			b = min(page-n, a+r.Uint64N(40)) // they overlap
		}
		byteOf := func(at uint64) uint64 { return uint64(goes.memory()[min(at, page-1)]) }
		for _, f := range []*functions{goes, ours} {
			stack := slices.Concat(make([]byte, 8), number(a), number(b), number(n))
			f.memory()[min(a+n, page-1)] = byte(n) // what is searched may lie behind the end
			copy(f.memory()[stackAt:], stack)
		}
		check("memmove")
		check("memchr", a, byteOf(b), n)
		check("memchr", a, byteOf(a+n), n)
		check("memequal", a, b, n)
		other, differs := r.Uint64N(max(n, 1)), r.IntN(2) == 0
		for _, f := range []*functions{goes, ours} {
			copy(f.memory()[b:b+n], f.memory()[a:a+n])
			if n > 0 && differs {
				f.memory()[b+other]++
			}
		}
		check("memequal", a, b, n)
		for _, f := range []*functions{goes, ours} {
			copy(f.memory()[stackAt:], slices.Concat(make([]byte, 8), number(b), number(n)))
		}
		check("memclr")
		for _, f := range []*functions{goes, ours} { // so that not all becomes zero
			for i := range n {
				f.memory()[b+i] = byte(a+i*7) % 6
			}
		}
	}
}

const stackAt = 32 << 10

func number(n uint64) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16), 0, 0, 0, 0, 0} }

// functions are those of the library, in a module with a page of memory.
type functions struct{ module api.Module }

func newFunctions(t *testing.T, body func(key string, of []byte) []byte) *functions {
	const i64 = 0x7e
	types := map[string][]byte{
		"memmove": {0x60, 1, i32, 1, i32}, "memclr": {0x60, 1, i32, 1, i32}, "memequal": {0x60, 3, i64, i64, i64, 1, i64}, "memchr": {0x60, 3, i32, i32, i32, 1, i32},
	}
	names := map[string]string{} // by body
	for key, b := range library {
		for name, of := range map[string][]byte{"memmove": memmove, "memclr": memclr, "memequal": memequal, "memchr": memchr} {
			if bytes.Equal(b, of) {
				names[key] = name
			}
		}
	}
	if len(names) != len(types) {
		t.Fatalf("the library has %v", names)
	}
	type4, function4, export4, code4 := []byte{4}, []byte{4}, []byte{6}, []byte{4}
	for i, key := range slices.Sorted(maps.Keys(names)) {
		type4 = append(type4, types[names[key]]...)
		function4 = append(function4, byte(i))
		export4 = append(wasm.AppendName(export4, names[key]), 0, byte(i))
		of, err := hex.DecodeString(key)
		if err != nil {
			t.Fatal(err)
		}
		b := body(key, of)
		code4 = append(wasm.AppendU32(code4, uint32(len(b))), b...)
	}
	export4 = append(wasm.AppendName(export4, "memory"), 2, 0)
	export4 = append(wasm.AppendName(export4, "stack"), 3, 0)
	file := append([]byte{}, wasm.Header...)
	file = wasm.AppendSection(file, wasm.TypeSection, type4)
	file = wasm.AppendSection(file, wasm.FunctionSection, function4)
	file = wasm.AppendSection(file, wasm.MemorySection, []byte{1, 1, 1, 1})
	file = wasm.AppendSection(file, 6, append(wasm.AppendSigned([]byte{1, i32, 1, opI32Const}, stackAt), opEnd))
	file = wasm.AppendSection(file, wasm.ExportSection, export4)
	file = wasm.AppendSection(file, wasm.CodeSection, code4)
	ctx := t.Context()
	engine := wazero.NewRuntime(ctx)
	t.Cleanup(func() { engine.Close(ctx) })
	m, err := engine.Instantiate(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	f := &functions{m}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range f.memory() {
		f.memory()[i] = byte(r.IntN(6))
	}
	return f
}

func (f *functions) memory() []byte {
	b, _ := f.module.Memory().Read(0, f.module.Memory().Size())
	return b
}

func (f *functions) call(t *testing.T, name string, params ...uint64) []uint64 {
	t.Helper()
	if len(params) == 0 {
		params = []uint64{0}
	}
	f.module.ExportedGlobal("stack").(api.MutableGlobal).Set(stackAt)
	got, err := f.module.ExportedFunction(name).Call(t.Context(), params...)
	if err != nil {
		t.Fatalf("%s%v: %v", name, params, err)
	}
	return got
}

// TestLibraryIsUsed holds that the Go at hand writes the bodies that the library knows.
func TestLibraryIsUsed(t *testing.T) {
	guest, err := os.ReadFile("../../../plugins/build/kiro.wasm")
	if err != nil {
		t.Skip("no plugin is built here; run make plugins")
	}
	for key, with := range library {
		if !bytes.Contains(guest, with) {
			t.Errorf("a guest has no function %x: Go writes %s another way", with, key)
		}
	}
}
