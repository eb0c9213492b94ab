package host

import (
	"context"

	"github.com/stategate/stategate/host/worker"
)

// Describe asks a guest for its manifest, in a worker. The error is a *failure.Failure, or that of starting a worker.
func Describe(ctx context.Context, name string, wasm []byte, c worker.Config) ([]byte, error) {
	g, err := OpenGuest(Undescribed(name, wasm), c)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	return g.Describe(ctx)
}
