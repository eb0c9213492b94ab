package worker

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/stategate/stategate/host/limits"
)

// slack is what a worker may commit beyond its limit, because the Go heap is reserved in large steps.
const slack = 256 << 20

// isolate puts a worker into its own process group, so that Ctrl-C reaches only the parent, and hides its window.
func isolate(cmd *exec.Cmd) {
	cmd.Dir = filepath.VolumeName(cmd.Path) + `\`
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
}

// handle is a job object. When it is closed, the system kills the worker; when the parent dies, the system
// closes it.
type handle struct{ job windows.Handle }

func (h handle) close() {
	if h.job != 0 {
		_ = windows.CloseHandle(h.job)
	}
}

// enclose puts a worker into a job object with a memory limit. Until then, the worker only waits for its first
// message.
func enclose(process *os.Process, l limits.Limits) (handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return handle{}, os.NewSyscallError("CreateJobObject", err)
	}
	h := handle{job}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{ProcessMemoryLimit: uintptr(l.Worker + slack)}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
		windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY |
		windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		h.close()
		return handle{}, os.NewSyscallError("SetInformationJobObject", err)
	}
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(process.Pid))
	if err != nil {
		h.close()
		return handle{}, os.NewSyscallError("OpenProcess", err)
	}
	defer windows.CloseHandle(p)
	if err := windows.AssignProcessToJobObject(job, p); err != nil {
		h.close()
		return handle{}, os.NewSyscallError("AssignProcessToJobObject", err)
	}
	return h, nil
}
