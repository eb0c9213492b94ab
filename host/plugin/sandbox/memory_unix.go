//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sandbox

import (
	"golang.org/x/sys/unix"
)

// reserve maps size bytes of addresses without memory behind them. Without any, memories grow by copying.
func reserve(size uint64) (empty []byte, commit func(uint64) bool, release func()) {
	if size == 0 {
		return nil, nil, nil
	}
	all, err := unix.Mmap(-1, 0, int(size), unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, nil
	}
	commit = func(size uint64) bool {
		return size == 0 || unix.Mprotect(all[:size], unix.PROT_READ|unix.PROT_WRITE) == nil
	}
	return all[:0], commit, func() { _ = unix.Munmap(all) }
}
