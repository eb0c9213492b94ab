package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/stategate/stategate/host/print"
)

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalSize returns a terminal's size, or 80 by 24 if it is unknown.
func terminalSize(stream any) (width, height int) {
	if f, ok := stream.(*os.File); ok {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 0 && height > 0 {
			return width, height
		}
	}
	return 80, 24
}

// patience is the delay before progress is shown; moment is the shortest time between two updates.
const (
	patience = time.Second
	moment   = 100 * time.Millisecond
)

// progress shows the progress of long work on one line of the terminal.
type progress struct {
	lock        sync.Mutex
	waits       *time.Timer // delays the first update
	w           io.Writer
	start, last time.Time
	width       int // of the shown text
}

// newProgress returns nil, which shows nothing, unless stderr is a terminal that supports line updates.
func newProgress(a *app) *progress {
	if a.env.dumb || !isTerminal(a.stderr) {
		return nil
	}
	p := &progress{w: a.stderr, start: time.Now()}
	p.waits = time.AfterFunc(patience, p.wait)
	return p
}

// wait shows that a check is running although there is nothing to count yet. The first check compiles the plugins,
// which takes a while.
func (p *progress) wait() {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.width == 0 && p.w != nil {
		p.show("checking…")
	}
}

// report is called after each finished instance, one call at a time.
func (p *progress) report(done, total int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	now := time.Now()
	if now.Sub(p.start) < patience || now.Sub(p.last) < moment {
		return
	}
	p.last = now
	p.show(fmt.Sprintf("checking %d/%d state directories", done, total))
}

func (p *progress) show(text string) {
	p.width = max(p.width, print.Columns(text))
	fmt.Fprint(p.w, "\r", text) // a closed terminal is not a reason to stop
}

// end erases the line before anything else is printed, including the ^C that the terminal adds on an interrupt.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.waits.Stop()
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.width > 0 {
		fmt.Fprint(p.w, "\r", strings.Repeat(" ", p.width+len("^C")), "\r")
	}
	p.w = nil // wait may still be called
}

// A prompt asks questions on a terminal. It reads answers in the background, so that an interrupt can end a
// question. After an interrupt, the prompt must not be used again.
type prompt struct {
	w  io.Writer
	in *bufio.Reader
}

// newPrompt returns a prompt that asks on out, or nil unless both input and out are terminals.
func newPrompt(a *app, out io.Writer) *prompt {
	if !isTerminal(a.stdin) || !isTerminal(out) {
		return nil
	}
	return askOn(a.stdin, out)
}

func askOn(r io.Reader, w io.Writer) *prompt { return &prompt{w, bufio.NewReader(r)} }

// ask returns the trimmed answer; ok is false at the end of the input. The error comes from ctx.
func (p *prompt) ask(ctx context.Context, question string) (answer string, ok bool, err error) {
	if _, err := fmt.Fprint(p.w, question+" "); err != nil {
		return "", false, nil
	}
	lines := make(chan string, 1)
	go func() {
		defer close(lines)
		if line, err := p.in.ReadString('\n'); err == nil || line != "" {
			lines <- line
		}
	}()
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case answer, ok = <-lines:
	}
	if !ok {
		fmt.Fprintln(p.w)
	}
	return strings.TrimSpace(answer), ok, err
}

// number asks until it gets a number from 1 to most. It returns 0 if the user quits.
func (p *prompt) number(ctx context.Context, question string, most int) (int, error) {
	for {
		answer, ok, err := p.ask(ctx, fmt.Sprintf("%s [1-%d, q to quit]", question, most))
		if err != nil || !ok || answer == "" || strings.EqualFold(answer, "q") {
			return 0, err
		}
		if n, err := strconv.Atoi(answer); err == nil && n > 0 && n <= most {
			return n, nil
		}
	}
}

// agree asks a yes-or-no question. Any answer other than yes means no.
func (p *prompt) agree(ctx context.Context, question string) (bool, error) {
	answer, _, err := p.ask(ctx, question+" [y/N]")
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"), err
}
