//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sandbox

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a huge page in bytes, on systems whose ordinary pages have 4 KiB. The system allocates a
// page when it is first accessed, which takes a few microseconds for each 4 KiB. A check of a thousand state files
// accessed 29,000 pages, which took a tenth of its time.
const hugePage = 2 << 20

// adviseHuge requests huge pages. Most Linux distributions leave that to programs
// (/sys/kernel/mm/transparent_hugepage/enabled contains madvise). Other systems reject the request, which does no
// harm.
const adviseHuge = 14

// reserve maps size bytes of address space without memory. If it fails, memories grow by copying. A large memory uses
// huge pages, up to the next page boundary.
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
