//go:build !linux

package git

// limitMemory does nothing on systems where a process cannot limit another one.
func limitMemory(int) {}
