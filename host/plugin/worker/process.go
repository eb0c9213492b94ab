package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/sandbox"
)

// process is the parent's end of one worker. One goroutine at a time uses it.
type process struct {
	cmd     *exec.Cmd
	in      *bufio.Writer
	out     *bufio.Reader
	limits  limits.Limits
	loaded  []string      // digests of the plugins that it has, least recently used first
	loading time.Duration // what loading the last one took, as it says
	stderr  *lockedTail
	job     handle // what else must be closed, where the system has it

	buried sync.Once
	mu     sync.Mutex
	killed fault.Kind // why we killed it, "" while we have not
	peak   int64      // bytes of resident memory last seen
}

// maxLoaded is the number of plugins that one worker holds: each costs the memory of its code and of an instance.
const maxLoaded = 6

// newProcess makes the parent's end of cmd and starts it with start.
func newProcess(cmd *exec.Cmd, c Config, start func(*exec.Cmd) error) (*process, error) {
	p := &process{cmd: cmd, limits: c.Limits, stderr: &lockedTail{tail: sandbox.NewTail(c.Limits.Stderr)}}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	widen(in)
	widen(out)
	cmd.Stderr = p.stderr
	p.in, p.out = bufio.NewWriterSize(in, pipeBuffer), bufio.NewReaderSize(out, pipeBuffer)
	if err := start(cmd); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	if p.job, err = enclose(cmd.Process, c.Limits); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, fmt.Errorf("confine a worker: %w", err)
	}
	var readOnly []byte
	if c.ReadOnly {
		readOnly = []byte{1}
	}
	hello, err := json.Marshal(c.Limits)
	if err == nil {
		err = frame{typ: frameHello, fields: [][]byte{hello, []byte(c.CacheDir), readOnly}}.write(p.in)
	}
	if err != nil {
		p.close()
		return nil, fmt.Errorf("greet a worker: %w", err)
	}
	return p, nil
}

// exchange sends a frame and waits for the answer. When the deadline passes, ctx ends, or the worker takes too much memory, it is
// killed. After a failure of the worker itself (the second result) the process is gone.
func (p *process) exchange(ctx context.Context, f frame, deadline time.Duration, doing string) (frame, *fault.Failure) {
	timer := time.AfterFunc(deadline, func() { p.kill(fault.Timeout) })
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { p.kill(fault.Cancelled) })()
	defer p.watch()()

	err := f.write(p.in)
	var reply frame
	if err == nil {
		reply, err = readFrame(p.out, p.largestReply())
	}
	if err == nil {
		err = checkReply(reply)
	}
	if err == nil {
		return reply, nil
	}
	p.kill(fault.Protocol)
	p.close()
	return frame{}, p.explain(err, deadline, doing)
}

// largestReply is what an answer may have: a report and what the host adds to it.
func (p *process) largestReply() int64 { return 4*p.limits.Report + 1<<20 }

func checkReply(f frame) error {
	switch f.typ {
	case frameLoaded, frameResult:
		return nil
	case frameFailed:
		if fault.Kind(f.field(0)).Known() {
			return nil
		}
		return fmt.Errorf("%w: failure of unknown kind %.40q", errFrame, f.field(0))
	}
	return fmt.Errorf("%w: unknown type %q", errFrame, f.typ)
}

// kill ends the process at once. The first reason given is the one that counts.
func (p *process) kill(why fault.Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed == "" {
		p.killed = why
	}
	_ = p.cmd.Process.Kill()
}

// alive reports whether nobody has killed the process.
func (p *process) alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed == ""
}

// close kills the process, if it still runs, and waits until it is gone.
func (p *process) close() {
	p.kill(fault.Cancelled)
	p.buried.Do(func() {
		_ = p.cmd.Wait()
		p.job.close()
	})
}

// explain says why the process died during an exchange.
func (p *process) explain(err error, deadline time.Duration, doing string) *fault.Failure {
	p.mu.Lock()
	why, peak := p.killed, p.peak
	p.mu.Unlock()
	stderr := p.stderr.String()
	f := &fault.Failure{Kind: why, Stderr: stderr}
	state := p.cmd.ProcessState
	switch {
	case why == fault.Timeout:
		f.Message = fmt.Sprintf("%s took longer than %s", doing, deadline)
	case why == fault.Memory:
		f.Message = fmt.Sprintf("%s took %d MiB of memory, at most %d MiB are allowed", doing, peak>>20, p.limits.Worker>>20)
	case why == fault.Cancelled:
		f.Message = fmt.Sprintf("%s was cancelled", doing)
	case outOfMemory(stderr):
		f.Kind, f.Message = fault.Memory, fmt.Sprintf("%s took more memory than the %d MiB that a worker may have", doing, p.limits.Worker>>20)
	case errors.Is(err, errFrame):
		f.Message = fmt.Sprintf("%s failed: the plugin worker sent a malformed answer: %v", doing, err)
	default: // it died by itself
		f.Kind, f.Message = fault.Trap, fmt.Sprintf("%s killed its worker (%v)", doing, state)
	}
	return f
}

// outOfMemory reports whether a dying Go process says that it got no more memory.
func outOfMemory(stderr string) bool {
	return strings.Contains(stderr, "fatal error: runtime: out of memory") || strings.Contains(stderr, "cannot allocate memory") ||
		strings.Contains(stderr, "fatal error: out of memory")
}

// has reports whether the plugin is loaded, and makes it the most recently used.
func (p *process) has(digest string) bool {
	i := slices.Index(p.loaded, digest)
	if i < 0 {
		return false
	}
	p.loaded = append(slices.Delete(p.loaded, i, i+1), digest)
	return true
}

// makeRoom unloads the plugin not used for longest if there are too many.
func (p *process) makeRoom() error {
	if len(p.loaded) < maxLoaded {
		return nil
	}
	oldest := p.loaded[0]
	p.loaded = slices.Delete(p.loaded, 0, 1)
	return frame{typ: frameUnload, fields: [][]byte{[]byte(oldest)}}.write(p.in)
}

// lockedTail is a Tail that one goroutine writes and another reads.
type lockedTail struct {
	mu   sync.Mutex
	tail *sandbox.Tail
}

func (t *lockedTail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tail.Write(b)
}

func (t *lockedTail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(t.tail.String(), "�")
}

// widen makes a pipe hold more than the usual 64 KiB where the system allows it.
func widen(pipe io.Closer) {
	if f, ok := pipe.(*os.File); ok {
		widenFile(f)
	}
}
