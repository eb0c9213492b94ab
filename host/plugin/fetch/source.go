// Package fetch downloads plugins from where they are published, and publishes them. It is the only package of stategate
// that opens a socket, and only subcommands of `plugin` use it. What arrives is hostile until it has the pinned digest.
package fetch

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"oras.land/oras-go/v2/registry"
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
