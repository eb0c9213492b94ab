// Package fault classifies the reasons why a plugin or the host could not check something.
//
// A failure is neither a finding nor a usage error. It means that nothing is known about an instance, and says why.
package fault

import (
	"errors"
	"fmt"
	"slices"
)

// Kind is the class of a Failure. Its text is part of the JSON output.
type Kind string

// These are the kinds of failure.
const (
	Timeout   Kind = "timeout"   // the deadline passed and the worker was killed
	Memory    Kind = "memory"    // the guest or its worker needed more memory than its limit
	Trap      Kind = "trap"      // the guest panicked, exited, or did something that the sandbox forbids
	Protocol  Kind = "protocol"  // the guest or the worker gave an invalid answer
	Compile   Kind = "compile"   // the file is not WebAssembly that can be compiled
	ABI       Kind = "abi"       // the file is WebAssembly, but not a plugin for an ABI that this host supports
	Limit     Kind = "limit"     // a size or count exceeds its limit
	Rule      Kind = "rule"      // one rule could not be checked
	IO        Kind = "io"        // the host could not read, write or start something
	Source    Kind = "source"    // a revision or the index could not be read
	Cancelled Kind = "cancelled" // the caller gave up; never printed
)

// Known reports whether k is one of the kinds above. It validates a kind that arrives over a pipe.
func (k Kind) Known() bool {
	return slices.Contains([]Kind{Timeout, Memory, Trap, Protocol, Compile, ABI, Limit, Rule, IO, Source, Cancelled}, k)
}

// Failure is an error that says why something could not be checked.
type Failure struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"` // one or more lines, not sanitized; it may quote a hostile guest
	// Stderr is the last output of the guest or worker before it failed, up to a limit; it may be
	// empty
	Stderr string `json:"stderr"`
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Newf returns a Failure of kind with a formatted message and no stderr.
func Newf(kind Kind, format string, args ...any) *Failure {
	return &Failure{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// From returns the Failure in err. If err contains none, From wraps it in a Failure of the kind otherwise. It
// returns nil for nil.
func From(err error, otherwise Kind) *Failure {
	if err == nil {
		return nil
	}
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return &Failure{Kind: otherwise, Message: err.Error()}
}

// About returns err as a Failure whose message begins with its subject. If err contains no Failure, the result has
// the kind otherwise. It returns nil for nil.
func About(what string, err error, otherwise Kind) error {
	if err == nil {
		return nil
	}
	f := *From(err, otherwise)
	f.Message = what + ": " + f.Message
	return &f
}

// A UsageError reports a usage error: a path that does not exist, an unknown revision, a malformed glob. Other
// packages have usage errors with a position in a file. Every usage error has a Usage method.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Usage returns true: the flags, paths or configuration are wrong rather than the repository or the host.
func (e *UsageError) Usage() bool { return true }

// Usagef returns a *UsageError with a formatted message.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }
