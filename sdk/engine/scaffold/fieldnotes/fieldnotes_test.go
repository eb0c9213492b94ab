package fieldnotes

import (
	"testing"

	"github.com/stategate/stategate/sdk/sdktest"
)

// Test checks the workflow against the fixtures in testdata and the laws. `go test -update` writes the results into
// the fixtures; review the diff.
func Test(t *testing.T) { sdktest.Run(t, Workflow) }

// Fuzz damages the fixtures and checks the laws on the results. `make fuzz` does so for a while and saves worlds
// that break a law in testdata/broken.
func Fuzz(f *testing.F) { sdktest.Fuzz(f, Workflow) }

// TestCompiled runs the same tests with the compiled plugin in the sandbox.
func TestCompiled(t *testing.T) { sdktest.Compiled(t, "./cmd/fieldnotes") }
