package git

import (
	"bufio"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stategate/stategate/host/fault"
)

// ErrMissing means that this clone lacks an object: a remote promised it, or the repository is damaged.
var ErrMissing = errors.New("the object is not in this clone")

// Objects reads objects by id through one "cat-file --batch" process and, if only the size is needed, one "cat-file
// --batch-check" process. Each is started on first use. It is safe for concurrent use. Close it after use.
type Objects struct {
	repo *process
	ctx  context.Context
	data batch
	info batch
}

// A batch is a git process that answers one request after another until its stdin is closed.
type batch struct {
	sync.Mutex
	flag   string
	cmd    *exec.Cmd // nil until it is needed
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
}

// Objects returns a reader of the repository's objects. Its processes end with ctx.
func (r *Repo) Objects(ctx context.Context) *Objects {
	return &Objects{repo: r.process, ctx: ctx, data: batch{flag: "--batch"}, info: batch{flag: "--batch-check"}}
}

func (b *batch) start(o *Objects) error {
	cmd, stderr := o.repo.command(o.ctx, "cat-file", b.flag)
	in, err := cmd.StdinPipe()
	var out io.Reader
	if err == nil {
		out, err = cmd.StdoutPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return o.repo.failed("cat-file", err, stderr)
	}
	limitMemory(cmd.Process.Pid)
	b.cmd, b.in, b.out, b.stderr = cmd, in, bufio.NewReaderSize(out, 64<<10), stderr
	return nil
}

// end closes the process's stdin so that it exits, or kills it.
func (b *batch) end(kill bool) {
	if b.cmd == nil {
		return
	}
	if kill {
		_ = b.cmd.Process.Kill()
	}
	_ = b.in.Close()
	_ = b.cmd.Wait()
	b.cmd = nil
}

// An Object is a git object, or only its type and size.
type Object struct {
	Type string // blob, tree, commit or tag
	Size int64  // in bytes
	Data []byte // nil if it was not requested or is too large
}

// Read returns an object after verifying its bytes against its id. If it has more than max bytes, Data is nil.
// ErrMissing means that the clone lacks it. Any other error is a failure.
func (o *Objects) Read(id string, max int64) (Object, error) {
	return o.query(&o.data, id, func(out *bufio.Reader, object *Object) error {
		if object.Size > max {
			return errTooLarge
		}
		object.Data = make([]byte, object.Size)
		if _, err := io.ReadFull(out, object.Data); err != nil {
			return err
		}
		if _, err := out.Discard(1); err != nil {
			return err
		}
		if ObjectID(object.Type, object.Data, len(id)) == id {
			return nil
		}
		// Git trusts the object's file name or pack index, but results are cached under the id, so the bytes must
		// match it.
		return fmt.Errorf("object %s does not match its id; see git fsck", id)
	})
}

// ObjectID returns an object's id, using the hash whose hex ids have the given length.
func ObjectID(kind string, data []byte, length int) string {
	if length == hex.EncodedLen(sha256.Size) {
		return hex.EncodeToString(objectID(sha256.New(), kind, data))
	}
	return hex.EncodeToString(SHA1(kind, data))
}

// SHA1 returns the SHA-1 object id of data.
func SHA1(kind string, data []byte) []byte { return objectID(sha1.New(), kind, data) }

func objectID(h hash.Hash, kind string, data []byte) []byte {
	_, _ = io.WriteString(h, kind+" "+strconv.Itoa(len(data))+"\x00")
	_, _ = h.Write(data)
	return h.Sum(nil)
}

// Info returns an object's type and size.
func (o *Objects) Info(id string) (Object, error) {
	return o.query(&o.info, id, func(*bufio.Reader, *Object) error { return nil })
}

// maxCommit is the maximum size of a commit object, in bytes.
const maxCommit = 32 << 20

// Parents returns the object ids of a commit's parents. Some of them may be missing from this clone. It reads the
// object itself, because git treats the edge of a shallow clone as a first commit.
func (o *Objects) Parents(id string) ([]string, error) {
	list, err := o.parents(id)
	for _, p := range list {
		if _, err := o.parents(p); err != nil {
			if _, _, missing := o.repo.run(o.ctx, "cat-file", "-e", p); missing != nil && o.repo.shallow(o.ctx) {
				return nil, o.repo.tooShallow(fmt.Sprintf("commit %.12s", p), "")
			}
			return nil, err
		}
	}
	return list, err
}

func (o *Objects) parents(id string) (list []string, err error) {
	data, err := o.commit(id)
	return parents(data), err
}

// Committed returns when a commit was made, to the second. It returns the zero time if the commit does not state it.
func (o *Objects) Committed(id string) (at time.Time, err error) {
	data, err := o.commit(id)
	head, _, _ := strings.Cut(data, "\n\n")
	for line := range strings.SplitSeq(head, "\n") {
		if who, ok := strings.CutPrefix(line, "committer "); ok {
			_, when, _ := strings.Cut(who, "> ")
			seconds, _, _ := strings.Cut(when, " ")
			if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
				at = time.Unix(n, 0)
			}
		}
	}
	return at, err
}

func (o *Objects) commit(id string) (string, error) {
	c, err := o.Read(id, maxCommit)
	var f *fault.Failure
	switch {
	case errors.As(err, &f):
		return "", f
	case err != nil:
		return "", fault.Newf(fault.Source, "read commit %s: %v", id, err)
	case c.Type != "commit" || c.Data == nil:
		return "", fault.Newf(fault.Source, "read commit %s: it is a %s of %d bytes", id, c.Type, c.Size)
	}
	return string(c.Data), nil
}

// parents returns the ids in the "parent ID" lines of a commit's header.
func parents(data string) (list []string) {
	head, _, _ := strings.Cut(data, "\n\n")
	for line := range strings.SplitSeq(head, "\n") {
		if id, ok := strings.CutPrefix(line, "parent "); ok {
			list = append(list, id)
		}
	}
	return list
}

// Close ends the processes.
func (o *Objects) Close() {
	for _, b := range []*batch{&o.data, &o.info} {
		b.Lock()
		b.end(false)
		b.Unlock()
	}
}

var errTooLarge = errors.New("too large")

func (o *Objects) query(b *batch, id string, body func(*bufio.Reader, *Object) error) (object Object, err error) {
	if !isID(id) {
		return Object{}, fmt.Errorf("read object %.60q: not an object id", id)
	}
	b.Lock()
	defer b.Unlock()
	if b.cmd == nil {
		if err := b.start(o); err != nil {
			return Object{}, err
		}
	}
	process := b.cmd.Process
	watch := time.AfterFunc(o.repo.patience, func() { _ = process.Kill() })
	_, _ = io.WriteString(b.in, id+"\n") // the reader notices if git has exited
	if object, err = head(b.out, id); err == nil && object.Type != "" {
		err = body(b.out, &object)
	}
	inTime := watch.Stop()
	switch {
	case err == nil && object.Type == "":
		return Object{}, ErrMissing
	case err == nil:
		return object, nil
	}
	b.end(true)
	if errors.Is(err, errTooLarge) { // starting a new process is cheaper than reading the bytes
		return object, nil
	}
	if !inTime {
		return Object{}, o.repo.silent("cat-file")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it exited before it answered")
	}
	f := o.repo.failed("cat-file", err, b.stderr)
	if strings.Contains(f.Stderr, "from promisor remote") { // git before 2.44 dies instead of printing "missing"
		return Object{}, ErrMissing
	}
	return Object{}, f
}

// head parses "ID TYPE SIZE". For "ID missing", it returns an Object without a Type.
func head(out *bufio.Reader, id string) (Object, error) {
	line, err := out.ReadString('\n')
	if err != nil {
		return Object{}, err
	}
	fields := strings.Fields(line)
	if len(fields) == 2 && fields[1] == "missing" {
		return Object{}, nil
	}
	if len(fields) != 3 || fields[0] != id {
		return Object{}, fmt.Errorf("cat-file printed %.80q, expected %s, a type and a size", line, id)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return Object{}, fmt.Errorf("cat-file printed the size %.40q", fields[2])
	}
	return Object{Type: fields[1], Size: size}, nil
}
