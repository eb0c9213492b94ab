package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/sandbox"
)

// Examine does one job inside a worker: it turns the payload into requests, calls exports of the plugin, and returns
// the answer. call returns *failure.Failure errors; an Examine may return its own.
type Examine func(ctx context.Context, call func(export string, input []byte) ([]byte, error), payload []byte) ([]byte, error)

// Exit codes of a worker. Nobody but its parent sees them.
const (
	exitDone   = 0
	exitBroken = 3
)

// Main is a worker: it does what the frames on stdin say until they end and returns the exit code. It lowers the limits of
// its whole process and takes over its standard streams, so nothing else may run beside it.
func Main(stdin io.Reader, stdout, stderr io.Writer, examine Examine) int {
	confine(limits.Default())
	// Libraries print now and then (Extism, when its kernel fails); frames must not hold their words.
	os.Stdout = os.Stderr
	c := &child{in: bufio.NewReaderSize(stdin, pipeBuffer), out: bufio.NewWriterSize(stdout, pipeBuffer), examine: examine}
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
)

// large is the size of a payload, in bytes, from which a worker collects its garbage sooner: twice what lies there is much then.
// Measured on sessions of 3 MB: 12 MiB less in two workers; on small ones it would cost a twentieth of the time.
const large = 1 << 20

type child struct {
	in      *bufio.Reader
	out     *bufio.Writer
	examine Examine
	limits  limits.Limits
	engine  *sandbox.Engine
	guests  map[string]*sandbox.Guest
}

func (c *child) serve(ctx context.Context) error {
	if err := c.hello(); err != nil {
		return err
	}
	for {
		f, err := readFrame(c.in, math.MaxUint32)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a frame: %w", err)
		}
		if err := c.answer(ctx, f); err != nil {
			return err
		}
	}
}

// hello reads the first frame, which says under which limits to run.
func (c *child) hello() error {
	f, err := readFrame(c.in, math.MaxUint32)
	if errors.Is(err, io.EOF) {
		return nil // never used
	}
	if err != nil || f.typ != frameHello {
		return fmt.Errorf("the first frame is not a hello (%w)", err)
	}
	if err := json.Unmarshal(f.field(0), &c.limits); err != nil {
		return fmt.Errorf("read the limits: %w", err)
	}
	c.limits = limits.Default().Lower(c.limits)
	confine(c.limits)
	runtime.GOMAXPROCS(min(processors, runtime.NumCPU()))
	debug.SetMemoryLimit(c.limits.Worker / 4 * 3)
	cacheDir, readOnly := string(f.field(1)), len(f.field(2)) > 0
	if cacheDir == "" || readOnly {
		forbidWriting()
	}
	c.engine = sandbox.Open(sandbox.Config{Limits: c.limits, CacheDir: cacheDir, ReadOnly: readOnly})
	c.guests = map[string]*sandbox.Guest{}
	return nil
}

func (c *child) answer(ctx context.Context, f frame) error {
	switch f.typ {
	case frameLoad:
		return c.load(ctx, string(f.field(0)), f.field(1)).write(c.out)
	case frameUnload:
		if g := c.guests[string(f.field(0))]; g != nil {
			g.Close(ctx)
			delete(c.guests, string(f.field(0)))
		}
		return nil
	case frameRenew:
		if g := c.guests[string(f.field(0))]; g != nil {
			g.Renew(ctx)
		}
		return nil
	case frameJob:
		return c.job(ctx, string(f.field(0)), f.field(1)).write(c.out)
	}
	return fmt.Errorf("frame of unknown type %q", f.typ)
}

func (c *child) load(ctx context.Context, digest string, wasm []byte) frame {
	limitProcessor(c.limits.Compile)
	begin := time.Now()
	g, err := c.engine.Load(ctx, wasm, digest)
	if err != nil {
		return failed(fault.From(err, fault.Compile))
	}
	c.guests[digest] = g
	took := strconv.AppendInt(nil, int64(time.Since(begin)), 10)
	return frame{typ: frameLoaded, fields: append([][]byte{took}, bytesOf(g.Warnings)...)}
}

func (c *child) job(ctx context.Context, digest string, payload []byte) frame {
	g := c.guests[digest]
	if g == nil && digest != "" {
		return failed(fault.Newf(fault.Protocol, "the worker has not loaded plugin %s", digest))
	}
	limitProcessor(c.limits.Instance)
	if len(payload) > large {
		debug.SetGCPercent(50)
	}
	output, err := c.examined(ctx, g, payload)
	if err != nil {
		return failed(fault.From(err, fault.Protocol))
	}
	if g == nil {
		return frame{typ: frameResult, fields: [][]byte{output, nil, []byte("0")}}
	}
	return frame{typ: frameResult, fields: [][]byte{output, []byte(g.Stderr()), strconv.AppendInt(nil, g.Memory(), 10)}}
}

// examined runs Examine. A panic in it is a defect of the host or of a library, set off by what a document or a guest says:
// the worker survives it.
func (c *child) examined(ctx context.Context, g *sandbox.Guest, payload []byte) (output []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			f := fault.Newf(fault.Trap, "examining panicked in the host: %v", p)
			f.Stderr = string(cut(debug.Stack(), c.limits.Stderr))
			err = f
		}
	}()
	call := func(export string, input []byte) ([]byte, error) {
		if g == nil {
			return nil, fault.Newf(fault.Protocol, "the job has no plugin to call %s of", export)
		}
		return g.Call(ctx, export, input)
	}
	return c.examine(ctx, call, payload)
}

func failed(f *fault.Failure) frame {
	return frame{typ: frameFailed, fields: [][]byte{[]byte(f.Kind), []byte(f.Message), []byte(f.Stderr)}}
}

func cut(text []byte, limit int) []byte { return slices.Clip(text[:min(len(text), limit)]) }
