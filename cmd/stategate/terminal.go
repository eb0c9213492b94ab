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

// terminalSize is 80 by 24 where the terminal does not say it.
func terminalSize(stream any) (width, height int) {
	if f, ok := stream.(*os.File); ok {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 0 && height > 0 {
			return width, height
		}
	}
	return 80, 24
}

// patience is how long work continues before its progress is shown; moment is the shortest time between two reports
// of it.
const (
	patience = time.Second
	moment   = 100 * time.Millisecond
)

// progress counts on a line of the terminal how far long work has come.
type progress struct {
	lock        sync.Mutex
	waits       *time.Timer // for the first report
	w           io.Writer
	start, last time.Time
	width       int // of what the line shows
}

// newProgress returns nil, which shows nothing, unless stderr is a terminal that can be drawn on.
func newProgress(a *app) *progress {
	if a.env.dumb || !isTerminal(a.stderr) {
		return nil
	}
	p := &progress{w: a.stderr, start: time.Now()}
	p.waits = time.AfterFunc(patience, p.wait)
	return p
}

// wait shows that a check is running before anything is counted: the first one compiles the plugins.
func (p *progress) wait() {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.width == 0 && p.w != nil {
		p.show("checking…")
	}
}

// report is called as instances are finished, one call at a time.
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
	fmt.Fprint(p.w, "\r", text) // a terminal that has gone away is no reason to stop
}

// end erases the line before anything else is printed, with the ^C that the terminal shows after it when it is
// interrupted.
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
	p.w = nil // wait may still come
}

// A prompt asks questions on a terminal. Answers are read in the background, so
// that an interrupt, after which nothing more is asked, ends a question.
type prompt struct {
	w  io.Writer
	in *bufio.Reader
}

// newPrompt returns a prompt that asks on out, nil unless a terminal shows the question and takes the answer.
func newPrompt(a *app, out io.Writer) *prompt {
	if !isTerminal(a.stdin) || !isTerminal(out) {
		return nil
	}
	return askOn(a.stdin, out)
}

func askOn(r io.Reader, w io.Writer) *prompt { return &prompt{w, bufio.NewReader(r)} }

// ask returns the answer, trimmed; ok is false at the end of the input. The error is that of ctx.
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

// number asks for one from 1 to most until it gets one; 0 for none.
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

// agree asks for a yes. Everything else is a no.
func (p *prompt) agree(ctx context.Context, question string) (bool, error) {
	answer, _, err := p.ask(ctx, question+" [y/N]")
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"), err
}
