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

// spent is how long this process has run, where its processor time is not known.
func spent() time.Duration { return time.Since(started) }

var started = time.Now()
