package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/watch"
)

// How often the state is checked although no change was seen. Network file systems report none, and some findings
// depend on the clock. Where nothing can be watched a check takes a tenth of the time at most.
const (
	checkWatched   = time.Minute
	checkUnwatched = 2 * time.Second
)

// clearScreen empties the terminal and goes to its first line.
const clearScreen = "\x1b[H\x1b[2J"

// watch prints the status, and prints it again whenever it changes, until it is interrupted.
func (a *app) watch(c *cobra.Command, f *statusFlags, paths []string) error {
	ctx := c.Context()
	w := &watched{app: a, quiet: a.silent(), clear: isTerminal(a.stdout) && !a.env.dumb}
	for first := true; ctx.Err() == nil; first = false {
		if err := w.once(c, f, paths, first); err != nil && ctx.Err() == nil {
			return err
		}
	}
	if isTerminal(a.stderr) {
		fmt.Fprint(a.stderr, "\r  \r") // over the ^C that the terminal shows
	}
	a.code = problemOf(context.Cause(ctx)).code
	return nil
}

// silent is the app without what it writes beside the status.
func (a *app) silent() *app {
	quiet := *a
	quiet.stderr = io.Discard
	return &quiet
}

// watched is what is shown at the moment.
type watched struct {
	app, quiet *app
	clear      bool
	text       string
}

// once checks, shows what is new, and waits for the next change. The error is that of the first
// check, or of the output.
func (w *watched) once(c *cobra.Command, f *statusFlags, paths []string, first bool) error {
	changes, start, as := watch.New(), time.Now(), w.quiet
	defer changes.Close()
	if first {
		as = w.app
	}
	var text bytes.Buffer
	err := as.printStatus(c, f, paths, &text, w.addTo(changes))
	if err != nil {
		if first || c.Context().Err() != nil {
			return err
		}
		_ = print.Lines(&text, 0, "could not check: ", "    ", problemOf(err).message)
	}
	if err := w.show(text.String()); err != nil {
		return w.app.printed(err)
	}
	took, most := time.Since(start), checkWatched
	if err != nil || f.staged || changes.Err() != nil {
		most = max(checkUnwatched, 10*took)
	}
	if first && changes.Err() != nil {
		_ = lines(w.app.stderr, "stategate: note: ", "    ", "directories cannot be watched, so changes are shown later: "+changes.Err().Error())
	}
	changes.Wait(c.Context(), most)
	return nil
}

// addTo watches what a check reads, but for what stategate writes itself, should its cache be in the tree.
func (w *watched) addTo(changes *watch.Watcher) func(dir string) {
	cache := filepath.Dir(w.app.env.cacheDir)
	return func(dir string) {
		if w.app.env.cacheDir == "" || dir != cache && !strings.HasPrefix(dir, cache+string(filepath.Separator)) {
			changes.Add(dir)
		}
	}
}

// show prints a status that is not shown yet: on a terminal in place of the last one, elsewhere below it.
func (w *watched) show(text string) error {
	if text == w.text {
		return nil
	}
	switch {
	case w.clear:
		text = clearScreen + text
	case w.text != "":
		text = "\n" + text
	}
	_, err := io.WriteString(w.app.stdout, text)
	w.text = strings.TrimPrefix(strings.TrimPrefix(text, clearScreen), "\n")
	return err
}
