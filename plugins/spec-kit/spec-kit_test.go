package speckit_test

import (
	"testing"

	speckit "github.com/stategate/stategate/plugins/spec-kit"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, speckit.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, speckit.Workflow) }
