package backlog_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/backlog"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, backlog.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, backlog.Workflow) }
