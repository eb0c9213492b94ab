package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/fixture"
)

// No built-in plugin may exempt itself from a law, or have a rule without a near miss. The only allowed exemptions are
// deletions that end a fault, because the file's owner may intend them.
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
