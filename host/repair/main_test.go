package repair_test

import (
	"testing"

	"github.com/stategate/stategate/testdata/checktest"
)

// TestMain lets the test binary be a worker.
func TestMain(m *testing.M) { checktest.Main(m) }
