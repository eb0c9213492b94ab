package build

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/sdk/fixture"
)

// No built-in plugin lists a breach of a law as known, or a rule without a near miss.
func TestNoKnownBreaches(t *testing.T) {
	manifests, err := filepath.Glob("*.json")
	if err != nil || len(manifests) == 0 {
		t.Fatalf("%d manifests of built-in plugins: %v", len(manifests), err)
	}
	for _, path := range manifests {
		name := path[:len(path)-len(".json")]
		known, err := fixture.LoadKnown(os.DirFS(filepath.Join("..", name)), "testdata")
		if err != nil {
			t.Fatal(err)
		}
		if len(known) > 0 {
			t.Errorf("%s lists %d known breaches; expected none", name, len(known))
		}
	}
}
