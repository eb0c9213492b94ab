package sdk_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestCompatibilityPage checks that the page lists every feature.
func TestCompatibilityPage(t *testing.T) {
	page, err := os.ReadFile("COMPATIBILITY.md")
	if err != nil {
		t.Fatal(err)
	}
	row := "| 1 | `" + strings.Join(wire.Features, "`, `") + "` |"
	if !strings.Contains(string(page), row) {
		t.Errorf("COMPATIBILITY.md has no row that begins with %q", row)
	}
}
