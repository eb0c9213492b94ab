package ocr_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/ocr"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, ocr.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, ocr.Workflow) }
