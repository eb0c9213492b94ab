//go:build !linux

package worker

// watch does nothing, because there is no cheap way to see another process's memory. The worker's own limits and, on
// Windows, its job object have to suffice.
func (p *process) watch() (stop func()) { return func() {} }

func systemMemory() int64 { return 0 }
