package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/vet"
	"github.com/stategate/stategate/sdk/wire"
)

// Call runs an export of the plugin.
type Call = func(export string, input []byte) ([]byte, error)

// The first byte of a payload says what is asked.
const (
	askDescribe = 'd'
	askExamine  = 'e'
	askReport   = 'r'
	askNothing  = 'n'
	askOptions  = 'o'
)

// DescribePayload asks a plugin for its manifest. The answer is the manifest as
// the plugin wrote it.
func DescribePayload() []byte { return []byte{askDescribe} }

// ReportPayload asks a plugin for its report on an encoded request, in pieces
// that belong together. The answer is the report as the plugin wrote it.
func ReportPayload(request []byte) [][]byte { return [][]byte{{askReport}, request} }

// NothingPayload asks for nothing, after the plugin is loaded. The answer says nothing.
func NothingPayload() [][]byte { return [][]byte{{askNothing}} }

// Payload asks for the job to be done, in pieces that belong together. The
// answer is read by DecodeReply.
func (j *Job) Payload() ([][]byte, error) {
	body, err := j.Encode()
	return append([][]byte{{askExamine}}, body...), err
}

// An Examiner does jobs. It keeps what is built once per plugin: schemas and
// probes. It is not safe for concurrent use.
type Examiner struct {
	builders map[string]*prepared // by manifest
}

type prepared struct {
	manifest *wire.Manifest
	builder  *snapshot.Builder
}

// New returns an Examiner.
func New() *Examiner { return &Examiner{builders: map[string]*prepared{}} }

// Run answers one payload. Its errors are of type *failure.Failure, or those of call.
func (e *Examiner) Run(_ context.Context, call Call, payload []byte) ([]byte, error) {
	if len(payload) == 0 {
		return nil, fault.Newf(fault.Protocol, "a payload of an unknown kind")
	}
	switch payload[0] {
	case askNothing:
		return []byte("{}"), nil
	case askDescribe:
		return call("describe", nil)
	case askReport:
		return call("examine", payload[1:])
	case askOptions:
		return e.options(payload[1:])
	case askExamine:
		return e.job(call, payload[1:])
	}
	return nil, fault.Newf(fault.Protocol, "a payload of an unknown kind")
}

func (e *Examiner) job(call Call, payload []byte) ([]byte, error) {
	job, err := DecodeJob(payload)
	if err != nil {
		return nil, fault.From(err, fault.Protocol)
	}
	reply, err := e.examine(call, job)
	if err != nil {
		return nil, err
	}
	return json.Marshal(reply)
}

func (e *Examiner) examine(call Call, job *Job) (*Reply, error) {
	p, err := e.prepare(job.Manifest)
	if err != nil {
		return nil, fault.From(err, fault.ABI)
	}
	p.builder.MaxContent = job.MaxContent
	request, err := p.builder.Build(job.Input)
	if err != nil {
		return nil, fault.From(err, fault.Protocol)
	}
	ask := func(r *wire.Request) (*wire.Report, error) { return asked(call, r, job.MaxRequest) }
	began := time.Now()
	report, err := ask(request)
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	parts, err := snapshot.Sift(p.manifest, request, report, job.Limits)
	if err != nil {
		return nil, refused(err)
	}
	v := vet.Vetter{Manifest: p.manifest, Builder: p.builder, Limits: job.Limits, Ask: ask, Took: took}
	vetted, _ := v.Report(job.Input, request, report)
	reply := newReply(p.manifest, request, vetted)
	for _, part := range parts {
		reply.Refused = append(reply.Refused, part.Error())
	}
	return reply, nil
}

func asked(call Call, r *wire.Request, most int) (*wire.Report, error) {
	input := wire.EncodeRequest(r)
	if most > 0 && len(input) > most {
		return nil, fault.Newf(fault.Limit, "the state directory makes a request of %d bytes, the limit is %d; fewer or smaller documents are needed", len(input), most)
	}
	output, err := call("examine", input)
	if err != nil {
		return nil, err
	}
	report, err := wire.DecodeReport(output)
	if err != nil {
		return nil, fault.Newf(fault.Protocol, "the report cannot be read: %v", err)
	}
	return report, nil
}

// prepare compiles the schemas and probes of a manifest once.
func (e *Examiner) prepare(manifest []byte) (*prepared, error) {
	if p := e.builders[string(manifest)]; p != nil {
		return p, nil
	}
	m, err := wire.DecodeManifest(manifest)
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	b, err := snapshot.NewBuilder(m)
	if err != nil {
		return nil, fmt.Errorf("the manifest is refused: %w", err)
	}
	e.builders[string(manifest)] = &prepared{m, b}
	return e.builders[string(manifest)], nil
}

// refused is the failure of a report that is not admitted.
func refused(err error) *fault.Failure {
	kind := fault.Protocol
	var limit *snapshot.LimitError
	if errors.As(err, &limit) {
		kind = fault.Limit
	}
	return fault.Newf(kind, "the report is refused: %v", err)
}
