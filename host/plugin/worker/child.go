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
	"github.com/stategate/stategate/host/plugin/confine"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/sandbox"
	"github.com/stategate/stategate/host/plugin/wasmfile"
)

// Examine does one job inside a worker. It turns the payload into requests, calls the plugin, and returns the answer.
// It returns its own *fault.Failure or an error from the call.
type Examine func(g exchange.Guest, payload []byte) ([]byte, error)

// These are a worker's exit codes. Only its parent sees them.
const (
	exitDone   = 0
	exitBroken = 3
)

// Main runs a worker. It loads the plugin in the first message on stdin, processes the other messages until the input
// ends, and returns the exit code. It confines its whole process and takes over the standard streams, so nothing else
// may run in the process.
func Main(stdin io.Reader, stdout, stderr io.Writer, examine Examine) int {
	limitTo(limits.Default())
	// Libraries sometimes print (Extism does if its kernel fails), which must not corrupt the messages.
	os.Stdout = os.Stderr
	c := &child{in: bufio.NewReaderSize(stdin, pipeBuffer), out: bufio.NewWriterSize(stdout, pipeBuffer),
		examine: examine}
	if err := c.serve(context.Background()); err != nil {
		fmt.Fprintf(stderr, "worker: %v\n", err)
		return exitBroken
	}
	return exitDone
}

const (
	pipeBuffer = 64 << 10
	// processors is the number of processors that a worker uses: for the guest, and for a second compiler or the
	// garbage collector.
	processors = 2
	// large is the payload size in bytes from which a worker collects its garbage earlier, because doubling the heap
	// is expensive then. Measured with sessions of 3 MB, this saves 12 MiB in two workers. For small payloads it
	// would cost a twentieth of the time.
	large = 1 << 20
)

type child struct {
	in         *bufio.Reader
	out        *bufio.Writer
	examine    Examine
	limits     limits.Limits
	guest      *sandbox.Guest // nil for a worker without a plugin
	manifest   []byte
	digest     string
	interprets bool // it interprets the plugin
}

func (c *child) serve(ctx context.Context) error {
	var h hello
	wasm, err := readMessage(c.in, math.MaxUint32, &h)
	if err == nil {
		err = c.prepare(h)
	}
	if err == nil {
		a, failed := c.load(ctx, h, wasm)
		err = c.reply(a, nil, failed)
	}
	for err == nil && !h.Compile {
		var r request
		var payload []byte
		if payload, err = readMessage(c.in, math.MaxUint32, &r); err == nil {
			output, a, failed := c.job(ctx, r, payload)
			err = c.reply(a, output, failed)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (c *child) reply(a answer, output []byte, failed error) error {
	a.Failure = fault.From(failed, fault.Protocol)
	return writeMessage(c.out, a, output)
}

// prepare confines the worker to what it needs.
func (c *child) prepare(h hello) error {
	c.limits = limits.Default().Lower(h.Limits)
	limitTo(c.limits)
	runtime.GOMAXPROCS(min(processors, runtime.NumCPU()))
	debug.SetMemoryLimit(c.limits.Worker / 4 * 3)
	if !h.Compile {
		forbidWriting()
	}
	return confine.Process(h.Compile)
}

// load compiles the plugin, or loads its compiled code.
func (c *child) load(ctx context.Context, h hello, wasm []byte) (answer, error) {
	if h.SHA256 == "" {
		return answer{}, nil
	}
	if c.interprets = h.Interpret; c.interprets {
		c.limits = c.limits.Lower(limits.Limits{Compile: interpretTime, Instance: interpretTime})
	}
	limitProcessor(c.limits.Compile)
	c.digest = h.SHA256
	engine := sandbox.Open(c.limits)
	var err error
	switch {
	case h.Compile:
		return answer{}, engine.Compile(ctx, wasm, h.SHA256, h.Dir)
	case h.Dir != "":
		c.guest, c.manifest, err = engine.Kept(ctx, h.SHA256, h.Dir)
		return answer{Stale: err == nil && c.guest == nil}, err
	}
	if c.guest, err = engine.Load(ctx, wasm, h.Interpret); err == nil {
		manifest, _ := wasmfile.Manifest(wasm, c.limits.Manifest) // a file that is not packed yet has none
		c.manifest = slices.Clone(manifest)
	}
	return answer{}, err
}

func (c *child) job(ctx context.Context, r request, payload []byte) (output []byte, a answer, err error) {
	guest := exchange.Guest{SHA256: c.digest, Manifest: c.manifest, Limits: c.limits, Untimed: c.interprets}
	began, late, wrote := spent(), false, ""
	guest.Call = func(export string, input []byte) ([]byte, error) {
		if c.guest == nil {
			return nil, fault.Newf(fault.Protocol, "the job has no plugin to call %s of", export)
		}
		if late = late || c.interprets && spent()-began > interpretTime; late {
			return nil, errLate
		}
		output, err := c.guest.Call(ctx, export, input)
		if wrote == "" { // later calls try remedies
			wrote = c.guest.Stderr()
		}
		return output, err
	}
	guest.Waits = func() bool { return c.guest != nil && c.guest.Waits("answer") }
	if r.Fresh && c.guest != nil {
		c.guest.Renew(ctx)
	}
	limitProcessor(c.limits.Instance)
	if len(payload) > large {
		debug.SetGCPercent(50)
	}
	if output, err = c.examined(guest, payload); late {
		output, err = nil, errLate // even if it produced output
	}
	a.Stderr = wrote
	return output, a, err
}

// examined calls Examine. A panic in it is a defect in the host or a library that a document or report triggered. The
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
