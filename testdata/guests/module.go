// Package guests builds hostile plugins for tests, byte by byte, so that the tests need no tool other than Go and every
// sin is readable.
//
// All returns all these plugins; Canned builds more. Only tests may import this package.
package guests

import (
	"bytes"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// These are the binary format's value types.
const (
	I32 byte = 0x7f
	I64 byte = 0x7e
)

// Module builds a WebAssembly module: imports first, then functions.
type Module struct {
	types, imports, funcs, exports, codes, datas, customs [][]byte
	memory, start                                         []byte
	imported                                              int
}

// NewModule returns an empty module.
func NewModule() *Module { return &Module{} }

// Import adds an imported function and returns its index. It panics if called after Func.
func (m *Module) Import(module, name string, params, results []byte) int {
	if len(m.funcs) > 0 {
		panic("guests: imports come before functions")
	}
	m.imports = append(m.imports, join(str(module), str(name), []byte{0}, num(m.typ(params, results))))
	m.imported++
	return m.imported - 1
}

// Func adds a function with i64 locals and returns its index. The final end is added.
func (m *Module) Func(params, results []byte, locals int, code ...[]byte) int {
	var group []byte
	if group = num(0); locals > 0 {
		group = join(num(1), num(locals), []byte{I64})
	}
	body := join(group, join(code...), []byte{0x0b})
	m.funcs = append(m.funcs, num(m.typ(params, results)))
	m.codes = append(m.codes, join(num(len(body)), body))
	return m.imported + len(m.funcs) - 1
}

// Export exports a function.
func (m *Module) Export(name string, function int) *Module {
	m.exports = append(m.exports, join(str(name), []byte{0}, num(function)))
	return m
}

// Memory gives the module a memory with a number of pages; if most is 0, it declares no maximum. The memory is
// not exported; see ExportMemory.
func (m *Module) Memory(least, most int) *Module {
	m.memory = join([]byte{0}, num(least))
	if most > 0 {
		m.memory = join([]byte{1}, num(least), num(most))
	}
	return m
}

// ExportMemory exports the memory under the name that WASI needs.
func (m *Module) ExportMemory() *Module {
	m.exports = append(m.exports, join(str("memory"), []byte{2}, num(0)))
	return m
}

// Data puts bytes into the memory.
func (m *Module) Data(offset int, data []byte) *Module {
	m.datas = append(m.datas, join([]byte{0}, Const32(offset), []byte{0x0b}, num(len(data)), data))
	return m
}

// Start makes a function run when the module is instantiated.
func (m *Module) Start(function int) *Module {
	m.start = num(function)
	return m
}

// Custom adds a custom section at the end.
func (m *Module) Custom(name string, content []byte) *Module {
	m.customs = append(m.customs, join(str(name), content))
	return m
}

// Bytes returns the module in the binary format.
func (m *Module) Bytes() []byte {
	out := []byte(wasm.Header)
	section := func(id byte, content []byte) { out = wasm.AppendSection(out, id, content) }
	vector := func(id byte, items [][]byte) {
		if len(items) > 0 {
			section(id, join(num(len(items)), join(items...)))
		}
	}
	vector(1, m.types)
	vector(2, m.imports)
	vector(3, m.funcs)
	if m.memory != nil {
		vector(5, [][]byte{m.memory})
	}
	vector(7, m.exports)
	if m.start != nil {
		section(8, m.start)
	}
	vector(10, m.codes)
	vector(11, m.datas)
	for _, c := range m.customs {
		section(0, c)
	}
	return out
}

func (m *Module) typ(params, results []byte) int {
	t := join([]byte{0x60}, num(len(params)), params, num(len(results)), results)
	for i, have := range m.types {
		if bytes.Equal(have, t) {
			return i
		}
	}
	m.types = append(m.types, t)
	return len(m.types) - 1
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func num(n int) []byte { return wasm.AppendU32(nil, uint32(n)) }

func str(s string) []byte { return wasm.AppendName(nil, s) }
