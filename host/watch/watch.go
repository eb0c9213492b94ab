package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options say how patient a Watcher is. A zero duration stands for the default.
type Options struct {
	Quiet    time.Duration // nothing may happen for so long before Wait returns; default 100 ms
	Patience time.Duration // Wait returns after so long although it does not get quiet; default 1 s
	Poll     time.Duration // how often a change is assumed where nothing can be watched; default 2 s
	Every    time.Duration // how often one is assumed in any case; default 1 min
}

// maxDirs is how many directories are watched: each costs the kernel about 1 KB.
const maxDirs = 20_000

// maxMisses is how often watches are made anew because a directory of the set was
// not there. What still is not there then is left out.
const maxMisses = 5

// maxRest bounds how long Wait rests after a long look.
const maxRest = 5 * time.Second

// maxPaths is how many changed paths are told one by one.
const maxPaths = 1000

// A Change says what may have happened since the last Wait returned.
type Change struct {
	All   bool     // anything may have
	Paths []string // absolute: only this did, to what lies here or below
}

// A Watcher watches a set of directories, not what lies in directories below them.
// Its methods are for one goroutine.
type Watcher struct {
	options Options
	open    func() (*source, error)
	source  *source       // nil while polling
	changed chan struct{} // holds one: something may have changed
	misses  int
	polling string
	tried   time.Time // when watching was last begun
	rest    time.Duration

	lock    sync.Mutex      // of what follows
	watched map[string]bool // the directories that the source watches
	stale   bool            // one of them may have another name now
	change  Change          // that was not told yet
}

// A source is what fsnotify.Watcher is, to be replaced in tests.
type source struct {
	add    func(dir string) error
	close  func() error
	events <-chan fsnotify.Event
	errors <-chan error
}

func openSystem() (*source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &source{w.Add, w.Close, w.Events, w.Errors}, nil
}

// New returns a Watcher of nothing. Close it.
func New(o Options) *Watcher { return newWatcher(o, openSystem) }

func newWatcher(o Options, open func() (*source, error)) *Watcher {
	def := func(d *time.Duration, value time.Duration) {
		if *d <= 0 {
			*d = value
		}
	}
	def(&o.Quiet, 100*time.Millisecond)
	def(&o.Patience, time.Second)
	def(&o.Poll, 2*time.Second)
	def(&o.Every, time.Minute)
	return &Watcher{options: o, open: open, changed: make(chan struct{}, 1)}
}

// Close ends watching.
func (w *Watcher) Close() {
	if w.source != nil {
		_ = w.source.close()
		w.source = nil
	}
}

// Polling says why nothing is watched, with the cure; "" while the set is watched.
func (w *Watcher) Polling() string { return w.polling }

// Rest says how long a look took. The next Wait takes as long at least, up to five
// seconds, so that a tree that never gets quiet does not keep the machine busy.
func (w *Watcher) Rest(took time.Duration) { w.rest = min(took, maxRest) }

// Set names the directories, absolute, in any order. Whatever happens in them from
// now on is told by Wait; so is a change that may have happened before they were watched.
func (w *Watcher) Set(dirs []string) {
	dirs = slices.Clone(dirs)
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	if w.source == nil && w.polling != "" && time.Since(w.tried) < w.options.Every {
		return
	}
	added, kept := w.added(dirs)
	if w.source == nil || !kept || len(dirs) > maxDirs || w.add(w.source, added) != nil {
		w.renew(dirs)
		return
	}
	for _, dir := range added {
		if w.watches(dir) {
			w.tell(dir) // it may have changed before
		}
	}
}

// added returns what is not watched yet. The watches can be kept if all are of the set still.
func (w *Watcher) added(dirs []string) (added []string, kept bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	for _, dir := range dirs {
		if !w.watched[dir] {
			added = append(added, dir)
		}
	}
	return added, !w.stale && len(dirs)-len(added) == len(w.watched)
}

// renew watches the set with new watches, and tells of a change.
func (w *Watcher) renew(dirs []string) {
	w.tried = time.Now()
	w.forget()
	next, err := w.begin(dirs)
	if w.source != nil {
		_ = w.source.close()
	}
	w.source, w.polling = next, ""
	if err != nil {
		w.source, w.polling = nil, why(err)
		return
	}
	w.tell("")
}

// forget forgets what is watched.
func (w *Watcher) forget() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.watched, w.stale = map[string]bool{}, false
}

func (w *Watcher) watches(dir string) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.watched[dir]
}

// begin watches every directory of the set.
func (w *Watcher) begin(dirs []string) (*source, error) {
	if len(dirs) > maxDirs {
		return nil, fmt.Errorf("more than %d directories: name a smaller part of the tree", maxDirs)
	}
	next, err := w.open()
	if err != nil {
		return nil, err
	}
	go w.pump(next)
	if err = w.add(next, dirs); err != nil {
		_ = next.close()
	}
	return next, err
}

// add watches more directories.
func (w *Watcher) add(to *source, dirs []string) error {
	if len(dirs) == 0 {
		return nil
	}
	missing := false
	for _, dir := range dirs {
		err := to.add(dir)
		switch {
		case err == nil:
			w.lock.Lock()
			w.watched[dir] = true
			w.lock.Unlock()
		case errors.Is(err, fs.ErrPermission): // what lies around it tells when that changes
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			missing = true
		default:
			return err
		}
	}
	w.missed(missing)
	return nil
}

// missed has the watches made anew if a directory was not there: the next look
// knows better.
func (w *Watcher) missed(missing bool) {
	if !missing {
		w.misses = 0
		return
	}
	if w.misses++; w.misses <= maxMisses {
		w.doubt()
	}
}

// doubt has the watches made anew, after a look at everything.
func (w *Watcher) doubt() {
	w.lock.Lock()
	w.stale = true
	w.lock.Unlock()
	w.tell("")
}

// pump takes what the system tells until the source is closed.
func (w *Watcher) pump(s *source) {
	for {
		select {
		case e, ok := <-s.events:
			if !ok {
				return
			}
			if e.Has(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) && w.watches(e.Name) {
				w.doubt()
			}
			w.tell(e.Name)
		case _, ok := <-s.errors: // of which the likeliest is that events got lost
			if !ok {
				return
			}
			w.doubt()
		}
	}
}

// tell notes a change at a path, or anywhere if that is "".
func (w *Watcher) tell(path string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	switch c := &w.change; {
	case path == "" || len(c.Paths) == maxPaths:
		*c = Change{All: true}
	case !c.All:
		c.Paths = append(c.Paths, path)
	}
	select {
	case w.changed <- struct{}{}:
	default: // it is told already
	}
}

// take returns what was told since it was last called.
func (w *Watcher) take() Change {
	w.lock.Lock()
	defer w.lock.Unlock()
	c := w.change
	w.change = Change{}
	select {
	case <-w.changed:
	default:
	}
	return c
}

// Wait returns when something may have changed since the last Wait returned and it
// is quiet again, or after most at the latest if that is not 0: then anything may have
// changed. The error is that of ctx.
func (w *Watcher) Wait(ctx context.Context, most time.Duration) (Change, error) {
	rest := time.NewTimer(w.rest)
	defer rest.Stop()
	w.rest = 0
	select {
	case <-ctx.Done():
		return Change{}, ctx.Err()
	case <-rest.C:
	}
	at := time.NewTimer(w.interval(most))
	defer at.Stop()
	select {
	case <-ctx.Done():
		return Change{}, ctx.Err()
	case <-at.C:
		w.take()
		return Change{All: true}, nil
	case <-w.changed:
		err := w.settle(ctx)
		return w.take(), err
	}
}

// interval is how long Wait waits without being told anything.
func (w *Watcher) interval(most time.Duration) time.Duration {
	d := w.options.Every
	if w.polling != "" {
		d = w.options.Poll
	}
	if most > 0 {
		d = min(d, most)
	}
	return d
}

// settle waits until nothing happens any more.
func (w *Watcher) settle(ctx context.Context) error {
	end := time.NewTimer(w.options.Patience)
	defer end.Stop()
	quiet := time.NewTimer(w.options.Quiet)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-w.changed:
			quiet.Reset(w.options.Quiet)
		case <-quiet.C:
			return nil
		case <-end.C:
			return nil
		}
	}
}

// why names the cure for what keeps the system from watching.
func why(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "raise fs.inotify.max_user_watches: the system watches no more directories"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "raise ulimit -n or fs.inotify.max_user_instances: too many files are open, or too many programs watch"
	}
	return err.Error()
}
