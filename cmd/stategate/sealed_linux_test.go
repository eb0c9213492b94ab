package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sealed runs a command that the kernel kills if it, or one of its children, creates a socket. This proves what reading
// the code cannot.
func sealed() {
	runtime.LockOSThread()
	path, err := exec.LookPath(os.Args[1])
	if err == nil {
		err = forbidSockets()
	}
	if err == nil {
		err = syscall.Exec(path, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "sealed:", err)
	os.Exit(99)
}

// forbidSockets makes the kernel kill this process, or any program that it executes or starts, at the first call to
// socket.
func forbidSockets() error {
	const kill, allow = 0x80000000, 0x7fff0000 // SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // load the system call number
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 0, Jf: 1, K: unix.SYS_SOCKET},
		{Code: unix.BPF_RET | unix.BPF_K, K: kill},
		{Code: unix.BPF_RET | unix.BPF_K, K: allow},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0,
		0); err != nil {
		return fmt.Errorf("install the filter: %w", err)
	}
	return nil
}
