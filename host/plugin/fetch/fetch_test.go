package fetch_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/registry"
)

func newRegistry(t *testing.T) *registry.Registry {
	r := registry.New()
	t.Cleanup(r.Close)
	return r
}

var wasm = []byte("\x00asm a plugin")

func manifest() *wire.Manifest {
	return &wire.Manifest{ABI: 1, Name: "notes", Version: "1.0.0", Doc: "Notes\nthat agents take.\n\nMore.",
		Schemas: map[string]string{"state": "{}"}}
}

func get(t *testing.T, source string) ([]byte, error) {
	t.Helper()
	s, err := fetch.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	return (&fetch.Fetcher{MaxBytes: 1000}).Get(t.Context(), s)
}

func push(t *testing.T, source string) (string, error) {
	t.Helper()
	s, err := fetch.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	return (&fetch.Fetcher{MaxBytes: 1000}).Push(t.Context(), s, wasm, manifest())
}

func TestPushAndPull(t *testing.T) {
	r := newRegistry(t)
	first, err := push(t, r.Source(":v1"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := push(t, r.Source(":latest"))
	if err != nil || first != second {
		t.Errorf("pushed again it is %s, %v; first it was %s", second, err, first)
	}
	for _, source := range []string{r.Source(":v1"), r.Source(":latest"), first} {
		got, err := get(t, source)
		if err != nil || string(got) != string(wasm) {
			t.Errorf("%s: got %q, %v", source, got, err)
		}
	}
}

func TestArtifactHasAnnotations(t *testing.T) {
	r := newRegistry(t)
	if _, err := push(t, r.Source(":v1")); err != nil {
		t.Fatal(err)
	}
	var artifact struct {
		ArtifactType string
		Annotations  map[string]string
	}
	if err := json.Unmarshal(r.Manifests["v1"], &artifact); err != nil {
		t.Fatal(err)
	}
	a := artifact.Annotations
	if artifact.ArtifactType != fetch.ArtifactType || a["org.opencontainers.image.version"] != "1.0.0" ||
		a[fetch.AnnotationABI] != "1" ||
		a["org.opencontainers.image.description"] != "Notes that agents take." {
		t.Errorf("got %+v", artifact)
	}
	m, err := wire.DecodeManifest([]byte(a[fetch.AnnotationManifest]))
	if err != nil || m.Name != "notes" || m.Schemas != nil {
		t.Errorf("the annotated manifest is %+v, %v", m, err)
	}
}

// TestHostileRegistryIsRejected: whatever a registry answers, only the plugin's own bytes are accepted, and the
// message says what was wrong.
func TestHostileRegistryIsRejected(t *testing.T) {
	layer := func(mediaType string, size int, digest string) string {
		return fmt.Sprintf(`{"mediaType":%q,"size":%d,"digest":%q}`, mediaType, size, digest)
	}
	good := layer(fetch.LayerType, len(wasm), registry.Digest(wasm))
	tests := map[string]struct{ manifest, want string }{
		"no JSON":    {"<html>", "its description cannot be read"},
		"no layer":   {`{"layers":[]}`, "it is not a plugin"},
		"two layers": {`{"layers":[` + good + `,` + good + `]}`, "found 2 layers"},
		"an image": {`{"layers":[` + layer("application/vnd.oci.image.layer.v1.tar+gzip", 5,
			registry.Digest(wasm)) + `]}`, "it is not a plugin"},
		"too large": {`{"layers":[` + layer(fetch.LayerType, 1001, registry.Digest(wasm)) + `]}`,
			"more than 1000 bytes"},
		"negative": {`{"layers":[` + layer(fetch.LayerType, -1, registry.Digest(wasm)) + `]}`,
			"no valid digest or size"},
		"invalid digest": {`{"layers":[` + layer(fetch.LayerType, 5, "sha256:xyz") + `]}`, "no valid digest or size"},
		"other bytes": {`{"layers":[` + layer(fetch.LayerType, len(wasm), registry.Digest([]byte("else"))) + `]}`,
			""},
		"fewer bytes": {`{"layers":[` + layer(fetch.LayerType, len(wasm)+1, registry.Digest(wasm)) + `]}`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			r.Manifests["v1"] = []byte(test.manifest)
			r.Blobs[registry.Digest(wasm)] = wasm
			r.Blobs[registry.Digest([]byte("else"))] = wasm // under another blob's digest
			got, err := get(t, r.Source(":v1"))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, %v; want an error with %q", got, err, test.want)
			}
		})
	}
}

func TestRegistryAnswerTooLarge(t *testing.T) {
	r := newRegistry(t)
	r.Answer = func(w http.ResponseWriter, q *http.Request) bool {
		if q.Method == http.MethodHead {
			return false
		}
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		for range 10 << 20 / 1024 {
			if _, err := w.Write(make([]byte, 1024)); err != nil {
				return true
			}
		}
		return true
	}
	if got, err := get(t, r.Source(":v1")); err == nil {
		t.Errorf("got %d bytes", len(got))
	}
}

func TestGetFromFileServer(t *testing.T) {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/notes.wasm", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(wasm) })
	mux.HandleFunc("/large.wasm", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2000)) })
	mux.HandleFunc("/moved.wasm", func(w http.ResponseWriter,
		r *http.Request) {
		http.Redirect(w, r, "/notes.wasm", http.StatusFound)
	})
	mux.HandleFunc("/loop.wasm", func(w http.ResponseWriter,
		r *http.Request) {
		http.Redirect(w, r, "/loop.wasm", http.StatusFound)
	})
	mux.HandleFunc("/plain.wasm", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://plugins.example/notes.wasm", http.StatusFound)
	})
	for _, path := range []string{"/notes.wasm", "/moved.wasm"} {
		if got, err := get(t, server.URL+path); err != nil || string(got) != string(wasm) {
			t.Errorf("%s: got %q, %v", path, got, err)
		}
	}
	for path, want := range map[string]string{
		"/large.wasm": "more than 1000 bytes",
		"/nothing":    `"404 Not Found", expected 200`,
		"/loop.wasm":  "stopped after 10 redirects",
		"/plain.wasm": "which is not encrypted",
	} {
		if _, err := get(t, server.URL+path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, good := range []string{
		"https://plugins.example/notes.wasm", "http://127.0.0.1:80/x.wasm", "http://localhost/x", "http://[::1]:8/x",
		"oci://registry.example/team/notes:v1", "oci://localhost:5000/notes@sha256:" + strings.Repeat("a", 64),
	} {
		s, err := fetch.Parse(good)
		if err != nil || s.String() != good || s.Registry() != strings.HasPrefix(good, "oci:") {
			t.Errorf("%s: %v, %v", good, s, err)
		}
	}
	for bad, want := range map[string]string{
		"":                                  "neither https",
		"notes.wasm":                        "neither https",
		"http://plugins.example/notes.wasm": "not encrypted",
		"http://localhost.example/x":        "not encrypted",
		"ftp://plugins.example/notes.wasm":  "of an unknown kind, ftp",
		"file:///etc/passwd":                "neither https",
		"https://me:secret@host/x.wasm":     "a user name or password",
		"oci://registry.example/team/notes": "has no tag or digest",
		"oci://registry.example":            "not a valid registry reference",
		"oci://registry.example/Team/x:v1":  "not a valid registry reference",
	} {
		if _, err := fetch.Parse(bad); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got %v, want %q", bad, err, want)
		}
	}
}
