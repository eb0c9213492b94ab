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
	// slack is what a worker may reserve beyond what it may use: the Go heap is reserved in large steps.
	slack = 256 << 20
	// openFiles is enough for three pipes, the poller, and the cache.
	openFiles = 64
	// largestFile bounds one file of the cache.
	largestFile = 512 << 20
	// grace is processor time beyond the parent's deadline: the parent kills first, if it lives.
	grace = 5 * time.Second
)

// limitTo lowers what this process may use. A limit that cannot be set is one that the parent enforces alone.
func limitTo(l limits.Limits) {
	lowerTo(unix.RLIMIT_CORE, 0)
	lowerTo(unix.RLIMIT_NOFILE, openFiles)
	lowerTo(unix.RLIMIT_FSIZE, largestFile)
	if !raceDetector { // which reserves terabytes
		lowerTo(unix.RLIMIT_DATA, uint64(l.Worker)+slack)
	}
}

// forbidWriting makes every write to a file fail.
func forbidWriting() { lowerTo(unix.RLIMIT_FSIZE, 0) }

// lowerTo sets a limit of this process, soft and hard, unless it is lower already.
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

// limitProcessor lets the next piece of work use the processor for little longer than its deadline. It matters when the
// parent has been killed on a system that, unlike Linux, does not kill its workers with it.
func limitProcessor(deadline time.Duration) {
	allowed := spent() + time.Duration(runtime.GOMAXPROCS(0))*(deadline+grace)
	var have unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CPU, &have) == nil {
		setRlimit(unix.RLIMIT_CPU, min(uint64(allowed/time.Second)+1, uint64(have.Max)), uint64(have.Max))
	}
}

// spent is the processor time of this process.
func spent() time.Duration {
	var used unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// handle is nothing on Unix.
type handle struct{}

func (handle) close() {}

func enclose(*os.Process, limits.Limits) (handle, error) { return handle{}, nil }
