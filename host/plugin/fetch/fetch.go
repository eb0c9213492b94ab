package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"oras.land/oras-go/v2/registry/remote/auth"
)

// Timeout is what one request may take, from its beginning to the last byte.
const Timeout = 5 * time.Minute

// A Fetcher reaches sources.
type Fetcher struct {
	MaxBytes   int64                                                               // of a plugin
	Credential func(ctx context.Context, hostport string) (auth.Credential, error) // of registries; nil for none
}

func (f *Fetcher) tooLarge() error {
	return fmt.Errorf("it has more than the %d bytes that a plugin may have", f.MaxBytes)
}

// Get returns the bytes of a plugin. The caller must check their digest.
func (f *Fetcher) Get(ctx context.Context, s Source) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	data, err := f.get(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", s, err)
	}
	return data, nil
}

func (f *Fetcher) get(ctx context.Context, s Source) ([]byte, error) {
	if s.Registry() {
		return f.pull(ctx, s)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := client().Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %q, expected 200", response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, f.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > f.MaxBytes {
		return nil, f.tooLarge()
	}
	return data, nil
}

const maxRedirects = 5

// client follows few redirects, and none to where Parse would not go.
func client() *http.Client {
	return &http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		here := isLoopback(r.URL.Hostname()) && isLoopback(via[0].URL.Hostname())
		if r.URL.Scheme != "https" && !here {
			return errors.New("it redirects to " + r.URL.Redacted() + ", which is not encrypted")
		}
		return nil
	}}
}
