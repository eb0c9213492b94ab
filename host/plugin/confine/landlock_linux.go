package confine

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// These are access rights on files and directories (linux/landlock.h). Newer versions of the interface have more.
const (
	execute = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	read    = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	write   = read | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE

	// ofFiles are the rights that a rule for a file may grant.
	ofFiles = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE

	network = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	scopes  = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// handled returns what a ruleset forbids by default in a version of the interface.
func handled(version int) unix.LandlockRulesetAttr {
	a := unix.LandlockRulesetAttr{Access_fs: unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1}
	if version >= 2 {
		a.Access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		a.Access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		a.Access_net = network
	}
	if version >= 5 {
		a.Access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 6 {
		a.Scoped = scopes
	}
	return a
}

// landlockVersion returns the version of the interface, or 0 if the kernel lacks it or it is disabled.
func landlockVersion() int {
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// Thread permanently confines the calling thread, and each process that it starts from now on, to the given paths
// and to its current privileges. Such a process inherits only the three standard descriptors. The caller must have
// locked its goroutine to the thread and must never unlock it. Paths that do not exist are ignored. If the kernel
// lacks a feature, that feature has no effect, and Thread returns no error: see InForce.
func Thread(p Paths) error {
	keepDescriptors()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("confine a thread: no new privileges: %w", err)
	}
	version := landlockVersion()
	if version == 0 {
		return nil
	}
	attr := handled(version)
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr),
		0)
	if errno != 0 {
		return fmt.Errorf("confine a thread: make a ruleset: %w", errno)
	}
	defer unix.Close(int(fd))
	for _, rule := range []struct {
		paths  []string
		access uint64
	}{{p.Execute, execute}, {p.Read, read}, {p.Write, write}} {
		for _, path := range rule.paths {
			if err := allow(int(fd), path, rule.access&attr.Access_fs); err != nil {
				return fmt.Errorf("confine a thread: allow %s: %w", path, err)
			}
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("confine a thread: %w", errno)
	}
	return nil
}

// keepDescriptors marks the descriptors that this program inherited as close-on-exec, so that no child process
// inherits them.
func keepDescriptors() {
	if unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	open, _ := os.ReadDir("/proc/self/fd") // before Linux 5.11
	for _, d := range open {
		if fd, err := strconv.Atoi(d.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

func allow(ruleset int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= ofFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// Program returns what is needed to start the program at path: the file and, if it is linked dynamically, the loader
// and the system's libraries.
func Program(path string) Paths {
	p := Paths{Execute: []string{path}}
	if dynamic {
		p.Execute = append(p.Execute, "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/nix/store",
			"/gnu/store")
	}
	return p
}

// Undumpable prevents other processes of this user from attaching to this one and from reading its memory and
// environment.
func Undumpable() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
