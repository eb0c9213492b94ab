// Package sandbox runs guests: bytes in, bytes out, nothing else.
//
// It has no deadline. A guest may run for ever, and nothing inside this process can stop it for sure: use it in a worker
// process that can be killed (package worker).
package sandbox

// This is the only file that imports Extism or wazero. What their sources say (go-sdk 1.7.1, wazero 1.12.0), and what
// follows from it here:
//
//   - A deadline is checked at loop back-edges only, and WithCloseOnContextDone makes real work up to six times slower: it is
//     off. Manifest.Timeout would turn it on, so it stays 0.
//   - Plugin.Call drops the context; CallWithContext does not.
//   - Manifest.Memory.MaxPages bounds the guest's memory and the kernel's memory each, and the allocator is not asked beyond it. So it
//     stands at the most there is, and our allocator, which both memories must come from, says no and knows that it did.
//   - The engine asks the allocator for the first size without looking at its answer: a nil there is a panic. wasmfile.Check has
//     refused modules that begin beyond the limit.
//   - An exit with code 0 reads as success with whatever output was set (extism.go, CallWithContext). So proc_exit is redirected
//     to a function of ours that traps.
//   - http_request and its like work as far as the manifest lets them. They are redirected to functions that trap and say so.
//   - GetOutput copies up to the whole kernel memory, and a log or error text is copied as a whole. output_set, error_set and log_*
//     are redirected to functions that look at the length first.
//   - SetInput prints to os.Stdout when the kernel fails, and EXTISM_ENABLE_WASI_OUTPUT gives guests the host's stdout. A worker
//     sets os.Stdout aside and has an empty environment.
//   - ModuleConfig defaults: no files, arguments, environment or sockets; clocks that begin at a fixed time and advance 1 ms per
//     reading; randomness from a fixed seed. Nothing is changed there, so that a verdict can be repeated.
//   - The `start` section runs inside Instance, `_initialize` inside the first CallWithContext.
//   - NewCompiledPlugin leaks its runtime when it fails. Closing the compilation cache frees the machine code; the rest is garbage.
//   - Closing the cache before the plugin breaks the plugin: instances, then compiled code and runtime, then cache.
//   - The disk cache reads a function table with one system call per function and does not heal: package cache verifies it first.
//   - DWARF is parsed on each load and mapped to every instruction in the cache; it is off. Names of functions in traces stay.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/wasmfile"
)

// guard is the module that redirected imports are taken from.
const guard = "stategate:guard"

// compilers is the number of goroutines that compile one module.
const compilers = 2

// compiled is a plugin ready to be instantiated.
type compiled struct {
	plugin *extism.CompiledPlugin
	code   wazero.CompilationCache
}

// instance is a running guest.
type instance struct {
	plugin *extism.Plugin
	state  *state
}

// compile turns a module into machine code, or reads it from dir; an empty dir is no cache.
func (e *Engine) compile(ctx context.Context, wasm []byte, dir string) (c *compiled, err error) {
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
		RuntimeConfig: wazero.NewRuntimeConfig().WithCompilationCache(c.code).WithDebugInfoEnabled(false),
	}
	manifest := extism.Manifest{
		Wasm:   []extism.Wasm{extism.WasmData{Data: wasm}},
		Memory: &extism.ManifestMemory{MaxPages: 1 << 16},
	}
	c.plugin, err = extism.NewCompiledPlugin(experimental.WithCompilationWorkers(ctx, compilers), manifest, config, guardFunctions())
	return c, err
}

func (c *compiled) close(ctx context.Context) {
	_ = c.plugin.Close(ctx)
	_ = c.code.Close(ctx)
}

// instantiate makes a fresh instance, which runs the module's start section.
func (c *compiled) instantiate(ctx context.Context, s *state) (_ *instance, err error) {
	defer recovered(&err)
	ctx = experimental.WithMemoryAllocator(s.in(ctx), experimental.MemoryAllocatorFunc(func(_, most uint64) experimental.LinearMemory {
		return s.newLinear(most)
	}))
	config := wazero.NewModuleConfig().WithStdout(s.stderr).WithStderr(s.stderr)
	p, err := c.plugin.Instance(ctx, extism.PluginInstanceConfig{ModuleConfig: config})
	if err != nil {
		return nil, err
	}
	if s.used == 0 { // the kernel always has a memory
		return nil, errors.New("the engine has not asked our allocator for memory")
	}
	return &instance{plugin: p, state: s}, nil
}

// call runs an export. A code other than 0 is an error.
func (i *instance) call(ctx context.Context, export string, input []byte) (_ []byte, err error) {
	defer recovered(&err)
	code, output, err := i.plugin.CallWithContext(i.state.in(ctx), export, input)
	switch {
	case err != nil:
		return nil, err
	case i.state.errorText != "":
		return nil, failure.Newf(failure.Trap, "%s", i.state.errorText)
	case code != 0:
		return nil, failure.Newf(failure.Trap, "%s returned %d, want 0", export, code)
	}
	return output, nil
}

func (i *instance) close(ctx context.Context) { _ = i.plugin.CloseWithContext(ctx) }

// redirected names the module that an import of a guest is taken from instead; "" for its own.
func redirected(i wasmfile.Import) string {
	_, trapping := wasmfile.Trapping[i.Name]
	switch {
	case i.Module == wasmfile.WASI && i.Name == "proc_exit":
		return guard
	case i.Module == wasmfile.Kernel && (trapping || i.Name == "output_set" || i.Name == "error_set" || i.Name == "get_log_level" || strings.HasPrefix(i.Name, "log_")):
		return guard
	}
	return ""
}

// guardFunctions are the functions behind redirected imports.
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
	panic(failure.Newf(failure.Trap, "it exited with code %d instead of returning", uint32(stack[0])))
}

func forbidden(name string) extism.HostFunctionStackCallback {
	return func(context.Context, *extism.CurrentPlugin, []uint64) {
		panic(failure.Newf(failure.Trap, "it called %s, which no plugin may use", name))
	}
}

func setOutput(ctx context.Context, _ *extism.CurrentPlugin, stack []uint64) {
	s := stateIn(ctx)
	if size := stack[1]; size > uint64(s.limits.Report) {
		panic(failure.Newf(failure.Limit, "its output has %d bytes, at most %d are allowed", size, s.limits.Report))
	}
	kernel := ctx.Value(extism.PluginCtxKey("extism")).(api.Module)
	if _, err := kernel.ExportedFunction("output_set").Call(ctx, stack[0], stack[1]); err != nil {
		panic(err)
	}
}

func setError(ctx context.Context, p *extism.CurrentPlugin, stack []uint64) {
	s := stateIn(ctx)
	s.errorText = ""
	if stack[0] != 0 {
		s.errorText = kernelText(p, stack[0], s.limits.Message)
		if s.errorText == "" {
			s.errorText = "it failed without saying why"
		}
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

// kernelText copies at most limit bytes of a block of the kernel's memory.
func kernelText(p *extism.CurrentPlugin, offset uint64, limit int) string {
	size, err := p.Length(offset)
	if err != nil {
		panic(err)
	}
	text, _ := p.Memory().Read(uint32(offset), uint32(min(size, uint64(limit))))
	return strings.ToValidUTF8(strings.TrimRight(string(text), "\x00"), "�")
}
