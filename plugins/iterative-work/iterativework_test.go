package iterativework_test

import (
	"testing"

	iterativework "github.com/stategate/stategate/plugins/iterative-work"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, iterativework.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, iterativework.Workflow) }
