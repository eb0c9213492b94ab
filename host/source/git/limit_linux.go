package git

import "golang.org/x/sys/unix"

// maxMemory is how much memory of its own a git may take, in bytes: it holds the files that it compares or merges
// whole.
const maxMemory = 1 << 30

func limitMemory(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}, nil)
}
