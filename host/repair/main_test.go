package repair_test

import (
	"testing"

	"github.com/stategate/stategate/host/check/checktest"
)

// TestMain lets the test binary be a worker.
func TestMain(m *testing.M) { checktest.Main(m) }
