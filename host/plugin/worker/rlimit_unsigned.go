//go:build unix && !freebsd && !dragonfly

package worker

import (
	"golang.org/x/sys/unix"
)

func newRlimit(soft, hard uint64) *unix.Rlimit { return &unix.Rlimit{Cur: soft, Max: hard} }
