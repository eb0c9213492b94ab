//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sandbox

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/stategate/stategate/host/hugepage"
)

// reserve maps size bytes of addresses without memory behind them. Without any, memories grow by copying. A memory that
// is large enough has huge pages, up to their next border.
func reserve(size uint64) (empty []byte, commit func(uint64) bool, release func()) {
	if size == 0 {
		return nil, nil, nil
	}
	mapped, err := unix.Mmap(-1, 0, int(size)+hugepage.Size, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, nil
	}
	hugepage.Advise(mapped)
	offset := -uintptr(unsafe.Pointer(unsafe.SliceData(mapped))) % hugepage.Size
	all := mapped[offset:][:size:size]
	commit = func(size uint64) bool {
		if size >= hugepage.Size/2 {
			size = min((size+hugepage.Size-1)/hugepage.Size*hugepage.Size, uint64(len(all)))
		}
		return size == 0 || unix.Mprotect(all[:size], unix.PROT_READ|unix.PROT_WRITE) == nil
	}
	return all[:0], commit, func() { _ = unix.Munmap(mapped) }
}
