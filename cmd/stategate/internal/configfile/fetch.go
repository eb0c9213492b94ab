package configfile

import (
	"context"
	"errors"
	"fmt"

	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/host/plugin/store"
)

// Fetcher logs in as Docker's configuration says, or not at all where there is none.
func Fetcher() *fetch.Fetcher {
	f := &fetch.Fetcher{MaxBytes: limits.Default().Plugin}
	if store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{}); err == nil {
		f.Credential = credentials.Credential(store)
	}
	return f
}

// Fetch fetches a plugin and reads its manifest; none of its code runs.
func Fetch(ctx context.Context, text string) (*plugin.Plugin, error) {
	source, err := fetch.Parse(text)
	if err != nil {
		return nil, fault.Usagef("%v", err)
	}
	wasm, err := Fetcher().Get(ctx, source)
	if err != nil {
		return nil, err
	}
	plug, err := plugin.ReadPlugin(text, wasm, "", limits.Default())
	return plug, fault.About(text, err, fault.ABI)
}

// Sync fetches what the configuration pins by its source, unless the store has it, and says so in a line. pin is the
// command that pins it anew.
func (f *File) Sync(ctx context.Context, p *config.Plugin, pin string) (string, error) {
	source := p.Source.Value
	_, err := f.Store.Get(p.SHA256.Value, limits.Default().Plugin)
	var tampered *store.TamperedError
	switch {
	case err == nil:
		return fmt.Sprintf("%s: kept, sha256 %s", source, p.SHA256.Value), nil
	case !errors.Is(err, store.ErrMissing) && !errors.As(err, &tampered):
		return "", err
	}
	plug, err := Fetch(ctx, source)
	if err != nil {
		return "", err
	}
	version, sum := plug.Name+" "+plug.Manifest.Version, plug.SHA256()
	switch {
	case p.SHA256.Value == "":
		return "", f.Errorf(p.At, "%s is not pinned; if %s is what you want, `%s` pins it, with the sha256 %s", source, version, pin, sum)
	case p.SHA256.Value != sum:
		return "", f.Errorf(p.SHA256.At, "%s has the sha256 %s, expected %s; if the change is intended (it is %s), `%s` pins it", source, sum, p.SHA256.Value, version, pin)
	}
	return fmt.Sprintf("%s: fetched %s, sha256 %s", source, version, sum), f.Store.Put(plug.Wasm)
}
