// Package declared reads plugins from files: modules, and texts that declare a workflow. A worker reads the texts; the
// process of the command sees the manifest that comes of one, as it sees that of any plugin.
package declared

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/schemafile"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/plugins/build/pack"
	"github.com/stategate/stategate/plugins/declare"
	"github.com/stategate/stategate/plugins/declare/source"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// Examiner returns what does the jobs of a worker.
func Examiner() *exchange.Examiner {
	e := exchange.New()
	e.Declaration = func(text []byte) ([]byte, error) { return json.Marshal(describe(string(text))) }
	return e
}

// format is the form of a declaration.
var format = schemafile.Format{What: "the declaration", Schema: schemas.Declare, MaxSize: maxText,
	Example: "declare: 1"}

// describe reads a text in a worker: first its form, then what it says.
func describe(text string) *source.Description {
	var any any
	_, err := format.YAML("", []byte(text), &any)
	if err == nil {
		return source.Read(strings.TrimPrefix(text, "\ufeff"))
	}
	list, d := []error{err}, &source.Description{}
	var several *schemafile.Errors
	if errors.As(err, &several) {
		list = several.List
	}
	for _, err := range list {
		f := source.Fault{Message: err.Error()}
		if e := (*schemafile.Error)(nil); errors.As(err, &e) {
			message := strings.Replace(e.Message, ": remove the tag",
				": put an expression that begins with ! into quotes", 1)
			f = source.FaultAt(text, yamldoc.Offset(text, e.At.Line, e.At.Column), message)
		}
		d.Faults = append(d.Faults, f)
	}
	return d
}

// A Reader reads plugins. It reads a declaration once.
type Reader struct {
	CacheDir string // where what was read of declarations is kept; "" for nowhere

	version string
	workers worker.Config
	known   map[string]*source.Description // by digest of the text
}

// NewReader returns a reader of this version of the program whose workers are configured like this.
func NewReader(version string, c worker.Config) *Reader {
	r := &Reader{CacheDir: c.CacheDir, version: version, workers: c, known: map[string]*source.Description{}}
	r.workers.Jobs, r.workers.Reserve, r.workers.CacheDir = 1, nil, ""
	return r
}

// maxText bounds a declaration, in bytes.
const maxText = 256 << 10

// Read reads the plugin in a file. digest is the hex SHA-256 of the data, or "" to have it computed when it is
// needed. The error is a *fault.Failure, or a *fault.UsageError if a declaration is wrong; called is the file's name
// in messages.
func (r *Reader) Read(ctx context.Context, origin, called string, data []byte, digest string,
	lim limits.Limits) (*plugin.Plugin, error) {
	if !advice.IsDeclaration(origin) {
		return plugin.ReadPlugin(origin, data, digest, lim)
	}
	guest, ok := build.Declared()
	switch {
	case !ok:
		return nil, fault.Newf(fault.ABI, "this stategate was built without the guest of declared workflows")
	case len(data) > maxText:
		return nil, fault.Usagef("%s has %d bytes, expected at most %d", called, len(data), maxText)
	case digest == "":
		digest = plugin.Digest(data)
	}
	d, err := r.describe(ctx, called, data, digest, guest.SHA256)
	if err != nil {
		return nil, err
	}
	if len(d.Faults) > 0 {
		list := make([]string, len(d.Faults))
		for i := range d.Faults {
			list[i] = text(called, &d.Faults[i])
		}
		return nil, fault.Usagef("%s", strings.Join(list, "\n"))
	}
	return plugin.Declared(origin, d.Manifest, digest, plugin.Digest([]byte(guest.SHA256+digest)), guest.Size,
		sync.OnceValue(func() []byte { return module(guest.Wasm(), d) }))
}

// module is the guest with a declaration in its slot. It fits, because the description says so.
func module(guest []byte, d *source.Description) []byte {
	guest = append([]byte(nil), guest...)
	if !declare.Fill(guest, d.JSON) {
		return nil
	}
	module, err := pack.Finish(guest, d.Manifest, nil)
	if err != nil {
		return nil
	}
	return module
}

// describe returns what a worker reads in a text, now or before.
func (r *Reader) describe(ctx context.Context, called string, data []byte, digest, guest string) (*source.Description,
	error) {
	if d := r.known[digest]; d != nil {
		return d, nil
	}
	var kept *cache.Verdicts // without it the text is read again, which takes 20 ms
	if r.CacheDir != "" {
		if v, err := cache.OpenVerdicts(r.CacheDir, "declared", false); err == nil {
			kept = v
			defer v.Close()
		}
	}
	text, ok := kept.Description(r.version, guest, digest)
	if !ok {
		pool, err := worker.NewPool(r.workers)
		if err != nil {
			return nil, fault.From(err, fault.IO)
		}
		defer pool.Close()
		answer, failed := pool.Do(ctx, worker.Job{Payload: exchange.DeclarationPayload(data)})
		if failed != nil {
			return nil, fault.About("read "+called, failed, fault.Protocol)
		}
		text = answer.Payload
		kept.KeepDescription(text, called, r.version, guest, digest)
	}
	d := &source.Description{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fault.Newf(fault.Protocol, "read %s: the worker sent a malformed answer: %v", called, err)
	}
	r.known[digest] = d
	return d, nil
}

// text is a mistake in a declaration with its place, the line and a caret below it.
func text(called string, f *source.Fault) string {
	if f.Line == 0 {
		return called + ": " + f.Message
	}
	at := called + ":" + strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Column) + ": " + f.Message
	if strings.TrimSpace(f.Excerpt) == "" {
		return at
	}
	return at + "\n" + f.Excerpt + "\n" + strings.Repeat(" ", max(0, min(f.Caret, len(f.Excerpt)))) + "^"
}
