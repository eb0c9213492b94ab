//go:build !linux

package worker

// watch does nothing: there is no cheap way to see another process's memory. What the worker confines itself to, and on
// Windows its job object, must do.
func (p *process) watch() (stop func()) { return func() {} }

func systemMemory() int64 { return 0 }
