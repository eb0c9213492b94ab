//go:build !unix

package worker

import (
	"time"

	"github.com/stategate/stategate/host/limits"
)

// limitTo does nothing, because the parent confines the worker from outside.
func limitTo(limits.Limits) {}

func forbidWriting() {}

func limitProcessor(time.Duration) {}

// spent returns how long this process has been running, because its CPU time is not known here.
func spent() time.Duration { return time.Since(started) }

var started = time.Now()
