package wasmfile

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/sdk/wire"
)

// These names occur in a plugin's module.
const (
	ABIPrefix = "stategate_abi_"
	Kernel    = "extism:host/env"
	WASI      = "wasi_snapshot_preview1"
	Host      = "stategate:host"
)

const (
	i32 = 0x7f
	i64 = 0x7e
)

// kernelFunctions lists the Extism kernel's functions that are part of ABI 1.
var kernelFunctions = []string{
	"alloc", "free", "length", "length_unsafe", "memory_bytes", "reset",
	"load_u8", "load_u64", "store_u8", "store_u64",
	"input_length", "input_offset", "input_load_u8", "input_load_u64", "input_set",
	"output_set", "output_length", "output_offset",
	"error_set", "error_get",
	"get_log_level", "log_trace", "log_debug", "log_info", "log_warn", "log_error",
}

// Trapping lists the kernel functions that are not part of ABI 1. A plugin may import them, because prebuilt
// engines always do, but a call traps. The values are the kernel's signatures.
var Trapping = map[string]Signature{
	"config_get":       {Params: []byte{i64}, Results: []byte{i64}},
	"var_get":          {Params: []byte{i64}, Results: []byte{i64}},
	"var_set":          {Params: []byte{i64, i64}},
	"http_request":     {Params: []byte{i64, i64}, Results: []byte{i64}},
	"http_status_code": {Results: []byte{i32}},
	"http_headers":     {Results: []byte{i64}},
}

// Whole lists the host's own functions, which copy a whole input or output in one call.
var Whole = map[string]Signature{
	"input_read":   {Params: []byte{i32}},
	"output_write": {Params: []byte{i32, i32}},
}

// Check reads a module and rejects anything that is not a plugin, without reading its code: a file over its limits
// (kind limit), a malformed file (compile), or one with forbidden imports, missing exports or another ABI (abi).
func Check(wasm []byte, lim limits.Limits) (*File, error) {
	if int64(len(wasm)) > lim.Plugin {
		return nil, fault.Newf(fault.Limit, "the file has %d bytes, at most %d are allowed", len(wasm), lim.Plugin)
	}
	f, err := Read(wasm)
	if err != nil {
		return nil, err
	}
	if err := f.checkVersion(); err != nil {
		return nil, err
	}
	for _, name := range []string{"describe", "examine", "answer"} {
		t, ok := f.Exports[name]
		if !ok && name == "answer" {
			continue
		}
		if !ok {
			return nil,
				fault.Newf(fault.ABI,
					"it does not export the function %q, which ABI %d requires; build it with the sdk's "+
						"plugin.Serve", name, wire.ABI)
		}
		if len(t.Params) > 0 || len(t.Results) > 0 && !bytes.Equal(t.Results, []byte{i32}) {
			return nil, fault.Newf(fault.ABI, "its export %q must take no parameters and return nothing or an i32",
				name)
		}
	}
	for _, i := range f.Imports {
		if err := checkImport(i); err != nil {
			return nil, err
		}
	}
	return f, f.checkSizes(lim)
}

func (f *File) checkVersion() error {
	if _, ok := f.Exports[ABIPrefix+strconv.Itoa(wire.ABI)]; ok {
		return nil
	}
	found := -1
	for name := range f.Exports {
		number, named := strings.CutPrefix(name, ABIPrefix)
		if v, err := strconv.ParseUint(number, 10, 31); err == nil && named {
			found = max(found, int(v))
		}
	}
	cure := "upgrade the plugin: build it again with a newer sdk"
	if found > wire.ABI {
		cure = "upgrade stategate, or use an older release of the plugin"
	}
	if found < 0 {
		return fault.Newf(fault.ABI, "it does not export %s%d, so it is not a stategate plugin; build it with "+
			"`stategate plugin build`", ABIPrefix, wire.ABI)
	}
	return fault.Newf(fault.ABI, "it is built for ABI %d, this stategate supports ABI %d; %s", found, wire.ABI, cure)
}

func checkImport(i Import) error {
	if i.Kind != Func {
		return fault.Newf(fault.ABI, "it imports the %s %q from %q; a plugin may import functions only", i.Kind, i.Name,
			i.Module)
	}
	switch i.Module {
	case WASI:
		return nil // an unknown name fails to link; the known ones do nothing
	case Kernel:
		want, trapping := Trapping[i.Name]
		if trapping && !(bytes.Equal(i.Type.Params, want.Params) && bytes.Equal(i.Type.Results, want.Results)) {
			return fault.Newf(fault.ABI, "it imports %q from %q with a signature that differs from the kernel's",
				i.Name, i.Module)
		}
		if trapping || slices.Contains(kernelFunctions, i.Name) {
			return nil
		}
	case Host:
		if want, ok := Whole[i.Name]; ok && bytes.Equal(i.Type.Params, want.Params) && len(i.Type.Results) == 0 {
			return nil
		}
	}
	return fault.Newf(fault.ABI, "it imports %q from %q, which no plugin may use; allowed are the memory, input, "+
		"output, error and log functions of %q, %q, and input_read and output_write of %q",
		i.Name, i.Module, Kernel, WASI, Host)
}

func (f *File) checkSizes(lim limits.Limits) error {
	if f.Functions > lim.Functions {
		return fault.Newf(fault.Limit, "it defines %d functions, at most %d are allowed", f.Functions, lim.Functions)
	}
	if f.Memories > 1 {
		return malformed("it has %d memories, at most one is allowed", f.Memories)
	}
	if need := f.MinPages << 16; need > uint64(lim.Guest) {
		return fault.Newf(fault.Memory, "it requests %d MiB of initial memory, at most %d MiB are allowed",
			need>>20, lim.Guest>>20)
	}
	return nil
}

// CheckCode reads the code once and rejects functions that exceed the limits, and opcodes that the engine does not
// support. A compiler's time may be quadratic in these numbers, and compiling cannot be cancelled.
func (f *File) CheckCode(lim limits.Limits) error {
	bodies := 0
	for _, s := range f.sections {
		if s.Kind != wasm.CodeSection {
			continue
		}
		r := f.reader(s)
		count := r.U32()
		for ; bodies < int(count) && !r.Failed; bodies++ {
			code := r.Bytes()
			if r.Failed {
				return malformed("function %d reaches past the end of the code section", bodies)
			}
			if err := checkBody(code, bodies, lim); err != nil {
				return err
			}
		}
		if r.Failed || r.Pos != s.End {
			return malformed("the code section cannot be read (byte %d)", r.Pos)
		}
	}
	if bodies != f.Functions {
		return malformed("it declares %d functions and defines %d", f.Functions, bodies)
	}
	return nil
}

func checkBody(code []byte, index int, lim limits.Limits) error {
	r := &wasm.Reader{Buf: code}
	locals := wasm.SkipLocals(r)
	nesting, unknown := skipInstructions(r)
	over := func(what string, have, most int) error {
		return fault.Newf(fault.Limit, "its function %d has %d %s, at most %d are allowed", index, have, what, most)
	}
	switch {
	case unknown != 0:
		return fault.Newf(fault.Compile, "function %d uses the instruction 0x%02x, which the engine does not run; "+
			"build it for WebAssembly 2.0 without threads, tail calls or exceptions", index, unknown)
	case r.Failed || r.Pos != len(code):
		return malformed("function %d cannot be read (byte %d of %d)", index, r.Pos, len(code))
	case len(code) > lim.Body:
		return over("bytes of code", len(code), lim.Body)
	case locals > lim.Locals:
		return over("locals", locals, lim.Locals)
	case nesting > lim.Nesting:
		return over("nested blocks", nesting, lim.Nesting)
	}
	return nil
}

// skipInstructions skips the instructions of one function, including its final end. It returns the maximum nesting of
// blocks, and the first unknown opcode (with its prefix) or 0.
func skipInstructions(r *wasm.Reader) (deepest int, unknown uint32) {
	depth := 0
	for !r.Failed {
		op := r.Byte()
		switch {
		case op >= 0x02 && op <= 0x04: // block, loop, if
			r.SkipLEB(5)
			depth++
			deepest = max(deepest, depth)
		case op == 0x0b: // end
			if depth == 0 {
				return deepest, 0
			}
			depth--
		default:
			if u := wasm.SkipOperands(r, op); u != 0 {
				return deepest, u
			}
		}
	}
	return deepest, 0
}
