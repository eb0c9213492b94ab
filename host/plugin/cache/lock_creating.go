package cache

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

const (
	lockPoll  = 20 * time.Millisecond
	lockStale = time.Minute // beyond any compile deadline
)

// lockByCreating is the lock for systems without flock: who creates path exclusively has it. One that is older than
// lockStale was left by a process that died and is taken over; should two take it over at once, both compile.
func lockByCreating(path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			f.Close()
			return func() { os.Remove(path) }, nil
		}
		info, statErr := os.Stat(path)
		switch {
		case !errors.Is(err, fs.ErrExist) && (statErr != nil || !errors.Is(err, fs.ErrPermission)):
			return nil, err
		case statErr == nil && time.Since(info.ModTime()) > lockStale:
			os.Remove(path)
		default:
			time.Sleep(lockPoll)
		}
	}
}
