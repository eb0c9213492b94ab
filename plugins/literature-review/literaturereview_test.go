package literaturereview_test

import (
	"testing"

	literaturereview "github.com/stategate/stategate/plugins/literature-review"
	"github.com/stategate/stategate/sdk/sdktest"
)

func Test(t *testing.T) { sdktest.Run(t, literaturereview.Workflow) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, literaturereview.Workflow) }
