package host

import "context"

// Describe asks a guest for its manifest, in a worker. Of the options it uses
// Limits, CacheDir and Worker. The error is a *failure.Failure, or that of starting a worker.
func Describe(ctx context.Context, name string, wasm []byte, o Options) ([]byte, error) {
	g, err := OpenGuest(&Plugin{Name: name, Wasm: wasm, digest: func() string { return digestOf(wasm) }}, o)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	return g.Describe(ctx)
}
