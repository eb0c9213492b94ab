package confine

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_X86_64

// callsOfArch lists allowed calls that do not exist on other architectures under these names.
var callsOfArch = []uint32{unix.SYS_NEWFSTATAT, unix.SYS_EPOLL_WAIT, unix.SYS_ARCH_PRCTL}
