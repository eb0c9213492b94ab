package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/fixture"
)

// No built-in plugin lists a breach of a law as known, or a rule without a near miss: only deletions that end a fault,
// as its owner may choose to.
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
		for line := range known {
			if !strings.HasPrefix(line, fixture.Damage+" delete:") {
				t.Errorf("%s lists a known breach that is not a deletion: %s", name, line)
			}
		}
	}
}
