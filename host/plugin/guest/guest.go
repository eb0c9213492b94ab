// Package guest asks one plugin in a worker, request by request, as a test of it does.
package guest

import (
	"context"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/sdk/wire"
)

// A Guest is one plugin in a worker, asked request by request, as a test of it
// does. Nothing that Check does to protect users is done to its answers but
// reading them. One goroutine at a time uses it. Close it.
type Guest struct {
	pool   *worker.Pool
	plugin *worker.Plugin
}

// A Cost is what one answer of a Guest took.
type Cost struct {
	Loading time.Duration // of the plugin into its worker; 0 if it was there
	Working time.Duration // of the call, with the way there and back
	Memory  int64         // bytes of linear memory, the guest's own and the kernel's, after the call
}

// OpenGuest prepares a worker for a plugin; it starts with the first request.
// There is one worker, whatever the configuration says.
func OpenGuest(p *plugin.Plugin, c worker.Config) (*Guest, error) {
	c.Jobs = 1
	pool, err := worker.NewPool(c)
	if err != nil {
		return nil, err
	}
	return &Guest{pool, &worker.Plugin{Name: p.Name, SHA256: p.SHA256(), Wasm: p.Wasm}}, nil
}

// Close ends the worker.
func (g *Guest) Close() { g.pool.Close() }

// Load has a worker load the plugin, unless one has, and returns what that took.
// The error is a *failure.Failure.
func (g *Guest) Load(ctx context.Context) (time.Duration, error) {
	answer, failed := g.pool.Do(ctx, worker.Job{Plugin: g.plugin, Payload: exchange.NothingPayload()})
	if failed != nil {
		return 0, failed
	}
	return answer.Loading, nil
}

// Describe asks for the manifest. The error is a *failure.Failure.
func (g *Guest) Describe(ctx context.Context) ([]byte, error) {
	answer, failed := g.pool.Do(ctx, worker.Job{Plugin: g.plugin, Payload: [][]byte{exchange.DescribePayload()}})
	if failed != nil {
		return nil, failed
	}
	return answer.Payload, nil
}

// Examine asks for the report on a request. The error is a *failure.Failure.
func (g *Guest) Examine(ctx context.Context, r *wire.Request) (*wire.Report, Cost, error) {
	return g.ask(ctx, r, false)
}

// ExamineFresh is Examine by an instance that has answered nothing before.
func (g *Guest) ExamineFresh(ctx context.Context, r *wire.Request) (*wire.Report, Cost, error) {
	return g.ask(ctx, r, true)
}

func (g *Guest) ask(ctx context.Context, r *wire.Request, fresh bool) (*wire.Report, Cost, error) {
	job := worker.Job{Plugin: g.plugin, Payload: exchange.ReportPayload(wire.EncodeRequest(r)), Fresh: fresh}
	answer, failed := g.pool.Do(ctx, job)
	if failed != nil {
		return nil, Cost{}, failed
	}
	report, err := wire.DecodeReport(answer.Payload)
	if err != nil {
		return nil, Cost{}, fault.Newf(fault.Protocol, "the report cannot be read: %v", err)
	}
	return report, Cost{answer.Loading, answer.Working, answer.Memory}, nil
}
