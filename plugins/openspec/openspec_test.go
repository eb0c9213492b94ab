package openspec_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/openspec"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, openspec.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, openspec.Workflow) }
