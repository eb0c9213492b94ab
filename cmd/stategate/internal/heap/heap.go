// Package heap configures the process's Go heap.
package heap

import (
	"runtime"
	"runtime/debug"
)

const (
	// size is the heap size before the first collection, in bytes. A process that checks one run never reaches it.
	size = 24 << 20
	// smallest is the heap size at which the runtime first collects by default, in bytes.
	smallest = 4 << 20
)

// CollectLater delays the first collection until the heap has grown to 24 MB. After that, percent sets GOGC.
func CollectLater(percent int) {
	debug.SetGCPercent(100 * size / smallest)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, percent)
}
