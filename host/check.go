// Package host looks at a tree: it finds the instances of every plugin, has
// each examined in a worker and gathers what was found. It prints nothing, never
// exits and reads no environment.
package host

import (
	"context"
	"time"

	"github.com/stategate/stategate/host/limits"
)

// Options say what to look at and how.
type Options struct {
	Dir      string    // where relative paths begin
	Paths    []string  // restrict what is looked at; none means Dir
	Plugins  []*Plugin // in any order, no two of one name
	Failures []Failure // plugins that could not be read, to be reported with the rest
	Exclude  []string  // globs of directories that the walk prunes
	Base     []string  // revisions that transition rules compare with
	Now      time.Time // the time of this look
	Jobs     int       // workers at most; 0 means the number of processors
	Limits   limits.Limits
	CacheDir string                // of compiled plugins, "" for none
	Worker   []string              // the command line of a worker process
	Progress func(done, total int) // called as instances are finished, one call at a time; may be nil
}

// A UsageError says that the call was wrong: a path that does not exist, an
// unknown revision, options that a plugin refuses.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Check looks. A *UsageError says that the call was wrong; everything that
// could not be looked at is in Result.Failures.
func Check(ctx context.Context, o Options) (*Result, error) {
	return nil, nil
}

// Describe asks a guest for its manifest, in a worker. The error is a
// *failure.Failure.
func Describe(ctx context.Context, wasm []byte, o Options) ([]byte, error) {
	return nil, nil
}
