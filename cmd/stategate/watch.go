package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/stategate/stategate/host/print"
)

// watchEvery is the pause between two checks of --watch; shorter in tests. After a check that takes long it is longer,
// so that watching takes a fifth of the time at most.
var watchEvery = time.Second

// clearScreen empties the terminal and goes to its first line.
const clearScreen = "\x1b[H\x1b[2J"

// watch prints the status, and prints it again whenever it changes, until it is interrupted: on a terminal in place of
// the last one, elsewhere below it. The first check says on stderr what it has to say, the others are silent; an error
// of the first one ends the watch, a later one is shown in place of the status.
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
		fmt.Fprint(a.stderr, "\r  \r") // over the ^C that the terminal shows
	}
	return exit(problemOf(context.Cause(ctx)).code)
}
