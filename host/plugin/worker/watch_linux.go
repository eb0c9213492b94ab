package worker

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/stategate/stategate/host/fault"
)

// watchEvery is how often a busy worker's memory is checked. A process can allocate at most a few GiB per second,
// so the parent notices a process that exceeds its limit within tens of MiB. RLIMIT_DATA is the second line of
// defense.
const watchEvery = 10 * time.Millisecond

// watch kills the process if its resident memory exceeds the limit, until stop is called.
func (p *process) watch() (stop func()) {
	done := make(chan struct{})
	path := "/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/statm"
	go func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				p.checkMemory(path)
			}
		}
	}()
	return func() { close(done) }
}

func (p *process) checkMemory(path string) {
	text, _ := os.ReadFile(path)
	var total, pages int64
	if _, err := fmt.Sscan(string(text), &total, &pages); err != nil || pages == 0 {
		return // it has ended
	}
	resident := pages * int64(os.Getpagesize())
	p.mu.Lock()
	p.peak = resident
	p.mu.Unlock()
	if resident > p.limits.Worker {
		p.kill(fault.Memory)
	}
}

// systemMemory returns how many bytes of memory are available to this process, or 0 if that is unknown.
func systemMemory() int64 {
	var is unix.Sysinfo_t
	if unix.Sysinfo(&is) != nil {
		return 0
	}
	all := int64(is.Totalram) * int64(is.Unit)
	// a container's limit; elsewhere the file is missing or contains "max"
	text, _ := os.ReadFile("/sys/fs/cgroup/memory.max")
	if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
		all = min(all, n)
	}
	return all
}
