//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sandbox

import "syscall"

// reserve maps size bytes of addresses without memory behind them. Without any, memories grow by copying.
func reserve(size uint64) (empty []byte, commit func(uint64) bool, release func()) {
	if size == 0 {
		return nil, nil, nil
	}
	all, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, nil
	}
	commit = func(size uint64) bool {
		return size == 0 || syscall.Mprotect(all[:size], syscall.PROT_READ|syscall.PROT_WRITE) == nil
	}
	return all[:0], commit, func() { _ = syscall.Munmap(all) }
}
