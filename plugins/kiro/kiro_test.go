package kiro_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/kiro"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, kiro.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, kiro.Workflow) }
