package confine

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// With this argument, the test binary acts as code that has taken over a worker.
const intruder = "__intruder"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == intruder {
		os.Exit(intrude(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// attempts are things that native code in a worker must not be able to do.
var attempts = []struct {
	name string
	try  func(paths map[string]string) error
}{
	{"read a file of the user", func(p map[string]string) error { _, err := os.ReadFile(p["secret"]); return err }},
	{"list a directory of the user", func(p map[string]string) error {
		_,
			err := os.ReadDir(filepath.Dir(p["secret"]))
		return err
	}},
	{"write a file of the user", func(p map[string]string) error {
		return os.WriteFile(p["hook"], []byte("#!/bin/sh\n"),
			0o755)
	}},
	{"make a file beside the cache entry", func(p map[string]string) error {
		return os.WriteFile(p["entry"]+"x", nil,
			0o600)
	}},
	{"remove the cache entry", func(p map[string]string) error { return os.Remove(p["entry"]) }},
	{"make a link", func(p map[string]string) error { return os.Symlink(p["secret"], p["hook"]) }},
	{"change a mode", func(p map[string]string) error { return os.Chmod(p["secret"], 0o666) }},
	{"read the environment of the parent", func(map[string]string) error {
		_, err := os.ReadFile("/proc/" + strconv.Itoa(os.Getppid()) + "/environ")
		return err
	}},
	{"read its own memory map", func(map[string]string) error { _, err := os.ReadFile("/proc/self/maps"); return err }},
	{"start a program", func(map[string]string) error { return exec.Command("/bin/true").Run() }},
	{"start itself again", func(map[string]string) error { return exec.Command("/proc/self/exe", "-h").Run() }},
	{"fork", func(map[string]string) error {
		pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if errno == 0 && pid == 0 {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		return failed(errno)
	}},
	{"open a socket", func(map[string]string) error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err }},
	{"open a local socket", func(map[string]string) error {
		_,
			err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		return err
	}},
	{"attach to the parent", func(map[string]string) error { return unix.PtraceAttach(os.Getppid()) }},
	{"read the memory of the parent", func(map[string]string) error {
		var b [8]byte
		local := []unix.Iovec{{Base: &b[0], Len: 8}}
		_, err := unix.ProcessVMReadv(os.Getppid(), local,
			[]unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&b)), Len: 8}}, 0)
		return err
	}},
	{"signal the parent", func(map[string]string) error { return unix.Kill(os.Getppid(), 0) }},
	{"limit the parent", func(map[string]string) error {
		return unix.Prlimit(os.Getppid(), unix.RLIMIT_CPU, &unix.Rlimit{Cur: 1, Max: 1}, nil)
	}},
	{"enter a namespace", func(map[string]string) error { return unix.Unshare(unix.CLONE_NEWUSER) }},
	{"mount", func(p map[string]string) error { return unix.Mount("none", filepath.Dir(p["entry"]), "tmpfs", 0, "") }},
	{"make an io_uring", func(map[string]string) error {
		var params [120]byte
		_, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0)
		return failed(errno)
	}},
	{"load a program into the kernel", func(map[string]string) error {
		_, _, errno := unix.Syscall(unix.SYS_BPF, 0, 0, 0)
		return failed(errno)
	}},
	{"take an inherited descriptor", func(map[string]string) error {
		for fd := 3; fd < 64; fd++ {
			if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
				return nil
			}
		}
		return unix.EBADF
	}},
}

func failed(errno unix.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}

// intrude confines this process and makes all attempts on two threads. It prints those that succeeded.
func intrude(mode string, args []string) int {
	paths := map[string]string{"secret": args[0], "hook": args[1], "entry": args[2]}
	if err := Process(mode == "write"); err != nil {
		fmt.Println("confine:", err)
		return 1
	}
	if text, err := os.ReadFile(paths["entry"]); err != nil || string(text) != "code" {
		fmt.Println("cannot read its cache entry:", err)
	}
	if mode == "write" {
		made := filepath.Join(filepath.Dir(paths["entry"]), "made")
		if err := errors.Join(os.WriteFile(made, []byte("more"), 0o600), os.Rename(made, made+"2"),
			os.Remove(made+"2")); err != nil {
			fmt.Println("cannot write its cache entry:", err)
		}
	}
	var threads sync.WaitGroup
	for range 2 {
		threads.Go(func() {
			runtime.LockOSThread()
			for _, a := range attempts {
				if inEntry := strings.Contains(a.name, "cache entry"); inEntry && mode == "write" {
					continue
				}
				if a.try(paths) == nil {
					fmt.Println("it can", a.name)
				}
			}
		})
	}
	threads.Wait()
	return 0
}

func TestConfined(t *testing.T) {
	_, lack := InForce()
	if len(lack) > 0 {
		t.Skipf("this kernel lacks %v", lack)
	}
	t.Setenv("TOKEN", "of the parent")
	for _, mode := range []string{"read", "write"} {
		t.Run(mode, func(t *testing.T) {
			home, cache := t.TempDir(), filepath.Join(t.TempDir(), "entry")
			secret, entry := filepath.Join(home, "secret"), filepath.Join(cache, "code")
			if err := errors.Join(os.WriteFile(secret, []byte("key"), 0o600), os.Mkdir(cache, 0o700),
				os.WriteFile(entry, []byte("code"), 0o600)); err != nil {
				t.Fatal(err)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			p := Program(self)
			if mode == "write" {
				p.Write = []string{cache}
			} else {
				p.Read = []string{cache}
			}
			cmd := exec.Command(self, intruder, mode, secret, filepath.Join(home, "hook"), entry)
			var out strings.Builder
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(""), &out, &out // opening /dev/null would fail
			started := make(chan error)
			go func() {
				runtime.LockOSThread()
				if err := Thread(p); err != nil {
					started <- err
					return
				}
				started <- cmd.Run()
			}()
			if err := <-started; err != nil {
				t.Errorf("%v", err)
			}
			if out.Len() > 0 {
				t.Errorf("a confined process says:\n%s", out.String())
			}
			if text, err := os.ReadFile(secret); err != nil || string(text) != "key" {
				t.Errorf("this process cannot read %s: %v", secret, err)
			}
		})
	}
}
