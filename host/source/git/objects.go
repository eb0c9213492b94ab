package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/fault"
)

// ErrMissing means that this clone does not have an object: it was promised by a remote, or the repository is damaged.
var ErrMissing = errors.New("the object is not in this clone")

// Objects reads objects by id through one "cat-file --batch" and, for sizes alone, one "cat-file --batch-check", each
// started when first needed. It is safe for concurrent use. Close it.
type Objects struct {
	repo *Repo
	ctx  context.Context
	data oneAtATime
	info oneAtATime
}

type oneAtATime struct {
	sync.Mutex
	flag string
	git  *coprocess
}

// Objects returns a reader of the repository's objects. Its processes end with ctx.
func (r *Repo) Objects(ctx context.Context) *Objects {
	return &Objects{repo: r, ctx: ctx, data: oneAtATime{flag: "--batch"}, info: oneAtATime{flag: "--batch-check"}}
}

// An Object is one object, or its head alone.
type Object struct {
	Type string // blob, tree, commit, tag
	Size int64  // bytes
	Data []byte // nil if it was not asked for, or is larger than was allowed
}

// Read returns an object. One that is larger than max bytes comes without Data. ErrMissing means that the clone lacks it;
// any other error is a failure.
func (o *Objects) Read(id string, max int64) (Object, error) {
	return o.query(&o.data, id, func(out *bufio.Reader, object *Object) error {
		if object.Size > max {
			return errTooLarge
		}
		object.Data = make([]byte, object.Size)
		if _, err := io.ReadFull(out, object.Data); err != nil {
			return err
		}
		_, err := out.Discard(1)
		return err
	})
}

// Info returns an object's type and size.
func (o *Objects) Info(id string) (Object, error) {
	return o.query(&o.info, id, func(*bufio.Reader, *Object) error { return nil })
}

// maxCommit is the greatest size of a commit object, in bytes.
const maxCommit = 32 << 20

// Parents returns the object ids of a commit's parents, whether or not the clone has them. It asks the object and not git, which
// takes the edge of a shallow clone for a first commit.
func (o *Objects) Parents(id string) (list []string, err error) {
	c, err := o.Read(id, maxCommit)
	var f *fault.Failure
	switch {
	case errors.As(err, &f):
		return nil, f
	case err != nil:
		return nil, fault.Newf(fault.Source, "read commit %s: %v", id, err)
	case c.Type != "commit" || c.Data == nil:
		return nil, fault.Newf(fault.Source, "read commit %s: it is a %s of %d bytes", id, c.Type, c.Size)
	}
	return parents(string(c.Data)), nil
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
	for _, q := range []*oneAtATime{&o.data, &o.info} {
		q.Lock()
		if q.git != nil {
			q.git.close()
			q.git = nil
		}
		q.Unlock()
	}
}

var errTooLarge = errors.New("too large")

func (o *Objects) query(q *oneAtATime, id string, body func(*bufio.Reader, *Object) error) (Object, error) {
	if !isID(id) {
		return Object{}, fmt.Errorf("read object %.60q: not an object id", id)
	}
	q.Lock()
	defer q.Unlock()
	if q.git == nil {
		git, err := o.repo.start(o.ctx, "cat-file", q.flag)
		if err != nil {
			return Object{}, err
		}
		q.git = git
	}
	var object Object
	err := q.git.ask([]byte(id+"\n"), func(out *bufio.Reader) (err error) {
		if object, err = head(out, id); err != nil || object.Type == "" {
			return err
		}
		return body(out, &object)
	})
	switch {
	case errors.Is(err, errTooLarge): // ask has killed the process, which is cheaper than reading the bytes
		q.git = nil
		return object, nil
	case err != nil:
		f := q.git.died(err)
		q.git = nil
		if strings.Contains(f.Stderr, "from promisor remote") { // git before 2.44 dies instead of printing "missing"
			return Object{}, ErrMissing
		}
		return Object{}, f
	case object.Type == "":
		return Object{}, ErrMissing
	}
	return object, nil
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
