package guests

import (
	"github.com/stategate/stategate/host/fault"
)

// Sin is a hostile guest, and the expected result.
type Sin struct {
	Name string // also the plugin's name, if its manifest is readable
	Wasm []byte

	// Kinds lists the acceptable failures. There are several if the machine decides which limit is reached first.
	// If there are none, the report is accepted, and its content must not do harm.
	Kinds []fault.Kind
	// Refused is set if the guest must be refused before any of its code runs.
	Refused bool
}

// Bytes returns the guests that sin below the level of manifests and reports.
func Bytes() []Sin {
	var sins []Sin
	add := func(name string, build func(manifest string) []byte, kinds ...fault.Kind) *Sin {
		sins = append(sins, Sin{Name: name, Wasm: build(Manifest(name)), Kinds: kinds})
		return &sins[len(sins)-1]
	}
	refused := func(name string, build func(manifest string) []byte, kind fault.Kind) {
		add(name, build, kind).Refused = true
	}
	add("endless-loop", endlessLoop, fault.Timeout)
	add("call-tree", callTree, fault.Timeout)
	add("memory-fill", memoryFill, fault.Timeout)
	add("start-loop", startLoop, fault.Timeout)
	add("initialize-loop", initializeLoop, fault.Timeout)
	add("compile-bomb", compileBomb, fault.Timeout, fault.Memory)
	add("memory-hog", memoryHog, fault.Memory)
	add("kernel-memory-hog", kernelHog, fault.Memory)
	add("deep-recursion", recursion, fault.Trap, fault.Memory)
	add("huge-output", hugeOutput, fault.Limit)
	add("empty-report", Canned{NoOutput: true}.with, fault.Protocol)
	add("exit-zero", Canned{Report: Report("{}"), Exit: 1}.with, fault.Trap)
	add("panic", Canned{Report: Report("{}"), Stderr: "panic: index out of range\n", Panic: true}.with, fault.Trap)
	add("http-request", callsHTTP, fault.Trap)
	add("error-flood", errorFlood, fault.Trap)
	refused("wrong-abi", wrongABI, fault.ABI)
	refused("forbidden-import", forbiddenImport, fault.ABI)
	refused("lying-section", lyingSection, fault.Compile)
	refused("many-locals", manyLocals, fault.Limit)
	refused("begins-huge", beginsHuge, fault.Memory)
	refused("no-wasm", func(string) []byte { return []byte("#!/bin/sh\necho hello\n") }, fault.Compile)
	refused("empty-file", func(string) []byte { return nil }, fault.Compile)
	return sins
}

func (c Canned) with(manifest string) []byte {
	c.Manifest = manifest
	return c.Bytes()
}

// Well returns a guest without a sin that answers with report.
func Well(manifest, report string) []byte {
	return Canned{Manifest: manifest, Report: Report(report)}.Bytes()
}

// All returns the sins from Bytes, Manifests and Reports, by name.
func All() map[string]Sin {
	all := map[string]Sin{}
	for _, sins := range [][]Sin{Bytes(), Manifests(), Reports()} {
		for _, s := range sins {
			all[s.Name] = s
		}
	}
	return all
}

// finish turns m into a plugin with an empty describe, and the given function as examine.
func finish(m *Module, manifest string, examine int) []byte {
	plugin(m, m.Func(nil, []byte{I32}, 0, Const32(0)), examine)
	return m.Custom("stategate.manifest", []byte(manifest)).Bytes()
}

func endlessLoop(manifest string) []byte {
	m := NewModule()
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Loop(Again), Const32(0)))
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

// memoryFill writes 128 MiB a hundred thousand times, without a loop.
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

// compileBomb stays within every limit but takes minutes to compile, because many locals live across many loops.
// (Measured: 1,000 of each take 3 s; 2,000 take 35 s.)
func compileBomb(manifest string) []byte { return bomb(manifest, 4000, 4000) }

func bomb(manifest string, locals, loops int) []byte {
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
	f := m.Func(nil, nil, locals, code)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Call(f), Const32(0)))
}

// memoryHog grows by a page until it gets no more, then traps.
func memoryHog(manifest string) []byte {
	m := NewModule().Memory(1, 0)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0,
		Loop(Const32(16), MemoryGrow, Const32(0), []byte{0x4e}, AgainIf), // i32.ge_s
		Unreachable))
}

// kernelHog asks the kernel for blocks of 16 MiB forever.
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

// lyingSection ends with a section whose header claims 256 MiB.
func lyingSection(manifest string) []byte {
	return append(Well(manifest, "{}"), 0, 0xff, 0xff, 0xff, 0x7f)
}

func manyLocals(manifest string) []byte {
	m := NewModule()
	return finish(m, manifest, m.Func(nil, []byte{I32}, 1<<20, Const32(0)))
}

func beginsHuge(manifest string) []byte {
	m := NewModule().Memory(20000, 0)
	return finish(m, manifest, m.Func(nil, []byte{I32}, 0, Const32(0)))
}
