// Package sandbox runs guests, which get bytes and return bytes, and can do nothing else.
//
// The package has no deadlines. A guest may run forever, and nothing in this process can reliably stop it. Use the
// package in a worker process that can be killed (package worker).
package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/wasmfile"
)

// guard is the name of the module that provides redirected imports.
const guard = "stategate:guard"

// compilers is the number of goroutines that compile one module.
const compilers = 2

// These are the ways to run a module.
var (
	automatic   = wazero.NewRuntimeConfig // compiled, or interpreted if the engine has no compiler for this machine
	asCode      = wazero.NewRuntimeConfigCompiler
	interpreted = wazero.NewRuntimeConfigInterpreter
)

// compiled is a plugin that is ready to be instantiated.
type compiled struct {
	plugin *extism.CompiledPlugin
	code   wazero.CompilationCache
}

// instance is a plugin with its own memory.
type instance = extism.Plugin

// compile prepares a module for an engine. The compiler reads machine code from dir or writes it there; an empty dir
// means no cache. The interpreter needs no dir.
func compile(ctx context.Context, wasm []byte, dir string,
	engine func() wazero.RuntimeConfig) (c *compiled, err error) {
	c = &compiled{code: wazero.NewCompilationCache()}
	if dir != "" {
		if c.code, err = wazero.NewCompilationCacheWithDir(dir); err != nil {
			return nil, fmt.Errorf("open the compile cache: %w", err)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the compiler panicked: %v", p)
		}
		if err != nil {
			c.code.Close(ctx)
			c = nil
		}
	}()
	config := extism.PluginConfig{
		EnableWasi:    true,
		RuntimeConfig: engine().WithCompilationCache(c.code).WithDebugInfoEnabled(false),
	}
	manifest := extism.Manifest{
		Wasm:   []extism.Wasm{extism.WasmData{Data: wasm}},
		Memory: &extism.ManifestMemory{MaxPages: 1 << 16},
	}
	c.plugin, err = extism.NewCompiledPlugin(experimental.WithCompilationWorkers(ctx, compilers), manifest, config,
		guardFunctions())
	return c, err
}

func (c *compiled) close(ctx context.Context) {
	_ = c.plugin.Close(ctx)
	_ = c.code.Close(ctx)
}

// instantiate creates a module with its own memory and runs the module's start section.
func (c *compiled) instantiate(ctx context.Context, s *state) (*instance, error) {
	ctx = experimental.WithMemoryAllocator(s.in(ctx),
		experimental.MemoryAllocatorFunc(func(_, most uint64) experimental.LinearMemory {
			return s.newLinear(most)
		}))
	config := wazero.NewModuleConfig().WithStdout(s.stderr).WithStderr(s.stderr)
	p, err := c.plugin.Instance(ctx, extism.PluginInstanceConfig{ModuleConfig: config})
	if err == nil && s.used == 0 { // the kernel always has a memory
		err = errors.New("the engine has not asked our allocator for memory")
	}
	return p, err
}

// redirected returns the module that provides a guest's import in place of the module that the import names. It
// returns "" to keep the named module.
func redirected(i wasmfile.Import) string {
	_, trapping := wasmfile.Trapping[i.Name]
	switch {
	case i.Module == wasmfile.WASI && i.Name == "proc_exit":
		return guard
	case i.Module == wasmfile.Kernel && (trapping || i.Name == "output_set" || i.Name == "error_set" ||
		i.Name == "get_log_level" || strings.HasPrefix(i.Name, "log_")):
		return guard
	}
	return ""
}

// guardFunctions returns the functions for redirected imports.
func guardFunctions() []extism.HostFunction {
	functions := []extism.HostFunction{
		guardFunction("proc_exit", exit, []byte{api.ValueTypeI32}, nil),
		guardFunction("output_set", setOutput, []byte{api.ValueTypeI64, api.ValueTypeI64}, nil),
		guardFunction("error_set", setError, []byte{api.ValueTypeI64}, nil),
		guardFunction("get_log_level", func(_ context.Context, _ *extism.CurrentPlugin, stack []uint64) {
			stack[0] = uint64(extism.LogLevelWarn.ExtismCompat())
		}, nil, []byte{api.ValueTypeI32}),
	}
	for name, s := range wasmfile.Trapping {
		functions = append(functions, guardFunction(name, forbidden(name), s.Params, s.Results))
	}
	for name, f := range map[string]extism.HostFunctionStackCallback{"input_read": readInput,
		"output_write": writeOutput} {
		h := guardFunction(name, f, wasmfile.Whole[name].Params, nil)
		h.SetNamespace(wasmfile.Host)
		functions = append(functions, h)
	}
	for _, level := range []string{"trace", "debug", "info", "warn", "error"} {
		functions = append(functions, guardFunction("log_"+level, logTo(level), []byte{api.ValueTypeI64}, nil))
	}
	return functions
}

func guardFunction(name string, f extism.HostFunctionStackCallback, params, results []byte) extism.HostFunction {
	h := extism.NewHostFunctionWithStack(name, f, params, results)
	h.SetNamespace(guard)
	return h
}

func exit(_ context.Context, _ *extism.CurrentPlugin, stack []uint64) {
	panic(fault.Newf(fault.Trap, "it exited with code %d instead of returning", uint32(stack[0])))
}

func forbidden(name string) extism.HostFunctionStackCallback {
	return func(context.Context, *extism.CurrentPlugin, []uint64) {
		panic(fault.Newf(fault.Trap, "it called %s, which no plugin may use", name))
	}
}

func setOutput(ctx context.Context, _ *extism.CurrentPlugin, stack []uint64) {
	s := stateIn(ctx)
	if size := stack[1]; size > uint64(s.limits.Report) {
		panic(outputTooLarge(size, s.limits.Report))
	}
	kernel := ctx.Value(extism.PluginCtxKey("extism")).(api.Module)
	if _, err := kernel.ExportedFunction("output_set").Call(ctx, stack[0], stack[1]); err != nil {
		panic(err)
	}
}

func outputTooLarge(size uint64, limit int64) *fault.Failure {
	return fault.Newf(fault.Limit, "its output has %d bytes, at most %d are allowed", size, limit)
}

// readInput copies the whole input into the guest's memory in one call. Copying it word by word, with one kernel call
// each, took a tenth of a guest's time.
func readInput(ctx context.Context, _ *extism.CurrentPlugin, stack []uint64) {
	s := stateIn(ctx)
	copy(s.guest(stack[0], uint64(len(s.input))), s.input)
}

func writeOutput(ctx context.Context, _ *extism.CurrentPlugin, stack []uint64) {
	s, size := stateIn(ctx), uint64(uint32(stack[1]))
	if size > uint64(s.limits.Report) {
		panic(outputTooLarge(size, s.limits.Report))
	}
	s.output = bytes.Clone(s.guest(stack[0], size))
}

func setError(ctx context.Context, p *extism.CurrentPlugin, stack []uint64) {
	s := stateIn(ctx)
	s.errorText = ""
	if stack[0] != 0 {
		s.errorText = cmp.Or(kernelText(p, stack[0], s.limits.Message), "it failed without saying why")
	}
}

func logTo(level string) extism.HostFunctionStackCallback {
	return func(ctx context.Context, p *extism.CurrentPlugin, stack []uint64) {
		s := stateIn(ctx)
		fmt.Fprintf(s.stderr, "%s: %s\n", level, kernelText(p, stack[0], s.limits.Stderr))
		if err := p.Free(stack[0]); err != nil {
			panic(err)
		}
	}
}

// kernelText copies at most limit bytes of a block in the kernel's memory.
func kernelText(p *extism.CurrentPlugin, offset uint64, limit int) string {
	size, err := p.Length(offset)
	if err != nil {
		panic(err)
	}
	text, _ := p.Memory().Read(uint32(offset), uint32(min(size, uint64(limit))))
	return strings.ToValidUTF8(strings.TrimRight(string(text), "\x00"), "�")
}
