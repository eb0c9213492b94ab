// Package limits holds the numbers that bound what a plugin may cost.
//
// The host sets them. A configuration or a plugin may ask for less, never for more.
package limits

import (
	"reflect"
	"time"
)

// Limits bounds one plugin, one instance and one worker. The zero value of a field means "not asked" in Lower and
// is never in force: begin with Default.
type Limits struct {
	Instance time.Duration // one instance: host analysis and the guest's examine together
	Compile  time.Duration // loading one plugin into one worker

	Guest int64 // bytes of one linear memory; a guest has two, its own and the kernel's
	// bytes of resident memory of one worker process: at least twice Guest and the rest of the process; the number of
	// workers at a time follows from it
	Worker int64

	Document    int64 // bytes of one content document; larger ones arrive as a summary
	Content     int64 // bytes of all content documents of one instance
	Request     int64 // bytes of a whole request
	Report      int64 // bytes of a report or any other output of a guest
	Diagnostics int   // diagnostics in one report
	Message     int   // bytes of one message
	Stderr      int   // bytes kept of what a guest or worker writes to stderr

	Plugin    int64 // bytes of a .wasm file
	Manifest  int64 // bytes of the manifest in its custom section
	Functions int   // functions that a plugin defines
	Locals    int   // locals of one function, parameters not counted
	Nesting   int   // blocks inside blocks in one function
	Body      int   // bytes of the code of one function
}

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Default returns the limits that hold unless less is asked for.
//
// Functions, Locals, Nesting and Body leave several times the room that the largest guests known need (prebuilt
// JavaScript and Python engines, Go programs with encoding/json and goldmark).
func Default() Limits {
	return Limits{
		Instance:    10 * time.Second,
		Compile:     20 * time.Second,
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

// Lower returns l with every field lowered to what asked names. Fields of asked that are zero, negative or larger
// than l's change nothing.
func (l Limits) Lower(asked Limits) Limits {
	have, want := reflect.ValueOf(&l).Elem(), reflect.ValueOf(asked)
	for i := range have.NumField() {
		if n := want.Field(i).Int(); n > 0 && n < have.Field(i).Int() {
			have.Field(i).SetInt(n)
		}
	}
	return l
}
