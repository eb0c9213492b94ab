// Package declared reads plugins from files: Wasm modules and declarations. A worker parses declarations; the command's
// process sees only the resulting manifest, as for any other plugin.
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

// Examiner returns the examiner that does a worker's jobs.
func Examiner() *exchange.Examiner {
	e := exchange.New()
	e.Declaration = func(text []byte) ([]byte, error) { return json.Marshal(describe(string(text))) }
	return e
}

// format describes the form of a declaration.
var format = schemafile.Format{What: "the declaration", Schema: schemas.Declare, MaxSize: maxText,
	Example: "declare: 1"}

// describe reads a declaration in a worker: first its form, then its meaning.
func describe(text string) *source.Description {
	var any any
	_, err := format.YAML("", []byte(text), &any)
	if err == nil {
		return source.Read(strings.TrimPrefix(text, "\ufeff"))
	}
	list, d := []error{err}, &source.Description{}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		list = several.Unwrap()
	}
	for _, err := range list {
		f := source.Fault{Message: err.Error()}
		if e := (*schemafile.Error)(nil); errors.As(err, &e) {
			message := strings.Replace(e.Message, ": remove the tag",
				": quote an expression that begins with !", 1)
			f = source.FaultAt(text, yamldoc.Offset(text, e.At.Line, e.At.Column), message)
		}
		d.Faults = append(d.Faults, f)
	}
	return d
}

// A Reader reads plugins. It reads each declaration only once.
type Reader struct {
	CacheDir string // cache for parsed declarations; "" means no cache

	version string
	workers worker.Config
	known   map[string]*source.Description // by the text's digest
}

// NewReader returns a reader for this version of the program, with this configuration for its workers.
func NewReader(version string, c worker.Config) *Reader {
	r := &Reader{CacheDir: c.CacheDir, version: version, workers: c, known: map[string]*source.Description{}}
	r.workers.Jobs, r.workers.Reserve, r.workers.CacheDir = 1, nil, ""
	return r
}

// maxText is the maximum size of a declaration, in bytes.
const maxText = 256 << 10

// Read reads the plugin in a file. digest is the hex SHA-256 of the data; if it is "", Read computes it when needed.
// called is the file's name in messages. The error is a *fault.UsageError if a declaration is wrong, otherwise a
// *fault.Failure.
func (r *Reader) Read(ctx context.Context, origin, called string, data []byte, digest string,
	lim limits.Limits) (*plugin.Plugin, error) {
	if !advice.IsDeclaration(origin) {
		return plugin.ReadPlugin(origin, data, digest, lim)
	}
	guest, ok := build.Declared()
	switch {
	case !ok:
		return nil, fault.Newf(fault.ABI, "this stategate was built without the guest for declared workflows")
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

// module returns the guest with a declaration in its slot. The declaration fits into the slot, because
// describe checked its size.
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

// describe returns a worker's description of a declaration, from the cache if possible.
func (r *Reader) describe(ctx context.Context, called string, data []byte, digest, guest string) (*source.Description,
	error) {
	if d := r.known[digest]; d != nil {
		return d, nil
	}
	var kept *cache.Verdicts // without the cache, the text is read again, which takes 20 ms
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
		return nil, fault.Newf(fault.Protocol, "read %s: malformed answer from the worker: %v", called, err)
	}
	r.known[digest] = d
	return d, nil
}

// text formats a mistake in a declaration with its location, its line and a caret under that line.
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
