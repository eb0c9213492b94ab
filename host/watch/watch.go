// Package watch reports that something in a set of directories may have changed.
//
// A Watcher serves one check. The check adds every directory before it reads it, so that
// no change after the reading is missed; Wait returns when there was one. Which change it was
// is not used: the names in events are wrong after a directory has moved, and events get lost.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// maxDirs is how many directories are watched: each costs the kernel about 1 KB.
const maxDirs = 20_000

// Wait returns when nothing has happened for quiet, at the latest patience after the first change.
const (
	quiet    = 100 * time.Millisecond
	patience = time.Second
)

// A Watcher watches directories, not the directories below them. Close it.
type Watcher struct {
	system  *fsnotify.Watcher // nil if there is none
	changed chan struct{}     // holds one: something may have changed

	lock sync.Mutex
	n    int   // directories added
	err  error // why not all of them are watched
}

// New returns a Watcher of nothing.
func New() *Watcher {
	w := &Watcher{changed: make(chan struct{}, 1)}
	if w.system, w.err = fsnotify.NewWatcher(); w.err != nil {
		w.system = nil
		return w
	}
	go w.pump(w.system)
	return w
}

// pump takes the system's events until it is closed. An error means that events got lost.
func (w *Watcher) pump(system *fsnotify.Watcher) {
	for {
		ok := false
		select {
		case _, ok = <-system.Events:
		case _, ok = <-system.Errors:
		}
		if !ok {
			return
		}
		select {
		case w.changed <- struct{}{}:
		default: // reported already
		}
	}
}

// Add watches a directory, given as an absolute path. It may be called concurrently.
func (w *Watcher) Add(dir string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.err != nil {
		return
	}
	if w.n++; w.n > maxDirs {
		w.err = fmt.Errorf("there are more than %d: name a smaller part of the tree", maxDirs)
		return
	}
	err := w.system.Add(dir)
	// A directory that is gone or locked is a change of the one around it.
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		w.err = err
	}
}

// Err says why not all directories are watched, with the cure; nil if they are.
func (w *Watcher) Err() error {
	w.lock.Lock()
	defer w.lock.Unlock()
	switch {
	case errors.Is(w.err, syscall.ENOSPC):
		return errors.New("the system watches no more directories: raise fs.inotify.max_user_watches")
	case errors.Is(w.err, syscall.EMFILE), errors.Is(w.err, syscall.ENFILE):
		return errors.New("too many files are open, or too many programs watch: raise ulimit -n or fs.inotify.max_user_instances")
	}
	return w.err
}

// Wait returns when something may have changed since New and it is quiet again, after most in
// any case, or when ctx is done.
func (w *Watcher) Wait(ctx context.Context, most time.Duration) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(most):
		return
	case <-w.changed:
	}
	for end := time.After(patience); ; {
		select {
		case <-ctx.Done():
			return
		case <-end:
			return
		case <-w.changed:
		case <-time.After(quiet):
			return
		}
	}
}

// Close ends watching.
func (w *Watcher) Close() {
	if w.system != nil {
		_ = w.system.Close()
	}
}
