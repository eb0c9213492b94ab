package autopilot_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/autopilot"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, autopilot.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, autopilot.Workflow) }
