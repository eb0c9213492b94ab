package legalmemo_test

import (
	"testing"

	legalmemo "github.com/stategate/stategate/plugins/legal-memo"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, legalmemo.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, legalmemo.Workflow) }
