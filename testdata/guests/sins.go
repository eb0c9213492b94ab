package guests

import "github.com/stategate/stategate/host/failure"

// Sin is a hostile guest and what must come of it.
type Sin struct {
	Name string
	Wasm []byte

	// Kinds are the failures that are right; more than one where the machine decides which limit is met first.
	Kinds []failure.Kind
	// Refused says that the guest is refused before any of its code runs.
	Refused bool
}

// Manifest is a well-formed manifest for sins whose manifest does not matter to the test. Tests of the whole program give theirs to
// Bytes instead.
const Manifest = `{"abi":1,"name":"sin","version":"0"}`

// Bytes returns the guests that sin below the level of reports, with the given manifest in their custom section. Use
// Canned for guests whose report is the sin.
func Bytes(manifest string) []Sin {
	one := func(name string, wasm []byte, kinds ...failure.Kind) Sin { return Sin{Name: name, Wasm: wasm, Kinds: kinds} }
	refused := func(name string, wasm []byte, kind failure.Kind) Sin {
		return Sin{Name: name, Wasm: wasm, Kinds: []failure.Kind{kind}, Refused: true}
	}
	return []Sin{
		one("endless-loop", examining(manifest, 0, Loop(Again)), failure.Timeout),
		one("call-tree", callTree(manifest), failure.Timeout),
		one("memory-fill", memoryFill(manifest), failure.Timeout),
		one("start-loop", startLoop(manifest), failure.Timeout),
		one("initialize-loop", initializeLoop(manifest), failure.Timeout),
		one("compile-bomb", compileBomb(manifest), failure.Timeout, failure.Memory),
		one("memory-hog", memoryHog(manifest), failure.Memory),
		one("kernel-memory-hog", kernelHog(manifest), failure.Memory),
		one("deep-recursion", recursion(manifest), failure.Trap, failure.Memory),
		one("huge-output", hugeOutput(manifest), failure.Limit),
		one("empty-report", Canned{Manifest: manifest, NoOutput: true}.Bytes(), failure.Protocol),
		one("exit-0", Canned{Manifest: manifest, Report: Report("{}"), Exit: 1}.Bytes(), failure.Trap),
		one("panic", Canned{Manifest: manifest, Report: Report("{}"), Stderr: "panic: index out of range\n", Panic: true}.Bytes(), failure.Trap),
		one("http-request", callsHTTP(manifest), failure.Trap),
		one("error-flood", errorFlood(manifest), failure.Trap),
		refused("wrong-abi", wrongABI(manifest), failure.ABI),
		refused("forbidden-import", forbiddenImport(manifest), failure.ABI),
		refused("lying-section", append(Canned{Manifest: manifest}.Bytes(), 0, 0xff, 0xff, 0xff, 0x7f), failure.Compile),
		refused("many-locals", manyLocals(manifest), failure.Limit),
		refused("begins-huge", beginsHuge(manifest), failure.Memory),
		refused("no-wasm", []byte("#!/bin/sh\necho hello\n"), failure.Compile),
		refused("empty-file", nil, failure.Compile),
	}
}

// NoManifest is a guest that is well but has no manifest section. It must be refused with kind abi before a worker sees it.
func NoManifest() []byte { return Canned{Report: Report("{}")}.Bytes() }

// Well is a guest without a sin: its report is report.
func Well(manifest, report string) []byte {
	return Canned{Manifest: manifest, Report: Report(report)}.Bytes()
}

// All returns every sin with Manifest, and the guest without a manifest, by name.
func All() map[string]Sin {
	all := map[string]Sin{"no-manifest": {Name: "no-manifest", Wasm: NoManifest(), Kinds: []failure.Kind{failure.ABI}, Refused: true}}
	for _, s := range Bytes(Manifest) {
		all[s.Name] = s
	}
	return all
}

// finish makes m a plugin whose describe answers nothing and whose examine is the given function.
func finish(m *Module, manifest string, examine int) []byte {
	plugin(m, m.Func(nil, []byte{I32}, 0, Const32(0)), examine)
	return m.Custom("stategate.manifest", []byte(manifest)).Bytes()
}

// examining is a plugin without imports whose examine runs the given code and returns 0.
func examining(manifest string, locals int, code ...[]byte) []byte {
	m := NewModule()
	return finish(m, manifest, m.Func(nil, []byte{I32}, locals, join(code...), Const32(0)))
}

// callTree calls 2^60 functions without a single loop.
func callTree(manifest string) []byte {
	m := NewModule()
	f := m.Func(nil, nil, 0)
	for range 60 {
		f = m.Func(nil, nil, 0, Call(f), Call(f))
	}
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Call(f), Const32(0)))
}

// memoryFill writes 128 MiB a hundred thousand times in a straight line.
func memoryFill(manifest string) []byte {
	m := NewModule().Memory(2048, 2048)
	fill := m.Func(nil, nil, 0, Times(100, Const32(0), Const32(1), Const32(2048<<16-1), MemoryFill))
	all := m.Func(nil, nil, 0, Times(1000, Call(fill)))
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Call(all), Const32(0)))
}

func startLoop(manifest string) []byte {
	m := NewModule()
	m.Start(m.Func(nil, nil, 0, Loop(Again)))
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Const32(0)))
}

func initializeLoop(manifest string) []byte {
	m := NewModule()
	m.Export("_initialize", m.Func(nil, nil, 0, Loop(Again)))
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Const32(0)))
}

// compileBomb keeps every limit and takes the compiler minutes: many locals that live across many loops.
func compileBomb(manifest string) []byte {
	const locals, loops = 4000, 4000
	var code []byte
	for i := range loops {
		code = append(code, Loop(
			Get(i%locals), Const64(1), I64Add, Set(i%locals),
			Get(i%locals), Const64(9), I64LtU, AgainIf,
		)...)
	}
	for i := range locals {
		code = append(code, join(Get(i), Get(0), I64Add, Set(0))...)
	}
	m := NewModule()
	bomb := m.Func(nil, nil, locals, code)
	for range 200 {
		bomb = m.Func(nil, nil, locals, code)
	}
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Call(bomb), Const32(0)))
}

// memoryHog grows by a page until it gets no more, then traps.
func memoryHog(manifest string) []byte {
	m := NewModule().Memory(1, 0)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0,
		Loop(Const32(16), MemoryGrow, Const32(0), []byte{0x4e}, AgainIf), // i32.ge_s
		Unreachable))
}

// kernelHog asks the kernel for blocks of 16 MiB for ever.
func kernelHog(manifest string) []byte {
	m := NewModule()
	k := kernel(m)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0,
		Loop(Const64(16<<20), Call(k.alloc), Const64(0), []byte{0x52}, AgainIf), // i64.ne
		Unreachable))
}

func recursion(manifest string) []byte {
	m := NewModule()
	deeper := m.Func([]byte{I64}, []byte{I64}, 0, Get(0), Const64(1), I64Add, Call(0), Get(0), I64Add)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Const64(0), Call(deeper), Drop, Const32(0)))
}

// hugeOutput answers with 200 MiB that it never wrote.
func hugeOutput(manifest string) []byte {
	m := NewModule()
	k := kernel(m)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 1,
		Const64(200<<20), Call(k.alloc), Const64(200<<20), Call(k.output), Const32(0)))
}

func callsHTTP(manifest string) []byte {
	m := NewModule()
	http := m.Import("extism:host/env", "http_request", []byte{I64, I64}, []byte{I64})
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Const64(0), Const64(0), Call(http), Drop, Const32(0)))
}

// errorFlood fails with an error text of 100 MiB.
func errorFlood(manifest string) []byte {
	m := NewModule()
	k := kernel(m)
	fail := m.Import("extism:host/env", "error_set", []byte{I64}, nil)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0,
		Const64(100<<20), Call(k.alloc), Call(fail), Const32(1)))
}

func wrongABI(manifest string) []byte {
	m := NewModule()
	f := m.Func(nil, []byte{I32}, 0, Const32(0))
	m.Export("describe", f).Export("examine", f).Export("stategate_abi_7", f)
	return m.Custom("stategate.manifest", []byte(manifest)).Bytes()
}

func forbiddenImport(manifest string) []byte {
	m := NewModule()
	m.Import("env", "system", []byte{I32}, []byte{I32})
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Const32(0)))
}

func manyLocals(manifest string) []byte {
	return examining(manifest, 1<<20)
}

func beginsHuge(manifest string) []byte {
	m := NewModule().Memory(20000, 0)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Const32(0)))
}
