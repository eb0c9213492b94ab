package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/watch"
)

// retry is how soon is looked again when a look was not possible at all.
const retry = 2 * time.Second

// watch shows the status live: one goroutine checks, again and again, and leaves what
// it found to the view. Neither waits for the other.
func (a *app) watch(c *cobra.Command, f *statusFlags, paths []string) error {
	if f.format != formatText {
		return usagef("--watch shows a view on a terminal, not --format %s; use only one of the two", f.format)
	}
	if !isTerminal(a.stdin) || !isTerminal(a.stdout) || a.env.dumb {
		return usagef("--watch needs a terminal that can be drawn on; `%s` without it prints the status once", c.CommandPath())
	}
	ctx, stop := interruptible(c.Context(), syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	l := &follower{app: a, quiet: a.silent(), flags: &f.lookFlags, command: c, paths: paths}
	first, err := l.look(ctx, a, nil)
	if err != nil {
		return err
	}
	b, err := a.view(ctx, l, first)
	if err != nil {
		return brokenf("show the view: %v; `%s` without --watch prints the status once", err, c.CommandPath())
	}
	if b.err != "" || len(b.unseen) > 0 {
		a.code = exitBroken
	}
	return context.Cause(ctx)
}

// view shows what a follower finds until the user leaves, and returns what was shown last.
func (a *app) view(ctx context.Context, l *follower, first looked) (*board, error) {
	ctx, cancel := context.WithCancel(ctx)
	v := newView(a.stdin.(*os.File), a.stdout.(*os.File), first, style{!a.env.plain})
	stop := notifyView(v.resize, v.continued)
	defer stop()
	defer v.leave()
	err := v.begin()
	var follows sync.WaitGroup
	follows.Go(func() {
		defer v.leave() // should it panic, too
		l.follow(ctx, v.news)
	})
	if err == nil {
		err = v.run(ctx)
	}
	cancel()
	v.leave()
	follows.Wait() // no worker outlives the view
	return v.board, err
}

// silent is the app without anything that would be written over the view.
func (a *app) silent() *app {
	quiet := *a
	quiet.stderr = io.Discard
	return &quiet
}

// A reader takes what a follower finds. It keeps no follower waiting.
type reader interface {
	show(looked)
	tell(looking)
}

// A follower looks whenever something may have changed.
type follower struct {
	app, quiet *app
	flags      *lookFlags
	command    *cobra.Command
	paths      []string
	lock       sync.Mutex // of dirs, while a look goes on
	dirs       map[string]bool
	anchor     string
	memory     check.Memory // of what has not changed
}

// looked is what one look gave.
type looked struct {
	rows    []print.Row
	unseen  []string // what could not be looked at
	err     string   // why nothing could be looked at
	polling string   // why nothing is watched
	anchor  string
	at      time.Time
	look    int // counts looks
}

// looking says how far a look has come that takes long; total 0 is not far.
type looking struct{ look, done, total int }

// look looks as a status that is called now would: with the configuration, the plugins and
// the clock of this moment.
func (l *follower) look(ctx context.Context, as *app, progress func(done, total int)) (looked, error) {
	o, _, err := as.options(l.command, l.flags, l.paths)
	if err != nil {
		return looked{}, err
	}
	l.lock.Lock()
	l.dirs = map[string]bool{}
	l.lock.Unlock()
	o.Listed, o.Progress, o.Memory = l.listed, progress, &l.memory
	r, err := as.look(ctx, o, l.flags.noCache)
	if err != nil {
		return looked{}, err
	}
	l.anchor = r.Anchor
	return looked{rows: print.Rows(r), unseen: print.Unseen(r), anchor: print.Safe(r.Anchor), at: time.Now()}, nil
}

func (l *follower) listed(dir string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.dirs[dir] = true
}

// watched are the directories that the last look read, absolute. What stategate itself
// writes at every look, should its cache lie in the tree, is left out.
func (l *follower) watched() []string {
	cache := filepath.Dir(l.app.env.cacheDir)
	var dirs []string
	for dir := range l.dirs {
		full := filepath.Join(l.anchor, filepath.FromSlash(dir))
		if l.app.env.cacheDir == "" || full != cache && !strings.HasPrefix(full, cache+string(filepath.Separator)) {
			dirs = append(dirs, full)
		}
	}
	return dirs
}

// follow looks, one look after the other, until ctx is done. The first look was made.
func (l *follower) follow(ctx context.Context, out reader) {
	w := watch.New(watch.Options{})
	defer w.Close()
	most := time.Duration(0)
	w.Set(l.watched())
	for n := 1; ; n++ {
		change, err := w.Wait(ctx, most)
		if err != nil {
			return
		}
		l.memory.Forget(l.below(change))
		start := time.Now()
		late := time.AfterFunc(patience, func() { out.tell(looking{look: n}) })
		saw, err := l.look(ctx, l.quiet, l.progress(n, start, out))
		late.Stop()
		if ctx.Err() != nil {
			return
		}
		w.Rest(time.Since(start))
		most = 0
		if err != nil {
			saw, most = looked{err: print.Safe(problemOf(err).message), at: time.Now()}, retry
		} else {
			w.Set(l.watched())
		}
		saw.polling, saw.look = w.Polling(), n
		out.show(saw)
	}
}

// below are the paths that may have changed, slash-separated below the anchor.
func (l *follower) below(change watch.Change) []string {
	var paths []string
	for _, p := range change.Paths {
		rel, err := filepath.Rel(l.anchor, p)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return []string{"."}
		}
		paths = append(paths, filepath.ToSlash(rel))
	}
	if change.All {
		return []string{"."}
	}
	return paths
}

// progress tells how far a look is that takes longer than patience, a few times a second.
func (l *follower) progress(n int, start time.Time, out reader) func(done, total int) {
	var last time.Time
	return func(done, total int) {
		now := time.Now()
		if now.Sub(start) < patience || now.Sub(last) < moment {
			return
		}
		last = now
		out.tell(looking{n, done, total})
	}
}
