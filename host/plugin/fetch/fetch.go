// Package fetch downloads plugins from where they are published, and publishes them. It is the only package of stategate
// that opens a socket, and only subcommands of `plugin` use it. What arrives is hostile until it has the pinned digest.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote/auth"
)

// Scheme begins the sources that are references of an OCI registry.
const Scheme = "oci://"

// A Source says where a plugin is published.
type Source struct {
	text string
	url  *url.URL           // of a file; nil if it is in a registry
	oci  registry.Reference // in a registry
}

func (s Source) String() string { return s.text }

// Registry reports whether the source is a reference of an OCI registry.
func (s Source) Registry() bool { return s.url == nil }

// Parse reads a source: https://host/path/name.wasm or oci://host/repository:tag
// (or @sha256:digest). Without TLS it reaches the loopback only.
func Parse(text string) (Source, error) {
	if rest, ok := strings.CutPrefix(text, Scheme); ok {
		ref, err := registry.ParseReference(rest)
		if err != nil {
			return Source{}, fmt.Errorf("the source %q is not a valid registry reference: %v; write it as oci://host/repository:tag", text, err)
		}
		if ref.Reference == "" {
			return Source{}, fmt.Errorf("the source %q names no tag and no digest; write it as %s:tag", text, text)
		}
		return Source{text: text, oci: ref}, nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme == "":
		return Source{}, fmt.Errorf("the source %q is neither https://host/name.wasm nor oci://host/repository:tag", text)
	case u.User != nil:
		return Source{}, errors.New("the source contains a user name or password, which would be written into the configuration; remove it")
	case u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()):
		return Source{text: text, url: u}, nil
	case u.Scheme == "http":
		return Source{}, fmt.Errorf("the source %q is not encrypted: write it as https", text)
	}
	return Source{}, fmt.Errorf("the source %q is of an unknown kind, %s: it can be https://host/name.wasm or oci://host/repository:tag", text, u.Scheme)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

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
