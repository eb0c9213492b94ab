package main

import (
	"errors"
	"fmt"

	"github.com/stategate/stategate/host"
	"github.com/stategate/stategate/host/failure"
)

// The exit codes are API. If several hold, the first of 2, 3, 1, 0 is given.
const (
	exitOpen   = 0 // the gate is open, or what was asked for is done
	exitClosed = 1 // the gate is closed: findings
	exitUsage  = 2 // the call is wrong; nothing was looked at
	exitBroken = 3 // something could not be looked at or done; an interrupt, too
)

// A problem ends a verb with an exit code and a message for stderr.
type problem struct {
	code    int
	message string
	detail  string // what another program or a plugin wrote, shown below the message
}

func (p *problem) Error() string { return p.message }

func usagef(format string, args ...any) error {
	return &problem{code: exitUsage, message: fmt.Sprintf(format, args...)}
}

func brokenf(format string, args ...any) error {
	return &problem{code: exitBroken, message: fmt.Sprintf(format, args...)}
}

// problemOf says what an error means for the exit code. An error that nobody
// classified comes from cobra, about the arguments.
func problemOf(err error) *problem {
	var p *problem
	var usage *host.UsageError
	var fail *failure.Failure
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &usage):
		return &problem{code: exitUsage, message: usage.Message}
	case errors.As(err, &fail):
		return &problem{code: exitBroken, message: err.Error(), detail: fail.Stderr}
	}
	return &problem{code: exitUsage, message: err.Error()}
}

// gateCode returns the exit code of a verdict.
func gateCode(g host.Gate) int {
	switch g {
	case host.Open:
		return exitOpen
	case host.Closed:
		return exitClosed
	}
	return exitBroken
}
