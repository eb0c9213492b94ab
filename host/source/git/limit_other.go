//go:build !linux

package git

// limitMemory does nothing where no process can limit another one.
func limitMemory(int) {}
