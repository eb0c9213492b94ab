package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/sandbox"
	"github.com/stategate/stategate/host/plugin/wasmfile"
)

// Examine does one job inside a worker: it turns the payload into requests, calls the plugin, and returns the answer. Its
// errors are its own *fault.Failure, or those of the call.
type Examine func(g exchange.Guest, payload []byte) ([]byte, error)

// Exit codes of a worker. Only its parent sees them.
const (
	exitDone   = 0
	exitBroken = 3
)

// Main is a worker: it does what the messages on stdin say until they end and returns the exit code. It lowers the limits
// of its whole process and takes over its standard streams, so nothing else may run beside it.
func Main(stdin io.Reader, stdout, stderr io.Writer, examine Examine) int {
	confine(limits.Default())
	// Libraries print now and then (Extism, when its kernel fails); that must not get between messages.
	os.Stdout = os.Stderr
	c := &child{
		in: bufio.NewReaderSize(stdin, pipeBuffer), out: bufio.NewWriterSize(stdout, pipeBuffer),
		examine: examine, loaded: map[string]*loaded{},
	}
	if err := c.serve(context.Background()); err != nil {
		fmt.Fprintf(stderr, "worker: %v\n", err)
		return exitBroken
	}
	return exitDone
}

const (
	pipeBuffer = 64 << 10
	// processors is what a worker uses beside the guest: a second compiler, the collector.
	processors = 2
	// large is the size of a payload, in bytes, from which a worker collects its garbage sooner: doubling the heap is expensive
	// then. Measured on sessions of 3 MB: 12 MiB less in two workers; on small ones it would cost a twentieth of the time.
	large = 1 << 20
)

type child struct {
	in      *bufio.Reader
	out     *bufio.Writer
	examine Examine
	limits  limits.Limits
	engine  *sandbox.Engine
	loaded  map[string]*loaded // by digest
}

// loaded is a plugin with its manifest.
type loaded struct {
	*sandbox.Guest
	manifest []byte
}

func (c *child) serve(ctx context.Context) error {
	var h hello
	_, err := readMessage(c.in, math.MaxUint32, &h)
	if err == nil {
		c.prepare(h)
	}
	for err == nil {
		var r request
		var body []byte
		if body, err = readMessage(c.in, math.MaxUint32, &r); err != nil {
			break
		}
		var a answer
		var output []byte
		if r.Load {
			a, err = c.load(ctx, r, body)
		} else {
			output, a, err = c.job(ctx, r, body)
		}
		if err != nil {
			a = answer{Failure: fault.From(err, fault.Protocol)}
		}
		err = writeMessage(c.out, a, output)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// prepare confines the worker to what it needs.
func (c *child) prepare(h hello) {
	c.limits = limits.Default().Lower(h.Limits)
	confine(c.limits)
	runtime.GOMAXPROCS(min(processors, runtime.NumCPU()))
	debug.SetMemoryLimit(c.limits.Worker / 4 * 3)
	if h.CacheDir == "" || h.ReadOnly {
		forbidWriting()
	}
	c.engine = sandbox.Open(sandbox.Config{Limits: c.limits, CacheDir: h.CacheDir, ReadOnly: h.ReadOnly})
}

func (c *child) load(ctx context.Context, r request, wasm []byte) (answer, error) {
	if old := c.loaded[r.Unload]; old != nil {
		old.Close(ctx)
		delete(c.loaded, r.Unload)
	}
	limitProcessor(c.limits.Compile)
	g, err := c.engine.Load(ctx, wasm, r.Plugin)
	if err != nil {
		return answer{}, fault.From(err, fault.Compile)
	}
	manifest, _ := wasmfile.Manifest(wasm, c.limits.Manifest) // a file has none before it is packed
	c.loaded[r.Plugin] = &loaded{g, slices.Clone(manifest)}
	return answer{Warnings: g.Warnings}, nil
}

func (c *child) job(ctx context.Context, r request, payload []byte) (output []byte, a answer, err error) {
	guest := exchange.Guest{SHA256: r.Plugin, Limits: c.limits}
	g := c.loaded[r.Plugin]
	switch {
	case g == nil && r.Plugin != "":
		return nil, a, fault.Newf(fault.Protocol, "the worker has not loaded plugin %s", r.Plugin)
	case g == nil:
		guest.Call = func(export string, _ []byte) ([]byte, error) {
			return nil, fault.Newf(fault.Protocol, "the job has no plugin to call %s of", export)
		}
	default:
		guest.Manifest = g.manifest
		guest.Call = func(export string, input []byte) ([]byte, error) { return g.Call(ctx, export, input) }
		if r.Fresh {
			g.Renew(ctx)
		}
	}
	limitProcessor(c.limits.Instance)
	if len(payload) > large {
		debug.SetGCPercent(50)
	}
	output, err = c.examined(guest, payload)
	if g != nil {
		a.Stderr = g.Stderr()
	}
	return output, a, err
}

// examined runs Examine. A panic in it is a defect of the host or of a library, set off by a document or a report: the
// worker survives it.
func (c *child) examined(g exchange.Guest, payload []byte) (output []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			f := fault.Newf(fault.Trap, "examining panicked in the host: %v", p)
			f.Stderr = cut(string(debug.Stack()), c.limits.Stderr)
			err = f
		}
	}()
	return c.examine(g, payload)
}

func cut(text string, limit int) string { return text[:min(len(text), limit)] }
