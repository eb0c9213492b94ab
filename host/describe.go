package host

import (
	"context"

	"github.com/stategate/stategate/host/examine"
	"github.com/stategate/stategate/host/worker"
)

// Describe asks a guest for its manifest, in a worker. Of the options it uses
// Limits, CacheDir and Worker. The error is a *failure.Failure, or that of starting a worker.
func Describe(ctx context.Context, name string, wasm []byte, o Options) ([]byte, error) {
	pool, err := worker.NewPool(worker.Config{Command: o.Worker, Jobs: 1, Limits: o.Limits, CacheDir: o.CacheDir})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	plugin := &worker.Plugin{Name: name, SHA256: digestOf(wasm), Wasm: wasm}
	answer, failed := pool.Do(ctx, worker.Job{Plugin: plugin, Payload: [][]byte{examine.DescribePayload()}})
	if failed != nil {
		return nil, failed
	}
	return answer.Payload, nil
}
