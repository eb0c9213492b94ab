package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/stategate/stategate/host/fault"
)

// The exit codes are part of the API. If several apply, the first one in the order 2, 3, 1, 0 wins.
const (
	exitOpen   = 0   // the gate is open, or the command succeeded
	exitClosed = 1   // findings close the gate
	exitUsage  = 2   // a usage error; nothing was checked
	exitBroken = 3   // something could not be checked or done
	exitSignal = 128 // plus the number of the signal that interrupted the call
)

// A problem ends a subcommand with an exit code and a message for stderr.
type problem struct {
	code    int
	message string // "" if everything has been reported
	detail  string // output of another program or a plugin, shown below the message
}

func (p *problem) Error() string { return p.message }

// exit returns the problem for a subcommand that has already reported everything: only an exit
// code.
func exit(code int) error {
	if code == exitOpen {
		return nil
	}
	return &problem{code: code}
}

func usagef(format string, args ...any) error { return fault.Usagef(format, args...) }

// problemOf returns the exit code and kind of an error. An error that is not a usage error means that stategate
// could not do something.
func problemOf(err error) *problem {
	var p *problem
	var by *interruption
	var usage interface {
		error
		Usage() bool
	}
	var fail *fault.Failure
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &by):
		return &problem{code: by.code(), message: by.Error()}
	case errors.As(err, &usage) && usage.Usage():
		return &problem{code: exitUsage, message: err.Error()}
	case errors.As(err, &fail):
		return &problem{code: exitBroken, message: err.Error(), detail: fail.Stderr}
	}
	return &problem{code: exitBroken, message: err.Error()}
}

// An interruption is the signal that interrupted a call.
type interruption struct{ signal os.Signal }

func (i *interruption) Error() string { return "interrupted" }

func (i *interruption) code() int {
	if s, ok := i.signal.(syscall.Signal); ok {
		return exitSignal + int(s)
	}
	return exitBroken
}

// interruptible returns a context that the first of some signals cancels, with an *interruption as its cause. The
// second signal kills the process.
func interruptible(ctx context.Context, by ...os.Signal) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, by...)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(&interruption{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
