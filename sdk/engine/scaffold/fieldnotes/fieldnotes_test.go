package fieldnotes

import (
	"testing"

	"github.com/stategate/stategate/sdk/sdktest"
)

// Test holds the workflow to the fixtures in testdata and to the laws.
// `go test -update` writes what the workflow says into them: review the diff.
func Test(t *testing.T) { sdktest.Run(t, Workflow) }

// Fuzz damages the fixtures and holds the laws to what comes out. `make fuzz` does so for a while; what breaks a law is
// saved in testdata/broken.
func Fuzz(f *testing.F) { sdktest.Fuzz(f, Workflow) }

// TestCompiled holds the compiled plugin, in the sandbox, to the same.
func TestCompiled(t *testing.T) { sdktest.Compiled(t, "./cmd/fieldnotes") }
