// Package fetch downloads and publishes plugins. It is the only package of stategate that opens a socket, and only
// subcommands of `plugin` use it. Downloaded bytes are treated as hostile until their digest matches the pinned one.
package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"

	"github.com/stategate/stategate/sdk/wire"
)

// Scheme is the prefix of sources that refer to an OCI registry.
const Scheme = "oci://"

// A Source is where a plugin is published.
type Source struct {
	text string
	url  *url.URL           // of a file; nil if it is in a registry
	oci  registry.Reference // in a registry
}

func (s Source) String() string { return s.text }

// Registry reports whether the source refers to an OCI registry.
func (s Source) Registry() bool { return s.url == nil }

// Parse parses a source: https://host/path/name.wasm or oci://host/repository:tag (or @sha256:digest). Without TLS,
// only the loopback interface is allowed.
func Parse(text string) (Source, error) {
	if rest, ok := strings.CutPrefix(text, Scheme); ok {
		ref, err := registry.ParseReference(rest)
		if err != nil {
			return Source{},
				fmt.Errorf("the source %q is not a valid registry reference: %v; write it as oci://host/repository:tag",
					text, err)
		}
		if ref.Reference == "" {
			return Source{}, fmt.Errorf("the source %q has no tag or digest; write it as %s:tag", text, text)
		}
		return Source{text: text, oci: ref}, nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme == "":
		return Source{}, fmt.Errorf("the source %q is neither https://host/name.wasm nor oci://host/repository:tag",
			text)
	case u.User != nil:
		return Source{},
			errors.New("the source contains a user name or password, which would be written into the configuration; " +
				"remove it")
	case u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()):
		return Source{text: text, url: u}, nil
	case u.Scheme == "http":
		return Source{}, fmt.Errorf("the source %q is not encrypted; use https", text)
	}
	return Source{},
		fmt.Errorf("the source %q is of an unknown kind, %s: it can be https://host/name.wasm or "+
			"oci://host/repository:tag", text, u.Scheme)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Timeout limits the time for fetching or publishing, up to the last byte. Plugins that are fetched together share it.
const Timeout = 5 * time.Minute

// A Fetcher accesses sources.
type Fetcher struct {
	MaxBytes int64 // maximum bytes of a plugin
	// Credential is called for registries. It may be nil.
	Credential func(ctx context.Context, hostport string) (auth.Credential, error)
}

func (f *Fetcher) tooLarge() error {
	return fmt.Errorf("found more than %d bytes, expected at most that many", f.MaxBytes)
}

// Get returns the bytes of a plugin. The caller must check their digest.
func (f *Fetcher) Get(ctx context.Context, s Source) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	data, err := f.get(ctx, s)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("it did not finish within %s", Timeout)
	}
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
	response, err := (&http.Client{Transport: guard{s.url}}).Do(request)
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

// These constants describe a plugin in a registry, where it is an artifact with one layer.
const (
	ArtifactType = "application/vnd.stategate.plugin.v1"
	LayerType    = "application/wasm"

	// AnnotationABI and AnnotationManifest are the artifact's annotations: the ABI, and the plugin's manifest as JSON
	// without its schemas.
	AnnotationABI      = "com.github.stategate.abi"
	AnnotationManifest = "com.github.stategate.manifest"
)

// maxArtifact limits the bytes of the JSON that describes an artifact.
const maxArtifact = 4 << 20

func (f *Fetcher) repository(s Source) (*remote.Repository, error) {
	repo, err := remote.NewRepository(s.oci.Registry + "/" + s.oci.Repository)
	if err != nil {
		return nil, err
	}
	registry := url.URL{Host: s.oci.Registry}
	repo.PlainHTTP = isLoopback(registry.Hostname())
	repo.MaxMetadataBytes = maxArtifact
	scheme := map[bool]string{true: "http", false: "https"}[repo.PlainHTTP]
	repo.Client = &auth.Client{Client: &http.Client{Transport: guard{&url.URL{Scheme: scheme,
		Host: repo.Reference.Host()}}}, Credential: f.Credential}
	return repo, nil
}

// pull fetches an artifact's only layer. It checks sizes before reading anything, and digests afterwards.
func (f *Fetcher) pull(ctx context.Context, s Source) ([]byte, error) {
	repo, err := f.repository(s)
	if err != nil {
		return nil, err
	}
	_, text, err := oras.FetchBytes(ctx, repo, s.oci.Reference, oras.FetchBytesOptions{MaxBytes: maxArtifact})
	if err != nil {
		return nil, err
	}
	var m ocispec.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("its description cannot be read: %w", err)
	}
	if len(m.Layers) != 1 || m.Layers[0].MediaType != LayerType {
		return nil,
			fmt.Errorf("it is not a plugin: expected an artifact with one layer of type %s, found %d layers of %s",
				LayerType, len(m.Layers), types(m.Layers))
	}
	layer := m.Layers[0]
	if err := layer.Digest.Validate(); err != nil || layer.Size < 0 {
		return nil, errors.New("its layer has no valid digest or size")
	}
	if layer.Size > f.MaxBytes {
		return nil, f.tooLarge()
	}
	return content.FetchAll(ctx, repo.Blobs(), layer)
}

func types(layers []ocispec.Descriptor) string {
	var list []string
	for _, l := range layers[:min(len(layers), 3)] {
		list = append(list, strconv.Quote(l.MediaType))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// Push publishes a plugin and returns a permanent reference, by digest. Pushing the same plugin again returns the
// same reference.
func (f *Fetcher) Push(ctx context.Context, s Source, wasm []byte, m *wire.Manifest) (string, error) {
	if !s.Registry() {
		return "", fmt.Errorf("push to %s: plugins can only be pushed to a registry: oci://host/repository:tag", s)
	}
	if tag := strings.TrimPrefix(s.oci.Reference, "v"); tag != m.Version && wire.IsVersion(tag) {
		return "", fmt.Errorf("push to %s: the tag is another version than the plugin's, %s; change the tag, or "+
			"the plugin's Version", s, m.Version)
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	desc, err := f.push(ctx, s, wasm, m)
	if err != nil {
		return "", fmt.Errorf("push to %s: %w", s, err)
	}
	return Scheme + s.oci.Registry + "/" + s.oci.Repository + "@" + desc.Digest.String(), nil
}

func (f *Fetcher) push(ctx context.Context, s Source, wasm []byte, m *wire.Manifest) (ocispec.Descriptor, error) {
	var none ocispec.Descriptor
	repo, err := f.repository(s)
	if err != nil {
		return none, err
	}
	layer := content.NewDescriptorFromBytes(LayerType, wasm)
	layer.Annotations = map[string]string{ocispec.AnnotationTitle: m.Name + ".wasm"}
	if err := f.published(ctx, repo, s, layer.Digest, m); err != nil {
		return none, err
	}
	if err := repo.Push(ctx, layer, bytes.NewReader(wasm)); err != nil && !errors.Is(err, errdef.ErrAlreadyExists) {
		return none, err
	}
	desc, err := oras.PackManifest(ctx, repo, oras.PackManifestVersion1_1, ArtifactType, oras.PackManifestOptions{
		Layers: []ocispec.Descriptor{layer}, ManifestAnnotations: annotations(m),
	})
	if err != nil {
		return none, err
	}
	if _, err := digest.Parse(s.oci.Reference); err == nil {
		if s.oci.Reference != desc.Digest.String() {
			return none, fmt.Errorf("the pushed plugin has digest %s; push to a tag instead", desc.Digest)
		}
		return desc, nil
	}
	return desc, repo.Tag(ctx, desc, s.oci.Reference)
}

// published returns an error if the tag refers to the same version of the plugin with other bytes, because pins of
// that plugin would no longer be found. A tag may move to another version. If the registry does not show the tag,
// published does not ask again.
func (f *Fetcher) published(ctx context.Context, repo *remote.Repository, s Source, layer digest.Digest,
	m *wire.Manifest) error {
	_, text, err := oras.FetchBytes(ctx, repo, s.oci.Reference, oras.FetchBytesOptions{MaxBytes: maxArtifact})
	var was ocispec.Manifest
	if err != nil || json.Unmarshal(text, &was) != nil || len(was.Layers) != 1 || was.Layers[0].Digest == layer ||
		was.Annotations[ocispec.AnnotationTitle] != m.Name ||
		was.Annotations[ocispec.AnnotationVersion] != m.Version {
		return nil
	}
	return fmt.Errorf("the tag already is %s %s with other bytes; increase the plugin's Version, and push it to "+
		"a new tag", m.Name, m.Version)
}

// annotations describes the plugin. The time is fixed, so that the same plugin always has the same digest.
func annotations(m *wire.Manifest) map[string]string {
	short := *m
	short.Schemas = nil
	title, _, _ := strings.Cut(m.Doc, "\n\n")
	return map[string]string{
		ocispec.AnnotationCreated:     "1970-01-01T00:00:00Z",
		ocispec.AnnotationTitle:       m.Name,
		ocispec.AnnotationVersion:     m.Version,
		ocispec.AnnotationDescription: strings.Join(strings.Fields(title), " "),
		AnnotationABI:                 strconv.Itoa(m.ABI),
		AnnotationManifest:            string(wire.EncodeManifest(&short)),
	}
}
