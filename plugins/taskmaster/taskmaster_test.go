package taskmaster_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/taskmaster"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, taskmaster.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, taskmaster.Workflow) }
