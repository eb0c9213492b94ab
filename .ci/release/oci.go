package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/registry"
)

// These are the media types from https://github.com/opencontainers/image-spec.
const (
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	indexType    = "application/vnd.oci.image.index.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
	refName      = "org.opencontainers.image.ref.name"
)

type descriptor struct {
	MediaType    string            `json:"mediaType"`
	ArtifactType string            `json:"artifactType,omitempty"`
	Digest       string            `json:"digest"`
	Size         int               `json:"size"`
	Platform     map[string]string `json:"platform,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
}

// A layout is an OCI image layout: a directory that skopeo, oras, crane and docker can read, also as a tar file.
type layout struct {
	blobs map[string][]byte
	index []descriptor
}

func (l *layout) put(mediaType string, data []byte) descriptor {
	if l.blobs == nil {
		l.blobs = map[string][]byte{}
	}
	hex := fmt.Sprintf("%x", sha256.Sum256(data))
	l.blobs[hex] = data
	return descriptor{MediaType: mediaType, Digest: "sha256:" + hex, Size: len(data)}
}

func (l *layout) putJSON(mediaType string, value any) (descriptor, error) {
	data, err := json.Marshal(value)
	return l.put(mediaType, data), err
}

func indexOf(list []descriptor) map[string]any {
	return map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": list}
}

func (l *layout) tar(at time.Time) ([]byte, error) {
	index, err := json.Marshal(indexOf(l.index))
	if err != nil {
		return nil, err
	}
	files := []file{{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {"index.json", 0o644, index}}
	for hex, data := range l.blobs {
		files = append(files, file{"blobs/sha256/" + hex, 0o644, data})
	}
	return tarball(at, files...)
}

// publishPlugins writes the plugins as .wasm files, in an archive, and as OCI artifacts. The code of `stategate plugin
// push` creates the artifacts, with a registry on the loopback interface. In the layout, each has its plugin's name.
func (r *release) publishPlugins() error {
	data, err := r.tarGz(r.plugins...)
	if err == nil {
		err = r.write("stategate-plugins_"+r.version.semver+".tar.gz", data, 0o644)
	}
	if err != nil {
		return err
	}
	server := registry.New()
	defer server.Close()
	var l layout
	for _, p := range build.Files() {
		m, err := wire.DecodeManifest(p.Manifest)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		to, err := fetch.Parse(server.Source(":" + p.Name))
		if err != nil {
			return err
		}
		if _, err := (&fetch.Fetcher{}).Push(context.Background(), to, p.Wasm(), m); err != nil {
			return err
		}
		d := l.put(manifestType, server.Manifests[p.Name])
		d.ArtifactType, d.Annotations = fetch.ArtifactType, map[string]string{refName: p.Name}
		l.index = append(l.index, d)
		if err := r.write(p.Name+".wasm", p.Wasm(), 0o644); err != nil {
			return err
		}
	}
	for digest, blob := range server.Blobs {
		if d := l.put("", blob); d.Digest != digest {
			return fmt.Errorf("the registry has %s under the name %s", d.Digest, digest)
		}
	}
	if data, err = l.tar(r.time); err != nil {
		return err
	}
	return r.write("stategate-plugins_"+r.version.semver+".oci.tar", data, 0o644)
}

// image writes the container image for Linux. It contains only the program and a directory for temporary files, so it
// has no shell and no git. It checks the files in a repository mounted at /repo. Flags that read revisions (--staged,
// --rev, --base) need git; users can build an image with git from the Dockerfile in install.md.
func (r *release) image() error {
	var l layout
	var list []descriptor
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		layer, err := tarball(r.time, file{"stategate", 0o755, r.built[t]}, file{"repo/", 0o755, nil},
			file{"tmp/", 0o1777, nil}, file{"LICENSE", 0o644, r.file("LICENSE")},
			file{"THIRD-PARTY-LICENSES.txt", 0o644, r.file("THIRD-PARTY-LICENSES.txt")})
		if err != nil {
			return err
		}
		packed, err := gzipped(layer)
		if err != nil {
			return err
		}
		labels := map[string]string{
			"org.opencontainers.image.title": "stategate", "org.opencontainers.image.description": description,
			"org.opencontainers.image.licenses": license,
			"org.opencontainers.image.source":   homepage, "org.opencontainers.image.version": r.version.semver,
			"org.opencontainers.image.revision": r.commit,
		}
		config, err := l.putJSON(configType, map[string]any{
			"created": r.time.Format(time.RFC3339), "os": t.os, "architecture": t.arch,
			"config": map[string]any{
				"User": "65532:65532", "WorkingDir": "/repo", "Entrypoint": []string{"/stategate"},
				"Cmd": []string{"check"}, "Labels": labels,
				"Env": []string{"PATH=/usr/bin:/bin", "XDG_CACHE_HOME=/tmp/cache", "XDG_STATE_HOME=/tmp/state"},
			},
			"rootfs": map[string]any{"type": "layers",
				"diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
			"history": []map[string]any{{"created": r.time.Format(time.RFC3339), "created_by": "make release-dry-run"}},
		})
		if err != nil {
			return err
		}
		d, err := l.putJSON(manifestType, map[string]any{
			"schemaVersion": 2, "mediaType": manifestType, "config": config,
			"layers": []descriptor{l.put(layerType, packed)}, "annotations": labels,
		})
		if err != nil {
			return err
		}
		d.Platform = map[string]string{"os": t.os, "architecture": t.arch}
		list = append(list, d)
	}
	if len(list) == 0 {
		return nil
	}
	d, err := l.putJSON(indexType, indexOf(list))
	if err != nil {
		return err
	}
	d.Annotations = map[string]string{refName: r.version.semver}
	l.index = []descriptor{d}
	data, err := l.tar(r.time)
	if err != nil {
		return err
	}
	return r.write("stategate-image_"+r.version.semver+".oci.tar", data, 0o644)
}

func (r *release) file(name string) []byte {
	for _, f := range r.extra {
		if f.name == name {
			return f.data
		}
	}
	return nil
}
