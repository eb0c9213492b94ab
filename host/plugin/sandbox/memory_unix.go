//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sandbox

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a huge page in bytes where an ordinary one has 4 KiB. A page is made when it is first
// touched, which takes a few microseconds for each of 4 KiB: a check of a thousand state files touched 29,000, a tenth
// of its time.
const hugePage = 2 << 20

// adviseHuge asks for huge pages: most distributions of Linux leave it to programs to ask
// (/sys/kernel/mm/transparent_hugepage/enabled says madvise). Others refuse the advice, which changes nothing.
const adviseHuge = 14

// reserve maps size bytes of addresses without memory. If it is missing, memories grow by copying. A memory that is
// large enough has huge pages, up to their next border.
func reserve(size uint64) (empty []byte, commit func(uint64) bool, release func()) {
	if size == 0 {
		return nil, nil, nil
	}
	mapped, err := unix.Mmap(-1, 0, int(size)+hugePage, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, nil
	}
	if runtime.GOOS == "linux" {
		_ = unix.Madvise(mapped, adviseHuge)
	}
	offset := -uintptr(unsafe.Pointer(unsafe.SliceData(mapped))) % hugePage
	all := mapped[offset:][:size:size]
	commit = func(size uint64) bool {
		if size >= hugePage/2 {
			size = min((size+hugePage-1)/hugePage*hugePage, uint64(len(all)))
		}
		return size == 0 || unix.Mprotect(all[:size], unix.PROT_READ|unix.PROT_WRITE) == nil
	}
	return all[:0], commit, func() { _ = unix.Munmap(mapped) }
}
