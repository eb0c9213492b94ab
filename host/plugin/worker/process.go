package worker

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/confine"
	"github.com/stategate/stategate/host/plugin/sandbox"
)

// process is the parent's view of one worker, which has at most one plugin. Only one goroutine at a time may use it.
type process struct {
	cmd        *exec.Cmd
	in         *bufio.Writer
	out        *bufio.Reader
	limits     limits.Limits
	plugin     string // digest
	command    []string
	interprets bool          // it interprets the plugin
	stderr     *sandbox.Tail // read after the process has ended
	job        handle        // another resource to close, on some systems

	ended  sync.Once
	exited chan struct{} // closed when it has ended
	mu     sync.Mutex
	killed fault.Kind // why we killed it; "" if we have not
	peak   int64      // last seen resident memory, in bytes
}

// newProcess starts a worker that may read dir, and write to it if mayWrite is true. An empty dir means
// no directory.
func newProcess(c Config, plugin, dir string, mayWrite bool) (*process, error) {
	cmd := exec.Command(c.Command[0], c.Command[1:]...)
	cmd.Env = []string{}
	isolate(cmd)
	p := &process{cmd: cmd, command: c.Command, limits: c.Limits, plugin: plugin,
		stderr: sandbox.NewTail(c.Limits.Stderr), exited: make(chan struct{})}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = p.stderr
	p.in, p.out = bufio.NewWriterSize(in, pipeBuffer), bufio.NewReaderSize(out, pipeBuffer)
	paths := confine.Program(c.Command[0])
	switch {
	case mayWrite:
		paths.Write = []string{dir}
	case dir != "":
		paths.Read = []string{dir}
	}
	if err := p.start(paths); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	if p.job, err = enclose(cmd.Process, c.Limits); err != nil {
		p.close()
		return nil, fmt.Errorf("prepare a worker: %w", err)
	}
	return p, nil
}

// start starts the process from a thread that has the confinement meant for the worker and lives as long as the
// worker. On Linux, a worker dies with the *thread* that started it, and Go may end threads at any time.
func (p *process) start(paths confine.Paths) error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked, so that the thread ends with this goroutine
		err := confine.Thread(paths)
		if err == nil {
			err = p.cmd.Start()
		}
		started <- err
		if err == nil {
			<-p.exited
		}
	}()
	return <-started
}

// exchange sends a message and waits for the answer. It kills the worker if the deadline passes, ctx ends, or the
// worker uses too much memory. After a failure of the worker itself, the process has ended.
func (p *process) exchange(ctx context.Context, head any, body [][]byte, deadline time.Duration,
	doing string) (answer, []byte, *fault.Failure) {
	timer := time.AfterFunc(deadline, func() { p.kill(fault.Timeout) })
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { p.kill(fault.Cancelled) })()
	defer p.watch()()

	var a answer
	var output []byte
	err := writeMessage(p.in, head, body...)
	if err == nil {
		// An answer contains a report and the host's additions to it.
		output, err = readMessage(p.out, 4*p.limits.Report+1<<20, &a)
	}
	if err == nil && a.Failure != nil && (!a.Failure.Kind.Known() || a.Failure.Kind == fault.Cancelled) {
		err = fmt.Errorf("%w: a failure of kind %.40q", errMalformed, a.Failure.Kind)
	}
	if err != nil {
		p.kill(fault.Protocol)
		p.close()
		return answer{}, nil, p.explain(err, deadline, doing)
	}
	if a.Failure != nil {
		a.Failure.Message = cut(a.Failure.Message, max(2*p.limits.Message, minReason))
		a.Failure.Stderr = cut(a.Failure.Stderr, 2*p.limits.Stderr)
	}
	return a, output, a.Failure
}

// minReason is how many bytes of a failure's reason are kept, however low the limit for a plugin's messages is.
const minReason = 512

// kill ends the process immediately. If it is called again, the first reason is kept.
func (p *process) kill(why fault.Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed == "" {
		p.killed = why
	}
	_ = p.cmd.Process.Kill()
}

func (p *process) alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed == ""
}

// close kills the process if it is still running, and waits until it has ended.
func (p *process) close() {
	p.kill(fault.Cancelled)
	p.ended.Do(func() {
		_ = p.cmd.Wait()
		close(p.exited)
		p.job.close()
	})
}

// explain returns why the process, which has ended, died during an exchange.
func (p *process) explain(err error, deadline time.Duration, doing string) *fault.Failure {
	p.mu.Lock()
	why, peak := p.killed, p.peak
	p.mu.Unlock()
	f := &fault.Failure{Kind: why, Stderr: strings.ToValidUTF8(p.stderr.String(), "�")}
	switch {
	case why == fault.Timeout:
		f.Message = fmt.Sprintf("%s took longer than %s", doing, deadline)
	case why == fault.Memory:
		f.Message = fmt.Sprintf("%s took %d MiB of memory, at most %d MiB are allowed", doing, peak>>20,
			p.limits.Worker>>20)
	case why == fault.Cancelled:
		f.Message = fmt.Sprintf("%s was cancelled", doing)
	case outOfMemory(f.Stderr):
		f.Kind, f.Message = fault.Memory, fmt.Sprintf("%s exceeded the memory limit of a worker, %d MiB",
			doing, p.limits.Worker>>20)
	case errors.Is(err, errMalformed):
		f.Message = fmt.Sprintf("%s failed: the plugin worker sent a malformed answer: %v", doing, err)
	default: // it died on its own
		f.Kind, f.Message = fault.Trap, fmt.Sprintf("%s killed its worker (%v)", doing, p.cmd.ProcessState)
	}
	return f
}

// outOfMemory reports whether a Go process died because it could not get more memory.
func outOfMemory(stderr string) bool {
	return strings.Contains(stderr, "fatal error: runtime: out of memory") ||
		strings.Contains(stderr, "cannot allocate memory") ||
		strings.Contains(stderr, "fatal error: out of memory")
}

// A message consists of the lengths of its head and body, 4 little-endian bytes each, followed by a JSON head and the
// body's bytes. The head of the first message to a worker is a hello, and that of every other a request. The head of
// a message from a worker is an answer.

// hello configures a worker. If the worker has a plugin and Dir does not contain everything that it needs, the body
// is the plugin's file. The answer reports whether the plugin could be loaded.
type hello struct {
	Limits    limits.Limits
	SHA256    string // of the plugin, hexadecimal; "" for a worker without one
	Dir       string // the cache entry; "" if there is none
	Compile   bool   // compile into Dir and exit
	Interpret bool   // compile nothing; Dir is ""
}

// request asks for a job. The body is the job's payload.
type request struct {
	Fresh bool // use a new instance
}

// answer is the outcome of a request. The body is the job's output.
type answer struct {
	Failure *fault.Failure `json:",omitempty"`
	Stale   bool           `json:",omitempty"` // the entry is unusable, so nothing is loaded
	Stderr  string         `json:",omitempty"` // what the guest wrote
}

// errMalformed is wrapped by every error about a malformed message.
var errMalformed = errors.New("malformed message")

// writeMessage sends a message in few writes, without copying the parts of the body.
func writeMessage(w *bufio.Writer, head any, body ...[]byte) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	lengths := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	lengths = binary.LittleEndian.AppendUint32(lengths, uint32(sizeOf(body)))
	for _, piece := range append([][]byte{lengths, text}, body...) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return w.Flush()
}

func sizeOf(pieces [][]byte) int {
	n := 0
	for _, p := range pieces {
		n += len(p)
	}
	return n
}

// readMessage reads a message of at most limit bytes. io.EOF means that there are no more.
func readMessage(r *bufio.Reader, limit int64, head any) (body []byte, err error) {
	var lengths [8]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		return nil, err
	}
	headSize, bodySize := int64(binary.LittleEndian.Uint32(lengths[:])), int64(binary.LittleEndian.Uint32(lengths[4:]))
	if headSize+bodySize > limit {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are allowed", errMalformed, headSize+bodySize, limit)
	}
	text, body := make([]byte, headSize), make([]byte, bodySize)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if err := json.Unmarshal(text, head); err != nil {
		return nil, fmt.Errorf("%w: %w", errMalformed, err)
	}
	return body, nil
}
