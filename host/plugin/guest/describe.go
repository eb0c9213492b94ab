package guest

import (
	"context"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/worker"
)

// Describe asks a guest for its manifest, in a worker. The error is a *failure.Failure, or that of starting a worker.
func Describe(ctx context.Context, name string, wasm []byte, c worker.Config) ([]byte, error) {
	g, err := OpenGuest(plugin.Undescribed(name, wasm), c)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	return g.Describe(ctx)
}
