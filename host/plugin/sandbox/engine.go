package sandbox

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/cpu"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/wasmfile"
)

// keepBelow is the memory in bytes up to which an instance is kept between calls. A guest's memory never shrinks,
// and the memory of a kept instance is not available to the next one.
const keepBelow = 64 << 20

// Engine compiles plugins. It is not safe for concurrent use.
type Engine struct{ limits limits.Limits }

// Open returns an engine. All limits must be set; start with limits.Default.
func Open(l limits.Limits) *Engine { return &Engine{l} }

// Key returns the name under which a plugin's machine code is kept. It depends on digest, the plugin's hexadecimal
// SHA-256, and on salt. The last cache.SaltLength characters depend only on salt.
func Key(digest string) string {
	salt := plugin.Digest([]byte(salt()))
	return plugin.Digest([]byte(digest + salt))[cache.SaltLength:] + salt[:cache.SaltLength]
}

// salt returns everything that compiled code depends on besides the plugin.
func salt() string {
	versions := []string{"6", runtime.GOOS, runtime.GOARCH, fmt.Sprint(cpu.X86, cpu.ARM64)}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if strings.Contains(m.Path, "wazero") || strings.Contains(m.Path, "extism") {
				versions = append(versions, m.Path+"@"+m.Version)
			}
		}
	}
	return strings.Join(versions, " ")
}

// Guest is a plugin that is ready to be called. It is not safe for concurrent use.
type Guest struct {
	limits   limits.Limits
	code     *compiled
	stderr   *Tail
	state    *state    // of the instance; nil until the next Call creates one
	instance *instance // also nil if it could not be created
}

// Load checks wasm and compiles it. If interpret is true, Load prepares the plugin for the interpreter, which
// takes a tenth of the time but runs at a twentieth of the speed. The error is a *fault.Failure of kind abi,
// compile, limit or memory.
func (e *Engine) Load(ctx context.Context, wasm []byte, interpret bool) (*Guest, error) {
	file, err := e.check(wasm)
	if err != nil {
		return nil, err
	}
	engine := automatic
	if interpret {
		engine = interpreted
	}
	code, err := compile(ctx, file.Redirect(redirected), "", engine)
	if err != nil {
		return nil, fault.From(err, fault.Compile)
	}
	return e.guest(code), nil
}

// check reads a module and rejects what must not reach the compiler.
func (e *Engine) check(wasm []byte) (*wasmfile.File, error) {
	file, err := wasmfile.Check(wasm, e.limits)
	if err == nil {
		err = file.CheckCode(e.limits)
	}
	return file, err
}

func (e *Engine) guest(code *compiled) *Guest {
	return &Guest{limits: e.limits, stderr: NewTail(e.limits.Stderr), code: code}
}

// Call calls an export with input and returns its output, which is never empty. The instance is kept for the next
// Call unless this one failed or left it too large. The error is a *fault.Failure of kind trap, memory, limit or
// protocol, with the guest's stderr.
func (g *Guest) Call(ctx context.Context, export string, input []byte) ([]byte, error) {
	g.stderr.Reset()
	output, err := g.call(ctx, export, input)
	if err != nil {
		f := g.explain(err)
		g.Renew(ctx)
		return nil, f
	}
	if g.state.used > keepBelow {
		g.Renew(ctx)
	}
	return output, nil
}

func (g *Guest) call(ctx context.Context, export string, input []byte) (output []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			output, err = nil, fmt.Errorf("the engine panicked: %v", p)
		}
	}()
	if int64(len(input)) > g.limits.Request {
		return nil, fault.Newf(fault.Limit, "its request has %d bytes, at most %d are allowed", len(input),
			g.limits.Request)
	}
	if g.instance == nil {
		g.state = &state{memories: memories{limit: uint64(g.limits.Guest)}, limits: g.limits, stderr: g.stderr}
		if g.instance, err = g.code.instantiate(ctx, g.state); err != nil {
			return nil, err
		}
	}
	s := g.state
	s.input, s.output, s.errorText = input, nil, ""
	defer func() { s.input = nil }()
	code, output, err := g.instance.CallWithContext(s.in(ctx), export, input)
	if s.output != nil {
		output = s.output
	}
	switch {
	case err != nil:
		return nil, err
	case s.errorText != "":
		return nil, fault.Newf(fault.Trap, "%s", s.errorText)
	case code != 0:
		return nil, fault.Newf(fault.Trap, "%s returned %d, expected 0", export, code)
	case len(output) == 0:
		return nil, fault.Newf(fault.Protocol, "%s returned no output", export)
	}
	return output, nil
}

// Waits reports whether the last Call's instance was kept and has the named export.
func (g *Guest) Waits(export string) bool {
	return g.instance != nil && g.instance.FunctionExists(export)
}

// Stderr returns what the guest wrote during the last Call, up to a limit.
func (g *Guest) Stderr() string { return g.stderr.String() }

// Renew discards the instance, so that the next Call creates a new one.
func (g *Guest) Renew(ctx context.Context) {
	if g.state == nil {
		return
	}
	large := g.state.used > keepBelow
	if g.instance != nil {
		_ = g.instance.CloseWithContext(ctx)
	}
	g.state.free()
	g.state, g.instance = nil, nil
	if large {
		debug.FreeOSMemory()
	}
}

func (g *Guest) explain(err error) *fault.Failure {
	var f *fault.Failure
	if errors.As(err, &f) {
		f = &fault.Failure{Kind: f.Kind, Message: f.Message}
	} else {
		f = g.trap(err)
	}
	if g.state != nil && g.state.refused && f.Kind == fault.Trap {
		f.Kind = fault.Memory
		f.Message = fmt.Sprintf("it exceeded its memory limit of %d MiB (%s)", g.limits.Guest>>20,
			f.Message)
	}
	f.Stderr = shortened(g.stderr.String())
	return f
}

// trap splits an error of the engine: the message is for the user, and the stack trace for the plugin's author.
func (g *Guest) trap(err error) *fault.Failure {
	message, trace, traced := strings.Cut(err.Error(), "\n"+wasmTrace)
	if traced {
		fmt.Fprintf(g.stderr, "%s%s\n", wasmTrace, trace)
	}
	message = strings.ReplaceAll(strings.ReplaceAll(message, " (recovered by wazero)", ""), "wasm error: ", "")
	if len(message) > g.limits.Message {
		message = strings.ToValidUTF8(message[:g.limits.Message], "")
	}
	return fault.Newf(fault.Trap, "it trapped: %s", message)
}
