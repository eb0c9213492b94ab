// Package heap sets up the Go heap of the process.
package heap

import (
	"runtime"
	"runtime/debug"
)

const (
	// size is what the heap may have, in bytes, before the first collection: a process that checks one run never needs
	// it.
	size = 24 << 20
	// smallest is the size from which the runtime collects by default, in bytes.
	smallest = 4 << 20
)

// CollectLater has the first collection wait until the heap has grown to 24 MB. From then on so many percent of the
// bytes in use are to spare.
func CollectLater(percent int) {
	debug.SetGCPercent(100 * size / smallest)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, percent)
}
