package fetch_test

import (
	"net/http"
	"testing"

	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/testdata/registry"
)

// FuzzRegistry: however a registry describes an artifact, pulling returns the bytes with the right digest, or
// nothing.
func FuzzRegistry(f *testing.F) {
	r := registry.New()
	f.Cleanup(r.Close)
	source, err := fetch.Parse(r.Source(":v1"))
	if err != nil {
		f.Fatal(err)
	}
	if _, err := (&fetch.Fetcher{MaxBytes: 1000}).Push(f.Context(), source, wasm, manifest()); err != nil {
		f.Fatal(err)
	}
	good := string(r.Manifests["v1"])
	f.Add(good, "", 200)
	f.Add(`{"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}`, "", 200)
	f.Add(good, `Bearer realm="http://127.0.0.1:1/x",service="y",scope="a:b:c"`, 401)
	f.Add(good, "Basic", 401)
	f.Add(good, "/elsewhere", 307)
	r.Blobs[registry.Digest([]byte("else"))] = []byte("else")
	var text, header string
	var status int
	r.Answer = func(w http.ResponseWriter, q *http.Request) bool {
		if status != 200 {
			w.Header().Set("Www-Authenticate", header)
			w.Header().Set("Location", header)
			w.WriteHeader(min(max(status, 200), 599))
		}
		return status != 200
	}
	f.Fuzz(func(t *testing.T, manifest, challenge string, code int) {
		text, header, status = manifest, challenge, code
		r.Manifests["v1"] = []byte(text)
		got, err := (&fetch.Fetcher{MaxBytes: 1000}).Get(t.Context(), source)
		if err == nil && registry.Digest(got) != registry.Digest(wasm) && string(got) != "else" {
			t.Fatalf("got %q", got)
		}
	})
}
