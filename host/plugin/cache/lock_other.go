//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cache

// lock waits for the lock file at path.
func lock(path string) (unlock func(), err error) { return lockByCreating(path) }
