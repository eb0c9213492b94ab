package fetch_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A registry is as much of an OCI registry as pushing and pulling needs, on the
// loopback. Its fields may be set to make it lie.
type registry struct {
	*httptest.Server
	mu        sync.Mutex
	blobs     map[string][]byte // by digest
	manifests map[string][]byte // by digest or tag
	answer    func(w http.ResponseWriter, r *http.Request) bool
}

func newRegistry(t *testing.T) *registry {
	r := &registry{blobs: map[string][]byte{}, manifests: map[string][]byte{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// source names a repository of the registry.
func (r *registry) source(ref string) string {
	return "oci://" + strings.TrimPrefix(r.URL, "http://") + "/team/notes" + ref
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (r *registry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if r.answer != nil && r.answer(w, q) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	path := strings.TrimPrefix(q.URL.Path, "/v2/team/notes/")
	kind, name, _ := strings.Cut(path, "/")
	switch {
	case q.Method == http.MethodPost:
		w.Header().Set("Location", "/v2/team/notes/blobs/uploads/1")
		w.WriteHeader(http.StatusAccepted)
	case q.Method == http.MethodPut && kind == "blobs":
		r.put(w, q, r.blobs, q.URL.Query().Get("digest"))
	case q.Method == http.MethodPut:
		r.put(w, q, r.manifests, name)
	case kind == "blobs":
		r.get(w, q, r.blobs, name, "application/octet-stream")
	default:
		r.get(w, q, r.manifests, name, "application/vnd.oci.image.manifest.v1+json")
	}
}

func (r *registry) put(w http.ResponseWriter, q *http.Request, to map[string][]byte, name string) {
	data, err := io.ReadAll(q.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	to[name], to[digestOf(data)] = data, data
	w.Header().Set("Docker-Content-Digest", digestOf(data))
	w.WriteHeader(http.StatusCreated)
}

func (r *registry) get(w http.ResponseWriter, q *http.Request, from map[string][]byte, name, mediaType string) {
	data, ok := from[name]
	if !ok {
		http.Error(w, `{"errors":[{"code":"MANIFEST_UNKNOWN"}]}`, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Docker-Content-Digest", digestOf(data))
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if q.Method != http.MethodHead {
		_, _ = w.Write(data)
	}
}
