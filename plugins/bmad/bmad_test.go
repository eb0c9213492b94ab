package bmad_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/bmad"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, bmad.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, bmad.Workflow) }
