// Package guest asks one plugin in a worker, request by request, as a test of it does.
package guest

import (
	"context"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/sdk/wire"
)

// A Guest is one plugin in a worker. Its answers are decoded and not checked. One goroutine at a time uses it. Close it.
type Guest struct {
	pool   *worker.Pool
	plugin worker.Plugin
}

// OpenGuest prepares a worker for a plugin; it starts with the first request. There is one, whatever the configuration says.
func OpenGuest(p *plugin.Plugin, c worker.Config) (*Guest, error) {
	c.Compile = true // it will have many requests
	return open(worker.Plugin{SHA256: p.SHA256(), Wasm: p.Wasm}, c)
}

func open(p worker.Plugin, c worker.Config) (*Guest, error) {
	c.Jobs = 1
	pool, err := worker.NewPool(c)
	return &Guest{pool, p}, err
}

// Describe asks the plugin in a file, which need not hold a manifest, for its manifest. The error is a *fault.Failure, or
// that of starting a worker.
func Describe(ctx context.Context, wasm []byte, c worker.Config) ([]byte, error) {
	g, err := open(worker.Plugin{SHA256: plugin.Digest(wasm), Wasm: wasm}, c)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	return g.Describe(ctx)
}

// Close ends the worker.
func (g *Guest) Close() { g.pool.Close() }

// Describe asks for the manifest. Like all errors here, its error is a *fault.Failure.
func (g *Guest) Describe(ctx context.Context) ([]byte, error) {
	r, err := g.ask(ctx, exchange.DescribePayload(), false)
	return r.Payload, err
}

// Examine asks for the report on a request; fresh, an instance that has answered nothing before.
func (g *Guest) Examine(ctx context.Context, r *wire.Request, fresh bool) (*wire.Report, error) {
	answer, err := g.ask(ctx, exchange.ReportPayload(wire.EncodeRequest(r)), fresh)
	if err != nil {
		return nil, err
	}
	report, err := wire.DecodeReport(answer.Payload)
	if err != nil {
		return nil, fault.Newf(fault.Protocol, "the report cannot be read: %v", err)
	}
	return report, nil
}

func (g *Guest) ask(ctx context.Context, payload [][]byte, fresh bool) (worker.Result, error) {
	r, failed := g.pool.Do(ctx, worker.Job{Plugin: g.plugin, Payload: payload, Fresh: fresh})
	if failed != nil {
		return worker.Result{}, failed
	}
	return r, nil
}
