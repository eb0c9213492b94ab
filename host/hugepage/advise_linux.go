package hugepage

import "golang.org/x/sys/unix"

// Advise asks for huge pages in b, which begins with a page. Most distributions leave it to programs to ask
// (/sys/kernel/mm/transparent_hugepage/enabled says madvise); where they do not, it changes nothing.
func Advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
