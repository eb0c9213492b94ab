//go:build amd64 || arm64

package confine

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls lists the system calls that a Go program needs to compute, to use its open files, and to wait. All others
// fail with EPERM. Some calls are allowed only with certain arguments: see filter.
var calls = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_PREAD64, unix.SYS_CLOSE, unix.SYS_LSEEK, unix.SYS_FSTAT, unix.SYS_FCNTL,
	unix.SYS_GETDENTS64,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP,
	unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_RESTART_SYSCALL,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN,
	unix.SYS_SIGALTSTACK,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2, unix.SYS_PIPE2,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRUSAGE, unix.SYS_GETRANDOM, unix.SYS_RSEQ, unix.SYS_SET_ROBUST_LIST,
	unix.SYS_UNAME, unix.SYS_GETRLIMIT, unix.SYS_READLINKAT, unix.SYS_FACCESSAT,
}

// writing lists the additional calls for a process that writes to the paths that Thread allows.
var writing = []uint32{
	unix.SYS_PWRITE64, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FTRUNCATE, unix.SYS_FLOCK, unix.SYS_FCHMOD,
	unix.SYS_MKDIRAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2,
}

// These are offsets in struct seccomp_data: the number, the architecture, and the lower and upper half of argument n.
const (
	offsetNumber = 0
	offsetArch   = 4
)

func low(n uint32) uint32 { return 16 + 8*n }

// A program is a packet-filter program that decides on each call.
type program []unix.SockFilter

func (p *program) load(offset uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

func (p *program) end(action uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action})
}

// unless skips the next n instructions if the comparison with k is false.
func (p *program) unless(comparison uint16, k uint32, n uint8) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | comparison | unix.BPF_K, K: k, Jf: n})
}

const denied = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)

// filter returns the program for this process.
func filter(mayWrite bool) program {
	var p program
	p.load(offsetArch)
	p.unless(unix.BPF_JEQ, arch, 1) // calls of another architecture have other numbers
	p = append(p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: 1})
	p.end(unix.SECCOMP_RET_KILL_PROCESS)
	p.load(offsetNumber)
	allowed := append(append([]uint32{}, calls...), callsOfArch...)
	if mayWrite {
		allowed = append(allowed, writing...)
	}
	for _, number := range allowed {
		p.unless(unix.BPF_JEQ, number, 1)
		p.end(unix.SECCOMP_RET_ALLOW)
	}
	// Allow creating threads but not processes. The arguments of clone3 are in memory, where a filter cannot read
	// them. ENOSYS makes libraries fall back to clone.
	p.unless(unix.BPF_JEQ, unix.SYS_CLONE3, 1)
	p.end(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS))
	p.on(unix.SYS_CLONE, 0, unix.BPF_JSET, unix.CLONE_THREAD, true)
	// Allow signals to this process only, which the runtime uses to interrupt its threads.
	p.on(unix.SYS_TGKILL, 0, unix.BPF_JEQ, uint32(os.Getpid()), true)
	if mayWrite {
		p.unless(unix.BPF_JEQ, unix.SYS_OPENAT, 1)
		p.end(unix.SECCOMP_RET_ALLOW)
	} else {
		p.on(unix.SYS_OPENAT, 2, unix.BPF_JSET, unix.O_WRONLY|unix.O_RDWR|unix.O_CREAT|unix.O_TRUNC, false)
	}
	// Allow setting this process's own limits, and the names of memory regions, which the runtime sets.
	p.on(unix.SYS_PRLIMIT64, 0, unix.BPF_JEQ, 0, true)
	p.on(unix.SYS_PRCTL, 0, unix.BPF_JEQ, unix.PR_SET_VMA, true)
	p.end(denied)
	return p
}

// on allows a call if comparing the lower half of an argument with k yields want.
func (p *program) on(number, argument uint32, comparison uint16, k uint32, want bool) {
	yes, no := uint32(unix.SECCOMP_RET_ALLOW), denied
	if !want {
		yes, no = no, yes
	}
	p.unless(unix.BPF_JEQ, number, 4)
	p.load(low(argument))
	p.unless(comparison, k, 1)
	p.end(yes)
	p.end(no)
}

// Process permanently confines all threads of this process to what a Go program needs to compute and to use its
// open files. Thread further restricts which files those are. If mayWrite is true, calls that create, write, rename
// and remove files stay allowed.
func Process(mayWrite bool) error {
	p := filter(mayWrite)
	prog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	// for this thread; the flag below applies it to all threads
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("confine the process: no new privileges: %w", err)
	}
	failed, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return fmt.Errorf("confine the process: filter its system calls: %w", errno)
	}
	if failed != 0 {
		return fmt.Errorf("confine the process: thread %d cannot be confined", failed)
	}
	return nil
}

// filters reports whether the kernel supports system call filters.
func filters() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
}
