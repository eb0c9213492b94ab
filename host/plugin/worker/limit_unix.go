//go:build unix

package worker

import (
	"math"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"github.com/stategate/stategate/host/limits"
)

const (
	// slack is what a worker may reserve beyond its limit, because the Go heap is reserved in large steps.
	slack = 256 << 20
	// openFiles is enough for three pipes, the poller, and the cache.
	openFiles = 64
	// largestFile is the maximum size in bytes of a cache file.
	largestFile = 512 << 20
	// grace is the CPU time that a worker gets beyond the parent's deadline, so that a parent that
	// is still alive kills it first.
	grace = 5 * time.Second
)

// limitTo lowers the limits of this process. If a limit cannot be set, the parent alone enforces
// it.
func limitTo(l limits.Limits) {
	lowerTo(unix.RLIMIT_CORE, 0)
	lowerTo(unix.RLIMIT_NOFILE, openFiles)
	lowerTo(unix.RLIMIT_FSIZE, largestFile)
	if !raceDetector { // the race detector reserves terabytes
		lowerTo(unix.RLIMIT_DATA, uint64(l.Worker)+slack)
	}
}

// forbidWriting makes every write to a file fail.
func forbidWriting() { lowerTo(unix.RLIMIT_FSIZE, 0) }

// lowerTo lowers a limit of this process, soft and hard. It never raises one.
func lowerTo(resource int, most uint64) {
	var have unix.Rlimit
	if unix.Getrlimit(resource, &have) == nil && uint64(have.Max) > most {
		setRlimit(resource, most, most)
	}
}

func setRlimit(resource int, soft, hard uint64) {
	var r unix.Rlimit
	assign(&r.Cur, soft)
	assign(&r.Max, hard)
	_ = unix.Setrlimit(resource, &r)
}

// assign sets a field of a limit, which is signed on some systems.
func assign[T int64 | uint64](field *T, n uint64) { *field = T(min(n, math.MaxInt64)) }

// limitProcessor limits the next job's CPU time to slightly more than its deadline. This matters if the parent is
// killed on a system that, unlike Linux, does not kill its workers with it.
func limitProcessor(deadline time.Duration) {
	allowed := spent() + time.Duration(runtime.GOMAXPROCS(0))*(deadline+grace)
	var have unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CPU, &have) == nil {
		setRlimit(unix.RLIMIT_CPU, min(uint64(allowed/time.Second)+1, uint64(have.Max)), uint64(have.Max))
	}
}

// spent returns the CPU time of this process.
func spent() time.Duration {
	var used unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// handle is empty on Unix.
type handle struct{}

func (handle) close() {}

func enclose(*os.Process, limits.Limits) (handle, error) { return handle{}, nil }
