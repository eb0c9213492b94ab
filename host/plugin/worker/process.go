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

// process is the parent's end of one worker, which has one plugin or none. One goroutine at a time uses it.
type process struct {
	cmd        *exec.Cmd
	in         *bufio.Writer
	out        *bufio.Reader
	limits     limits.Limits
	plugin     string // digest
	command    []string
	interprets bool          // it interprets the plugin
	stderr     *sandbox.Tail // read when the process is gone
	job        handle        // what else must be closed, where the system has it

	ended  sync.Once
	exited chan struct{} // closed when it has ended
	mu     sync.Mutex
	killed fault.Kind // why we killed it, "" while we have not
	peak   int64      // bytes of resident memory last seen
}

// newProcess starts a worker that may read dir, "" for nothing, or write it, too.
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

// start starts the process from a thread that is confined as it is to be, and that lives as long: on Linux a worker
// dies with the *thread* that started it, and Go ends threads when it likes.
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

// exchange sends a message and waits for the answer. When the deadline passes, ctx ends, or the worker takes too much
// memory, it is killed. After a failure of the worker itself the process is gone.
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
		// An answer holds a report and what the host adds to it.
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
		a.Failure.Message, a.Failure.Stderr = cut(a.Failure.Message, 2*p.limits.Message),
			cut(a.Failure.Stderr, 2*p.limits.Stderr)
	}
	return a, output, a.Failure
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

func (p *process) alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed == ""
}

// close kills the process, if it still runs, and waits until it is gone.
func (p *process) close() {
	p.kill(fault.Cancelled)
	p.ended.Do(func() {
		_ = p.cmd.Wait()
		close(p.exited)
		p.job.close()
	})
}

// explain returns why the process died during an exchange. It is gone.
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
		f.Kind, f.Message = fault.Memory, fmt.Sprintf("%s took more memory than the %d MiB that a worker may have",
			doing, p.limits.Worker>>20)
	case errors.Is(err, errMalformed):
		f.Message = fmt.Sprintf("%s failed: the plugin worker sent a malformed answer: %v", doing, err)
	default: // it died by itself
		f.Kind, f.Message = fault.Trap, fmt.Sprintf("%s killed its worker (%v)", doing, p.cmd.ProcessState)
	}
	return f
}

// outOfMemory reports whether a Go process died because it got no more memory.
func outOfMemory(stderr string) bool {
	return strings.Contains(stderr, "fatal error: runtime: out of memory") ||
		strings.Contains(stderr, "cannot allocate memory") ||
		strings.Contains(stderr, "fatal error: out of memory")
}

// A message is the length of its head and that of its body, 4 little-endian bytes each, a head in JSON and the bytes of
// the body. The first one to a worker has a hello as its head, every other a request; those from a worker have an
// answer.

// hello is how a worker is to run. The body is its plugin's file, if it has one and Dir does not have what it needs.
// The answer says whether it could be loaded.
type hello struct {
	Limits    limits.Limits
	SHA256    string // of the plugin, hexadecimal; "" for a worker without one
	Dir       string // the entry of the cache; "" for none
	Compile   bool   // compile into Dir and end
	Interpret bool   // compile nothing; Dir is ""
}

// request asks for a job, whose payload is the body.
type request struct {
	Fresh bool // for an instance that has done nothing before
}

// answer is what came of a request. Its body is that of the job.
type answer struct {
	Failure *fault.Failure `json:",omitempty"`
	Stale   bool           `json:",omitempty"` // the entry is of no use, and nothing is loaded
	Stderr  string         `json:",omitempty"` // what the guest wrote
}

// errMalformed is wrapped by every error about a message that is not what it should be.
var errMalformed = errors.New("malformed message")

// writeMessage sends a message in few writes: the parts of the body are not copied.
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
