package gsd_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/gsd"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, gsd.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, gsd.Workflow) }
