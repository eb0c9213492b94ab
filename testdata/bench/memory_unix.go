//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the greatest resident size of a process, in bytes. Its
// workers are processes of their own: the greatest of all counts.
func peakMemory(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
