package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"

	"github.com/stategate/stategate/sdk/wire"
)

// What a plugin is in a registry: an artifact of one layer.
const (
	ArtifactType = "application/vnd.stategate.plugin.v1"
	LayerType    = "application/wasm"

	// AnnotationABI and AnnotationManifest are annotations of the artifact: the ABI,
	// and the plugin's manifest as JSON without its schemas.
	AnnotationABI      = "com.github.stategate.abi"
	AnnotationManifest = "com.github.stategate.manifest"
)

// maxArtifact bounds the JSON that describes an artifact, in bytes.
const maxArtifact = 4 << 20

func (f *Fetcher) repository(s Source) (*remote.Repository, error) {
	repo, err := remote.NewRepository(s.oci.Registry + "/" + s.oci.Repository)
	if err != nil {
		return nil, err
	}
	registry := url.URL{Host: s.oci.Registry}
	repo.PlainHTTP = isLoopback(registry.Hostname())
	repo.MaxMetadataBytes = maxArtifact
	repo.Client = &auth.Client{Client: client(), Credential: f.Credential}
	return repo, nil
}

// pull fetches the only layer of an artifact. Sizes are checked before anything is read, digests after.
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
		return nil, fmt.Errorf("it is not a plugin: expected an artifact with one layer of type %s, found %d layers of %s", LayerType, len(m.Layers), types(m.Layers))
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

// Push publishes a plugin and returns the reference, by digest, under which it
// stays. Pushing the same plugin again gives the same one.
func (f *Fetcher) Push(ctx context.Context, s Source, wasm []byte, m *wire.Manifest) (string, error) {
	if !s.Registry() {
		return "", fmt.Errorf("push to %s: plugins are pushed to a registry only: oci://host/repository:tag", s)
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
			return none, fmt.Errorf("the plugin has the digest %s there; name a tag", desc.Digest)
		}
		return desc, nil
	}
	return desc, repo.Tag(ctx, desc, s.oci.Reference)
}

// annotations say what the plugin is. The time is fixed, so that the same plugin
// has the same digest whenever it is pushed.
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
