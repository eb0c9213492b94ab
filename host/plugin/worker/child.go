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

// Examine does one job inside a worker: it turns the payload into requests, calls the plugin, and returns the answer.
// Its errors are its own *fault.Failure, or those of the call.
type Examine func(g exchange.Guest, payload []byte) ([]byte, error)

// Exit codes of a worker. Only its parent sees them.
const (
	exitDone   = 0
	exitBroken = 3
)

// Main is a worker: it loads the plugin that the first message on stdin has, does what the others say until they end,
// and returns the exit code. It confines its whole process and takes over its standard streams, so nothing else may run
// beside it.
func Main(stdin io.Reader, stdout, stderr io.Writer, examine Examine) int {
	limitTo(limits.Default())
	// Libraries print now and then (Extism, when its kernel fails); that must not get between messages.
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
	// processors is what a worker uses beside the guest: a second compiler, the collector.
	processors = 2
	// large is the size of a payload, in bytes, from which a worker collects its garbage sooner: doubling the heap is
	// expensive then. Measured on sessions of 3 MB: 12 MiB less in two workers; on small ones it would cost a twentieth
	// of the time.
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

// load compiles the plugin, or loads it.
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
		manifest, _ := wasmfile.Manifest(wasm, c.limits.Manifest) // a file has none before it is packed
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
		if wrote == "" { // the later calls try remedies
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
		output, err = nil, errLate // whatever was made of it
	}
	a.Stderr = wrote
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
