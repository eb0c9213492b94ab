package pack

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// TestShrunkFlow runs random functions in the form of the Go compiler's output, and their shrunk versions. Both must do
// the same, even when a call suspends them and they resume after it.
func TestShrunkFlow(t *testing.T) {
	rewritten := 0
	for seed := range uint64(400) {
		plain := flowModule(rand.New(rand.NewPCG(seed, 1)))
		shrunk, err := Shrink(plain)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(shrunk, plain) {
			rewritten++
		}
		for run := range uint64(5) {
			want := runFlow(t, plain, rand.New(rand.NewPCG(seed, run+2)))
			if got := runFlow(t, shrunk, rand.New(rand.NewPCG(seed, run+2))); got != want {
				t.Fatalf("seed %d, run %d:\n%s\nas shrunk:\n%s", seed, run, want, got)
			}
		}
	}
	if rewritten < 400 {
		t.Errorf("%d of 400 functions are rewritten, want all: is their form not recognized?", rewritten)
	}
}

// runFlow calls the function, resumes it whenever it is suspended, and returns its log. Each bit of random decides
// one of its choices.
func runFlow(t *testing.T, module []byte, random *rand.Rand) string {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	var log strings.Builder
	lines := 0
	_, err := r.NewHostModuleBuilder("env").
		NewFunctionBuilder().WithFunc(func(n uint32) {
		if lines++; lines > 300 {
			panic("enough")
		}
		fmt.Fprintf(&log, "%d ", n)
	}).Export("log").
		NewFunctionBuilder().WithFunc(func() uint32 { return random.Uint32() & 1 }).Export("toss").Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Instantiate(ctx, module)
	if err != nil {
		t.Fatal(err)
	}
	sp := m.ExportedGlobal("sp").(api.MutableGlobal)
	start := sp.Get()
	for function, number := "f", uint64(0); ; {
		result, err := m.ExportedFunction(function).Call(ctx, number)
		if err != nil {
			return log.String() + "fails"
		}
		if result[0] == 0 {
			return log.String() + fmt.Sprintf("returns, the stack is %d higher", sp.Get()-start)
		}
		address, ok := m.Memory().ReadUint64Le(uint32(sp.Get()))
		if !ok {
			t.Fatal("the stack pointer is outside the memory")
		}
		sp.Set(sp.Get() + 8)
		function, number = []string{"f", "never"}[address>>16], address&0xffff
		fmt.Fprintf(&log, "(%s continues at %d) ", function, number)
	}
}

const (
	callLog, callToss, callSometimes, callNever = 0, 1, 3, 4
	blockOp, loopOp, ifOp, endOp, brOp, brIfOp  = 0x02, 0x03, 0x04, 0x0b, 0x0c, 0x0d
)

// flowModule returns a module with f, a function that sometimes suspends its callers, and one that never returns.
func flowModule(random *rand.Rand) []byte {
	constant := func(n int) []byte { return wasm.AppendSigned([]byte{0x41}, int64(n)) }
	setPointer := []byte{0x22, 1, 0x24, 0}
	move := func(n int) []byte { return slices.Concat([]byte{0x20, 1}, constant(n), []byte{0x6a}, setPointer) }
	reload := []byte{0x23, 0, 0x21, 1}
	call := func(callee byte, self, number, exit int) []byte {
		address := wasm.AppendSigned([]byte{0x20, 1, 0x42}, int64(self<<16|number))
		return slices.Concat([]byte{0x20, 1}, constant(8), []byte{0x6b}, setPointer, address, []byte{0x37, 3, 0},
			constant(0), []byte{0x10, callee}, reload, []byte{brIfOp, byte(exit)})
	}
	ret := slices.Concat(move(48), move(8), constant(0), []byte{0x0f})
	log := func(n int) []byte { return append(constant(n), 0x10, callLog) }

	n := 3 + random.IntN(8)
	numbers := make([]int, n) // of each part
	var table []byte
	for p := range n {
		numbers[p] = len(table)
		for range 1 + random.IntN(2) {
			table = append(table, byte(p))
		}
	}
	f := slices.Concat([]byte{1, 1, 0x7f}, reload, []byte{blockOp, 0x40, loopOp, 0x40})
	for range n {
		f = append(f, blockOp, 0x40)
	}
	f = append(wasm.AppendU32(append(f, 0x20, 0, 0x0e), uint32(len(table)-1)), table...)
	f = append(f, endOp)
	for p := range n - 1 {
		jump := func(depth int) []byte {
			to := random.IntN(n - 1)
			return slices.Concat(constant(numbers[to]), []byte{0x21, 0, brOp}, wasm.AppendU32(nil, uint32(depth+n-1-p)))
		}
		conditional := func() []byte {
			return slices.Concat([]byte{0x10, callToss, 0x45, ifOp, 0x40}, jump(1), []byte{endOp})
		}
		if p == 0 {
			f = append(f, move(-48)...)
		}
		f = append(f, log(p)...)
		for range random.IntN(4) {
			at := byte(random.IntN(40))
			f = slices.Concat(f, []byte{0x20, 1, 0x42, byte(p), 0x37, 0, at, 0x20, 1, 0x29, 0, byte(random.IntN(40)),
				0xa7, 0x10, callLog})
		}
		switch random.IntN(8) {
		case 0:
			f = append(f, jump(0)...)
		case 1, 2:
			f = append(f, conditional()...)
		case 3:
			f = slices.Concat(f, conditional(), jump(0))
		case 4:
			f = append(f, ret...)
		case 5, 6:
			f = append(f, call(callSometimes, 0, numbers[p+1], n-p)...)
		case 7:
			f = append(f, call(callNever, 0, numbers[p+1], n-p)...)
		}
		f = append(f, endOp)
	}
	f = append(append(f, ret...), endOp, 0, endOp)
	f = append(append(f, constant(1)...), endOp)

	sometimes := slices.Concat([]byte{1, 1, 0x7f}, reload, []byte{0x10, callToss, 0x10, callToss, 0x71, ifOp, 0x40},
		constant(1), []byte{0x0f, endOp}, move(8), constant(0), []byte{endOp})
	never := slices.Concat([]byte{1, 1, 0x7f}, reload,
		[]byte{blockOp, 0x40, blockOp, 0x40, blockOp, 0x40, 0x20, 0, 0x0e, 1, 0, 1, endOp}, log(99),
		call(callSometimes, 1, 1, 1), []byte{endOp, 0, endOp}, constant(1), []byte{endOp})

	list := func(items ...[]byte) []byte {
		return append(wasm.AppendU32(nil, uint32(len(items))), slices.Concat(items...)...)
	}
	sized := func(b []byte) []byte { return append(wasm.AppendU32(nil, uint32(len(b))), b...) }
	name := func(s string, more ...byte) []byte { return append(wasm.AppendName(nil, s), more...) }
	m := append([]byte{}, wasm.Header...)
	m = wasm.AppendSection(m, wasm.CustomSection, wasm.AppendName(nil, "go:buildid"))
	m = wasm.AppendSection(m, 1, list([]byte{0x60, 1, 0x7f, 1, 0x7f}, []byte{0x60, 1, 0x7f, 0},
		[]byte{0x60, 0, 1, 0x7f}))
	m = wasm.AppendSection(m, wasm.ImportSection, list(append(name("env"), name("log", 0, 1)...),
		append(name("env"), name("toss", 0, 2)...)))
	m = wasm.AppendSection(m, wasm.FunctionSection, []byte{3, 0, 0, 0})
	m = wasm.AppendSection(m, 5, []byte{1, 0, 1})
	m = wasm.AppendSection(m, 6, append(append([]byte{1, 0x7f, 1}, constant(60000)...), endOp))
	m = wasm.AppendSection(m, 7, list(name("f", 0, 2), name("never", 0, 4), name("sp", 3, 0)))
	m = wasm.AppendSection(m, wasm.CodeSection, list(sized(f), sized(sometimes), sized(never)))
	return wasm.AppendSection(m, wasm.DataSection, list(slices.Concat([]byte{0}, constant(0), []byte{endOp, 1, 1})))
}
