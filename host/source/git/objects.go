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

// ErrMissing means that this clone does not have an object: it was promised by a remote, or the repository is damaged.
var ErrMissing = errors.New("the object is not in this clone")

// Objects reads objects by id through one "cat-file --batch" and, for sizes alone, one "cat-file --batch-check", each
// started when first needed. It is safe for concurrent use. Close it.
type Objects struct {
	repo *process
	ctx  context.Context
	data batch
	info batch
}

// A batch is a git that answers one question after another until its stdin ends.
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

// end lets the process end by itself, or kills it.
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

// An Object is one object, or its head alone.
type Object struct {
	Type string // blob, tree, commit, tag
	Size int64  // bytes
	Data []byte // nil if it was not asked for, or is larger than was allowed
}

// Read returns an object, whose bytes have its id. One that is larger than max bytes comes without Data. ErrMissing
// means that the clone lacks it; any other error is a failure.
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
		// git believes the name of its file, or an index; what is found about the bytes is remembered under the id.
		return fmt.Errorf("object %s does not match its id; see git fsck", id)
	})
}

// ObjectID returns the id of an object, by the hash that ids of that length come from.
func ObjectID(kind string, data []byte, length int) string {
	if length == hex.EncodedLen(sha256.Size) {
		return hex.EncodeToString(objectID(sha256.New(), kind, data))
	}
	return hex.EncodeToString(SHA1(kind, data))
}

// SHA1 returns the object id of data where ids are of SHA-1.
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

// maxCommit is the greatest size of a commit object, in bytes.
const maxCommit = 32 << 20

// Parents returns the object ids of a commit's parents, which may not all be in this clone. It asks the object and
// not git, which takes the edge of a shallow clone for a first commit.
func (o *Objects) Parents(id string) ([]string, error) {
	list, err := o.parents(id)
	for _, p := range list {
		if _, err := o.parents(p); err != nil {
			if _, _, missing := o.repo.run(o.ctx, "cat-file", "-e", p); missing != nil && o.repo.shallow(o.ctx) {
				return nil, o.repo.tooShallow(fmt.Sprintf("commit %.12s", p))
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

// Committed returns when a commit was made, to the second; zero if the commit does not say.
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

// commit returns the text of a commit.
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

// parents reads the lines "parent ID" of a commit's head.
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
	_, _ = io.WriteString(b.in, id+"\n") // a git that is gone is noticed by the reader
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
	if errors.Is(err, errTooLarge) { // a new process is cheaper than reading the bytes
		return object, nil
	}
	if !inTime {
		return Object{}, o.repo.silent("cat-file")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ended before it had answered")
	}
	f := o.repo.failed("cat-file", err, b.stderr)
	if strings.Contains(f.Stderr, "from promisor remote") { // git before 2.44 dies instead of printing "missing"
		return Object{}, ErrMissing
	}
	return Object{}, f
}

// head reads "ID TYPE SIZE", or "ID missing" and returns an Object without a Type.
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
		return Object{}, fmt.Errorf("cat-file printed %.80q, want %s, a type and a size", line, id)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return Object{}, fmt.Errorf("cat-file printed the size %.40q", fields[2])
	}
	return Object{Type: fields[1], Size: size}, nil
}
