package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// A prompt asks questions on a terminal. Answers are read in the background, so
// that an interrupt, after which nothing more is asked, ends a question.
type prompt struct {
	w  io.Writer
	in *bufio.Reader
}

// newPrompt returns a prompt that asks on out, nil unless a terminal shows the question and takes the answer.
func (a *app) newPrompt(out io.Writer) *prompt {
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

// agree asks for a yes. Everything else is a no.
func (p *prompt) agree(ctx context.Context, question string) (bool, error) {
	answer, _, err := p.ask(ctx, question+" [y/N]")
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"), err
}
