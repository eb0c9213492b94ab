//go:build freebsd || dragonfly

package worker

import (
	"math"

	"golang.org/x/sys/unix"
)

func newRlimit(soft, hard uint64) *unix.Rlimit {
	return &unix.Rlimit{Cur: int64(min(soft, math.MaxInt64)), Max: int64(min(hard, math.MaxInt64))}
}
