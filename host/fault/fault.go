// Package fault names the ways in which a plugin or the host could not check something.
//
// A failure is neither a finding nor a usage error: it says that nothing is known about an instance, and why.
package fault

import (
	"errors"
	"fmt"
	"slices"
)

// Kind is the class of a Failure. Its text is part of the JSON output.
type Kind string

// The kinds of failure.
const (
	Timeout   Kind = "timeout"   // the deadline passed and the worker was killed
	Memory    Kind = "memory"    // the guest or its worker needed more memory than it may have
	Trap      Kind = "trap"      // the guest panicked, exited, or did something a sandbox forbids
	Protocol  Kind = "protocol"  // the guest or the worker gave an invalid answer
	Compile   Kind = "compile"   // the file is no WebAssembly that can be compiled
	ABI       Kind = "abi"       // the file is WebAssembly, but not a plugin of an ABI that this host knows
	Limit     Kind = "limit"     // a size or count is over its limit
	Rule      Kind = "rule"      // one rule could not be checked
	IO        Kind = "io"        // the host could not read, write or start something
	Source    Kind = "source"    // a revision or index could not be read
	Cancelled Kind = "cancelled" // the caller gave up; never printed
)

// Known reports whether k is one of the kinds above. A kind that arrives over a pipe is checked with it.
func (k Kind) Known() bool {
	return slices.Contains([]Kind{Timeout, Memory, Trap, Protocol, Compile, ABI, Limit, Rule, IO, Source, Cancelled}, k)
}

// Failure says why nothing is known. It is an error.
type Failure struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"` // one line or a few, not sanitized: it may quote a hostile guest
	Stderr  string `json:"stderr"`  // bounded text that the guest or the worker wrote before it failed; may be empty
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Newf returns a Failure of kind with a formatted message and no stderr.
func Newf(kind Kind, format string, args ...any) *Failure {
	return &Failure{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// From returns the Failure inside err. An err that holds none becomes a Failure of the kind otherwise; nil stays nil.
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

// About returns err as a Failure whose message begins with what it is about. An err that holds no Failure becomes one
// of the kind otherwise; nil stays nil.
func About(what string, err error, otherwise Kind) error {
	if err == nil {
		return nil
	}
	f := *From(err, otherwise)
	f.Message = what + ": " + f.Message
	return &f
}

// A UsageError says that the call was wrong: a path that does not exist, an unknown revision, a malformed glob. Other
// packages have errors of their own that carry a position; what they share is the method Usage.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Usage reports true: the flags, paths or configuration are wrong, not the repository or the host.
func (e *UsageError) Usage() bool { return true }

// Usagef returns a *UsageError with a formatted message.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }
