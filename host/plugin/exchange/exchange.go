// Package exchange defines the messages between the host and a worker, and how the worker answers them. The worker
// turns the bytes of a state directory into a request, calls the plugin, and turns the report into findings with
// resolved locations. This interprets hostile bytes, so it runs only inside a worker.
package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/engine/vet"
	"github.com/stategate/stategate/sdk/wire"
)

// A Guest is the plugin that a payload is for, as loaded by its worker. The zero Guest means that there is no plugin.
type Guest struct {
	SHA256   string
	Manifest []byte // as stored in its file; nil if there is none
	Limits   limits.Limits
	Call     func(export string, input []byte) ([]byte, error)
	Waits    func() bool // reports whether the instance that asked for paths accepts answers; may be nil
	Untimed  bool        // try every remedy however long that takes, because the caller sets a limit
}

// An Examiner answers payloads. It caches each plugin's schemas and probes. It is not safe for concurrent use.
type Examiner struct {
	// Declaration reads a text that declares a workflow. If it is nil, declarations cannot be read.
	Declaration func(text []byte) ([]byte, error)

	prepared map[string]*prepared // by plugin digest
	// asking is the instance whose plugin asked for paths in the previous payload; nil if there is none
	asking *instance
	input  []byte // the previous request's buffer
}

// An instance is the state directory that the plugin is asked about.
type instance struct {
	*prepared
	in      snapshot.Input
	request *wire.Request
	ask     []string      // the paths that it asked for
	took    time.Duration // time that the plugin took, before and after asking
}

type prepared struct {
	manifest *wire.Manifest
	builder  *snapshot.Builder
}

func New() *Examiner { return &Examiner{prepared: map[string]*prepared{}} }

// Run answers one payload. It returns a *fault.Failure or an error from g.Call.
func (e *Examiner) Run(g Guest, payload []byte) ([]byte, error) {
	if len(payload) == 0 {
		return nil, fault.Newf(fault.Protocol, "an empty payload")
	}
	body, asking := payload[1:], e.asking
	e.asking = nil
	switch payload[0] {
	case askDescribe:
		return g.Call("describe", nil)
	case askReport:
		return g.Call("examine", body)
	case askOptions:
		return checkOptions(body)
	case askDeclared:
		if e.Declaration != nil {
			return e.Declaration(body)
		}
	case askExamine:
		return encoded(e.examine(g, body))
	case askAnswered:
		return encoded(e.answered(g, asking, body))
	}
	return nil, fault.Newf(fault.Protocol, "a payload of an unknown kind")
}

func encoded(reply *Reply, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return reply.Encode()
}

func (e *Examiner) examine(g Guest, body []byte) (*Reply, error) {
	in, err := DecodeInput(body)
	if err != nil {
		return nil, fault.From(err, fault.Protocol)
	}
	p, err := e.prepare(g)
	if err != nil {
		return nil, err
	}
	p.builder.MaxContent = int(g.Limits.Document)
	request, err := p.builder.Build(in)
	if err != nil {
		return nil, fault.From(err, fault.Protocol)
	}
	return e.judge(g, &instance{prepared: p, in: in, request: request},
		func() (*wire.Report, error) { return e.callExamine(g, request) })
}

// answered continues with the instance from the previous payload, whose documents need not be read again.
func (e *Examiner) answered(g Guest, i *instance, body []byte) (*Reply, error) {
	if i == nil {
		return nil, fault.Newf(fault.Protocol, "answers to nothing")
	}
	now, base, err := wire.DecodeAnswers(body, i.ask)
	if err != nil {
		return nil, fault.From(err, fault.Protocol)
	}
	i.in.Answers, i.in.Base.Answers = now, base
	i.request.Answers, i.request.Base.Answers = now, base
	return e.judge(g, i, func() (*wire.Report, error) {
		if g.Waits != nil && g.Waits() {
			return call(g, "answer", body)
		}
		i.took = 0
		return e.callExamine(g, i.request)
	})
}

// judge turns the plugin's report into a reply.
func (e *Examiner) judge(g Guest, i *instance, callGuest func() (*wire.Report, error)) (*Reply, error) {
	p, in, request := i.prepared, i.in, i.request
	began := time.Now()
	report, err := callGuest()
	i.took += time.Since(began)
	if err != nil {
		return nil, err
	}
	if len(report.Ask) > 0 {
		i.ask, e.asking = report.Ask, i
		asking := wire.Report{Ask: report.Ask, ValidFrom: report.ValidFrom, ValidUntil: report.ValidUntil}
		return &Reply{Report: asking}, refused(snapshot.CheckAsk(p.manifest, report.Ask))
	}
	lim := snapshot.Limits{Diagnostics: g.Limits.Diagnostics, Message: g.Limits.Message}
	parts, err := snapshot.Sift(p.manifest, request, report, lim)
	if err != nil {
		return nil, refused(err)
	}
	v := vet.Vetter{Manifest: p.manifest, Builder: p.builder, Limits: lim, Took: i.took, Budget: vet.MaxTime,
		Ask: func(r *wire.Request) (*wire.Report, error) { return e.callExamine(g, r) }}
	switch {
	case g.Untimed:
		v.Took = 0
	case in.Patient:
		v.Budget = g.Limits.Instance / 2
	}
	vetted, _ := v.Report(in, request, report)
	reply := &Reply{Report: *vetted, Findings: snapshot.Findings(p.manifest, request, vetted),
		Uncompared: uncompared(request)}
	reply.Diagnostics, reply.Overrides, reply.Asked = nil, nil, nil
	for _, part := range parts {
		reply.Refused = append(reply.Refused, part.Error())
	}
	return reply, nil
}

// maxUncompared limits the documents that a reply names.
const maxUncompared = 20

// uncompared returns the documents that are readable or missing now but were unreadable in the base.
func uncompared(r *wire.Request) (list []string) {
	unreadable := func(d *wire.Document) bool {
		return slices.ContainsFunc(d.Faults, func(f wire.DocumentFault) bool {
			return f.Rule == wire.RuleNotAFile || f.Rule == wire.RuleTooLarge || f.Rule == wire.RuleUnreadable &&
				(f.Kind == "encoding" || f.Kind == "syntax")
		})
	}
	for i := range r.Base.Documents {
		was := &r.Base.Documents[i]
		if was.Same || !unreadable(was) || len(list) == maxUncompared {
			continue
		}
		now := slices.IndexFunc(r.Documents, func(d wire.Document) bool { return d.Path == was.Path })
		if now < 0 || !unreadable(&r.Documents[now]) {
			list = append(list, was.Path)
		}
	}
	return list
}

// mostKept is the maximum size, in bytes, of the buffer that is kept for the next request.
const mostKept = 1 << 20

func (e *Examiner) callExamine(g Guest, r *wire.Request) (*wire.Report, error) {
	input := wire.AppendRequest(e.input[:0], r)
	if e.input = nil; cap(input) <= mostKept {
		e.input = input
	}
	if int64(len(input)) > g.Limits.Request {
		return nil,
			fault.Newf(fault.Limit, "the request for the state directory has %d bytes, at most %d are allowed; "+
				"remove documents, or make them smaller", len(input), g.Limits.Request)
	}
	return call(g, "examine", input)
}

func call(g Guest, export string, input []byte) (*wire.Report, error) {
	output, err := g.Call(export, input)
	if err != nil {
		return nil, err
	}
	report, err := wire.DecodeReport(output)
	if err != nil {
		return nil, fault.Newf(fault.Protocol, "the report cannot be read: %v", err)
	}
	return report, nil
}

// prepare compiles a plugin's schemas and probes once.
func (e *Examiner) prepare(g Guest) (*prepared, error) {
	if p := e.prepared[g.SHA256]; p != nil {
		return p, nil
	}
	p, err := prepare(g.Manifest)
	if err == nil {
		e.prepared[g.SHA256] = p
	}
	return p, err
}

func prepare(manifest []byte) (*prepared, error) {
	m, err := wire.DecodeManifest(manifest)
	if err != nil {
		return nil, fault.Newf(fault.ABI, "the manifest cannot be read: %v", err)
	}
	b, err := snapshot.NewBuilder(m)
	if err != nil {
		return nil, fault.Newf(fault.ABI, "the manifest is refused: %v", err)
	}
	return &prepared{m, b}, nil
}

func refused(err error) error {
	if err == nil {
		return nil
	}
	kind := fault.Protocol
	var limit *snapshot.LimitError
	if errors.As(err, &limit) {
		kind = fault.Limit
	}
	return fault.Newf(kind, "the report is refused: %v", err)
}

func checkOptions(body []byte) ([]byte, error) {
	var job optionsJob
	if err := json.Unmarshal(body, &job); err != nil {
		return nil, fault.From(err, fault.Protocol)
	}
	p, err := prepare(job.Manifest)
	if err != nil {
		return nil, err
	}
	wrong := &OptionsFault{}
	_ = errors.As(p.builder.CheckOptions(job.Options), &wrong)
	return json.Marshal(wrong)
}

// An OptionsFault describes what is wrong with a project's options. Without a message, they are valid.
type OptionsFault = snapshot.OptionsError

// DecodeOptionsFault decodes the answer to an OptionsPayload.
func DecodeOptionsFault(data []byte) (*OptionsFault, error) {
	f := &OptionsFault{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("decode a worker's answer: %w", err)
	}
	return f, nil
}
