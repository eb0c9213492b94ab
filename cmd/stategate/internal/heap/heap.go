// Package heap has the Go heap begin in huge pages (see package hugepage). Importing it does that, before most packages are
// initialized, which touches a megabyte.
package heap

import (
	"runtime"
	"runtime/debug"

	"github.com/stategate/stategate/host/hugepage"
)

// size is how much of the heap that is, in bytes: what a process uses before its first collection.
const size = 24 << 20

// The runtime maps what it needs and keeps what is freed, so the collector makes the first megabytes of the heap of a slice
// that nobody has touched.
func init() {
	if hugepage.Possible {
		percent := debug.SetGCPercent(-1)
		runtime.KeepAlive(room())
		runtime.GC()
		debug.SetGCPercent(percent)
	}
}

func room() []byte {
	b := make([]byte, size)
	hugepage.Advise(b)
	return b
}
