//go:build !unix

package worker

import (
	"time"

	"github.com/stategate/stategate/host/limits"
)

// The parent confines the worker from outside.
func limitTo(limits.Limits) {}

func forbidWriting() {}

func limitProcessor(time.Duration) {}
