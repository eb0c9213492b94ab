package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/stategate/stategate/host/print"
)

// watchEvery is the minimum pause between two checks of --watch; tests shorten it. After a slow check, the pause is
// longer, so that checking takes at most a fifth of the time.
var watchEvery = time.Second

// clearScreen clears the terminal and moves the cursor to its first line.
const clearScreen = "\x1b[H\x1b[2J"

// watch prints the status, and prints it again whenever it changes, until it is interrupted. On a terminal, each status
// replaces the last one. Only the first check writes notes to stderr. An error in the first check ends the watch; a
// later error is shown in place of the status.
func watch(ctx context.Context, a *app, f *statusFlags, paths []string) error {
	quiet, as, shown := *a, a, ""
	quiet.stderr = io.Discard
	for ; ctx.Err() == nil; as = &quiet {
		var text bytes.Buffer
		start := time.Now()
		err := printStatus(ctx, as, f, paths, &text)
		if err != nil && problemOf(err).message != "" && ctx.Err() == nil {
			if as == a {
				return err
			}
			_ = print.Lines(&text, 0, "could not check: ", "    ", problemOf(err).message)
		}
		if ctx.Err() == nil && text.String() != shown {
			begin := ""
			if isTerminal(a.stdout) && !a.env.dumb {
				begin = clearScreen
			} else if shown != "" {
				begin = "\n"
			}
			shown = text.String()
			if _, err := io.WriteString(a.stdout, begin+shown); err != nil {
				return printed(err)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(max(watchEvery, 4*time.Since(start))):
		}
	}
	if isTerminal(a.stderr) {
		fmt.Fprint(a.stderr, "\r  \r") // overwrites the ^C that the terminal shows
	}
	return exit(problemOf(context.Cause(ctx)).code)
}
