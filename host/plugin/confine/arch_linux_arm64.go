package confine

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_AARCH64

var callsOfArch = []uint32{unix.SYS_FSTATAT}
