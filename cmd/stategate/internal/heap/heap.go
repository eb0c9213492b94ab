// Package heap sets up the Go heap of the process. Importing it has the heap begin in huge pages (see package hugepage), before
// most packages are initialized, which touches a megabyte.
package heap

import (
	"runtime"
	"runtime/debug"

	"github.com/stategate/stategate/host/hugepage"
)

const (
	// size is what the heap may have, in bytes, before the first collection: a process that checks one run never needs it.
	size = 24 << 20
	// smallest is the size from which the runtime collects by default, in bytes.
	smallest = 4 << 20
)

// The runtime maps what it needs and keeps what is freed, so the collector makes the first megabytes of the heap of a slice
// that nobody has touched.
func init() {
	if hugepage.Possible {
		percent := debug.SetGCPercent(-1)
		runtime.KeepAlive(region())
		runtime.GC()
		debug.SetGCPercent(percent)
	}
}

func region() []byte {
	b := make([]byte, size)
	hugepage.Advise(b)
	return b
}

// CollectLater has the first collection wait until the heap has grown to 24 MB. From then on so many percent of the bytes in use
// are to spare.
func CollectLater(percent int) {
	debug.SetGCPercent(100 * size / smallest)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, percent)
}
