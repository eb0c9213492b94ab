// Package limits defines the resource limits of a plugin.
//
// The host sets them. A configuration or a plugin can lower them, but never raise them.
package limits

import (
	"reflect"
	"time"
)

// Limits restricts one plugin, one instance and one worker. For Lower, a zero field asks for nothing. Limits that
// are in force have no zero fields, so start with Default.
type Limits struct {
	Instance time.Duration // one instance: host analysis and the guest's examine together
	Compile  time.Duration // loading one plugin into one worker

	Guest int64 // bytes of one linear memory; a guest has two, its own and the kernel's
	// Worker is the maximum resident memory of one worker process, in bytes. It must be at least twice Guest, plus
	// memory for the rest of the process. It determines how many workers run at a time.
	Worker int64

	Document    int64 // bytes of one content document; larger ones are summarized
	Content     int64 // bytes of all content documents of one instance
	Request     int64 // bytes of a whole request
	Report      int64 // bytes of a report or any other output of a guest
	Diagnostics int   // diagnostics in one report
	Message     int   // bytes of one message
	Stderr      int   // bytes kept of what a guest or worker writes to stderr

	Plugin    int64 // bytes of a .wasm file
	Manifest  int64 // bytes of the manifest in its custom section
	Functions int   // functions that a plugin defines
	Locals    int   // locals of one function, without parameters
	Nesting   int   // nested blocks in one function
	Body      int   // bytes of one function's code
}

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Default returns the default limits, which are also the highest.
//
// Functions, Locals, Nesting and Body are several times what the largest known guests need (prebuilt JavaScript and
// Python engines, Go programs with encoding/json and goldmark).
func Default() Limits {
	return Limits{
		Instance:    30 * time.Second,
		Compile:     60 * time.Second,
		Guest:       256 * mib,
		Worker:      768 * mib,
		Document:    4 * mib,
		Content:     32 * mib,
		Request:     48 * mib,
		Report:      8 * mib,
		Diagnostics: 5000,
		Message:     4 * kib,
		Stderr:      16 * kib,
		Plugin:      64 * mib,
		Manifest:    1 * mib,
		Functions:   100_000,
		Locals:      5_000,
		Nesting:     5_000,
		Body:        4 * mib,
	}
}

// Lower returns l with each field lowered to the same field of asked. A field of asked that is zero, negative or
// larger changes nothing.
func (l Limits) Lower(asked Limits) Limits {
	have, want := reflect.ValueOf(&l).Elem(), reflect.ValueOf(asked)
	for i := range have.NumField() {
		if n := want.Field(i).Int(); n > 0 && n < have.Field(i).Int() {
			have.Field(i).SetInt(n)
		}
	}
	return l
}
