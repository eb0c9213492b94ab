// Package registry implements a plugin registry on the loopback interface, for tests.
package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// A Registry implements the parts of an OCI registry that push and pull need, with one repository, team/notes. It also
// serves plain files. Tests may set its fields to make it return wrong answers.
type Registry struct {
	*httptest.Server
	Blobs     map[string][]byte                                 // by digest
	Manifests map[string][]byte                                 // by digest or tag
	Answer    func(w http.ResponseWriter, r *http.Request) bool // if set, may answer first

	mu    sync.Mutex
	files map[string][]byte // by path
}

// New starts a registry. Close it after use.
func New() *Registry {
	r := &Registry{Blobs: map[string][]byte{}, Manifests: map[string][]byte{}, files: map[string][]byte{}}
	r.Server = httptest.NewServer(r)
	return r
}

// Source returns stategate's source for a reference, such as ":v1", in the repository.
func (r *Registry) Source(ref string) string {
	return "oci://" + strings.TrimPrefix(r.URL, "http://") + "/team/notes" + ref
}

// Digest returns the digest of data in a registry's notation.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Publish serves a file under a path, such as /notes.wasm.
func (r *Registry) Publish(path string, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[path] = data
}

// ServeHTTP answers as a registry or as a file server.
func (r *Registry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if r.Answer != nil && r.Answer(w, q) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if data, ok := r.files[q.URL.Path]; ok {
		_, _ = w.Write(data)
		return
	}
	path := strings.TrimPrefix(q.URL.Path, "/v2/team/notes/")
	kind, name, _ := strings.Cut(path, "/")
	switch {
	case q.Method == http.MethodPost:
		w.Header().Set("Location", "/v2/team/notes/blobs/uploads/1")
		w.WriteHeader(http.StatusAccepted)
	case q.Method == http.MethodPut && kind == "blobs":
		r.put(w, q, r.Blobs, q.URL.Query().Get("digest"))
	case q.Method == http.MethodPut:
		r.put(w, q, r.Manifests, name)
	case kind == "blobs":
		r.get(w, q, r.Blobs, name, "application/octet-stream")
	default:
		r.get(w, q, r.Manifests, name, "application/vnd.oci.image.manifest.v1+json")
	}
}

func (r *Registry) put(w http.ResponseWriter, q *http.Request, to map[string][]byte, name string) {
	data, err := io.ReadAll(q.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	to[name], to[Digest(data)] = data, data
	w.Header().Set("Docker-Content-Digest", Digest(data))
	w.WriteHeader(http.StatusCreated)
}

func (r *Registry) get(w http.ResponseWriter, q *http.Request, from map[string][]byte, name, mediaType string) {
	data, ok := from[name]
	if !ok {
		http.Error(w, `{"errors":[{"code":"MANIFEST_UNKNOWN"}]}`, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Docker-Content-Digest", Digest(data))
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if q.Method != http.MethodHead {
		_, _ = w.Write(data)
	}
}
