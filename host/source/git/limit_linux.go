package git

import "golang.org/x/sys/unix"

// maxMemory is the maximum number of bytes that a git process may allocate. Git loads each file that it compares or
// merges as a whole.
const maxMemory = 1 << 30

func limitMemory(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}, nil)
}
