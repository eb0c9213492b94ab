package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/watch"
)

// retry is how soon is looked again when a look was not possible at all.
const retry = 2 * time.Second

// watch shows the status live: one goroutine looks, again and again, and sends what
// it saw to the view. A slow look keeps nobody from scrolling or leaving.
func (a *app) watch(c *cobra.Command, f *statusFlags, paths []string) error {
	if f.format != formatText {
		return usagef("--watch shows a view on a terminal, not --format %s; leave out one of the two", f.format)
	}
	if !isTerminal(a.stdin) || !isTerminal(a.stdout) || a.env.dumb {
		return usagef("--watch needs a terminal that can be drawn on; `%s` without it prints the status once", c.CommandPath())
	}
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	l := &follower{app: a, quiet: a.silent(), flags: &f.lookFlags, command: c, paths: paths}
	first, err := l.look(ctx, a, nil)
	if err != nil {
		return err
	}
	p := tea.NewProgram(newBoard(first), a.teaOptions(a.stdout)...)
	defer context.AfterFunc(ctx, p.Quit)()
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.follow(ctx, p.Send)
	}()
	end, err := p.Run()
	cancel()
	<-done // no worker outlives the view
	if err != nil {
		return brokenf("show the view: %v; `%s` without --watch prints the status once", err, c.CommandPath())
	}
	if b := end.(board); b.err != "" || len(b.unseen) > 0 {
		a.code = exitBroken
	}
	return nil
}

// silent is the app without anything that would be written over the view.
func (a *app) silent() *app {
	quiet := *a
	quiet.stderr = io.Discard
	return &quiet
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
	o.Listed, o.Progress = l.listed, progress
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
func (l *follower) follow(ctx context.Context, send func(tea.Msg)) {
	w := watch.New(watch.Options{})
	defer w.Close()
	most := time.Duration(0)
	w.Set(l.watched())
	for n := 1; ; n++ {
		if _, err := w.Wait(ctx, most); err != nil {
			return
		}
		start := time.Now()
		late := time.AfterFunc(patience, func() { send(looking{look: n}) })
		saw, err := l.look(ctx, l.quiet, l.progress(n, start, send))
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
		send(saw)
	}
}

// progress tells of a look that takes longer than patience, a few times a second.
func (l *follower) progress(n int, start time.Time, send func(tea.Msg)) func(done, total int) {
	var last time.Time
	return func(done, total int) {
		now := time.Now()
		if now.Sub(start) < patience || now.Sub(last) < 100*time.Millisecond {
			return
		}
		last = now
		send(looking{n, done, total})
	}
}
